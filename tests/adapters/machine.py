"""What tests of the browser and the jail need of the machine: its processes, and a folder that anybody may enter."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory


def descendants(pid: int) -> list[int]:
    """The processes below one."""
    found: list[int] = []
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, children.read_text().split()):
            found += [child, *descendants(child)]
    return found


def is_alive(pid: int) -> bool:
    """Whether a process still runs; a dead one that nobody has asked about yet does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def left_of(pids: Iterable[int], seconds: float = 20) -> list[int]:
    """Those that still run when all are gone or the time is up."""
    deadline = time.monotonic() + seconds
    while (left := [pid for pid in pids if is_alive(pid)]) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left


@contextmanager
def open_folder() -> Iterator[Path]:
    """A temporary folder that other users can enter too, as the jail's nobody has to; pytest's own are for one user."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
