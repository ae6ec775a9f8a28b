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
from compositor.errors import AdapterError, OperationBusy, OperationEnded, OperationUnknown, StorageFailed
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
        with pytest.raises(OperationBusy, match=f"it is interrupted → `compositor cancel {handle.operation}` ends it"):
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


@pytest.mark.parametrize("odd", ["../operations.sqlite", "../../letter.txt", "", "a/b", ".."])
async def test_what_is_no_id_is_unknown_and_nothing_is_touched(odd: str, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear Ada")
    async with place(tmp_path / "data") as environment:
        for deed in (delete_operation(odd, environment), cancel(odd, environment=environment)):
            with pytest.raises(OperationUnknown):
                await deed
        with pytest.raises(OperationUnknown):
            async with environment.store.lease(odd):
                pass
    assert (tmp_path / "letter.txt").read_text() == "dear Ada"
    assert (tmp_path / "data" / "operations.sqlite").exists()


async def test_while_somebody_reads_the_file_a_delete_says_that_the_words_still_stand_there(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        gone = await making(environment, "greeting", SECRET)
        with closing(sqlite3.connect(tmp_path / "operations.sqlite", isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM events").fetchone()
            with pytest.raises(StorageFailed, match="somebody reads it → do it again"):
                await delete_operation(gone.operation, environment)
        await delete_operation(gone.operation, environment)
        await free_space(environment, grace=NOW)
        assert holding(tmp_path, SECRET) == []


async def test_a_small_upload_is_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        address = await environment.blobs.put(b"a logo")
    async with place(tmp_path) as environment:
        assert await environment.blobs.get(address) == b"a logo"


async def test_an_operation_whose_opening_is_lost_can_still_be_cancelled_and_frees_its_document(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        out: dict[Role, ModelAdapter] = {"writer": Scripted({(1, 1): AdapterError("scripted", "out")})}
        request = {
            "operation": "generate",
            "content": "note",
            "document": "greeting",
            "brief": {"name": "Ada", "objective": "awareness"},
        }
        handle = generate(request, agents=[GENERATE_NOTE], models=out, environment=environment)
        with pytest.raises(AdapterError):
            await handle
    with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
        db.execute("DELETE FROM blobs")
        db.commit()
    async with place(tmp_path) as environment:
        assert any("no blob" in fault for fault in await faults(environment))
        assert (await cancel(handle.operation, environment=environment)).status == "cancelled"
        assert (await making(environment, "greeting", "Ada")).status == "succeeded"


async def test_an_event_that_cannot_be_read_is_found(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        made = await making(environment, "one", "Ada")
    with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
        db.execute("UPDATE events SET event = '{}' WHERE seq = 2")
        db.commit()
    async with place(tmp_path) as environment:
        [fault] = await faults(environment)
    assert fault.startswith(made.operation)


async def test_a_wish_to_cancel_ends_with_the_operation(tmp_path: Path) -> None:
    async with place(tmp_path) as environment:
        made = await making(environment, "one", "Ada")
        await environment.store.request_cancel(made.operation)
        assert await environment.store.cancel_requested(made.operation)
        other = await making(environment, "two", "Ada")
        assert not await environment.store.cancel_requested(other.operation)


async def test_a_page_that_is_damaged_is_a_fault_and_no_crash(tmp_path: Path) -> None:
    async with place(tmp_path / "whole") as environment:
        for number in range(6):
            await making(environment, f"doc-{number}", "Ada")
    data = (tmp_path / "whole" / "operations.sqlite").read_bytes()
    for page in range(1, len(data) // 4096, 5):
        folder = tmp_path / str(page)
        folder.mkdir()
        hurt = bytearray(data)
        hurt[page * 4096 : (page + 1) * 4096] = bytes(4096)
        (folder / "operations.sqlite").write_bytes(bytes(hurt))
        try:
            async with place(folder) as environment:
                found = await faults(environment)
        except StorageFailed as error:  # a folder that cannot even be opened says so, with its cure
            found = (error.cure,)
        assert found[0], page


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
    assert (await to_thread.run_sync(run, "delete", "../operations.sqlite"))[0] == 2
    code, said = await to_thread.run_sync(run, "gc", "--grace", "0", "--json")
    assert (code, json.loads(said)["blobs"] > 0) == (0, True)
    assert holding(tmp_path, SECRET) == []
    with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
        db.execute("UPDATE operations SET status = 'succeeded'")
        db.commit()
    code, said = await to_thread.run_sync(run, "check", "--json")
    assert (code, len(json.loads(said)) > 0) == (1, True)
