"""Blobs in a dictionary."""

from __future__ import annotations

from compositor._values import sha256
from compositor.errors import PortError
from compositor.workspace import Entry, Snapshot


class MemoryBlobs:
    """Implements `Blobs`."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    async def put(self, data: bytes) -> str:
        self.kept[sha256(data)] = data
        return sha256(data)

    async def get(self, sha256: str) -> bytes:
        if sha256 not in self.kept:
            raise PortError("blobs", f"no blob {sha256[:12]}")
        return self.kept[sha256]


async def snapshot_of(blobs: MemoryBlobs, **contents: str) -> Snapshot:
    """A snapshot of these files; `__` in a name is a slash and `_` a dot."""
    files = {}
    for name, content in contents.items():
        data = content.encode()
        path = name.replace("__", "/").replace("_", ".")
        files[path] = Entry(sha256=await blobs.put(data), size=len(data))
    return Snapshot(files=files)
