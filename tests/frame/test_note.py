"""The frame knows no format: a made-up content type of one short file goes all the way."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from compositor.agents import compose
from compositor.operations import Environment, generate
from compositor.runtime.events import Event
from compositor.testing import (
    MemoryBlobs,
    MemoryStore,
    PlainCompiler,
    PlainPictures,
    PlainRenderer,
    Scripted,
    calls,
    verdict,
)
from tests.frame.note import GENERATE_NOTE

pytestmark = pytest.mark.anyio

CHECKOUT = Path(__file__).parents[2]
REQUEST = {"operation": "generate", "content": "note", "brief": {"name": "Ada", "objective": "awareness"}}


@pytest.mark.promise("C1", "O5", "O6", "O12", "O13")
async def test_a_note_is_measured_repaired_judged_repaired_and_saved_with_its_evidence(tmp_path: Path) -> None:
    writer = Scripted(
        {
            (1, 1): calls(("write_note", {"text": "word " * 20})),
            (2, 1): calls(("write_note", {"text": "a short note"})),
            (3, 1): calls(("write_note", {"text": "hello Ada, a short note"})),
        }
    )
    script = {(2, 1): verdict({"greets": False}, feedback="greet her"), (3, 1): verdict({"greets": True})}
    judge = Scripted(script, name="judge")
    environment = Environment(
        tmp_path,
        store=MemoryStore(),
        blobs=MemoryBlobs(),
        renderer=PlainRenderer(),
        compiler=PlainCompiler(),
        pictures=PlainPictures(),
    )
    async with environment:
        models = {"writer": writer, "judge": judge}
        handle = generate(REQUEST, agents=[GENERATE_NOTE], models=models, environment=environment)  # type: ignore[arg-type]  # roles by name
        async with handle:
            items = [item async for item in handle.events() if isinstance(item, Event)]
            result = await handle.result()
        content = {a.label: await environment.blobs.get(a.sha256) for a in result.artifacts}
    rejected = [item.what for item in items if item.what.kind == "draft_rejected"]
    assert [(one.by, one.findings[0]["code"]) for one in rejected if one.kind == "draft_rejected"] == [
        ("measured", "too-long"),
        ("judged", "unmet-greets"),
    ]
    assert (result.status, result.verification, result.ending, result.exit_code) == ("succeeded", "passed", "passed", 0)
    assert result.version is not None
    assert result.version.number == 1
    assert content["note.upper.txt"] == b"HELLO ADA, A SHORT NOTE"
    assert [prompt.turn for prompt in judge.prompts] == [2, 3]
    assert list(tmp_path.iterdir()) == []


def test_the_made_up_content_type_is_at_most_eighty_lines_and_has_no_designer() -> None:
    source = (CHECKOUT / "tests" / "frame" / "note.py").read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 80
    assert GENERATE_NOTE.content.designer is None
    assert compose(GENERATE_NOTE, REQUEST).content.name == "note"


def test_the_frame_has_no_word_of_any_format() -> None:
    package = CHECKOUT / "src" / "compositor"
    frame = [
        *(package / floor for floor in ("runtime", "operations", "authoring", "tools")),
        *package.glob("agents/_rules*"),
    ]
    words = "email|mjml|slide|banner|pptx|viewport|desktop|mobile"
    found = subprocess.run(
        ["grep", "-riE", "--include=*.py", words, *frame], capture_output=True, text=True, check=False
    )
    assert (found.stdout, found.stderr, found.returncode) == ("", "", 1)
