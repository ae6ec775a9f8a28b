"""`python -m benchmarks.soak`: the full figures of what the suite only samples. Exit 1 where one part fails."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio

from benchmarks import frame
from compositor.testing.conformance import EMBEDDED, check_kills

OPERATIONS = 2000
RANDOM_KILLS = 200
EXAMPLES = 2000

PROGRAMS = (
    ("cancel at every event", "-m", "pytest", "-q", "-s", "tests/operations/test_cancel.py"),
    ("state machine", "-m", "tests.frame.test_state_machine", "--examples", str(EXAMPLES)),
    ("state machine, embedded store", "-m", "tests.frame.test_state_machine", "--examples", "200", "--embedded"),
    ("random writers", "-m", "tests.frame.test_random_writers", "--examples", "1000"),
    ("failing disk", "-m", "tests.adapters.failing_disk", "--all"),
)


def main() -> int:
    """Run every part, whatever became of those before it."""
    failed = [kills(), memory()]
    failed += [_program(name, *arguments) for name, *arguments in PROGRAMS]
    return max(failed)


def kills() -> int:
    """A kill at every point, and at random times."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            swept = anyio.run(lambda: check_kills(EMBEDDED, Path(folder), random_kills=RANDOM_KILLS))
        except AssertionError as error:
            return _say("kills", began, str(error), failed=True)
    names = ", ".join(f"{name} {count}" for name, count in sorted(swept.points.items()))
    told = f"{swept.swept} points ({names}); {swept.random} at random times, {swept.late} of them after the end"
    return _say("kills", began, told)


def memory() -> int:
    """The growth of one process over many operations."""
    began = time.monotonic()
    figures = anyio.run(frame.memory, OPERATIONS)
    told = f"{figures.operations} operations: {figures.slope:+.2f} KiB each, {figures.last:.0f} MiB at the end"
    return _say("memory", began, told, failed=figures.slope > frame.SLOPE_GOAL_KIB)


def _program(name: str, *arguments: str) -> int:
    began = time.monotonic()
    ran = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    return _say(name, began, (ran.stdout + ran.stderr).strip(), failed=ran.returncode != 0)


def _say(name: str, began: float, told: str, *, failed: bool = False) -> int:
    print(f"{'✗' if failed else '✓'} {name} ({time.monotonic() - began:.0f} s)\n{told}\n", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
