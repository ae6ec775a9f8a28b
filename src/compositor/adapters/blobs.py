"""Blobs in a folder (or any object store that `obstore` speaks to): one object per content, under its own digest."""

from __future__ import annotations

import os
from pathlib import Path

from anyio import to_thread

from compositor._values import sha256
from compositor.errors import PortError


class FolderBlobs:
    """Implements `Blobs` over a local folder.

    A write goes to a temporary name and is renamed, so a killed process leaves no half blob; a read is checked against
    its address, so a damaged one is found.

    Args:
        folder: made where it is missing.
    """

    __slots__ = ("_folder", "_store")

    def __init__(self, folder: Path) -> None:
        from obstore.store import LocalStore

        self._folder = folder
        try:
            self._store = LocalStore(folder, mkdir=True)
        except OSError as error:
            raise PortError("blobs", f"cannot open {folder}: {error}", "choose another folder with --data") from error

    async def put(self, data: bytes) -> str:
        """Keep the bytes; return their hex SHA-256."""
        import obstore

        address = sha256(data)
        file = self._folder / _place(address)
        try:
            if not await to_thread.run_sync(_kept, file, data):
                await obstore.put_async(self._store, _place(address), data)
                await to_thread.run_sync(_flush, file)
        except (OSError, obstore.exceptions.BaseError) as error:
            reason = f"cannot write to {self._folder}: {_first_line(error)}"
            raise PortError("blobs", reason, "free space, or check its rights") from error
        return address

    async def get(self, sha256: str) -> bytes:
        """The bytes of an address. Raises PortError where there are none or they are damaged."""
        import obstore

        try:
            found = await obstore.get_async(self._store, _place(sha256))
            data = bytes(await found.bytes_async())
        except (OSError, ValueError, obstore.exceptions.BaseError) as error:
            reason = f"no blob {sha256[:12]!r} in {self._folder}: {_first_line(error)}"
            raise PortError("blobs", reason, "check that this is the data folder it was kept in") from error
        if not intact(data, sha256):
            raise PortError("blobs", f"the blob {sha256[:12]}… in {self._folder} is damaged", "restore it from a copy")
        return data


def _kept(file: Path, data: bytes) -> bool:
    """Whether the file is there, whole."""
    try:
        return file.read_bytes() == data
    except OSError:
        return False


def _flush(file: Path) -> None:
    """Onto the disk with the bytes and the name: what is recorded points here, and must survive a power cut."""
    for place in (file, file.parent):
        opened = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def intact(data: bytes, address: str) -> bool:
    """Whether the bytes are those of the address."""
    return sha256(data) == address


def _first_line(error: Exception) -> str:
    """What the store says, without its debug output."""
    return str(error).partition("\n")[0]


def _place(address: str) -> str:
    return f"{address[:2]}/{address}"
