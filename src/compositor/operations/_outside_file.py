"""Reading a file out of a folder that somebody else filled.

A path is walked one component at a time from an open folder and no link is followed, so that neither the path nor a
change made meanwhile can lead out of the folder. What was opened is looked at again: only a plain file with one name is
read.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from compositor.errors import FileMissing, PathRefused
from compositor.workspace import checked_path, fold

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC  # without O_NONBLOCK a pipe would wait for a writer

_Fault = Callable[[os.stat_result], str]


def read_outside(folder: Path, path: str, limit: int) -> bytes:
    """The bytes of a file below a folder. Blocks.

    Args:
        folder: where the path begins; it is trusted, and may itself be reached through a link.
        path: relative, with forward slashes.
        limit: most bytes.

    Raises:
        FileMissing: there is no such file, with what is there instead.
        PathRefused: a link, a hard link, a device, a name that differs by case, too many bytes, or not readable.
    """
    *folders, name = checked_path(path).split("/")
    try:
        with ExitStack() as opened:
            here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            opened.callback(os.close, here)
            for part in folders:
                here = _entered(opened, here, part, path, _FOLDER, _folder_fault)
            return _read(_entered(opened, here, name, path, _FILE, _file_fault), path, limit)
    except FileNotFoundError:
        raise FileMissing(path) from None
    except OSError as error:
        raise PathRefused(path, f"it cannot be read: {error.strerror}") from None


def _entered(opened: ExitStack, at: int, name: str, path: str, flags: int, fault: _Fault) -> int:
    """The descriptor of one component: looked at before, so that no device is opened, and after, so that it counts."""
    alike = sorted(each for each in os.listdir(at) if fold(each) == fold(name))
    if name not in alike:
        raise FileMissing(path, alike or sorted(os.listdir(at)))
    if len(alike) > 1:
        raise PathRefused(path, f"{' and '.join(alike)} differ only by case or normal form")
    if reason := fault(os.stat(name, dir_fd=at, follow_symlinks=False)):
        raise PathRefused(path, reason.format(name))
    descriptor = os.open(name, flags, dir_fd=at)
    opened.callback(os.close, descriptor)
    if reason := fault(os.fstat(descriptor)):
        raise PathRefused(path, reason.format(name))
    return descriptor


def _folder_fault(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "{!r} is a link"
    return "" if stat.S_ISDIR(status.st_mode) else "{!r} is not a folder"


def _file_fault(status: os.stat_result) -> str:
    if stat.S_ISLNK(status.st_mode):
        return "{!r} is a link"
    if not stat.S_ISREG(status.st_mode):
        return "{!r} is not a plain file"
    return "{!r} has a second name (a hard link)" if status.st_nlink > 1 else ""


def _read(descriptor: int, path: str, limit: int) -> bytes:
    with os.fdopen(os.dup(descriptor), "rb") as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise PathRefused(path, f"it has more than {limit:,} bytes")
    return data
