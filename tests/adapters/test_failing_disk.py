"""A disk that fails, fills up or is locked: an error with its cure, and nothing lost that was acknowledged."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from compositor.adapters.store import SqliteStore
from compositor.agents import Agent
from compositor.errors import StorageFailed
from compositor.operations import Environment, generate, resume
from compositor.runtime import Effect, ModelAdapter, Role
from compositor.runtime.events import Event
from compositor.testing import MemoryBlobs, PlainCompiler, PlainPictures, PlainRenderer, Scripted, calls, watched
from tests.adapters.failing_disk import Disk, every, full, sample, sound
from tests.conftest import IN_CI
from tests.frame.note import GENERATE_NOTE

pytestmark = pytest.mark.anyio

CHECKOUT = Path(__file__).parents[2]
SAMPLES = 20
REQUEST = {
    "operation": "generate",
    "content": "note",
    "document": "greeting",
    "brief": {"name": "Ada", "objective": "awareness"},
}
WRITES = {(1, 1): calls(("write_note", {"text": "hello Ada"}))}


def needs(program: str) -> None:
    """Skip where a program of the system is absent; in CI it must be there."""
    if shutil.which(program) is None:
        assert not IN_CI, f"CI needs {program}"
        pytest.skip(f"{program} is not installed")


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Disk:
    """What an undisturbed run does to its folder."""
    needs("strace")
    return sound(tmp_path_factory.mktemp("sound"))


@pytest.mark.promise("O14")
def test_a_call_of_the_system_that_fails_is_told_with_its_cure_and_nothing_acknowledged_is_lost(
    disk: Disk, tmp_path: Path
) -> None:
    ways = every(disk, sample(disk.faults(), SAMPLES, seed=3), tmp_path)
    print(f"{dict(disk.calls)} calls; {SAMPLES} of them failed: {dict(ways)}")
    assert ways.total() == SAMPLES
    assert ways["stopped"] > SAMPLES / 2
    assert ways["missed"] == 0


@pytest.mark.promise("O14")
@pytest.mark.parametrize("kilobytes", [60, 400, 1000])
def test_on_a_full_disk_the_work_stops_with_a_cure_and_goes_on_when_there_is_space(
    kilobytes: int, disk: Disk, tmp_path: Path
) -> None:
    needs("bwrap")
    assert full(disk, kilobytes, tmp_path / "small") == "stopped"


def test_the_command_ends_with_the_code_of_the_environment_where_the_disk_is_full(tmp_path: Path) -> None:
    needs("bwrap")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(CHECKOUT / "src"), str(CHECKOUT)])}
    command = [sys.executable, "-m", "compositor", "generate", "examples/retail-sale/request.json"]
    jail = ["bwrap", "--dev-bind", "/", "/", "--size", "200000", "--tmpfs", str(tmp_path)]
    ran = subprocess.run(
        [*jail, *command, "--data", str(tmp_path)],
        cwd=CHECKOUT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 4, ran.stderr
    assert "→ free space" in ran.stderr
    assert "Traceback" not in ran.stderr


def environment_of(store: SqliteStore, folder: Path) -> Environment:
    """An environment over a store."""
    drawing = {"renderer": PlainRenderer(), "compiler": PlainCompiler(), "pictures": PlainPictures()}
    return Environment(folder, store=store, **drawing)  # type: ignore[arg-type]  # ports by name


@pytest.fixture
def impatient(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store that hardly waits for others."""
    store = SqliteStore(tmp_path, busy_seconds=0.05)
    yield store
    store.close()


@pytest.mark.promise("O14")
async def test_a_database_that_is_locked_for_long_stops_the_work_with_its_cure_and_it_can_be_resumed(
    impatient: SqliteStore, tmp_path: Path
) -> None:
    async with environment_of(impatient, tmp_path) as environment:
        models: dict[Role, ModelAdapter] = {"writer": Scripted(WRITES)}
        handle = generate(REQUEST, agents=[GENERATE_NOTE], models=models, environment=environment)
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event):
                    break
            other = sqlite3.connect(tmp_path / "operations.sqlite", isolation_level=None)
            other.execute("BEGIN EXCLUSIVE")
            with pytest.raises(StorageFailed, match="locked → another process is writing to it"):
                await handle.result()
        other.close()
        assert (await impatient.load(handle.operation)).state == "open"
        again: dict[Role, ModelAdapter] = {"writer": Scripted(WRITES)}
        result = await resume(handle.operation, agents=[GENERATE_NOTE], models=again, environment=environment)
    assert result.status == "succeeded"


