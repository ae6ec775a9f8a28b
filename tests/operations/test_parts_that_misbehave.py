"""Adapters, tools, checks and callers that do what they should not: each gets an answer, and nothing is lost."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from compositor.agents import Agent
from compositor.authoring import CheckContext, Finding, Report, ToolContext, ToolResult, tool
from compositor.errors import (
    AdapterError,
    CompositionChanged,
    OperationBusy,
    OperationEnded,
    OperationStopped,
    RequestError,
)
from compositor.operations import Environment, cancel, generate, resume, verify
from compositor.runtime import Prompt, Reply
from compositor.testing import MemoryBlobs, MemoryStore, PlainPictures, PlainRenderer, Scripted, calls
from tests.frame.note import GENERATE_NOTE, note

pytestmark = pytest.mark.anyio

REQUEST = {
    "operation": "generate",
    "content": "note",
    "document": "letter",
    "brief": {"name": "Ada", "objective": "awareness"},
}
WRITES = {(1, 1): calls(("write_note", {"text": "hello Ada"}))}


@pytest.fixture
async def environment() -> AsyncIterator[Environment]:
    async with Environment(
        store=MemoryStore(), blobs=MemoryBlobs(), renderer=PlainRenderer(), pictures=PlainPictures()
    ) as ready:
        yield ready


def with_check(check: Callable[[CheckContext], object]) -> Agent:
    """The note's agent, with another first check."""
    length, *others = note.verifiers
    changed = replace(note, verifiers=(replace(length, check=check), *others))  # type: ignore[arg-type] # on purpose
    return replace(GENERATE_NOTE, content=changed)


async def nan_measured(ctx: CheckContext) -> Report:
    return Report(examined=1, measures={"share": math.nan})


async def placeless(ctx: CheckContext) -> Report:
    finding = Finding(code="odd", severity="note", message="odd", where="note.txt")  # type: ignore[arg-type] # on purpose
    return Report(examined=1, findings=(finding,))


@pytest.mark.promise("O7")
@pytest.mark.parametrize("check", [nan_measured, placeless])
async def test_a_report_that_cannot_be_recorded_is_errored(
    environment: Environment, check: Callable[[CheckContext], object]
) -> None:
    result = await generate(
        REQUEST, agents=[with_check(check)], models={"writer": Scripted(WRITES)}, environment=environment
    )
    assert result.verification == "errored"
    assert result.status == "incomplete"


@tool(writes=(), makes=("picture/",))
async def draw(ctx: ToolContext, name: str) -> ToolResult:
    """Make an artifact under a name that the writer chooses."""
    return ToolResult(text="made", artifacts={f"picture/{name}": await ctx.store(b"x", "text/plain")})


async def test_a_label_that_leaves_its_folder_is_refused(environment: Environment) -> None:
    agent = replace(GENERATE_NOTE, content=replace(note, tools=(*note.tools, draw)))
    writer = Scripted({(1, 1): calls(("draw", {"name": "../../escaped"}), ("write_note", {"text": "hello Ada"}))})
    result = await generate(REQUEST, agents=[agent], models={"writer": writer}, environment=environment)
    assert not any("escaped" in artifact.path for artifact in result.artifacts)
    answers = [m for m in writer.prompts[1].messages if getattr(m, "tool", "") == "draw"]
    assert [getattr(answer, "failed", None) for answer in answers] == [True]


async def test_an_adapter_that_raises_anything_is_an_adapter_error_and_the_operation_can_be_resumed(
    environment: Environment,
) -> None:
    def broken(prompt: Prompt) -> Reply:
        raise KeyError("usage")

    with pytest.raises(AdapterError, match="KeyError"):
        await generate(
            REQUEST, agents=[GENERATE_NOTE], models={"writer": Scripted({(1, 1): broken})}, environment=environment
        )
    (record,) = await environment.store.operations()
    result = await resume(
        record.id, agents=[GENERATE_NOTE], models={"writer": Scripted(WRITES)}, environment=environment
    )
    assert result.status == "succeeded"


class Silent(Scripted):
    """A model that never replies."""

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        """Wait for ever."""
        await anyio.sleep_forever()
        raise AssertionError


