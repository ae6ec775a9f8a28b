"""Advisory locks on files: what a lock marks cannot outlive the process that holds it."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path


def locked(path: Path, flags: int = 0) -> int | None:
    """The file, open and locked; None where somebody else holds it, or took its name away before our lock.

    Args:
        path: the file.
        flags: further flags of `open`, such as `O_CREAT`.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC | flags, 0o600)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        ours = _is(file, path)
    except BlockingIOError:
        ours = False
    except BaseException:
        os.close(file)
        raise
    if ours:
        return file
    os.close(file)
    return None


def _is(file: int, path: Path) -> bool:
    """Whether the path still names the open file, which may have been removed or renamed before our lock."""
    try:
        return os.path.samestat(os.fstat(file), path.stat())
    except FileNotFoundError:
        return False


def removed(path: Path, file: int) -> None:
    """Remove the file while its lock is held, then let go. A file that cannot be removed is swept another time."""
    with suppress(OSError):
        path.unlink()
    os.close(file)


def sweep(folder: Path) -> None:
    """Remove the files of a folder that nobody holds: those who made them were killed."""
    for path in folder.iterdir() if folder.is_dir() else ():
        file = locked(path)
        if file is not None:
            removed(path, file)