def test_a_database_that_is_locked_from_the_start_is_told_with_its_cure(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "operations.sqlite", isolation_level=None)
    other.execute("PRAGMA journal_mode=WAL")
    other.execute("BEGIN EXCLUSIVE")  # while its tables are made, or brought to a newer release
    with pytest.raises(StorageFailed, match="locked → another process is writing to it"):
        SqliteStore(tmp_path, busy_seconds=0.05)
    other.close()


class Breaks(SqliteStore):
    """It fails from its nth record on, until it is mended."""

    def __init__(self, folder: Path, *, after: int) -> None:
        super().__init__(folder)
        self.left: float = after

    async def record(self, operation: str, effect: Effect, events: Sequence[Event]) -> None:
        self.left -= 1
        if self.left < 0:
            raise StorageFailed("store", f"the disk broke at {effect.key}", "mend it")
        await super().record(operation, effect, events)

    async def mark(self, *arguments: object) -> None:
        if self.left < 0:
            raise StorageFailed("store", "the disk is still broken", "mend it")
        await super().mark(*arguments)  # type: ignore[arg-type]  # as they came


async def test_the_error_that_stopped_the_work_is_the_one_that_is_told(tmp_path: Path) -> None:
    store = Breaks(tmp_path, after=1)
    async with environment_of(store, tmp_path) as environment:
        models: dict[Role, ModelAdapter] = {"writer": Scripted(WRITES)}
        handle = generate(REQUEST, agents=[GENERATE_NOTE], models=models, environment=environment)
        with pytest.raises(StorageFailed, match="the disk broke at call/1/0"):
            await handle
        store.left = float("inf")
        result = await resume(handle.operation, agents=[GENERATE_NOTE], models=models, environment=environment)
        assert result.status == "succeeded"
    store.close()


class Full(MemoryBlobs):
    """Blobs that take no more for a while."""

    full = False

    async def put(self, data: bytes) -> str:
        if self.full:
            raise StorageFailed("blobs", "no space left", "free space")
        return await super().put(data)


@pytest.mark.promise("O14")
@pytest.mark.parametrize(("committed", "where"), [(2, "tool_answered"), (4, "deliverable_built"), (5, "checked")])
async def test_blobs_that_fail_under_a_tool_a_build_or_a_check_are_not_charged_to_them(
    committed: int, where: str, tmp_path: Path
) -> None:
    """They fill up after so many transactions: the opening, the first reply, the call, the second reply, the build."""
    store, blobs = SqliteStore(tmp_path), Full()
    drawing = {"renderer": PlainRenderer(), "compiler": PlainCompiler(), "pictures": PlainPictures()}
    environment = Environment(tmp_path, store=store, blobs=blobs, **drawing)  # type: ignore[arg-type]  # ports by name
    agents: list[Agent] = [GENERATE_NOTE]
    passed: Counter[str] = Counter()

    def fill_up(name: str) -> None:
        passed[name] += 1
        blobs.full = passed["commit.written"] >= committed

    async with environment:
        models: dict[Role, ModelAdapter] = {"writer": Scripted(WRITES)}
        handle = generate(REQUEST, agents=agents, models=models, environment=environment)
        with watched(fill_up), pytest.raises(StorageFailed, match="no space left"):
            await handle
        blobs.full = False
        assert [event for event in await store.events(handle.operation) if event.what.kind == where] == []
        again: dict[Role, ModelAdapter] = {"writer": Scripted(WRITES)}
        result = await resume(handle.operation, agents=agents, models=again, environment=environment)
    store.close()
    assert (result.status, result.usage.rejections) == ("succeeded", 0)
