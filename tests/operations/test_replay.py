"""A replay tells an operation again from its journal, and its files are those that the operation had."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor._values import Json
from compositor.agents import Budget
from compositor.capabilities import (
    CheckContext,
    Report,
    ToolContext,
    ToolResult,
    tool,
)
from compositor.errors import (
    CompositorError,
    OperationEnded,
    OperationError,
    OperationUnknown,
)
from compositor.operations import (
    Environment,
    Moment,
    delete_operation,
    export_replay,
    resume,
)
from compositor.operations._replay_page import replay_page
from compositor.runtime import Answer, Effect, Prompt, Reply
from compositor.testing import MemoryStore, Scripted, calls
from compositor.testing.conformance import EMBEDDED, check_kills
from compositor.testing.conformance._kills import embedded
from compositor.workspace import Box, Ink, Isolation, Looks, Page, Picture, Rendering, Screen
from tests.operations.replays import (
    Seen,
    Stops,
    Watched,
    begin_judged,
    bytes_of,
    judged,
    kinds,
    models,
    of,
    poems,
    states,
    told,
)
from tests.operations.test_generate import ENDS
from tests.runtime.bench import (
    BETTER,
    GOOD,
    LENGTH,
    LONG,
    OWNS,
    Run,
    agent,
    begin,
    finished,
    made,
    measurement,
    place,
    write,
    write_poem,
    write_title,
    writes,
)

pytestmark = pytest.mark.anyio


@pytest.mark.promise("O11")
async def test_every_event_is_told_in_order_with_the_whole_of_what_was_said() -> None:
    long = " ".join(["verse"] * 200)
    async with place() as environment:
        handle = begin(Scripted({(1, 1): replace(write(long), text=long)}), environment)
        result = await handle
        moments = await told(result.operation, environment)
        assert [moment.event for moment in moments] == list(await environment.store.events(result.operation))
    step, answer = moments[1], moments[2]
    assert step.reply is not None
    assert step.reply.text == long
    assert answer.call is not None
    assert answer.call.arguments == f'{{"text": "{long}"}}'
    assert [(one.text, one.failed) for one in answer.answers] == [("wrote 200 words", False)]
    assert moments[0].opening["request"]["brief"]["name"] == "Ada"
    assert moments[0].opening["adapters"] == {"writer": "scripted"}
    assert moments[-1].result == result.model_dump(mode="json")


async def test_answers_are_whole_where_the_event_has_cut_them() -> None:
    @tool(writes=())
    async def recite(ctx: ToolContext) -> ToolResult:
        """Recite."""
        return ToolResult(text="la " * 1000)

    run = await made(Scripted({(1, 1): calls(("recite", {}), ("sing", {}))}), tools=(recite,))
    moments = await told(run.result.operation, run.environment)
    first, second = of(moments, "tool_answered")
    by_call = {moment.answers[0].call_id: moment for moment in (first, second)}
    assert by_call["call-0"].answers[0].text == "la " * 1000
    assert by_call["call-1"].answers[0].failed
    assert "sing" in by_call["call-1"].answers[0].text
    assert {name: moment.call.name for name, moment in by_call.items() if moment.call} == {
        "call-0": "recite",
        "call-1": "sing",
    }


@pytest.mark.promise("O11")
async def test_the_files_of_each_moment_are_those_that_the_writer_the_checks_and_the_version_had() -> None:
    seen = Seen()
    async with place() as environment:
        moments = await told(await judged(environment, seen), environment)
        blobs = environment.blobs
        before = [moments[moments.index(step) - 1] for step in of(moments, "step_taken")]
        assert [await bytes_of(moment.snapshot, blobs) for moment in before] == seen.before_step
        measured = [m for m in of(moments, "checked") if m.event.what.verdict["verifier"] == "watching"]  # type: ignore[union-attr]  # of that kind
        files = [await bytes_of(moment.snapshot, blobs) for moment in measured]
        assert [{path: data.decode() for path, data in one.items()} for one in files] == seen.checked
        version = await environment.store.head(moments[0].event.what.document)  # type: ignore[union-attr]  # an opening
        assert version is not None
        assert moments[-1].snapshot.as_json() == _json(await blobs.get(version.snapshot))
        made_then = {label: a.as_json() for label, a in moments[-1].artifacts.items()}
        assert made_then == _json(await blobs.get(version.artifacts))


def _json(data: bytes) -> Json:
    return json.loads(data)


@pytest.mark.parametrize(("ends", "policy"), [(ends, policy) for ends, policy, _ in ENDS])
async def test_after_every_ending_the_files_and_artifacts_are_those_of_the_result(ends: object, policy: str) -> None:
    run: Run = await ends(policy)  # type: ignore[operator]  # one of the functions of that table
    _must_agree(await told(run.result.operation, run.environment), run)


def _must_agree(moments: Sequence[Moment], run: Run) -> None:
    last = moments[-1]
    owned = {path: e.sha256 for path, e in last.snapshot.files.items() if path in {output.path for output in OWNS}}
    labelled = {label: artifact.sha256 for label, artifact in last.artifacts.items()}
    assert {**owned, **labelled} == {a.label: a.sha256 for a in run.result.artifacts}


STEPS = st.lists(
    st.sampled_from(
        [
            ("write_poem", {"text": GOOD}),
            ("write_poem", {"text": BETTER}),
            ("write_poem", {"text": LONG}),
            ("write_poem", {"text": "nothing"}),
            ("write_title", {"text": "Flowers"}),
            ("write_title", {}),
            ("remove_poem", {}),
            ("draw", {}),
            ("read_poem", {}),
            ("sing", {}),
        ]
    ),
    max_size=4,
)
TURNS = st.lists(st.lists(STEPS, max_size=2), max_size=4)


@settings(max_examples=60, deadline=None)
@given(TURNS)
def test_whatever_a_writer_does_the_replay_has_the_files_that_the_operation_had(
    turns: list[list[list[tuple[str, dict[str, str]]]]],
) -> None:
    script = {
        (turn, step): calls(*wanted_calls)
        for turn, steps in enumerate(turns, start=1)
        for step, wanted_calls in enumerate(steps, start=1)
        if wanted_calls
    }

    async def whole() -> None:
        seen = Seen()
        async with place() as environment:
            handle = begin(Watched(Scripted(script)), environment, made_by=poems(seen))
            run = await finished(handle, environment)
            moments = await told(run.result.operation, environment)
            before = [moments[moments.index(step) - 1] for step in of(moments, "step_taken")]
            assert [await bytes_of(m.snapshot, environment.blobs) for m in before] == seen.before_step
            _must_agree(moments, run)

    anyio.run(whole)


@pytest.mark.promise("O11", "O14")
async def test_stopped_after_any_effect_it_is_told_so_far_and_to_its_end_once_it_is_resumed() -> None:
    async with place() as environment:
        operation = await judged(environment, Seen())
        whole = states(await told(operation, environment))
        effects = await environment.store.effects(operation)
    for after in range(len(effects) - 1):  # the last one is recorded as the operation is closed
        seen = Seen()
        async with place(Stops(after)) as environment:
            handle = begin_judged(environment, seen)
            with suppress(CompositorError):
                await handle
            assert (await environment.store.load(handle.operation)).state == "interrupted"
            so_far = states(await told(handle.operation, environment))
            assert sorted(map(str, so_far)) == sorted(map(str, whole[: len(so_far)])), after
            await resume(handle.operation, agents=[poems(seen)], models=models(), environment=environment)
            again = await told(handle.operation, environment)
            assert [m.event.seq for m in again] == list(range(1, len(again) + 1))
            assert {"operation_interrupted", "operation_resumed"} <= set(kinds(again))
            assert len(states(again)) == len(whole)
            assert states(again)[-1] == whole[-1]
            assert again[-1].event.attempt == 2


@pytest.mark.promise("O11", "O14")
async def test_killed_by_sigkill_and_resumed_it_is_told_with_the_files_of_a_run_that_nobody_killed(
    tmp_path: Path,
) -> None:
    await check_kills(EMBEDDED, tmp_path, every=67, random_kills=2)
    whole, *killed = [await _of_a_trial(folder) for folder in [tmp_path / "whole" / "whole", *_trials(tmp_path)]]
    assert len(killed) > 4
    assert any("operation_resumed" in kinds(moments) for moments in killed)
    for moments in killed:
        assert [moment.event.seq for moment in moments] == list(range(1, len(moments) + 1))
        steps, undisturbed = of(moments, "step_taken"), of(whole, "step_taken")
        assert [m.snapshot for m in steps] == [m.snapshot for m in undisturbed]
        assert [m.reply for m in steps] == [m.reply for m in undisturbed]
        assert sorted(map(str, _answers(moments))) == sorted(map(str, _answers(whole)))
        assert (moments[-1].snapshot, moments[-1].artifacts) == (whole[-1].snapshot, whole[-1].artifacts)


def _trials(folder: Path) -> list[Path]:
    return sorted(trial for trial in folder.iterdir() if trial.name != "whole")


async def _of_a_trial(folder: Path) -> list[Moment]:
    async with embedded(folder / "data") as environment:
        (record,) = await environment.store.operations()
        return await told(record.id, environment)


def _answers(moments: Sequence[Moment]) -> list[Answer]:
    return [answer for moment in moments for answer in moment.answers]


def _no(*_: object, **__: object) -> NoReturn:
    raise AssertionError("a replay asks nobody")


class NoRenderer:
    """Implements `Renderer`: whoever asks it is wrong."""

    async def prepare(self) -> Isolation:
        _no()

    async def render(self, page: Page, screens: Sequence[Screen]) -> tuple[Rendering, ...]:
        _no()

    def processes(self) -> frozenset[int]:
        _no()


class NoCompiler:
    """Implements `Compiler`: whoever asks it is wrong."""

    async def compile(self, source: str, language: str) -> str:
        _no()


class NoPictures:
    """Implements `Pictures`: whoever asks it is wrong."""

    async def inspect(self, data: bytes) -> Picture:
        _no()

    async def look(self, data: bytes) -> Looks:
        _no()

    async def fit(self, data: bytes, width: int, height: int) -> bytes:
        _no()

    async def crop(self, data: bytes, box: Box, width: int, height: int) -> bytes:
        _no()

    async def rings(self, data: bytes, inks: Sequence[Ink]) -> tuple[float | None, ...]:
        _no()


async def test_it_needs_no_model_no_browser_no_compiler_and_no_capability(tmp_path: Path) -> None:
    async with place() as environment:
        operation = await judged(environment, Seen())
        before = await told(operation, environment)
    bare = Environment(
        tmp_path / "never-used",
        store=environment.store,
        blobs=environment.blobs,
        renderer=NoRenderer(),
        compiler=NoCompiler(),
        pictures=NoPictures(),
    )
    async with bare:
        moments = await told(operation, bare)
        assert [moment.as_json() for moment in moments] == [moment.as_json() for moment in before]
        await export_replay(moments, bare.blobs, tmp_path / "replay")
    assert not (tmp_path / "never-used").exists()


async def test_an_operation_at_work_is_told_as_far_as_it_is_on_record() -> None:
    begun, go_on = anyio.Event(), anyio.Event()

    @tool(seconds=20)
    async def waits(ctx: ToolContext) -> ToolResult:
        """Write the poem when it may."""
        begun.set()
        await go_on.wait()
        await ctx.files.write("poem.txt", GOOD)
        return ToolResult(text="written")

    async with place() as environment:
        script = {(1, 1): calls(("write_title", {"text": "Roses"}), ("waits", {}))}
        handle = begin(Scripted(script), environment, made_by=agent(tools=(waits, write_title)))
        async with handle:
            await begun.wait()
            moments = await told(handle.operation, environment)
            assert kinds(moments)[:2] == ["operation_opened", "step_taken"]
            assert moments[-1].result is None
            assert replay_page(moments, {})
            go_on.set()
        assert kinds(await told(handle.operation, environment))[-1] == "operation_ended"


async def test_a_cancelled_operation_is_told_as_its_work_stood_and_delivers_nothing() -> None:
    begun = anyio.Event()

    @tool(writes=(), seconds=20)
    async def waits(ctx: ToolContext) -> ToolResult:
        """Wait."""
        begun.set()
        await anyio.sleep_forever()
        raise AssertionError

    script = {(1, 1): write(LONG), (2, 1): write(GOOD), (2, 2): calls(("waits", {}))}
    async with place() as environment:
        handle = begin(Scripted(script), environment, made_by=agent(tools=(write_poem, waits)))
        async with handle:
            await begun.wait()
            await handle.cancel()
            result = await handle.result()
        moments = await told(result.operation, environment)
        poem = await environment.blobs.get(moments[-1].snapshot.files["poem.txt"].sha256)
    assert (result.artifacts, result.version) == ((), None)
    assert poem.decode() == GOOD
    assert of(moments, "tool_answered")[-1].answers[0].text == "waits was interrupted"
    assert moments[-1].result == result.model_dump(mode="json")


@pytest.mark.parametrize(
    ("second", "left"),
    [(calls(("remove_poem", {})), set()), (write("nothing"), {"poem.txt"})],
    ids=["removed", "unbuilt"],
)
async def test_what_an_earlier_draft_derived_is_gone_where_the_next_one_cannot_be_built(
    second: Reply, left: set[str]
) -> None:
    seen = Seen()
    async with place() as environment:
        handle = begin(Watched(Scripted({(1, 1): write(LONG), (2, 1): second})), environment, made_by=poems(seen))
        run = await finished(handle, environment)
        moments = await told(run.result.operation, environment)
    assert of(moments, "deliverable_built")[0].snapshot.files.keys() == {"poem.txt", "shout.txt"}
    assert moments[-1].snapshot.files.keys() == left
    _must_agree(moments, run)


async def test_an_operation_that_was_evaluated_again_has_two_endings_and_one_result() -> None:
    broken = [True]

    async def check(ctx: CheckContext) -> Report:
        if broken:
            raise RuntimeError("a screw is loose")
        return Report(examined=1)

    made_by = agent(verifiers=(LENGTH, measurement(check)))
    async with place() as environment:
        first = await begin(writes(GOOD), environment, made_by=made_by)
        assert first.ending == "errored"
        broken.clear()
        second = await resume(
            first.operation, agents=[made_by], models={"writer": writes(GOOD)}, environment=environment
        )
        moments = await told(first.operation, environment)
    endings = of(moments, "operation_ended")
    assert [moment.key for moment in endings] == ["commit/1/0", "commit/1/1"]
    assert [moment.result for moment in endings] == [None, second.model_dump(mode="json")]
    assert kinds(moments)[-1] == "operation_ended"


async def test_a_judges_replies_come_with_the_answers_of_its_own_tools() -> None:
    async with place() as environment:
        moments = await told(await judged(environment, Seen()), environment)
    looked, rejected, accepted = of(moments, "judge_replied")
    assert looked.reply is not None
    assert looked.reply.text == "Let me see."
    assert [answer.text for answer in looked.answers] == [f"It says: {GOOD}"]
    assert [moment.answers for moment in (rejected, accepted)] == [(), ()]
    assert "make it rhyme" in str(rejected.reply)


async def test_a_check_says_what_it_looked_at() -> None:
    async with place() as environment:
        moments = await told(await judged(environment, Seen()), environment)
    lengths = [m for m in of(moments, "checked") if m.event.what.verdict["verifier"] == "length"]  # type: ignore[union-attr]  # of that kind
    assert [set(m.looked.files) for m in lengths if m.looked] == [{"poem.txt"}] * 3


async def test_a_reply_that_did_not_come_in_time_is_passed_over() -> None:
    class Hangs(Scripted):
        async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
            if prompt.step == 2:
                await anyio.sleep_forever()
            return await super().reply(prompt, stream)

    with anyio.fail_after(30):
        run = await made(Hangs({(1, 1): write(GOOD)}), budget=Budget(seconds=1.0))
    assert "the budget of seconds was spent" in run.result.unfinished
    moments = await told(run.result.operation, run.environment)
    assert kinds(moments) == [event.what.kind for event in run.events]
    _must_agree(moments, run)


async def test_an_unknown_and_a_deleted_operation_have_nothing_to_tell() -> None:
    async with place() as environment:
        with pytest.raises(OperationUnknown, match="nothing"):
            await told("nothing", environment)
        result = await begin(writes(GOOD), environment)
        await delete_operation(result.operation, environment)
        with pytest.raises(OperationEnded, match="deleted"):
            await told(result.operation, environment)


class Forgetful(MemoryStore):
    """A store that has lost an effect."""

    lost = ""

    async def effects(self, operation: str) -> Mapping[str, Effect]:
        return {key: effect for key, effect in (await super().effects(operation)).items() if key != self.lost}


@pytest.mark.parametrize("lost", ["model/1/1", "call/1/0", "build/1", "evaluate/1/measurements", "commit/1/0"])
async def test_a_damaged_journal_is_an_error_that_says_where(lost: str) -> None:
    store = Forgetful()
    async with place(store) as environment:
        result = await begin(writes(GOOD), environment)
        store.lost = lost
        with pytest.raises(OperationError, match=r"event \d+ .* operations check") as refused:
            await told(result.operation, environment)
        assert refused.value.operation == result.operation


async def test_a_moment_as_json_has_the_event_the_files_and_what_there_is_beside() -> None:
    async with place() as environment:
        moments = await told(await judged(environment, Seen()), environment)
    lines = [moment.as_json() for moment in moments]
    assert all(json.loads(json.dumps(line)) == line for line in lines)
    assert [line["event"]["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines[0].keys() == {"event", "files", "opening"}
    step, answer = lines[1], lines[2]
    assert step.keys() == {"event", "files", "effect", "seconds", "reply"}
    assert step["reply"]["text"] == "I begin."
    assert answer["changes"][0]["path"] in {"poem.txt", "title.txt"}
    assert lines[-1]["result"]["status"] == "succeeded"
