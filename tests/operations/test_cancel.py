"""Cancel closes an operation for good, wherever it is, and from wherever it is asked for."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from compositor.agents import Agent
from compositor.capabilities import ToolContext, ToolResult, tool
from compositor.errors import OperationBusy, OperationEnded
from compositor.operations import Environment, Handle, cancel, generate, resume
from compositor.runtime import ModelAdapter, Prompt, Reply, Role
from compositor.runtime.events import Event
from compositor.testing import (
    PlainCompiler,
    PlainPictures,
    PlainRenderer,
    Script,
    Scripted,
    calls,
    history_faults,
    verdict,
)
from tests.frame.note import note

pytestmark = pytest.mark.anyio

CHECKOUT = Path(__file__).parents[2]
REQUEST = {
    "operation": "generate",
    "content": "note",
    "document": "greeting",
    "brief": {"name": "Ada", "objective": "awareness"},
}
LATE = 30.0
"""Seconds after which a test says that something hangs; what really passes is printed."""

Stop = Callable[[Handle], Awaitable[object]]


@dataclass(slots=True)
class Deeds:
    """What models and tools did, in order. Held, the next reply does not come."""

    done: list[str] = field(default_factory=list)
    held: bool = False

    def writer(self) -> Scripted:
        script = {
            (1, 1): calls(("write_note", {"text": "word " * 20})),
            (2, 1): calls(("write_note", {"text": "a short note"})),
            (3, 1): calls(("write_note", {"text": "hello Ada, a short note"})),
        }
        noted = {place: self._noted(reply) for place, reply in script.items()}
        return _Holding(self, noted)

    def judge(self) -> Scripted:
        script = {(2, 1): verdict({"greets": False}, feedback="greet her"), (3, 1): verdict({"greets": True})}
        return _Holding(self, {place: self._noted(reply) for place, reply in script.items()})

    def _noted(self, reply: Reply) -> Callable[[Prompt], Reply]:
        def answer(prompt: Prompt) -> Reply:
            assert history_faults(prompt.messages) == ()
            self.done.append(f"{prompt.role}/{prompt.turn}/{prompt.step}")
            return reply

        return answer

    def agent(self) -> Agent:
        async def run(ctx: ToolContext, text: str) -> ToolResult:
            self.done.append("write_note")
            return await note.tools[0].run(ctx, text=text)

        return Agent(operation="generate", content=replace(note, tools=(replace(note.tools[0], run=run),)))


class _Holding(Scripted):
    def __init__(self, deeds: Deeds, script: Script) -> None:
        super().__init__(script)
        self._deeds = deeds

    async def reply(self, prompt: Prompt, stream: Any) -> Reply:
        if self._deeds.held:
            await anyio.sleep_forever()
        return await super().reply(prompt, stream)


@asynccontextmanager
async def place(data: Path) -> AsyncIterator[Environment]:
    """The embedded store and blobs, as any process would open them."""
    drawing = {"renderer": PlainRenderer(), "compiler": PlainCompiler(), "pictures": PlainPictures()}
    async with Environment(data, **drawing) as environment:  # type: ignore[arg-type]  # ports by name
        yield environment


async def by_handle(handle: Handle) -> None:
    await handle.cancel()


def by_another_process(data: Path) -> Stop:
    async def stop(handle: Handle) -> None:
        async with place(data) as other:
            await cancel(handle.operation, environment=other)

    return stop


async def stopped_at(seq: int, data: Path, stop: Stop) -> tuple[float, Deeds, list[str], tuple[Event, ...], Handle]:
    """Make a note, and stop it once event `seq` was seen.

    Returns:
        Seconds that it took, what was done at all, what was done by then, all events, and the handle.
    """
    deeds = Deeds()
    models: dict[Role, ModelAdapter] = {"writer": deeds.writer(), "judge": deeds.judge()}
    async with place(data) as environment:
        handle = generate(REQUEST, agents=[deeds.agent()], models=models, environment=environment)
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event) and item.seq == seq:
                    began, deeds.held = time.monotonic(), stop is not by_handle  # another process needs its time
                    await stop(handle)
                    seconds, by_then = time.monotonic() - began, list(deeds.done)
                    break
        return seconds, deeds, by_then, await environment.store.events(handle.operation), handle


async def number_of_events(data: Path) -> int:
    deeds = Deeds()
    models: dict[Role, ModelAdapter] = {"writer": deeds.writer(), "judge": deeds.judge()}
    async with place(data) as environment:
        handle = generate(REQUEST, agents=[deeds.agent()], models=models, environment=environment)
        await handle
        return len(await environment.store.events(handle.operation))


@pytest.mark.promise("O10", "O11")
@pytest.mark.parametrize("way", ["by its handle", "by another process"])
async def test_cancelled_at_any_event_nothing_happens_after_the_acknowledgement(way: str, tmp_path: Path) -> None:
    times = []
    for seq in range(1, await number_of_events(tmp_path / "whole")):  # the last one is its end
        data = tmp_path / str(seq)
        stop = by_handle if way == "by its handle" else by_another_process(data)
        with anyio.fail_after(LATE):
            try:
                seconds, deeds, by_then, events, handle = await stopped_at(seq, data, stop)
            except OperationEnded:  # it came to its end before the other process could ask
                continue
        times.append(seconds)
        assert deeds.done == by_then
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert [event.what.kind for event in events].count("operation_ended") == 1
        assert events[-1].what.kind == "operation_ended"
        result = await handle.result()
        assert (result.status, result.ending, result.version, result.exit_code) == ("cancelled", "cancelled", None, 130)
        async with place(data) as environment:
            with pytest.raises(OperationEnded):
                await resume(handle.operation, agents=[deeds.agent()], environment=environment)
            assert await environment.store.head("greeting") is None
    print(f"cancelled {way} at {len(times)} events: {max(times) * 1000:.0f} ms at most")
    assert times


@dataclass(slots=True)
class Hanging:
    """A model, a tool and a child process that never come to an end by themselves."""

    began: anyio.Event = field(default_factory=anyio.Event)
    child: list[int] = field(default_factory=list)

    async def forever(self) -> None:
        self.began.set()
        await anyio.sleep_forever()

    def writer(self, *, hangs: bool) -> ModelAdapter:
        script = {(1, 1): calls(("write_note", {"text": "hello"}), ("hang", {}), ("write_note", {"text": "never"}))}
        return _HangingModel(self) if hangs else Scripted(script)

    def agent(self) -> Agent:
        @tool()
        async def hang(ctx: ToolContext) -> ToolResult:
            """Run a program that does not end."""
            async with await anyio.open_process([sys.executable, "-c", "import time; time.sleep(3600)"]) as process:
                self.child.append(process.pid)
                await self.forever()
            return ToolResult(text="never")

        return Agent(operation="generate", content=replace(note, tools=(*note.tools, hang)))


class _HangingModel(Scripted):
    def __init__(self, hanging: Hanging) -> None:
        super().__init__({})
        self._hanging = hanging

    async def reply(self, prompt: Prompt, stream: Any) -> Reply:
        await self._hanging.forever()
        return Reply()


def alive(pid: int) -> bool:
    """Whether a process runs; one that ended and was not asked for its exit code does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.promise("O10")
