"""A lease as an advisory lock of the operating system: it cannot outlive the process that holds it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from compositor.errors import OperationBusy, PortError

TRIES, PAUSE_SECONDS = 3, 0.01
"""A lock that is held by a sweep is free again in an instant; one that is held longer is an owner's."""


@asynccontextmanager
async def file_lease(path: Path, operation: str) -> AsyncIterator[None]:
    """Hold the lock of one file, and remove the file before letting go.

    Args:
        path: the lock file.
        operation: for the error.

    Raises:
        OperationBusy: another process or task holds it.
        PortError: the folder cannot be written.
    """
    file = await _acquired(path, operation)
    try:
        yield
    finally:
        _removed(path, file)


async def _acquired(path: Path, operation: str) -> int:
    for _ in range(TRIES):
        file = _made_and_locked(path)
        if file is not None:
            return file
        await anyio.sleep(PAUSE_SECONDS)
    raise OperationBusy(operation, "another owner is at work on it")


def _made_and_locked(path: Path) -> int | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _locked(path, os.O_CREAT)
    except OSError as error:
        cure = "free space, or check the rights of the data folder"
        raise PortError("store", f"no lease: {error}", cure) from error


def sweep(folder: Path) -> None:
    """Remove the files of leases whose holders were killed: they hold nothing any more."""
    for path in folder.iterdir() if folder.is_dir() else ():
        file = _locked(path)
        if file is not None:
            _removed(path, file)


def _removed(path: Path, file: int) -> None:
    """Remove the file while its lock is held, then let go."""
    path.unlink(missing_ok=True)
    os.close(file)


def _locked(path: Path, flags: int = 0) -> int | None:
    """The file, locked; None where somebody else holds it, or removed it between our open and our lock."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CLOEXEC | flags, 0o600)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    if os.fstat(file).st_nlink:
        return file
    os.close(file)
    return None
