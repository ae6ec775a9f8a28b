"""The embedded store, beside the store in memory: one suite for both, and what only a file on a disk can come to."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compositor.adapters.store import SqliteStore
from compositor.errors import OperationBusy, PortError
from compositor.runtime import Effect, OperationRecord, Store
from compositor.testing import MemoryStore
from compositor.testing.conformance import check_store

pytestmark = pytest.mark.anyio

RECORD = OperationRecord(
    id="one",
    operation="generate",
    content="note",
    document="doc",
    state="open",
    attempt=1,
    opened_at="2026-01-01T00:00:00Z",
    opening="0" * 64,
)
SOURCE = Path(__file__).parents[2] / "src"


def sqlite_stores(folder: Path) -> Callable[[], AbstractAsyncContextManager[Store]]:
    """New embedded stores, each in a folder of its own."""
    numbers = iter(range(1000))

    @asynccontextmanager
    async def make() -> AsyncIterator[Store]:
        with closing(SqliteStore(folder / str(next(numbers)))) as store:
            yield store

    return make


@asynccontextmanager
async def in_memory() -> AsyncIterator[Store]:
    """A new store in memory."""
    yield MemoryStore()


@pytest.mark.promise("O13")
async def test_the_embedded_store_keeps_the_contract(tmp_path: Path) -> None:
    await check_store(sqlite_stores(tmp_path))


async def test_the_store_in_memory_keeps_the_contract() -> None:
    await check_store(in_memory)


class Forgets(MemoryStore):
    """It loses the last event of every effect."""

    async def record(self, operation: str, effect: Effect, events: Sequence[Any]) -> None:
        await super().record(operation, effect, events[:-1])


class Repeats(MemoryStore):
    """It takes the same effect twice."""

    async def record(self, operation: str, effect: Effect, events: Sequence[Any]) -> None:
        known = len(await self.effects(operation))
        await super().record(operation, replace(effect, key=f"{effect.key}-{known}"), events)


class Shares(MemoryStore):
    """Its lease is anybody's."""

    @asynccontextmanager
    async def _anybody(self) -> AsyncIterator[None]:
        yield

    def lease(self, operation: str) -> AbstractAsyncContextManager[None]:
        return self._anybody()


class Overwrites(MemoryStore):
    """It saves a version over any head."""

    async def close_operation(self, operation: str, closing: Any) -> None:
        head = await self.head(closing.version.document) if closing.version else None
        number = head.number if head else None
        version = replace(closing.version, parent=number) if closing.version else None
        await super().close_operation(operation, replace(closing, version=version))


@pytest.mark.parametrize("faulty", [Forgets, Repeats, Shares, Overwrites])
async def test_the_suite_finds_a_store_that_breaks_the_contract(faulty: type[MemoryStore]) -> None:
    @asynccontextmanager
    async def make() -> AsyncIterator[Store]:
        yield faulty()

    with pytest.raises(AssertionError):
        await check_store(make)


async def test_what_was_kept_is_there_when_the_store_is_opened_again(tmp_path: Path) -> None:
    effect = Effect(key="call/1/0", name="tool_call", arguments={}, result={"text": "é"})
    with closing(SqliteStore(tmp_path)) as store:
        await store.create(RECORD, ())
        await store.record("one", effect, ())
    with closing(SqliteStore(tmp_path)) as store:
        assert await store.load("one") == RECORD
        assert await store.effects("one") == {"call/1/0": effect}


async def test_a_file_of_a_newer_release_is_refused_with_the_cure_and_left_as_it_is(tmp_path: Path) -> None:
    SqliteStore(tmp_path).close()
    with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(PortError, match=r"newer version of the product \(schema 99\) → update the product"):
        SqliteStore(tmp_path)
    with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (99,)


async def test_a_folder_or_file_that_cannot_be_used_is_refused_with_the_cure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "operations.sqlite").write_bytes(b"no database " * 500)
    for place in ("file", "file/below", "folder"):
        with pytest.raises(PortError, match=r"cannot open .* → .*choose another folder with --data"):
            SqliteStore(tmp_path / place)


async def test_a_medium_that_fails_later_is_an_error_with_a_cure(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.close()
    with pytest.raises(PortError, match="free space, or check the rights of the folder"):
        await store.create(RECORD, ())
    (tmp_path / "leases").write_text("in the way")
    with pytest.raises(PortError, match=r"no lease: .* → free space, or check the rights"):
        async with store.lease("one"):
            pass


CHILD = """
import sys, anyio
from pathlib import Path
from compositor.adapters.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
async def hold():
    async with store.lease("one"):
        print("held", flush=True)
        await anyio.sleep_forever()
anyio.run(hold)
"""


def child(code: str, *arguments: str) -> subprocess.Popen[str]:
    """A Python process of its own that knows the product."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], env=environment, stdout=subprocess.PIPE, text=True
    )


@pytest.mark.promise("O14")
async def test_a_lease_is_free_again_when_its_holder_was_killed(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path)) as store:
        with child(CHILD, str(tmp_path)) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            with pytest.raises(OperationBusy, match="another owner is at work on it"):
                async with store.lease("one"):
                    pass
            holder.send_signal(signal.SIGKILL)
        async with store.lease("one"):
            assert (tmp_path / "leases" / "one").exists()
        assert list((tmp_path / "leases").iterdir()) == []


FIRST_START = """
import sys
from pathlib import Path
from compositor.adapters.store import SqliteStore
sys.stdin.readline()
SqliteStore(Path(sys.argv[1])).close()
"""


def test_processes_that_start_at_the_same_time_make_one_file(tmp_path: Path) -> None:
    environment: Mapping[str, str] = {**os.environ, "PYTHONPATH": str(SOURCE)}
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", FIRST_START, str(tmp_path)], env=environment, stdin=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]
    for starter in starters:
        assert starter.stdin is not None
        starter.stdin.write("go\n")
        starter.stdin.flush()
    for starter in starters:
        starter.communicate()
    assert [starter.returncode for starter in starters] == [0] * 4


async def test_two_owners_in_two_stores_of_one_folder_see_each_others_lease_and_work(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path)) as one, closing(SqliteStore(tmp_path)) as other:
        await one.create(RECORD, ())
        assert await other.load("one") == RECORD
        async with one.lease("one"):
            with pytest.raises(OperationBusy):
                async with other.lease("one"):
                    pass
        async with other.lease("one"):
            pass


async def test_lease_files_of_the_dead_are_swept_when_the_store_is_opened_and_those_of_the_living_stay(
    tmp_path: Path,
) -> None:
    with closing(SqliteStore(tmp_path)) as store:
        with child(CHILD, str(tmp_path)) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            holder.send_signal(signal.SIGKILL)
        async with store.lease("two"):
            assert sorted(path.name for path in (tmp_path / "leases").iterdir()) == ["one", "two"]
            SqliteStore(tmp_path).close()
            assert [path.name for path in (tmp_path / "leases").iterdir()] == ["two"]
            with pytest.raises(OperationBusy):
                async with store.lease("two"):
                    pass
