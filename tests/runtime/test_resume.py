"""Stopping and going on: interruption, resumption, cancellation, and who may do so."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import anyio
import pytest

from compositor.agents import Agent, Budget
from compositor.capabilities import CheckContext, Criterion, Report, ToolContext, ToolResult, tool
from compositor.errors import (
    AdapterError,
    CompositionChanged,
    OperationBusy,
    OperationEnded,
    OperationError,
    OperationStopped,
    OperationUnknown,
    PortError,
)
from compositor.operations import Environment, Handle, resume
from compositor.runtime import Effect, ModelAdapter, Prompt, Reply, Role, working_seconds
from compositor.runtime.events import Event
from compositor.testing import MemoryStore, PlainRenderer, Scripted, calls, history_faults, verdict
from compositor.tools import Tool
from compositor.workspace import Isolation, Ports
from tests.runtime.bench import (
    BETTER,
    GOOD,
    LENGTH,
    LONG,
    RUBRIC,
    agent,
    answers,
    begin,
    counting,
    finished,
    judgment,
    measurement,
    place,
    reporting,
    write,
    write_poem,
    writes,
)

pytestmark = pytest.mark.anyio


def again(
    handle: Handle,
    environment: Environment,
    writer: ModelAdapter,
    *,
    judge: ModelAdapter | None = None,
    made_by: Agent | None = None,
) -> Handle:
    """The same operation, resumed."""
    models: dict[Role, ModelAdapter] = {"writer": writer}
    if judge is not None:
        models["judge"] = judge
    return resume(handle.operation, agents=[made_by or agent()], models=models, environment=environment)


class Gate:
    """A tool that waits until it is stopped, and says when it began."""

    def __init__(self) -> None:
        self.began = anyio.Event()
        self.runs: list[str] = []

    def tool_named(self, name: str, *, waits: bool) -> Tool:
        async def run(ctx: ToolContext) -> ToolResult:
            """Write the poem, perhaps after a long while."""
            self.runs.append(name)
            if waits and self.runs.count(name) == 1:
                self.began.set()
                await anyio.sleep_forever()
            await ctx.files.write("poem.txt", f"by {name}")
            return ToolResult(text=f"{name} wrote")

        run.__name__ = name
        return tool()(run)


@pytest.mark.promise("O10")
async def test_an_interrupted_wave_has_one_answer_per_call_never_runs_the_rest_and_goes_on_when_resumed() -> None:
    gate = Gate()
    tools = (
        gate.tool_named("first", waits=False),
        gate.tool_named("second", waits=True),
        gate.tool_named("third", waits=False),
    )
    made_by = agent(tools=tools)
    script = {(1, 1): calls(("first", {}), ("second", {}), ("third", {})), (1, 2): calls(("third", {}))}
    async with place() as environment:
        writer = Scripted(script)
        handle = begin(writer, environment, made_by=made_by)
        async with handle:
            await gate.began.wait()
            await handle.interrupt()
            with pytest.raises(OperationStopped, match="was interrupted"):
                await handle.result()
        assert gate.runs == ["first", "second"]
        assert (await environment.store.load(handle.operation)).state == "interrupted"
        writer = Scripted(script)
        run = await finished(again(handle, environment, writer, made_by=made_by), environment, writer)
        told = [(answer.failed, answer.text) for answer in answers(writer)][:3]
        assert told == [(False, "first wrote"), (True, "second was interrupted"), (True, "third was interrupted")]
        assert gate.runs == ["first", "second", "third"]
        assert await run.text("poem.txt") == "by third"
        assert run.result.status == "succeeded"
        assert [prompt.step for prompt in writer.prompts] == [2, 3]
        assert history_faults(writer.prompts[0].messages) == ()
        kinds = [event.what.kind for event in run.events]
        assert kinds.index("operation_interrupted") + 1 == kinds.index("operation_resumed")
        assert run.of("operation_resumed")[0].recorded == 4
        assert {event.attempt for event in run.events} == {1, 2}


async def test_an_operation_that_is_interrupted_before_it_began_says_so() -> None:
    class Slow(PlainRenderer):
        async def prepare(self) -> Isolation:
            await anyio.sleep_forever()
            raise AssertionError

    async with place(renderer=Slow()) as environment:
        handle = begin(writes(GOOD), environment, made_by=agent(ports=("renderer",)))
        async with handle:
            await anyio.wait_all_tasks_blocked()
            await handle.interrupt()
            with pytest.raises(OperationStopped, match="it had not begun"):
                await handle.result()
        assert await environment.store.operations() == ()


judged = agent(verifiers=(LENGTH, RUBRIC))


@pytest.mark.promise("O10")
async def test_a_cancellation_from_outside_marks_the_operation_interrupted_and_it_can_be_resumed() -> None:
    began = anyio.Event()

    class Thinking(Scripted):
        async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
            began.set()
            await anyio.sleep_forever()
            raise AssertionError

    async with place() as environment:
        handle = begin(writes(GOOD), environment, judge=Thinking({}, name="judge"), made_by=judged)
        with anyio.CancelScope() as outside:
            async with handle:
                await began.wait()
                outside.cancel()
                await anyio.sleep_forever()
        record = await environment.store.load(handle.operation)
        assert (record.state, record.result) == ("interrupted", None)
        writer = writes(GOOD)
        judge = Scripted({(1, 1): verdict({"rhymes": True})}, name="judge")
        run = await finished(
            again(handle, environment, writer, judge=judge, made_by=judged), environment, writer, judge
        )
        assert (run.result.status, writer.prompts, len(judge.prompts)) == ("succeeded", [], 1)
        async with environment.store.lease(handle.operation):
            pass


async def begun_and_broken(handle: Handle, gate: Gate) -> None:
    """Break down beside a running operation."""
    async with handle:
        await gate.began.wait()
        raise ZeroDivisionError


async def test_an_error_beside_a_running_operation_interrupts_it_and_comes_through() -> None:
    gate = Gate()
    async with place() as environment:
        handle = begin(
            Scripted({(1, 1): calls(("waits", {}))}),
            environment,
            made_by=agent(tools=(gate.tool_named("waits", waits=True),)),
        )
        with pytest.raises(ZeroDivisionError):
            await begun_and_broken(handle, gate)
        assert (await environment.store.load(handle.operation)).state == "interrupted"


@pytest.mark.promise("O10")
async def test_a_failing_model_leaves_an_operation_that_goes_on_where_it_was() -> None:
    async with place() as environment:
        broken = Scripted({(1, 1): write(LONG), (2, 1): AdapterError("scripted", "no answer")})
        handle = begin(broken, environment)
        with pytest.raises(AdapterError):
            await handle
        assert (await environment.store.load(handle.operation)).state == "interrupted"
        writer = writes(LONG, GOOD)
        run = await finished(again(handle, environment, writer), environment, writer)
        assert run.result.status == "succeeded"
        assert [(prompt.turn, prompt.step) for prompt in writer.prompts] == [(2, 1), (2, 2)]
        assert run.result.usage.steps == 4


async def test_the_judges_tools_are_not_run_again_when_their_answers_are_on_record() -> None:
    ran: list[str] = []

    @tool(reads=("poem.txt",), writes=())
    async def ponder(ctx: ToolContext) -> ToolResult:
        """Answer differently each time."""
        ran.append(await ctx.files.read_text("poem.txt"))
        return ToolResult(text=f"pondered {len(ran)} times")

    async def asks(ctx: CheckContext) -> Report:
        opinion = await ctx.judge.review([Criterion(id="rhymes", asks="it rhymes")])
        return Report(examined=len(opinion.answers))

    made_by = agent(verifiers=(LENGTH, judgment(asks, tools=(ponder,))))
    pondering = calls(("ponder", {}))
    yes = verdict({"rhymes": True})

    async with place() as environment:
        gate = anyio.Event()

        class Halting(Scripted):
            async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
                if prompt.step == 2:
                    gate.set()
                    await anyio.sleep_forever()
                return await Scripted.reply(self, prompt, stream)

        handle = begin(writes(GOOD), environment, judge=Halting({(1, 1): pondering}, name="judge"), made_by=made_by)
        async with handle:
            await gate.wait()
            await handle.interrupt()
        judge = Scripted({(1, 1): pondering, (1, 2): yes}, name="judge")
        writer = writes(GOOD)
        run = await finished(
            again(handle, environment, writer, judge=judge, made_by=made_by), environment, writer, judge
        )
        assert ran == [GOOD]
        assert "pondered 1 times" in str([message.as_json() for message in judge.prompts[-1].messages])
        assert (run.result.verification, len(judge.prompts)) == ("passed", 1)


async def stopped(environment: Environment, **changes: object) -> Handle:
    """An operation that its model left open after one draft."""
    handle = begin(
        Scripted({(1, 1): write(LONG), (2, 1): AdapterError("scripted", "no answer")}),
        environment,
        made_by=agent(**changes),  # type: ignore[arg-type]  # parts of the capability
    )
    with pytest.raises(AdapterError):
        await handle
    return handle


@pytest.mark.promise("C4")
async def test_a_changed_composition_is_refused_and_what_changed_is_named() -> None:
    async with place() as environment:
        handle = await stopped(environment)
        changed = agent(
            budget=Budget(steps=7),
            tools=(write_poem,),
            verifiers=(replace(LENGTH, thresholds={"words": 6}),),
        )
        with pytest.raises(CompositionChanged) as refused:
            await again(handle, environment, Scripted({}, name="another"), made_by=changed)
        named = "\n".join(refused.value.changes)
        for what in (
            "budget.steps: 10 → 7",
            "tools.read_poem: removed",
            "thresholds.words: 5 → 6",
            "adapter.writer: scripted → another",
        ):
            assert what in named
        assert (await environment.store.load(handle.operation)).state == "interrupted"
        judge = Scripted({}, name="judge")
        with pytest.raises(CompositionChanged, match=r"adapter\.judge: added"):
            await again(handle, environment, Scripted({}), judge=judge)


async def test_a_record_that_other_code_made_is_not_continued() -> None:
    async with place() as environment:
        handle = await stopped(environment)
        store = environment.store
        assert isinstance(store, MemoryStore)

        class Forged(MemoryStore):
            """The same store with another first reply."""

            async def effects(self, operation: str) -> dict[str, Effect]:
                kept = dict(await store.effects(operation))
                return {**kept, "model/1/1": replace(kept["model/1/1"], arguments={"adapter": "x", "context": "y"})}

            load, mark, events, lease = store.load, store.mark, store.events, store.lease
            cancel_requested = store.cancel_requested

        environment.store = Forged()
        with pytest.raises(OperationError, match=r"the record of model/1/1 is of model_call .* begun by other code"):
            await again(handle, environment, writes(LONG))


async def test_an_operation_that_nobody_knows_cannot_be_resumed() -> None:
    async with place() as environment:
        with pytest.raises(OperationUnknown, match="no operation 'x'"):
            await resume("x", agents=[agent()], environment=environment)


@pytest.mark.promise("O1")
async def test_a_document_has_one_active_operation_until_it_ends() -> None:
    async with place() as environment:
        first = begin(Scripted({(1, 1): AdapterError("scripted", "no answer")}), environment, document="spring")
        with pytest.raises(AdapterError):
            await first
        with pytest.raises(OperationBusy, match=f"the document spring has the open operation {first.operation}"):
            await begin(writes(GOOD), environment, document="spring")
        await again(first, environment, writes(GOOD))
        third = await begin(writes(BETTER), environment, document="spring")
        assert third.version is not None
        assert (third.version.id, third.version.parent) == ("spring.2", 1)


async def test_an_operation_has_one_owner() -> None:
    gate = Gate()
    made_by = agent(tools=(gate.tool_named("waits", waits=True),))
    async with place() as environment:
        writer = Scripted({(1, step): calls(("waits", {})) for step in (1, 2)})
        handle = begin(writer, environment, made_by=made_by)
        async with handle:
            await gate.began.wait()
            with pytest.raises(OperationBusy, match="another owner is at work on it"):
                await again(handle, environment, writer, made_by=made_by)
            await handle.interrupt()
        assert (await again(handle, environment, writer, made_by=made_by)).status == "succeeded"


async def test_one_that_looked_before_another_owner_was_done_is_refused_and_spoils_nothing() -> None:
    made_by = agent(ports=("renderer",))
    async with place() as environment:
        handle = await stopped(environment, ports=("renderer",))

        class Overtaken(PlainRenderer):
            """While one resumes, another does the whole work."""

            async def prepare(self) -> Isolation:
                if not self.pages:
                    self.pages.append(object())  # type: ignore[arg-type]  # once
                    await again(handle, environment, writes(LONG, GOOD), made_by=made_by)
                return "jail"

        environment.ports = Ports(renderer=Overtaken())
        with pytest.raises(OperationBusy, match="another owner has just been at work on it"):
            await again(handle, environment, writes(LONG, GOOD), made_by=made_by)
        record = await environment.store.load(handle.operation)
        assert (record.state, record.attempt, record.status) == ("ended", 2, "succeeded")


async def test_the_weakest_isolation_of_all_attempts_is_what_a_version_records() -> None:
    made_by = agent(ports=("renderer",))
    async with place(renderer=PlainRenderer(isolation="closed")) as environment:
        handle = await stopped(environment, ports=("renderer",))
        environment.ports = Ports(renderer=PlainRenderer(isolation="jail"))
        result = await again(handle, environment, writes(LONG, GOOD), made_by=made_by)
        assert result.version is not None
        assert result.version.isolation == "closed"


async def test_an_ended_operation_gives_its_result_when_it_is_resumed() -> None:
    async with place() as environment:
        handle = begin(writes(GOOD), environment)
        result = await handle
        ended = again(handle, environment, Scripted({}))
        async with ended:
            assert await ended.result() == result
            assert [event.seq async for event in ended.events() if isinstance(event, Event)] == list(range(1, 10))
        assert ended.operation == handle.operation


@pytest.mark.promise("O10")
async def test_cancel_closes_an_operation_for_good_without_a_version() -> None:
    gate = Gate()
    made_by = agent(tools=(write_poem, gate.tool_named("waits", waits=True)))
    script = {(1, 1): write(LONG), (2, 1): calls(("write_poem", {"text": GOOD}), ("waits", {}))}
    async with place() as environment:
        handle = begin(Scripted(script), environment, made_by=made_by, document="spring")
        async with handle:
            await gate.began.wait()
            await handle.cancel()
            result = await handle.result()
        assert (result.status, result.ending, result.exit_code) == ("cancelled", "cancelled", 130)
        assert (result.version, result.unfinished) == (None, ("the operation was cancelled",))
        assert result.verification == "failed"  # the latest draft was never built, so there is no deliverable
        assert result.reports == ()  # nor looked at
        events = await environment.store.events(handle.operation)
        assert events[-1].what.kind == "operation_ended"
        with pytest.raises(OperationEnded, match="ended \\(cancelled\\); start a new operation"):
            await again(handle, environment, Scripted({}), made_by=made_by)
        assert (await begin(writes(GOOD), environment, document="spring")).status == "succeeded"


async def test_cancel_keeps_the_verdict_on_a_draft_that_still_stands() -> None:
    gate = Gate()
    made_by = agent(tools=(write_poem, gate.tool_named("waits", waits=True)))
    async with place() as environment:
        handle = begin(Scripted({(1, 1): write(LONG), (2, 1): calls(("waits", {}))}), environment, made_by=made_by)
        async with handle:
            await gate.began.wait()
            await handle.cancel()
        result = await handle.result()
        assert (result.status, result.verification) == ("cancelled", "failed")
        assert {report["verifier"] for report in result.reports} == {"outputs", "build", "length"}
        await handle.cancel()
        assert await handle.result() == result


class Breaking(MemoryStore):
    """A store whose medium fails at the Nth call of one method."""

    def __init__(self) -> None:
        super().__init__()
        self.fails = ""

    async def mark(self, operation: str, state: object, attempt: int, events: object) -> None:
        if self.fails == "mark":
            self.fails = ""
            raise PortError("store", "the disk is full")
        await super().mark(operation, state, attempt, events)  # type: ignore[arg-type]  # handed through


async def test_one_that_dies_while_it_opens_an_errored_operation_again_is_resumed_like_before() -> None:
    broken = [True]

    async def breaks_once(ctx: CheckContext) -> Report:
        if broken:
            raise RuntimeError(f"{broken.pop()}")
        return Report(examined=1)

    made_by = agent(verifiers=(LENGTH, measurement(breaks_once)))
    store = Breaking()
    async with place(store=store) as environment:
        handle = begin(writes(GOOD), environment, made_by=made_by)
        assert (await handle).verification == "errored"
        store.fails = "mark"
        with pytest.raises(PortError, match="the disk is full"):
            await again(handle, environment, writes(GOOD), made_by=made_by)
        run = await finished(again(handle, environment, writes(GOOD), made_by=made_by), environment)
        assert run.result.verification == "passed"


async def test_a_store_that_fails_in_the_middle_is_one_plain_error() -> None:
    class Full(MemoryStore):
        async def record(self, operation: str, effect: Effect, events: object) -> None:
            if effect.name == "tool_call":
                raise PortError("store", "the disk is full", "free space")
            await super().record(operation, effect, events)  # type: ignore[arg-type]  # handed through

    async with place(store=Full()) as environment:
        with pytest.raises(PortError, match="the disk is full → free space"):
            await begin(writes(GOOD), environment)


async def test_verdicts_and_builds_of_an_earlier_attempt_are_used_again() -> None:
    check, runs = counting(reporting(Report(examined=1)))
    made_by = agent(verifiers=(LENGTH, measurement(check)))
    async with place() as environment:
        broken = Scripted({(1, 1): write(LONG), (2, 1): AdapterError("scripted", "no answer")})
        handle = begin(broken, environment, made_by=made_by)
        with pytest.raises(AdapterError):
            await handle
        script = {(2, 1): calls(("write_title", {"text": "x"})), (3, 1): write(GOOD)}
        run = await finished(again(handle, environment, Scripted(script), made_by=made_by), environment)
        assert runs == [1, 2]
        assert [b.unchanged for b in run.of("deliverable_built")] == [False, True, False]


def test_a_record_counts_what_an_evaluation_contains_once_and_what_was_cut_off_too() -> None:
    seconds = {
        "model/1/1": 1.0,
        "call/1/0": 2.0,
        "build/1": 3.0,
        "build/1/again-1": 4.0,
        "evaluate/1/judgments/taste/1/1": 5.0,
        "evaluate/1/judgments/taste/1/1/0": 6.0,
        "evaluate/1/judgments": 20.0,
        "evaluate/1/again-1/judgments/taste/1/1": 7.0,
    }
    names = {"model": "model_call", "call": "tool_call", "build": "build"}
    effects = {
        key: Effect(
            key=key,
            name="evaluate" if key.endswith("judgments") else names.get(key.split("/")[0], "model_call"),
            arguments={},
            result={},
            seconds=took,
        )
        for key, took in seconds.items()
    }
    assert working_seconds(effects) == 1 + 2 + 3 + 4 + 20 + 7
