"""Upkeep: what is deleted is in no file any more, what is needed stays, and what is broken is found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from compositor.cli import app
from compositor.errors import AdapterError, OperationBusy, OperationEnded, OperationUnknown
from compositor.operations import (
    Environment,
    Handle,
    cancel,
    delete_operation,
    faults,
    free_space,
    generate,
    resume,
    stored_result,
)
from compositor.runtime import ModelAdapter, Role
from compositor.testing import (
    MemoryBlobs,
    MemoryStore,
    PlainCompiler,
    PlainPictures,
    PlainRenderer,
    Scripted,
    calls,
)
from tests.frame.note import GENERATE_NOTE

pytestmark = pytest.mark.anyio

SECRET = "Zanzibarnacle"
"""A word that stands nowhere else."""
NOW = timedelta(0)


@asynccontextmanager
async def place(data: Path, *, in_memory: bool = False) -> AsyncIterator[Environment]:
    """The embedded store and blobs, or those in memory."""
    kept = {"store": MemoryStore(), "blobs": MemoryBlobs()} if in_memory else {}
    drawing = {"renderer": PlainRenderer(), "compiler": PlainCompiler(), "pictures": PlainPictures()}
    async with Environment(data, **drawing, **kept) as environment:  # type: ignore[arg-type]  # ports by name
        yield environment


def making(environment: Environment, document: str, words: str) -> Handle:
    """An operation that writes a note."""
    request = {
        "operation": "generate",
        "content": "note",
        "document": document,
        "brief": {"name": words, "objective": "awareness"},
    }
    models: dict[Role, ModelAdapter] = {
        "writer": Scripted({(1, 1): calls(("write_note", {"text": f"hello {words}"}), text="~" * 20_000 + words)})
    }
    return generate(request, agents=[GENERATE_NOTE], models=models, environment=environment)


def holding(data: Path, word: str) -> list[str]:
    """The files of a folder that hold a word, in any case."""
    files = [path for path in data.rglob("*") if path.is_file()]
    return [str(path.relative_to(data)) for path in files if word.lower().encode() in path.read_bytes().lower()]


@pytest.mark.promise("O13")
async def test_a_deleted_operation_is_in_no_file_any_more_and_its_number_is_not_given_again(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        gone = await making(environment, "greeting", SECRET)
        other = await making(environment, "greeting", "Ada")
        assert holding(tmp_path, SECRET)
        await delete_operation(gone.operation, environment)
        freed = await free_space(environment, grace=NOW)
        assert freed.blobs > 0
        assert holding(tmp_path, SECRET) == []
        record = await environment.store.load(gone.operation)
        assert (record.state, record.status, record.opening) == ("ended", "deleted", "")
        first, second = [await environment.store.version("greeting", number) for number in (1, 2)]
        assert first is not None
        assert second is not None
        assert (first.erased, first.number, second.erased, second.parent) == (True, 1, False, 1)
        assert await faults(environment) == ()
        third = await making(environment, "greeting", "Bo")
        assert (third.version and third.version.number, other.version and other.version.number) == (3, 2)


async def test_nothing_can_be_done_with_a_deleted_operation(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        gone = await making(environment, "greeting", SECRET)
        await delete_operation(gone.operation, environment)
        with pytest.raises(OperationEnded, match="deleted"):
            await resume(gone.operation, agents=[GENERATE_NOTE], environment=environment)
        with pytest.raises(OperationEnded, match="deleted"):
            await delete_operation(gone.operation, environment)
        with pytest.raises(OperationEnded, match="deleted"):
            await cancel(gone.operation, environment=environment)
        with pytest.raises(OperationEnded, match="deleted"):
            await stored_result(await environment.store.load(gone.operation), environment)


async def test_an_operation_that_has_not_ended_is_not_deleted_and_the_cure_is_told(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        out: dict[Role, ModelAdapter] = {"writer": Scripted({(1, 1): AdapterError("scripted", "out")})}
        request = {"operation": "generate", "content": "note", "brief": {"name": "Ada", "objective": "awareness"}}
        handle = generate(request, agents=[GENERATE_NOTE], models=out, environment=environment)
        with pytest.raises(AdapterError):
            await handle
        with pytest.raises(OperationBusy, match=f"interrupted; `compositor cancel {handle.operation}` ends it"):
            await delete_operation(handle.operation, environment)
        async with environment.store.lease(handle.operation):
            with pytest.raises(OperationBusy, match="another owner"):
                await delete_operation(handle.operation, environment)
        with pytest.raises(OperationUnknown):
            await delete_operation("nobody", environment)


@pytest.mark.parametrize("in_memory", [False, True])
async def test_freeing_space_keeps_all_that_is_needed_and_all_that_is_young(tmp_path: Path, *, in_memory: bool) -> None:
    async with place(tmp_path, in_memory=in_memory) as environment:
        kept = await making(environment, "one", "Ada")
        orphans = [await environment.blobs.put(data) for data in (b"small", b"large" * 10_000)]
        assert (await free_space(environment)).blobs == 0
        freed = await free_space(environment, grace=NOW)
        assert freed.size >= 0
        for orphan in orphans[1:]:
            with pytest.raises(Exception, match="no blob"):
                await environment.blobs.get(orphan)
        for artifact in kept.artifacts:
            assert await environment.blobs.get(artifact.sha256)
        assert await faults(environment) == ()
        again = await resume(kept.operation, agents=[GENERATE_NOTE], environment=environment)
        assert again == kept


async def test_what_is_broken_is_found_and_named(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        made = await making(environment, "one", "Ada")
        await making(environment, "two", "Bo")
        assert await faults(environment) == ()
    [note] = [artifact for artifact in made.artifacts if artifact.label == "note.txt"]
    with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
        db.execute("DELETE FROM blobs WHERE address = ?", (note.sha256,))
        db.execute("DELETE FROM events WHERE operation = ? AND seq = 3", (made.operation,))
        db.execute("UPDATE operations SET result = NULL WHERE document = 'two'")
        db.commit()
    async with place(tmp_path) as environment:
        found = "\n".join(await faults(environment))
    assert f"{made.operation} has " in found
    assert f"no blob {note.sha256[:12]!r}" in found
    assert "has ended and has no result" in found


async def test_a_damaged_file_is_found(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        for number in range(20):
            await making(environment, f"doc-{number}", "Ada")
    file = tmp_path / "operations.sqlite"
    data = bytearray(file.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4096] = b"\xff" * 4096
    file.write_bytes(bytes(data))
    async with place(tmp_path) as environment:
        try:
            found = await faults(environment)
        except Exception as error:  # noqa: BLE001 - damage may be such that nothing can be read
            found = (str(error),)
    assert found


COMMANDS = CliRunner()


async def test_the_commands_delete_free_and_check(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        made = await making(environment, "one", SECRET)
    data = ["--data", str(tmp_path)]

    def run(*arguments: str) -> tuple[int, str]:
        ran = COMMANDS.invoke(app, ["operations", *arguments, *data])
        return ran.exit_code, ran.output

    from anyio import to_thread

    assert made.operation in (await to_thread.run_sync(run))[1]
    assert await to_thread.run_sync(run, "check") == (0, "everything is whole\n")
    code, said = await to_thread.run_sync(run, "delete", made.operation)
    assert (code, f"{made.operation} is deleted" in said) == (0, True)
    code, said = await to_thread.run_sync(run, "delete", made.operation)
    assert (code, "ended (deleted)" in said) == (2, True)
    code, said = await to_thread.run_sync(run, "gc", "--grace", "0", "--json")
    assert (code, json.loads(said)["blobs"] > 0) == (0, True)
    assert holding(tmp_path, SECRET) == []
    with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
        db.execute("UPDATE operations SET status = 'succeeded'")
        db.commit()
    code, said = await to_thread.run_sync(run, "check", "--json")
    assert (code, len(json.loads(said)) > 0) == (1, True)
