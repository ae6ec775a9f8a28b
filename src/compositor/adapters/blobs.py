"""Blobs in a folder, one file per content under its own digest; and small ones in the file of the embedded store."""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from anyio import to_thread

from compositor._points import point
from compositor._values import sha256
from compositor.adapters._locks import locked, sweep
from compositor.adapters.store import SqliteStore
from compositor.errors import StorageFailed
from compositor.workspace import Freed

SMALL_BYTES = 16 * 1024
"""Up to here a blob costs less in the store's next transaction than as a file of its own, with two flushes."""
MOST_WAITING = 256
"""Small blobs that wait for a transaction: 4 MiB of them at most."""
TRASH = ".trash"
ADDRESS_CHARS = 64
PARTS = "parts"
"""The folder of files that are being written. Each is locked by its writer, so that what a killed one left is known."""


class EmbeddedBlobs:
    """Implements `Blobs` over the embedded store and a folder.

    A small blob is written in the store's next transaction, which is the one that first refers to it, or comes before.

    Args:
        store: keeps the small ones.
        folder: keeps the others.
    """

    __slots__ = ("_folder", "_store")

    def __init__(self, store: SqliteStore, folder: FolderBlobs) -> None:
        self._store, self._folder = store, folder

    async def put(self, data: bytes) -> str:
        """Keep the bytes; return their hex SHA-256."""
        if len(data) > SMALL_BYTES:
            return await self._folder.put(data)
        address = sha256(data)
        self._store.keep(address, bytes(data))
        if self._store.waiting > MOST_WAITING:
            await self._store.flush()
        return address

    async def get(self, sha256: str) -> bytes:
        """The bytes of an address. Raises StorageFailed where there are none or they are damaged."""
        data = await self._store.kept(sha256)
        return await self._folder.get(sha256) if data is None else _intact(data, sha256, "the store")

    async def forget(self, keep: Container[str], *, untouched_since: datetime) -> Freed:
        """Remove what is not kept and was not put since that time; files first, for the rows need room to go."""
        large = await self._folder.forget(keep, untouched_since=untouched_since)
        return large + await self._store.forget_blobs(keep, untouched_since=untouched_since.timestamp())


