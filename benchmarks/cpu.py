"""CPU seconds of whole process trees, read from `/proc` (Linux): children that ended are counted by their parents."""

from __future__ import annotations

import os
import resource
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def tree_seconds() -> float:
    """CPU seconds that this process, its living descendants and their ended children have used so far."""
    used: dict[int, float] = {}
    children: dict[int, list[int]] = defaultdict(list)
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (fields := _stat(entry)):
            pid = int(entry.name)
            children[int(fields[1])].append(pid)
            used[pid] = sum(int(ticks) for ticks in fields[11:15]) / TICKS
    return _sum(os.getpid(), used, children)


def _stat(process: Path) -> list[str] | None:
    """The fields of `/proc/PID/stat` after the name: state, parent, …; 11 to 14 are user and system time."""
    try:
        return (process / "stat").read_text().rpartition(")")[2].split()
    except OSError:  # it ended in between
        return None


def _sum(pid: int, used: dict[int, float], children: dict[int, list[int]]) -> float:
    return used.get(pid, 0.0) + sum(_sum(child, used, children) for child in children[pid])


def command_seconds(command: Sequence[str], *, runs: int = 7) -> float:
    """The least CPU seconds of a command over several runs: what it costs on a quiet machine."""

    def once() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)

    once()  # compiles bytecode and warms the page cache
    return min(once() for _ in range(runs))
