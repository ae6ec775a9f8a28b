"""A machine of operations: begun, killed, interrupted, cancelled, raced for and resumed in any order, they stay right.

After each step the invariants hold that a backend relies on: nothing that was acknowledged changes or is gone, nothing
on record is paid or run again, a document has one operation at work and one line of versions, and only what is good is
called so.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from compositor._values import Json
from compositor.agents import Agent
from compositor.capabilities import ToolContext, ToolResult
from compositor.errors import AdapterError, CompositorError, OperationBusy, OperationEnded, OperationStopped
from compositor.operations import Environment, Handle, Result, cancel, generate, resume, stored_result
from compositor.runtime import Effect, ModelAdapter, Prompt, Reply, Role, Version
from compositor.runtime.events import Event
from compositor.testing import (
    PlainCompiler,
    PlainPictures,
    PlainRenderer,
    Scripted,
    calls,
    history_faults,
    verdict,
    watched,
)
from tests.frame.mortal import Died, Disk, MortalBlobs, MortalStore, Process, leaves
from tests.frame.note import MAX_WORDS, note

EXAMPLES, STEPS = 200, 8
DOCUMENTS = ("one", "two")
GOOD, DULL, LONG = "hello Ada, a short note", "a short note", "word " * 20
LATE = 60.0

TURNS = st.lists(st.sampled_from([GOOD, DULL, LONG, ""]), min_size=1, max_size=3)
"""What a writer writes, turn by turn; nothing at all in a turn that is empty."""
POINTS = st.none() | st.integers(1, 90)
"""After how many points a process dies."""


@dataclass(slots=True)
class Script:
    """What the models of one operation say, however often it is begun, and what they were asked in one life of it."""

    turns: list[str]
    paid: list[str] = field(default_factory=list)
    out: Role | None = None

    def models(self) -> Mapping[Role, ModelAdapter]:
        """New doubles for one life."""
        self.paid = []
        return {"writer": _Double(self, "writer"), "judge": _Double(self, "judge")}

    def reply(self, prompt: Prompt) -> Reply:
        """What is said: the writer writes once a turn, beside a call that is wrong; the judge wants to be greeted."""
        if prompt.role == "judge":
            shown = str([message.as_json() for message in prompt.messages])
            return verdict({"greets": GOOD in shown}, feedback="greet her")
        text = self.turns[prompt.turn - 1] if prompt.turn <= len(self.turns) else ""
        if prompt.step > 1 or not text:
            return Reply(text="Done.")
        return calls(("write_note", {"text": text}), ("write_note", {"words": text}), ("print", {}))

    def agent(self) -> Agent:
        """The agent, whose tool notes what it does."""

        async def run(ctx: ToolContext, text: str) -> ToolResult:
            self.paid.append(f"tool {text}")
            return await note.tools[0].run(ctx, text=text)

        return Agent(operation="generate", content=replace(note, tools=(replace(note.tools[0], run=run),)))


class _Double(Scripted):
    def __init__(self, script: Script, role: Role) -> None:
        super().__init__({}, name=role)
        self._mine, self._role = script, role

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        assert history_faults(prompt.messages) == ()
        if self._mine.out == self._role:
            raise AdapterError(self._role, "out")
        place = f"{prompt.turn}/{prompt.step}"
        self._mine.paid.append(f"model/{place}" if self._role == "writer" else f"judge/{place}")
        return self._mine.reply(prompt)


@dataclass(slots=True)
class Seen:
    """What was seen of one operation after the last step."""

    script: Script
    document: str
    events: tuple[Event, ...] = ()
    effects: Mapping[str, Effect] = field(default_factory=dict)
    attempt: int = 0
    result: Result | None = None


Deed = Callable[[Handle], Any]


class Operations(RuleBasedStateMachine):
    """The machine."""

    def __init__(self) -> None:
        super().__init__()
        self.disk = Disk()
        self.seen: dict[str, Seen] = {}
        self.versions: dict[str, list[Version]] = {document: [] for document in DOCUMENTS}

    # rules

    @rule(document=st.sampled_from(DOCUMENTS), turns=TURNS, dies=POINTS, stops=st.none() | st.integers(1, 25))
    def begin(self, document: str, turns: list[str], dies: int | None, stops: int | None) -> None:
        name = f"op-{len(self.seen) + 1}"
        script = Script(turns)
        busy = any(seen.document == document and not self._ended(one) for one, seen in self.seen.items())
        error = self._live(name, script, dies, deed=interrupting(stops), document=document)
        created = name in {record.id for record in anyio.run(self.disk.store.operations)}
        assert not (busy and created)
        if busy and not isinstance(error, Died):
            assert isinstance(error, OperationBusy)
        if created:
            self.seen[name] = Seen(script, document)

    @precondition(lambda self: self.seen)
    @rule(data=st.data(), dies=POINTS, out=st.sampled_from([None, None, None, "judge", "writer"]))
    def go_on(self, data: st.DataObject, dies: int | None, out: Role | None) -> None:
        name = data.draw(st.sampled_from(sorted(self.seen)))
        self.seen[name].script.out = out
        self._live(name, self.seen[name].script, dies)
        self.seen[name].script.out = None

    @precondition(lambda self: self.seen)
    @rule(data=st.data(), at=st.integers(1, 25), cancels=st.booleans())
    def stop_on_the_way(self, data: st.DataObject, at: int, cancels: bool) -> None:
        name = data.draw(st.sampled_from(sorted(self.seen)))
        self._live(name, self.seen[name].script, None, deed=(cancelling if cancels else interrupting)(at))

    @precondition(lambda self: self.seen)
    @rule(data=st.data())
    def cancel_what_nobody_works_on(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.seen)))
        ended = self._ended(name)

        async def whole() -> None:
            async with self._environment(Process(self.disk)) as environment:
                await cancel(name, environment=environment)

        try:
            anyio.run(whole)
            assert not ended
        except OperationEnded:
            assert ended

    @precondition(lambda self: self.seen)
    @rule(data=st.data())
    def race(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.seen)))
        script = self.seen[name].script
        outcomes: list[object] = []

        async def one(models: Mapping[Role, ModelAdapter]) -> None:
            async with self._environment(Process(self.disk)) as environment:
                try:
                    outcomes.append(await resume(name, agents=[script.agent()], models=models, environment=environment))
                except CompositorError as error:
                    outcomes.append(error)

        async def both() -> None:
            models = script.models()
            with anyio.fail_after(LATE):
                async with anyio.create_task_group() as owners:
                    owners.start_soon(one, models)
                    owners.start_soon(one, models)

        before = self.seen[name].effects
        anyio.run(both)
        self._must_not_repeat(script, before)
        results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
        assert len({result.model_dump_json() for result in results}) <= 1
        assert all(isinstance(one, Result | OperationBusy | OperationEnded) for one in outcomes), outcomes

    # what holds

    @invariant()
    def nothing_is_lost_and_nothing_is_wrong(self) -> None:
        anyio.run(self._look)

    async def _look(self) -> None:
        store = self.disk.store
        async with self._environment(Process(self.disk)) as environment:
            for name, seen in self.seen.items():
                record = await store.load(name)
                events, effects = await store.events(name), await store.effects(name)
                assert [event.seq for event in events] == list(range(1, len(events) + 1))
                assert events[: len(seen.events)] == seen.events
                assert list(effects)[: len(seen.effects)] == list(seen.effects)
                assert {key: effects[key] for key in seen.effects} == dict(seen.effects)
                assert record.attempt >= seen.attempt
                result = await stored_result(record, environment)
                assert (result is not None) == (record.state == "ended")
                if seen.result is not None and seen.result.verification != "errored":
                    assert result == seen.result
                    assert events == seen.events
                if result is not None:
                    await self._must_be_right(result, environment)
                seen.events, seen.effects, seen.attempt, seen.result = events, effects, record.attempt, result
            for document in DOCUMENTS:
                await self._must_be_a_line(document)

    async def _must_be_right(self, result: Result, environment: Environment) -> None:
        addresses = {artifact.label: artifact.sha256 for artifact in result.artifacts}
        words = (await environment.blobs.get(addresses["note.txt"])).decode() if "note.txt" in addresses else ""
        short = 0 < len(words.split()) <= MAX_WORDS
        assert (result.status == "succeeded") <= (short and words == GOOD)
        assert (result.verification == "passed") <= (short and words == GOOD)
        assert (result.version is not None) == (result.status in {"succeeded", "incomplete"})
        assert (result.status == "cancelled") == (result.ending == "cancelled")
        assert result.usage.rejections <= 2

    async def _must_be_a_line(self, document: str) -> None:
        store = self.disk.store
        active = [r.id for r in await store.operations() if r.document == document and r.state != "ended"]
        assert len(active) <= 1
        head = await store.head(document)
        line = [await store.version(document, number) for number in range(1, head.number + 1 if head else 1)]
        assert None not in line
        versions = [version for version in line if version]
        assert [version.number for version in versions] == list(range(1, len(versions) + 1))
        assert [version.parent for version in versions] == [None, *range(1, len(versions))][: len(versions)]
        known = self.versions[document]
        assert versions[: len(known)] == known
        self.versions[document] = versions

    # how a process lives

    def _live(
        self, name: str, script: Script, dies: int | None, *, deed: Deed | None = None, document: str = ""
    ) -> BaseException | None:
        """Let a process begin an operation, or go on with it; what ended it early."""
        before = self.seen[name].effects if name in self.seen else {}
        process = Process(self.disk, dies)
        error: BaseException | None = None
        try:
            anyio.run(self._work, process, name, script, deed, document)
        except BaseException as raised:  # noqa: BLE001 - a death is one
            error = next((leaf for leaf in leaves(raised) if isinstance(leaf, Died)), leaves(raised)[0])
        assert error is None or isinstance(
            error, Died | OperationStopped | OperationBusy | OperationEnded | AdapterError
        ), repr(error)
        self._must_not_repeat(script, before)
        return error

    async def _work(self, process: Process, name: str, script: Script, deed: Deed | None, document: str) -> None:
        with watched(process.pass_by), anyio.fail_after(LATE):
            async with self._environment(process) as environment:
                shared: dict[str, Any] = {"agents": [script.agent()], "models": script.models()}
                request: Json = {
                    "operation": "generate",
                    "content": "note",
                    "document": document,
                    "brief": {"name": "Ada", "objective": "awareness"},
                }
                handle = (
                    generate(request, operation_id=name, environment=environment, **shared)
                    if document
                    else resume(name, environment=environment, **shared)
                )
                if deed is None:
                    await handle
                else:
                    await deed(handle)

    def _must_not_repeat(self, script: Script, before: Mapping[str, Effect]) -> None:
        """Nothing that was on record when a process began was paid for or run by it."""
        for paid in script.paid:
            kind, _, place = paid.partition("/")
            if kind == "model":
                assert f"model/{place}" not in before, paid
            elif kind == "judge":
                draft, _, step = place.partition("/")
                assert f"evaluate/{draft}/judgments/rubric/1/{step}" not in before, paid
        tools = [paid for paid in script.paid if paid.startswith("tool ")]
        done = sum(1 for key in before if key.startswith("call/") and key.endswith("/0"))
        written = [f"tool {text}" for text in script.turns if text]
        assert tools == written[done : done + len(tools)], (tools, written, done)

    def _ended(self, name: str) -> bool:
        return anyio.run(self.disk.store.load, name).state == "ended"

    def _environment(self, process: Process) -> Environment:
        return Environment(
            Path("never-used"),
            store=MortalStore(process),
            blobs=MortalBlobs(process),
            renderer=PlainRenderer(),
            compiler=PlainCompiler(),
            pictures=PlainPictures(),
        )


def interrupting(at: int | None) -> Deed | None:
    """Interrupt at an event, or not at all."""
    return None if at is None else _stopping(at, Handle.interrupt)


def cancelling(at: int | None) -> Deed | None:
    """Cancel at an event."""
    return None if at is None else _stopping(at, Handle.cancel)


def _stopping(at: int, stop: Callable[[Handle], Any]) -> Deed:
    async def deed(handle: Handle) -> None:
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event) and item.seq >= at:
                    await stop(handle)
                    break
        await handle.result()

    return deed


def hold(examples: int, *, derandomize: bool) -> None:
    """Run the machine so often."""
    run_state_machine_as_test(
        Operations,
        settings=settings(
            max_examples=examples,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize=derandomize,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.promise("O1", "O10", "O14")
def test_whatever_happens_to_operations_nothing_is_lost_repeated_or_wrong() -> None:
    hold(EXAMPLES, derandomize=True)


if __name__ == "__main__":
    hold(int(sys.argv[-1]), derandomize=False)
    print(f"{sys.argv[-1]} histories of up to {STEPS} steps: every invariant held")