@pytest.mark.parametrize("hangs", ["model", "tool"])
@pytest.mark.parametrize("way", ["interrupt", "cancel", "cancel by another process"])
async def test_a_hanging_model_and_a_hanging_tool_with_its_child_stop_at_once(
    hangs: str, way: str, tmp_path: Path
) -> None:
    hanging = Hanging()
    models: dict[Role, ModelAdapter] = {"writer": hanging.writer(hangs=hangs == "model")}
    async with place(tmp_path) as environment:
        handle = generate(REQUEST, agents=[hanging.agent()], models=models, environment=environment)
        async with handle:
            await hanging.began.wait()
            began = time.monotonic()
            with anyio.fail_after(LATE):
                if way == "interrupt":
                    await handle.interrupt()
                else:
                    await (by_handle(handle) if way == "cancel" else by_another_process(tmp_path)(handle))
            print(f"{way} of a hanging {hangs}: {(time.monotonic() - began) * 1000:.0f} ms")
        assert not any(map(alive, hanging.child))
        record = await environment.store.load(handle.operation)
        effects = await environment.store.effects(handle.operation)
    assert record.state == ("interrupted" if way == "interrupt" else "ended")
    if hangs == "tool":
        texts = {key: effect.result["text"] for key, effect in effects.items() if effect.name == "tool_call"}
        assert sorted(texts) == ["call/1/0", "call/1/1", "call/1/2"]
        assert texts["call/1/0"] == "wrote 1 words"
        assert "interrupted" in texts["call/1/1"]
        assert "interrupted" in texts["call/1/2"]


