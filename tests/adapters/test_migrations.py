"""A data folder of an older release is brought to this one's tables, and its operations go on where they were."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from compositor.adapters.store import SqliteStore
from compositor.adapters.store._schema import MIGRATIONS
from compositor.operations import Environment, resume, stored_result
from compositor.runtime import ModelAdapter, Role
from compositor.testing import PlainCompiler, PlainPictures, PlainRenderer, Scripted, calls, verdict
from tests.frame.note import GENERATE_NOTE

pytestmark = pytest.mark.anyio

STORES = Path(__file__).parent / "stores"
SOURCE = Path(__file__).parents[2] / "src"
OLDER = range(1, len(MIGRATIONS))
ENDED, INTERRUPTED, ERRORED = "ended", "interrupted", "errored"
"""The documents of each folder: one was saved, one stopped at its second draft, and of one the judge was out."""

WRITER = {
    (1, 1): calls(("write_note", {"text": "word " * 20})),
    (2, 1): calls(("write_note", {"text": "a short note"})),
    (3, 1): calls(("write_note", {"text": "hello Ada, a short note"})),
}
JUDGE = {(2, 1): verdict({"greets": False}, feedback="greet her"), (3, 1): verdict({"greets": True})}


def folder_of(schema: int, room: Path) -> Path:
    """A data folder as a release with that schema left it."""
    shutil.copytree(STORES / f"schema-{schema}" / "blobs", room / "blobs")
    with closing(sqlite3.connect(room / "operations.sqlite")) as db:
        db.executescript((STORES / f"schema-{schema}" / "operations.sql").read_text(encoding="utf-8"))
        assert version_of(room) == schema
    return room


def version_of(folder: Path) -> int:
    """The schema of a data folder."""
    with closing(sqlite3.connect(folder / "operations.sqlite")) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def environment_of(folder: Path) -> Environment:
    """Today's environment over a data folder."""
    drawing = {"renderer": PlainRenderer(), "compiler": PlainCompiler(), "pictures": PlainPictures()}
    return Environment(folder, **drawing)  # type: ignore[arg-type]  # ports by name


def test_every_schema_before_this_one_has_a_folder_to_prove_it_with() -> None:
    assert sorted(path.name for path in STORES.iterdir()) == [f"schema-{number}" for number in OLDER]


@pytest.mark.promise("O14")
@pytest.mark.parametrize("schema", OLDER)
async def test_everything_in_an_older_folder_can_be_read(schema: int, tmp_path: Path) -> None:
    async with environment_of(folder_of(schema, tmp_path)) as environment:
        store = environment.store
        records = {record.document: record for record in await store.operations()}
        assert {document: record.state for document, record in records.items()} == {
            ENDED: "ended",
            INTERRUPTED: "interrupted",
            ERRORED: "ended",
        }
        for record in records.values():
            events = await store.events(record.id)
            assert [event.seq for event in events] == list(range(1, len(events) + 1))
            assert not await store.cancel_requested(record.id)
            result = await stored_result(record, environment)
            assert (result is None) == (record.state == "interrupted")
        assert list(await store.effects(records[INTERRUPTED].id))[:3] == ["model/1/1", "call/1/0", "model/1/2"]
        head = await store.head(ENDED)
        assert head is not None
        assert (head.number, await environment.blobs.get(head.snapshot)) != (0, b"")
    assert version_of(tmp_path) == len(MIGRATIONS)


@pytest.mark.promise("O14")
@pytest.mark.parametrize("schema", OLDER)
async def test_operations_of_an_older_folder_go_on_where_they_were(schema: int, tmp_path: Path) -> None:
    async with environment_of(folder_of(schema, tmp_path)) as environment:
        records = {record.document: record for record in await environment.store.operations()}
        recorded = await environment.store.effects(records[INTERRUPTED].id)
        writer, judge = Scripted(WRITER), Scripted(JUDGE, name="judge")
        models: dict[Role, ModelAdapter] = {"writer": writer, "judge": judge}
        result = await resume(records[INTERRUPTED].id, agents=[GENERATE_NOTE], models=models, environment=environment)
        assert (result.status, result.verification) == ("succeeded", "passed")
        asked = {f"model/{prompt.turn}/{prompt.step}" for prompt in writer.prompts}
        assert asked & set(recorded) == set()
        assert len(await environment.store.effects(result.operation)) > len(recorded)

        idle, back = Scripted({}), Scripted({(1, 1): verdict({"greets": True})}, name="judge")
        again: dict[Role, ModelAdapter] = {"writer": idle, "judge": back}
        judged = await resume(records[ERRORED].id, agents=[GENERATE_NOTE], models=again, environment=environment)
        assert (judged.status, judged.verification, idle.prompts) == ("succeeded", "passed", [])


async def test_answers_that_named_what_they_showed_by_label_say_it_by_address(tmp_path: Path) -> None:
    shown = {"image": "1" * 64, "label": "preview/a.b", "media_type": "image/png"}
    made = {"preview/a.b": {"sha256": "1" * 64, "media_type": "image/png", "size": 1, "facts": {}}}
    folder_of(1, tmp_path)
    with closing(sqlite3.connect(tmp_path / "operations.sqlite")) as db:
        (operation,) = db.execute("SELECT id FROM operations").fetchone()
        for number, (key, result) in enumerate(
            {
                "call/9/0": {"images": ["preview/a.b"], "made": made},
                "evaluate/9/0": {"images": [["preview/a.b", "1" * 64, "image/png"]]},
                "call/9/1": {"images": [], "made": {}},
            }.items()
        ):
            row = (operation, 900 + number, key, "tool_call", "{}", json.dumps(result), 0.0)
            db.execute("INSERT INTO effects VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        db.commit()
    with closing(SqliteStore(tmp_path)) as store:
        effects = await store.effects(operation)
    images = [effects[key].result["images"] for key in ("call/9/0", "evaluate/9/0", "call/9/1")]
    assert images == [[shown], [shown], []]
    assert effects["call/9/0"].result["made"] == made


OPENS = """
import sys
from pathlib import Path
from compositor.adapters.store import SqliteStore
SqliteStore(Path(sys.argv[1])).close()
"""

DIES = """
import os, signal, sys
from pathlib import Path
from compositor.adapters.store import SqliteStore
from compositor.testing import watched
left = int(sys.argv[2])
def die(name):
    global left
    left -= name == "store.migrating"
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)
with watched(die):
    SqliteStore(Path(sys.argv[1])).close()
"""


def program(text: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A program over the checkout's sources."""
    environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
    return subprocess.Popen([sys.executable, "-c", text, *arguments], env=environment)


@pytest.mark.parametrize("schema", OLDER)
def test_of_processes_that_open_an_older_folder_at_once_one_migrates_it(schema: int, tmp_path: Path) -> None:
    folder_of(schema, tmp_path)
    started = [program(OPENS, str(tmp_path)) for _ in range(3)]
    assert [process.wait() for process in started] == [0, 0, 0]
    assert version_of(tmp_path) == len(MIGRATIONS)


@pytest.mark.parametrize("schema", OLDER)
def test_a_process_that_dies_while_it_migrates_leaves_the_older_tables(schema: int, tmp_path: Path) -> None:
    folder_of(schema, tmp_path)
    for statement in (1, 3, 5):
        dying = program(DIES, str(tmp_path), str(statement))
        assert dying.wait() == -signal.SIGKILL
        assert version_of(tmp_path) == schema
    SqliteStore(tmp_path).close()
    assert version_of(tmp_path) == len(MIGRATIONS)
