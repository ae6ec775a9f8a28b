"""Snapshots for tests, over blobs in memory."""

from __future__ import annotations

from compositor.testing import MemoryBlobs
from compositor.workspace import Entry, Snapshot


async def snapshot_of(blobs: MemoryBlobs, **contents: str) -> Snapshot:
    """A snapshot of these files; `__` in a name is a slash and `_` a dot."""
    files = {}
    for name, content in contents.items():
        data = content.encode()
        path = name.replace("__", "/").replace("_", ".")
        files[path] = Entry(sha256=await blobs.put(data), size=len(data))
    return Snapshot(files=files)
