"""Blobs in a folder and in memory: one suite for both, and what only a disk can come to."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import anyio
import pytest

from compositor._values import sha256
from compositor.adapters.blobs import MOST_WAITING, PARTS, SMALL_BYTES, TRASH, EmbeddedBlobs, FolderBlobs
from compositor.adapters.store import SqliteStore
from compositor.errors import PortError, StorageFailed
from compositor.testing import MemoryBlobs
from compositor.testing.conformance import check_blobs
from compositor.workspace import Blobs, Freed

pytestmark = pytest.mark.anyio


async def test_blobs_in_a_folder_keep_the_contract(tmp_path: Path) -> None:
    @asynccontextmanager
    async def make() -> AsyncIterator[Blobs]:
        yield FolderBlobs(tmp_path / "blobs")

    await check_blobs(make)


async def test_blobs_of_the_embedded_environment_keep_the_contract(tmp_path: Path) -> None:
    numbers = iter(range(1000))

    @asynccontextmanager
    async def make() -> AsyncIterator[Blobs]:
        folder = tmp_path / str(next(numbers))
        with closing(SqliteStore(folder)) as store:
            yield EmbeddedBlobs(store, FolderBlobs(folder / "blobs"))

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


async def test_a_small_blob_comes_with_the_next_transaction_and_many_do_not_wait_for_it(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path)) as store:
        blobs = EmbeddedBlobs(store, FolderBlobs(tmp_path / "blobs"))
        alone = await blobs.put(b"small")
        assert (store.waiting, await blobs.get(alone)) == (1, b"small")
        many = [await blobs.put(b"%d" % number) for number in range(MOST_WAITING)]
        assert store.waiting == 0
    with closing(SqliteStore(tmp_path)) as store:
        blobs = EmbeddedBlobs(store, FolderBlobs(tmp_path / "blobs"))
        assert [await blobs.get(address) for address in (alone, many[7])] == [b"small", b"7"]


async def test_a_small_blob_that_was_damaged_is_found(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path)) as store:
        blobs = EmbeddedBlobs(store, FolderBlobs(tmp_path / "blobs"))
        address = await blobs.put(b"words")
        await store.flush()
        with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
            db.execute("UPDATE blobs SET data = x'00'")
            db.commit()
        with pytest.raises(StorageFailed, match="is damaged → restore it from a copy"):
            await blobs.get(address)


async def test_a_part_that_a_killed_writer_left_is_gone_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    FolderBlobs(tmp_path)
    (tmp_path / PARTS / f"{'0' * 64}.0").write_bytes(b"half")
    FolderBlobs(tmp_path)
    assert list((tmp_path / PARTS).iterdir()) == []


HOUR = timedelta(hours=1)


async def test_what_is_kept_or_young_is_not_forgotten(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    kept, young, old = [await blobs.put(bytes([number]) * (SMALL_BYTES + 1)) for number in range(3)]
    since = datetime.now(UTC) - HOUR
    for address in (kept, old):
        os.utime(tmp_path / address[:2] / address, (since.timestamp() - 60,) * 2)
    assert await blobs.forget({kept}, untouched_since=since) == Freed(blobs=1, size=SMALL_BYTES + 1)
    for address in (kept, young):
        assert await blobs.get(address)
    with pytest.raises(StorageFailed):
        await blobs.get(old)
    assert list((tmp_path / PARTS).iterdir()) == []


async def test_what_was_taken_aside_by_one_who_was_killed_is_put_back(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    address = await blobs.put(b"words")
    (tmp_path / address[:2] / address).rename(tmp_path / PARTS / f"{address}{TRASH}")
    assert await blobs.get(address) == b"words"
    again = FolderBlobs(tmp_path)
    assert list((tmp_path / PARTS).iterdir()) == []
    assert await again.get(address) == b"words"


async def test_putting_again_what_is_just_being_forgotten_keeps_it(tmp_path: Path) -> None:
    """Sixteen threads put what others forget at the same time: whoever has put it last finds it."""
    blobs = FolderBlobs(tmp_path)
    for _ in range(20):
        address = await blobs.put(b"words")
        os.utime(tmp_path / address[:2] / address, (0, 0))
        since = datetime.now(UTC) - HOUR
        async with anyio.create_task_group() as both:
            for _ in range(4):
                both.start_soon(blobs.put, b"words")
                both.start_soon(partial(blobs.forget, (), untouched_since=since))
        assert await blobs.get(address) == b"words"


async def test_what_is_put_back_does_not_make_what_was_put_meanwhile_old(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    address = await blobs.put(b"words")
    place, trash = tmp_path / address[:2] / address, tmp_path / PARTS / f"{address}{TRASH}"
    os.utime(place, (0, 0))
    place.rename(trash)  # by one who dies then
    await blobs.put(b"words")
    FolderBlobs(tmp_path)
    assert await blobs.forget((), untouched_since=datetime.now(UTC) - HOUR) == Freed()
    assert (await blobs.get(address), trash.exists()) == (b"words", False)


async def test_guests_in_the_folder_are_left_alone(tmp_path: Path) -> None:
    blobs = FolderBlobs(tmp_path)
    (tmp_path / "zz" / "old").mkdir(parents=True)
    os.utime(tmp_path / "zz" / "old", (0, 0))
    assert await blobs.forget((), untouched_since=datetime.now(UTC)) == Freed()
    assert (tmp_path / "zz" / "old").is_dir()


async def test_a_small_blob_that_was_damaged_is_mended_by_putting_it_again(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path)) as store:
        blobs = EmbeddedBlobs(store, FolderBlobs(tmp_path / "blobs"))
        address = await blobs.put(b"words")
        await store.flush()
        with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
            db.execute("UPDATE blobs SET data = x'00'")
            db.commit()
        await blobs.put(b"words")
        await store.flush()
        assert await blobs.get(address) == b"words"