class FolderBlobs:
    """Implements `Blobs` over a local folder.

    A file has its name only when all its bytes are on the disk, so a killed process leaves no half blob; a read is
    checked against its address, so a damaged one is found. Each call is one trip to a worker thread.

    Args:
        folder: made where it is missing.
    """

    __slots__ = ("_folder",)

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            (folder / PARTS).mkdir(parents=True, exist_ok=True)
            for trash in (folder / PARTS).glob(f"*{TRASH}"):
                self._put_back(trash)
            sweep(folder / PARTS)
        except OSError as error:
            cure = "choose another folder with --data"
            raise StorageFailed("blobs", f"cannot open {folder}: {error}", cure) from error

    async def put(self, data: bytes) -> str:
        """Keep the bytes; return their hex SHA-256."""
        address = sha256(data)
        try:
            await to_thread.run_sync(self._put, address, data)
        except OSError as error:
            reason = f"cannot write to {self._folder}: {error.strerror}"
            raise StorageFailed("blobs", reason, "free space, or check its rights") from error
        return address

    async def get(self, sha256: str) -> bytes:
        """The bytes of an address. Raises StorageFailed where there are none or they are damaged."""
        return await to_thread.run_sync(self._get, sha256)

    async def forget(self, keep: Container[str], *, untouched_since: datetime) -> Freed:
        """Remove what is not kept and was not put since that time.

        A file is first taken aside and then looked at once more: who put the same bytes in between has either made it
        young again, and it is put back, or found it gone and written it anew.
        """
        try:
            return await to_thread.run_sync(self._forget, keep, untouched_since.timestamp())
        except OSError as error:
            reason = f"cannot remove from {self._folder}: {error.strerror}"
            raise StorageFailed("blobs", reason, "check its rights") from error

    def _forget(self, keep: Container[str], since: float) -> Freed:
        freed = Freed()
        for file in filter(_named, self._folder.glob("??/*")):
            with suppress(FileNotFoundError):  # another one is at it, too
                if file.name not in keep and file.stat().st_mtime < since:
                    freed += self._discarded(file, since)
        return freed

    def _discarded(self, file: Path, since: float) -> Freed:
        trash = file.rename(self._folder / PARTS / f"{file.name}{TRASH}")
        found = trash.stat()
        if found.st_mtime >= since:
            self._put_back(trash)
            return Freed()
        trash.unlink()
        return Freed(blobs=1, size=found.st_size)

    def _put_back(self, trash: Path) -> None:
        """Give a file its name again, unless somebody has put the same bytes meanwhile, which are younger."""
        with suppress(FileNotFoundError):
            with suppress(FileExistsError):
                os.link(trash, self._place(trash.name.removesuffix(TRASH)))
            trash.unlink()

    def _put(self, address: str, data: bytes) -> None:
        point("blob.begin")
        file = self._place(address)
        if not _refreshed(file, data):
            with self._part(address) as (part, opened):
                _write(opened, data)
                point("blob.written")
                self._make(file.parent)
                part.replace(file)
            point("blob.named")
        _flush(file.parent)  # also where the file was there: whoever named it may have died before this
        point("blob.kept")

    def _get(self, address: str) -> bytes:
        try:
            data = self._read(address)
        except OSError as error:
            there = not isinstance(error, FileNotFoundError)
            what = f"cannot read the blob {address[:12]!r}" if there else f"no blob {address[:12]!r}"
            cure = "check its rights and the disk" if there else "check that this is the data folder it was kept in"
            raise StorageFailed("blobs", f"{what} in {self._folder}: {error.strerror}", cure) from error
        return _intact(data, address, str(self._folder))

    def _read(self, address: str) -> bytes:
        place = self._place(address)
        try:
            return place.read_bytes()
        except FileNotFoundError:
            with suppress(FileNotFoundError):  # perhaps it has just been taken aside
                return (self._folder / PARTS / f"{address}{TRASH}").read_bytes()
            return place.read_bytes()

    @contextmanager
    def _part(self, address: str) -> Iterator[tuple[Path, int]]:
        """A file to write into, ours alone; it is gone afterwards, by its new name or removed."""
        parts = (self._folder / PARTS / f"{address}.{number}" for number in count())
        part, opened = next((part, opened) for part in parts if (opened := locked(part, os.O_CREAT)) is not None)
        try:
            yield part, opened
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        finally:
            os.close(opened)

    def _make(self, folder: Path) -> None:
        if not folder.is_dir():
            folder.mkdir(exist_ok=True)
            _flush(self._folder)

    def _place(self, address: str) -> Path:
        return self._folder / address[:2] / address


def _intact(data: bytes, address: str, place: str) -> bytes:
    if sha256(data) != address:
        raise StorageFailed("blobs", f"the blob {address[:12]}… in {place} is damaged", "restore it from a copy")
    return data


def _named(file: Path) -> bool:
    """Whether it is a file that was put, and no guest in the folder."""
    return len(file.name) == ADDRESS_CHARS and file.is_file()


def _refreshed(file: Path, data: bytes) -> bool:
    """Whether the file is there, whole; then it is as young as if it had just been written."""
    try:
        whole = file.read_bytes() == data
        if whole:
            os.utime(file)
    except OSError:  # it is not there, or was removed just now
        return False
    return whole


def _write(file: int, data: bytes) -> None:
    """All of the bytes, onto the disk."""
    os.ftruncate(file, 0)
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]
    os.fsync(file)


def _flush(folder: Path) -> None:
    """The names in a folder, onto the disk: what is recorded points at them, and must survive a power cut."""
    opened = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
