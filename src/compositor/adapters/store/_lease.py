"""A lease as an advisory lock of the operating system: it cannot outlive the process that holds it."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType

from compositor.errors import OperationBusy, PortError


class FileLease:
    """An async context manager that holds the lock of one file, and removes the file when it lets go.

    Args:
        path: the lock file.
        operation: for the error.

    Raises:
        OperationBusy: on entry, where another process or task holds it.
        PortError: on entry, where the folder cannot be written.
    """

    __slots__ = ("_file", "_operation", "_path")

    def __init__(self, path: Path, operation: str) -> None:
        self._path, self._operation = path, operation
        self._file: int | None = None

    async def __aenter__(self) -> None:
        """Take the lock, or fail at once."""
        while self._file is None:
            file = _opened(self._path)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(file)
                raise OperationBusy(self._operation, "another owner is at work on it") from None
            if _still_there(file, self._path):
                self._file = file
            else:  # the holder before us removed the file between our open and our lock
                os.close(file)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the file while the lock is held, then let go."""
        if self._file is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._file)
            self._file = None


def _opened(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise PortError("store", f"no lease: {error}", "free space, or check the rights of the data folder") from error


def _still_there(file: int, path: Path) -> bool:
    try:
        return os.fstat(file).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False
