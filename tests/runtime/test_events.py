"""Events: gapless, committed before they are shown, replayed from any place, and nobody's listening harms the work."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import pytest
from pydantic import ValidationError

from compositor.capabilities import ToolContext, ToolResult, tool
from compositor.errors import AdapterError
from compositor.runtime import Effect, Reply
from compositor.runtime.events import Event, Progress, StepTaken
from compositor.testing import MemoryStore, Scripted, calls
from tests.runtime.bench import GOOD, LONG, agent, begin, events_of, place, write, writes

pytestmark = pytest.mark.anyio


@pytest.mark.promise("O11")
async def test_events_tell_what_happened_in_order_and_words_come_beside_them() -> None:
    talks = Reply.from_json({**write(GOOD).as_json(), "text": "A poem."})
    async with place() as environment:
        handle = begin(Scripted({(1, 1): talks}), environment)
        async with handle:
            items = [item async for item in handle.events()]
        assert [item.text for item in items if isinstance(item, Progress)] == ["A poem.", "Done."]
        assert [event.what.kind for event in events_of(items)] == [
            "operation_opened",
            "step_taken",
            "tool_answered",
            "step_taken",
            "deliverable_built",
            "checked",
            "checked",
            "checked",
            "operation_ended",
        ]
        step = events_of(items)[1].what
        assert isinstance(step, StepTaken)
        assert (step.calls[0].tool, step.calls[0].summary) == ("write_poem", '{"text": "roses are red"}')
        assert tuple(events_of(items)) == await environment.store.events(handle.operation)


@pytest.mark.promise("O11")
@pytest.mark.parametrize("after", [0, 1, 4, 8, 9, 99])
async def test_a_reader_starts_again_from_any_seq_and_misses_nothing(after: int) -> None:
    async with place() as environment:
        handle = begin(writes(GOOD), environment)
        async with handle:
            live = events_of([item async for item in handle.events(after)])
            late = events_of([item async for item in handle.events(after)])
        assert [event.seq for event in live] == list(range(after + 1, 10))
        assert late == live


async def test_who_begins_to_listen_in_the_middle_gets_each_event_once() -> None:
    store = MemoryStore()
    begun, go_on = anyio.Event(), anyio.Event()

    @tool(seconds=5)
    async def waits(ctx: ToolContext) -> ToolResult:
        """Write the poem when it may."""
        begun.set()
        await go_on.wait()
        await ctx.files.write("poem.txt", GOOD)
        return ToolResult(text="written")

    heard: list[Event | Progress] = []
    async with place(store=store) as environment:
        handle = begin(Scripted({(1, 1): calls(("waits", {}))}), environment, made_by=agent(tools=(waits,)))
        async with handle:
            await begun.wait()
            async for item in handle.events():
                heard.append(item)
                go_on.set()
        assert [event.seq for event in events_of(heard)] == list(range(1, 10))


async def test_events_are_in_the_store_before_they_are_shown() -> None:
    async with place() as environment:
        handle = begin(writes(LONG, GOOD), environment)
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event):
                    assert item in await environment.store.events(handle.operation)


async def test_a_listener_that_leaves_harms_neither_the_work_nor_the_others() -> None:
    async with place() as environment:
        handle = begin(writes(LONG, GOOD), environment)
        async with handle:
            async for _ in handle.events():
                break
            everything = events_of([item async for item in handle.events()])
            result = await handle.result()
        assert result.status == "succeeded"
        assert [event.seq for event in everything] == list(range(1, len(everything) + 1))


async def test_a_listener_that_is_cancelled_while_it_waits_harms_nobody() -> None:
    begun, go_on = anyio.Event(), anyio.Event()

    @tool(seconds=5)
    async def waits(ctx: ToolContext) -> ToolResult:
        """Write the poem when it may."""
        begun.set()
        await go_on.wait()
        await ctx.files.write("poem.txt", GOOD)
        return ToolResult(text="written")

    async with place() as environment:
        handle = begin(Scripted({(1, 1): calls(("waits", {}))}), environment, made_by=agent(tools=(waits,)))
        async with handle:
            await begun.wait()
            async with anyio.create_task_group() as listeners:
                listeners.start_soon(_listen, handle.events(), 3)
                await anyio.wait_all_tasks_blocked()
                listeners.cancel_scope.cancel()
            go_on.set()
            assert (await handle.result()).status == "succeeded"


async def _listen(items: object, _number: int) -> None:
    async for _ in items:  # type: ignore[attr-defined]  # an async iterator
        pass


async def test_an_operation_that_could_not_be_opened_has_no_events() -> None:
    async with place() as environment:
        handle = begin(writes(GOOD), environment, content="opera")
        async with handle:
            assert [item async for item in handle.events()] == []
            with pytest.raises(Exception, match="opera"):
                await handle.result()


async def test_the_attempt_that_made_an_event_stands_on_it() -> None:
    from compositor.operations import resume

    async with place() as environment:
        handle = begin(Scripted({(1, 1): AdapterError("scripted", "no answer")}), environment)
        with pytest.raises(AdapterError):
            await handle
        await resume(handle.operation, agents=[agent()], models={"writer": writes(GOOD)}, environment=environment)
        events = await environment.store.events(handle.operation)
        assert [event.attempt for event in events] == [1, 1, *([2] * (len(events) - 2))]
        assert [event.seq for event in events] == list(range(1, len(events) + 1))


async def test_an_event_is_closed_and_goes_through_json_unchanged() -> None:
    async with place() as environment:
        handle = begin(writes(LONG, GOOD), environment)
        await handle
        events: Sequence[Event] = await environment.store.events(handle.operation)
        assert [Event.model_validate_json(event.model_dump_json()) for event in events] == list(events)
        with pytest.raises(ValidationError, match="Extra inputs are not permitted"):
            Event.model_validate({**events[0].model_dump(), "mood": "good"})


async def test_effects_are_recorded_under_names_and_keys_that_tell_what_they_are() -> None:
    async with place() as environment:
        handle = begin(writes(LONG, GOOD), environment)
        await handle
        effects = await environment.store.effects(handle.operation)
        assert [(effect.name, key) for key, effect in effects.items()] == [
            ("model_call", "model/1/1"),
            ("tool_call", "call/1/0"),
            ("model_call", "model/1/2"),
            ("build", "build/1"),
            ("evaluate", "evaluate/1/measurements"),
            ("reject", "reject/1"),
            ("model_call", "model/2/1"),
            ("tool_call", "call/3/0"),
            ("model_call", "model/2/2"),
            ("build", "build/2"),
            ("evaluate", "evaluate/2/measurements"),
            ("commit_version", "commit/2/0"),
        ]
        assert all(isinstance(effect, Effect) for effect in effects.values())
