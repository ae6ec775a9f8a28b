"""Blobs in a folder and in memory: one suite for both, and what only a disk can come to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from compositor._values import sha256
from compositor.adapters.blobs import FolderBlobs
from compositor.errors import PortError
from compositor.testing import MemoryBlobs
from compositor.testing.conformance import check_blobs
from compositor.workspace import Blobs

pytestmark = pytest.mark.anyio


async def test_blobs_in_a_folder_keep_the_contract(tmp_path: Path) -> None:
    @asynccontextmanager
    async def make() -> AsyncIterator[Blobs]:
        yield FolderBlobs(tmp_path / "blobs")

    await check_blobs(make)


async def test_blobs_in_memory_keep_the_contract() -> None:
    @asynccontextmanager
    async def make() -> AsyncIterator[Blobs]:
        yield MemoryBlobs()

    await check_blobs(make)


class Cuts(MemoryBlobs):
    """It keeps the first thousand bytes."""

    async def get(self, sha256: str) -> bytes:
        return (await super().get(sha256))[:1000]


class Pretends(MemoryBlobs):
    """It has an answer for every address."""

    async def get(self, sha256: str) -> bytes:
        try:
            return await super().get(sha256)
        except PortError:
            return b""


@pytest.mark.parametrize("faulty", [Cuts, Pretends])
async def test_the_suite_finds_blobs_that_break_the_contract(faulty: type[MemoryBlobs]) -> None:
    @asynccontextmanager
    async def make() -> AsyncIterator[Blobs]:
        yield faulty()

    with pytest.raises(AssertionError):
        await check_blobs(make)


async def test_a_damaged_blob_is_found_and_putting_it_again_mends_it(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    address = await blobs.put(b"words")
    [file] = [path for path in tmp_path.rglob("*") if path.is_file()]
    file.write_bytes(b"wurds")
    with pytest.raises(PortError, match="is damaged → restore it from a copy"):
        await blobs.get(address)
    await blobs.put(b"words")
    assert await blobs.get(address) == b"words"


async def test_nothing_but_whole_blobs_is_in_the_folder(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    for data in (b"", b"words", b"x" * 1_000_000):
        await blobs.put(data)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == 3
    assert all(sha256(path.read_bytes()) == path.name for path in files)


async def test_a_folder_that_cannot_be_used_is_refused_with_the_cure_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PortError, match=r"cannot open .* → choose another folder with --data"):
        FolderBlobs(tmp_path / "file")
    blobs = FolderBlobs(tmp_path / "blobs")
    address = sha256(b"words")
    (tmp_path / "blobs" / address[:2]).write_text("in the way")
    with pytest.raises(PortError, match=r"cannot write to .* → free space, or check its rights") as refused:
        await blobs.put(b"words")
    assert "\n" not in str(refused.value)
    with pytest.raises(PortError, match="check that this is the data folder it was kept in") as refused:
        await blobs.get(sha256(b"never put"))
    assert "\n" not in str(refused.value)