@pytest.mark.promise("O3")
async def test_a_model_that_never_replies_is_ended_by_the_time_budget(environment: Environment) -> None:
    request = {**REQUEST, "policy": {"budgets": {"seconds": 0.05}}}
    result = await generate(request, agents=[GENERATE_NOTE], models={"writer": Silent({})}, environment=environment)
    assert (result.ending, result.status) == ("exhausted", "failed")
    assert "the budget of seconds was spent" in result.unfinished


async def test_a_threshold_of_any_json_kind_is_the_same_after_a_resume(environment: Environment) -> None:
    length, *others = note.verifiers
    changed = replace(note, verifiers=(replace(length, thresholds={"words": 12, "sizes": (600, 375)}), *others))
    agent = replace(GENERATE_NOTE, content=changed)
    with pytest.raises(AdapterError):
        await generate(
            REQUEST,
            agents=[agent],
            models={"writer": Scripted({(1, 1): AdapterError("scripted", "down")})},
            environment=environment,
        )
    (record,) = await environment.store.operations()
    result = await resume(record.id, agents=[agent], models={"writer": Scripted(WRITES)}, environment=environment)
    assert result.status == "succeeded"


async def interrupted(environment: Environment) -> str:
    """An operation that its model left open."""
    writer = Scripted({(1, 1): AdapterError("scripted", "down")})
    with pytest.raises(AdapterError):
        await generate(REQUEST, agents=[GENERATE_NOTE], models={"writer": writer}, environment=environment)
    (record,) = await environment.store.operations()
    return record.id


async def test_cancelling_frees_a_document_even_where_the_composition_has_changed(environment: Environment) -> None:
    operation = await interrupted(environment)
    changed = with_check(nan_measured)
    changed = replace(changed, budget=replace(changed.budget, steps=3))
    with pytest.raises(CompositionChanged, match="cancel"):
        await resume(operation, agents=[changed], models={"writer": Scripted(WRITES)}, environment=environment)
    with pytest.raises(OperationBusy, match=operation):
        await generate(REQUEST, agents=[GENERATE_NOTE], models={"writer": Scripted(WRITES)}, environment=environment)
    closed = await cancel(operation, environment=environment)
    assert (closed.status, closed.ending, closed.version) == ("cancelled", "cancelled", None)
    with pytest.raises(OperationEnded):
        await cancel(operation, environment=environment)
    with pytest.raises(OperationEnded):
        await resume(operation, agents=[GENERATE_NOTE], environment=environment)
    result = await generate(
        REQUEST, agents=[GENERATE_NOTE], models={"writer": Scripted(WRITES)}, environment=environment
    )
    assert result.status == "succeeded"


async def test_a_cancelled_operation_keeps_its_journal_without_a_gap(environment: Environment) -> None:
    operation = await interrupted(environment)
    await cancel(operation, environment=environment)
    events = await environment.store.events(operation)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert events[-1].what.kind == "operation_ended"


def test_a_handle_can_be_made_before_there_is_an_event_loop(tmp_path: Path) -> None:
    handle = generate(REQUEST, agents=[GENERATE_NOTE], models={"writer": Scripted(WRITES)}, data=tmp_path)

    async def run() -> str:
        return (await handle).status

    assert anyio.run(run) == "succeeded"


async def test_a_handle_runs_its_operation_once_and_says_so_where_it_has_not_begun(environment: Environment) -> None:
    handle = generate(REQUEST, agents=[GENERATE_NOTE], models={"writer": Scripted(WRITES)}, environment=environment)
    with pytest.raises(RuntimeError, match="not begun"):
        await handle.result()
    with pytest.raises(RuntimeError, match="not begun"):
        await handle.interrupt()
    first = await handle
    assert await handle == first
    with pytest.raises(RuntimeError, match="entered before"):
        await handle.__aenter__()
    assert len(await environment.store.operations()) == 1


async def test_a_request_for_other_content_does_not_go_with_a_file(environment: Environment, tmp_path: Path) -> None:
    (tmp_path / "mail.html").write_text("<p>Hello</p>")
    with pytest.raises(RequestError, match="note"):
        await verify(tmp_path / "mail.html", request=REQUEST, environment=environment)


async def test_an_interruption_before_the_operation_is_open_leaves_nothing(environment: Environment) -> None:
    async with generate(
        REQUEST, agents=[GENERATE_NOTE], models={"writer": Silent({})}, environment=environment
    ) as handle:
        await handle.interrupt()
        with pytest.raises(OperationStopped):
            await handle.result()
