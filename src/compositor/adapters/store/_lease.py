"""A lease as an advisory lock of the operating system: it cannot outlive the process that holds it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from compositor._points import point
from compositor.adapters._locks import locked, removed
from compositor.errors import OperationBusy, OperationUnknown, StorageFailed
from compositor.runtime import PLAIN_ID

TRIES, PAUSE_SECONDS = 3, 0.01
"""A lock that is held by a sweep is free again in an instant; one that is held longer is an owner's."""


@asynccontextmanager
async def file_lease(folder: Path, operation: str) -> AsyncIterator[None]:
    """Hold the lock of a file of that name, and remove the file before letting go.

    Args:
        folder: of the lock files.
        operation: its id.

    Raises:
        OperationUnknown: what is no plain name is no id; it could be a path to anything.
        OperationBusy: another process or task holds it.
        StorageFailed: the folder cannot be written.
    """
    if not PLAIN_ID.fullmatch(operation):
        raise OperationUnknown(operation, str(folder.parent))
    path = folder / operation
    file = await _acquired(path, operation)
    try:
        yield
    finally:
        removed(path, file)
        point("lease.removed")


async def _acquired(path: Path, operation: str) -> int:
    for _ in range(TRIES):
        file = _made_and_locked(path)
        if file is not None:
            point("lease.taken")
            return file
        await anyio.sleep(PAUSE_SECONDS)
    raise OperationBusy(operation, "another owner is at work on it")


def _made_and_locked(path: Path) -> int | None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return locked(path, os.O_CREAT)
    except OSError as error:
        cure = "free space, or check the rights of the data folder"
        raise StorageFailed("store", f"no lease: {error}", cure) from error
