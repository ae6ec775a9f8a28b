"""How well measurements measure: a corpus in a folder, its figures, and what later figures are held to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compositor._values import sha256
from compositor.agents import Agent
from compositor.authoring import Finding, Report, Where
from compositor.capabilities import CheckContext
from compositor.errors import RequestError
from compositor.operations import Accuracy, Corpus, CorpusFaulty, Environment, accuracy, fallen, rewritten, table
from compositor.operations._accuracy import Figures, bounds
from compositor.testing import (
    MemoryBlobs,
    MemoryStore,
    PlainCompiler,
    PlainImages,
    PlainPictures,
    PlainRenderer,
    flat_png,
)
from tests.frame.note import GENERATE_NOTE, note

pytestmark = pytest.mark.anyio

REQUEST: Mapping[str, Any] = {
    "operation": "generate",
    "content": "note",
    "brief": {"name": "Ada", "objective": "awareness"},
}
LONG = "word " * 13
TOO_LONG: Mapping[str, Any] = {
    "id": "long-1",
    "kind": "longer",
    "control": "short",
    "codes": ["too-long"],
    "edits": [{"file": "note.txt", "find": "Hello", "put": "word ", "times": 13}],
}


def corpus(folder: Path, *faults: Mapping[str, Any], request: Mapping[str, Any] = REQUEST, **files: str) -> Path:
    """A corpus of one control, `short`, with faults for the measurement `length`."""
    control = folder / "controls" / "short"
    control.mkdir(parents=True)
    (control / "request.json").write_text(json.dumps(request))
    for name, text in (files or {"note_txt": "Hello Ada"}).items():
        (control / name.replace("_", ".")).write_text(text)
    (folder / "faults").mkdir()
    told = {"schema_version": "1", "check": "length", "faults": list(faults)}
    (folder / "faults" / "length.json").write_text(json.dumps(told))
    return folder


async def measured(folder: Path, agents: Sequence[Agent] = (GENERATE_NOTE,), *, only: Sequence[str] = ()) -> Accuracy:
    environment = Environment(
        store=MemoryStore(),
        blobs=MemoryBlobs(),
        renderer=PlainRenderer(),
        compiler=PlainCompiler(),
        pictures=PlainPictures(),
        images=PlainImages(),
    )
    async with environment:
        return await accuracy(Corpus.read(folder), environment, agents=agents, only=only)


def checked_by(check: Any) -> tuple[Agent]:
    """The agent of notes, with another measurement of their length."""
    first, *others = note.verifiers
    return (Agent(operation="generate", content=replace(note, verifiers=(replace(first, check=check), *others))),)


async def test_a_fault_that_is_found_and_a_control_that_is_clean(tmp_path: Path) -> None:
    told = await measured(corpus(tmp_path, TOO_LONG))
    assert (told.content, told.missed, told.alarms, told.untested) == ("note", (), (), ())
    (figures,) = told.figures
    assert figures.model_dump(exclude={"milliseconds"}) == {
        "check": "length",
        "kinds": 1,
        "faults": 1,
        "found": 1,
        "controls": 1,
        "alarms": 0,
    }


async def test_a_measurement_that_finds_nothing_misses_and_what_it_said_is_told(tmp_path: Path) -> None:
    async def blind(ctx: CheckContext) -> Report:
        return Report(examined=1)

    told = await measured(corpus(tmp_path, TOO_LONG), checked_by(blind))
    assert [(one.fault, one.kind, one.control, one.said) for one in told.missed] == [
        ("long-1", "longer", "short", "passed")
    ]
    assert told.figures[0].recall == 0.0


@pytest.mark.parametrize("code", ["too-long", "other"])
async def test_only_a_finding_with_the_code_of_the_fault_has_found_it(tmp_path: Path, code: str) -> None:
    async def loud(ctx: CheckContext) -> Report:
        found = Finding(code=code, severity="warning", message="it is long", where=Where(of="note.txt"))
        return Report(examined=1, findings=(found,))

    told = await measured(corpus(tmp_path, TOO_LONG), checked_by(loud))
    assert len(told.missed) == (code == "other")
    assert [alarm.control for alarm in told.alarms] == ["short"]
    assert f"{code} at note.txt: it is long" in told.alarms[0].said


async def test_a_control_that_breaks_a_measurement_is_a_false_alarm(tmp_path: Path) -> None:
    async def broken(ctx: CheckContext) -> Report:
        raise RuntimeError("no")

    told = await measured(corpus(tmp_path), checked_by(broken))
    assert told.figures[0].alarms == 1
    assert told.untested == ("length",)


async def test_a_derived_file_is_changed_when_it_has_been_made(tmp_path: Path) -> None:
    async def upper(ctx: CheckContext) -> Report:
        found = Finding(code="other", severity="blocking", message="it differs", where=Where(of="note.upper.txt"))
        said = await ctx.files.read_text("note.upper.txt")
        return Report(examined=1, findings=() if said == "HELLO ADA" else (found,))

    late = {**TOO_LONG, "codes": ["other"], "edits": [{"file": "note.upper.txt", "find": "ADA", "put": "EVE"}]}
    told = await measured(corpus(tmp_path, late), checked_by(upper))
    assert (told.missed, told.alarms) == ((), ())


async def test_a_request_is_changed_by_a_merge_patch_and_one_that_is_refused_finds_nothing(tmp_path: Path) -> None:
    refused = {**TOO_LONG, "edits": [{"request": {"brief": {"objective": None}}}]}
    (missed,) = (await measured(corpus(tmp_path, refused))).missed
    assert missed.said.startswith("refused: ")
    assert "objective" in missed.said


async def test_a_picture_that_grows_is_named_by_its_new_digest(tmp_path: Path) -> None:
    picture = flat_png(4, 4)
    request = {**REQUEST, "assets": [{"id": "dot", "path": "given/dot.png"}]}
    grown = {**TOO_LONG, "edits": [{"file": "given/dot.png", "grow_to": 5_000}]}
    folder = corpus(tmp_path, grown, request=request, note_txt=f"See {sha256(picture)}")
    (folder / "given").mkdir()
    (folder / "given" / "dot.png").write_bytes(picture)
    seen: list[str] = []

    async def reading(ctx: CheckContext) -> Report:
        seen.append(await ctx.files.read_text("note.txt"))
        return Report(examined=1)

    await measured(folder, checked_by(reading))
    assert seen == [f"See {sha256(picture)}", f"See {sha256(picture.ljust(5_000, bytes(1)))}"]


async def test_words_that_do_not_stand_there_are_a_fault_of_the_corpus(tmp_path: Path) -> None:
    wrong = {**TOO_LONG, "edits": [{"file": "note.txt", "find": "Bye", "put": ""}]}
    (missed,) = (await measured(corpus(tmp_path, wrong))).missed
    assert "'Bye' does not stand in note.txt" in missed.said


async def test_a_file_that_is_not_there_cannot_grow(tmp_path: Path) -> None:
    wrong = {**TOO_LONG, "edits": [{"file": "given/dot.png", "grow_to": 9}]}
    (missed,) = (await measured(corpus(tmp_path, wrong))).missed
    assert "there is no given/dot.png beside the request" in missed.said


async def test_a_measurement_of_an_unknown_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="no control has a measurement 'lenght'"):
        await measured(corpus(tmp_path, TOO_LONG), only=["lenght"])


def test_everything_that_is_wrong_with_a_corpus_is_told_at_once(tmp_path: Path) -> None:
    folder = corpus(tmp_path, TOO_LONG, TOO_LONG, {**TOO_LONG, "id": "long-2", "control": "tall"})
    (folder / "controls" / "odd").mkdir()
    (folder / "controls" / "odd" / "request.json").write_text("{")
    (folder / "faults" / "other.json").write_text('{"schema_version": "2", "check": "other", "faults": []}')
    with pytest.raises(CorpusFaulty) as refused:
        Corpus.read(folder)
    said = str(refused.value)
    for wrong in ("odd/request.json", "schema_version", "long-1 stands 2 times", "no control 'tall'"):
        assert wrong in said, wrong


def test_a_folder_without_controls_is_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(CorpusFaulty, match="there is no control"):
        Corpus.read(tmp_path)


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(20, 20, 0.839, 1.0), (0, 100, 0.0, 0.037), (19, 20, 0.764, 0.991), (50, 100, 0.404, 0.596)],
)
def test_bounds_are_those_of_the_score_interval(hits: int, of: int, low: float, high: float) -> None:
    assert bounds(hits, of) == pytest.approx((low, high), abs=0.0006)


FIGURES = Figures(check="length", kinds=5, faults=20, found=20, controls=100, alarms=0, milliseconds=1.25)


def told_of(*figures: Figures) -> Accuracy:
    return Accuracy(content="note", figures=figures, missed=(), alarms=(), untested=(), build_milliseconds=1.0)


def test_a_document_keeps_its_words_and_gets_the_new_table() -> None:
    first = rewritten("# Accuracy\n\nWords.\n", told_of(FIGURES))
    assert first.startswith("# Accuracy\n\nWords.\n")
    assert "| `length` | 5 | 20 of 20 | 83.9% – 100.0% | 0 of 100 | ≤ 3.7% | 1.2 |" in first
    again = rewritten(first + "\nMore words.\n", told_of(FIGURES.model_copy(update={"found": 19})))
    assert "19 of 20" in again
    assert "20 of 20" not in again
    assert again.endswith("\nMore words.\n")
    assert table(told_of(FIGURES)) in first


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, []),
        ({"found": 25, "faults": 25, "milliseconds": 90.0}, []),
        ({"found": 19}, ["length: 19 of 20 found, where 20 of 20 is written"]),
        ({"found": 10, "faults": 10}, ["length: 10 of 10 found, where 20 of 20 is written"]),
        ({"alarms": 1}, ["length: 1 of 100 false alarms, where 0 of 100 is written"]),
        ({"controls": 10}, ["length: 0 of 10 false alarms, where 0 of 100 is written"]),
        (
            {"check": "width"},
            ["length: it is written about, and was not measured", "width: nothing is written about it"],
        ),
    ],
)
def test_figures_that_are_worse_than_what_is_written_are_told(changes: dict[str, Any], said: list[str]) -> None:
    document = rewritten("", told_of(FIGURES))
    assert list(fallen(document, told_of(FIGURES.model_copy(update=changes)))) == said


def test_what_was_not_asked_for_is_not_missed() -> None:
    document = rewritten("", told_of(FIGURES, FIGURES.model_copy(update={"check": "width"})))
    assert fallen(document, told_of(FIGURES)) == ("width: it is written about, and was not measured",)
    assert fallen(document, told_of(FIGURES), only=["length"]) == ()