@pytest.mark.promise("O10")
async def test_a_wish_to_cancel_outlives_the_owner_who_never_saw_it(tmp_path: Path) -> None:
    deeds = Deeds()
    async with place(tmp_path) as environment:
        handle = generate(REQUEST, agents=[deeds.agent()], models={"writer": deeds.writer()}, environment=environment)
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event):
                    await handle.interrupt()
                    break
        await environment.store.request_cancel(handle.operation)
        deeds.held = True
        models: dict[Role, ModelAdapter] = {"writer": deeds.writer()}
        again = resume(handle.operation, agents=[deeds.agent()], models=models, environment=environment)
        with anyio.fail_after(LATE):
            result = await again
    assert (result.status, result.version) == ("cancelled", None)


@pytest.mark.promise("O10")
@pytest.mark.parametrize("way", ["its owner", "the next owner, before he has caught up", "nobody's process"])
async def test_whoever_closes_it_tells_what_the_record_says_was_spent(way: str, tmp_path: Path) -> None:
    deeds = Deeds()
    models: dict[Role, ModelAdapter] = {"writer": deeds.writer(), "judge": deeds.judge()}
    async with place(tmp_path) as environment:
        handle = generate(REQUEST, agents=[deeds.agent()], models=models, environment=environment)
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event) and item.what.kind == "judge_replied":
                    deeds.held = True
                    await (by_handle(handle) if way == "its owner" else handle.interrupt())
                    break
        if way == "its owner":
            result = await handle.result()
        elif way == "nobody's process":
            result = await cancel(handle.operation, environment=environment)
        else:
            await environment.store.request_cancel(handle.operation)
            result = await resume(handle.operation, agents=[deeds.agent()], models=models, environment=environment)
        kinds = [event.what.kind for event in await environment.store.events(handle.operation)]
    replies, judged = kinds.count("step_taken"), kinds.count("judge_replied")
    assert judged
    assert (result.status, result.usage.steps, result.usage.model_calls) == ("cancelled", replies, replies + judged)
    assert result.usage.rejections == kinds.count("draft_rejected") > 0


OWNER = """
import anyio, sys
from pathlib import Path
from tests.operations.test_cancel import Hanging, REQUEST, place
from compositor.operations import generate

async def main():
    hanging = Hanging()
    async with place(Path(sys.argv[1])) as environment:
        handle = generate(REQUEST, operation_id="one", agents=[hanging.agent()],
                          models={"writer": hanging.writer(hangs=False)}, environment=environment)
        async with handle:
            await hanging.began.wait()
            print(hanging.child[0], flush=True)
            result = await handle.result()
    print(result.status, flush=True)

anyio.run(main)
"""


@pytest.mark.promise("O10")
def test_the_command_stops_an_operation_of_another_process_with_its_children(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(CHECKOUT / "src"), str(CHECKOUT)])}
    owner = [sys.executable, "-c", OWNER, str(tmp_path)]
    command = [sys.executable, "-m", "compositor", "cancel", "one", "--data", str(tmp_path)]
    with subprocess.Popen(owner, cwd=CHECKOUT, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        began = time.monotonic()
        ran = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
        print(f"`compositor cancel`, its start included: {(time.monotonic() - began) * 1000:.0f} ms")
        assert "cancelled" in ran.stdout, ran.stderr
        assert not alive(child)
        assert process.stdout.read().strip() == "cancelled"
    assert process.returncode == 0


async def test_an_owner_who_does_not_answer_is_named_and_the_wish_is_kept(
    tmp_path: Path,
) -> None:
    deeds = Deeds()
    async with place(tmp_path) as environment:
        handle = generate(REQUEST, agents=[deeds.agent()], models={"writer": deeds.writer()}, environment=environment)
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event):
                    await handle.interrupt()
                    break
        async with environment.store.lease(handle.operation):  # as a process holds it that hangs in a computation
            with pytest.raises(OperationBusy, match="wish to cancel it is kept"):
                await cancel(handle.operation, environment=environment, patience=0.2)
        assert await environment.store.cancel_requested(handle.operation)
        assert (await cancel(handle.operation, environment=environment)).status == "cancelled"
