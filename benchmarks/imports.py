"""What it costs to have the product at hand: imports above bare Python, and the command line's help."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.cpu import command_seconds

GOALS_MS = {
    "import compositor": 30,
    "from compositor.capabilities import Capability": 90,
}
HELP_GOAL_MS = 250


def rows() -> list[tuple[str, float, float]]:
    """`(what, milliseconds of CPU, goal)` for each."""
    bare = command_seconds([sys.executable, "-c", "pass"])
    measured = [
        (statement, 1000 * (command_seconds([sys.executable, "-c", statement]) - bare), float(goal))
        for statement, goal in GOALS_MS.items()
    ]
    command = Path(sys.executable).with_name("compositor")
    shown = [str(command)] if command.exists() else [sys.executable, "-m", "compositor"]
    return [*measured, ("compositor --help (whole process)", 1000 * command_seconds([*shown, "--help"]), HELP_GOAL_MS)]
