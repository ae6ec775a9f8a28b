"""Tokens, cost and time are looked at before they are spent: by the writer's model and by every judge."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest

from compositor.agents import Budget
from compositor.capabilities import CheckContext, Criterion, Report
from compositor.errors import AdapterError
from compositor.operations import Environment, resume
from compositor.runtime import ModelAdapter, Prompt, Reply, Role, Usage
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
from tests.runtime.bench import GOOD, LENGTH, RUBRIC, agent, begin, finished, judgment, made, writes

pytestmark = pytest.mark.anyio

PAID = Usage(input_tokens=6, output_tokens=4, cost=0.5)
LOOKS = Reply(calls=calls(("look", {})).calls, stop="calls", usage=PAID)
LIMITS = {"tokens": Budget(tokens=15), "cost": Budget(cost=0.6)}


def paid(text: str) -> Reply:
    """A reply that writes the poem, for 10 tokens and half a dollar."""
    return calls(("write_poem", {"text": text}), usage=PAID)


class Slow:
    """A clock that goes on by a minute with each look."""

    def __init__(self) -> None:
        self._looks = 0

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.seconds())

    def seconds(self) -> float:
        self._looks += 1
        return self._looks * 60.0


@pytest.mark.promise("O3", "O9")
@pytest.mark.parametrize("limit", LIMITS)
async def test_a_judge_is_not_asked_again_when_its_first_reply_has_spent_the_budget(limit: str) -> None:
    judge = Scripted({}, otherwise=LOOKS, name="judge")
    run = await made(Scripted({(1, 1): paid(GOOD)}), judge=judge, verifiers=(LENGTH, RUBRIC), budget=LIMITS[limit])
    assert len(judge.prompts) == 1
    assert (run.report("rubric")["status"], run.report("rubric")["reason"]) == ("skipped", "budget")
    assert (run.result.verification, run.result.status, run.result.ending) == ("unresolved", "incomplete", "exhausted")
    assert f"the budget of {limit} was spent" in run.result.unfinished
    assert await run.text("poem.txt") == GOOD
    assert run.result.usage.rejections == 0


@pytest.mark.promise("O3")
async def test_a_judge_is_not_asked_at_all_when_the_writer_has_spent_the_budget_with_its_last_words() -> None:
    writer = Scripted({(1, 1): paid(GOOD), (1, 2): Reply(text="Done.", usage=PAID)})
    judge = Scripted({}, otherwise=verdict({"rhymes": True}), name="judge")
    run = await made(writer, judge=judge, verifiers=(LENGTH, RUBRIC), budget=Budget(tokens=20))
    assert judge.prompts == []
    assert (run.report("rubric")["reason"], run.result.ending) == ("budget", "exhausted")
    assert "the budget of tokens was spent" in run.result.unfinished


@pytest.mark.promise("O3")
async def test_what_one_judge_takes_is_not_there_for_the_next() -> None:
    async def asks(ctx: CheckContext) -> Report:
        opinion = await ctx.judge.review([Criterion(id="rhymes", asks="it rhymes")])
        return Report(examined=len(opinion.answers))

    yes = Reply.from_json({**verdict({"rhymes": True}).as_json(), "usage": PAID.as_json()})
    judge = Scripted({}, otherwise=yes, name="judge")
    both = (LENGTH, judgment(asks, name="first"), judgment(asks, name="second"))
    run = await made(writes(GOOD), judge=judge, verifiers=both, budget=Budget(tokens=10))
    assert [run.report(name)["status"] for name in ("first", "second")] == ["passed", "skipped"]
    assert run.result.usage.input_tokens == 6


@pytest.mark.promise("O7")
async def test_a_check_that_passes_although_its_judge_was_not_paid_has_not_passed() -> None:
    async def careless(ctx: CheckContext) -> Report:
        with suppress(Exception):
            await ctx.judge.review([Criterion(id="rhymes", asks="it rhymes")])
        return Report(examined=3)

    judge = Scripted({}, otherwise=LOOKS, name="judge")
    run = await made(writes(GOOD), judge=judge, verifiers=(LENGTH, judgment(careless)), budget=Budget(tokens=5))
    assert (run.report("judge-it")["status"], run.result.verification) == ("skipped", "unresolved")


@pytest.mark.promise("O3")
async def test_a_judge_that_hangs_is_cut_off_when_the_time_of_the_operation_is_over() -> None:
    class Hangs(Scripted):
        async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
            self.prompts.append(prompt)
            await anyio.sleep_forever()
            raise AssertionError

    judge = Hangs({}, name="judge")
    with anyio.fail_after(30):
        run = await made(writes(GOOD), judge=judge, verifiers=(LENGTH, RUBRIC), budget=Budget(seconds=0.5))
    assert len(judge.prompts) <= 1  # on a machine that is slow enough the time is over before
    assert (run.report("rubric")["reason"], run.result.ending) == ("budget", "exhausted")
    assert "the budget of seconds was spent" in run.result.unfinished


@pytest.mark.promise("O3", "O14")
async def test_time_is_counted_inside_a_judgment_and_again_after_a_resume() -> None:
    """Each effect takes a minute by this clock: the draft some six, and each reply of the judge one more."""
    judge = Scripted({}, otherwise=calls(("look", {})), name="judge")
    store, blobs = MemoryStore(), MemoryBlobs()

    async with slow_place(store, blobs) as environment:
        maker = agent(verifiers=(LENGTH, RUBRIC), budget=Budget(seconds=7 * 60.0))
        handle = begin(writes(GOOD), environment, judge=judge, made_by=maker)
        run = await finished(handle, environment, judge)
    assert run.report("rubric")["reason"] == "budget"
    asked = len(judge.prompts)
    assert 0 < asked < 4

    again = Scripted({}, otherwise=calls(("look", {})), name="judge")
    store, blobs = MemoryStore(), MemoryBlobs()
    async with slow_place(store, blobs) as environment:
        handle = begin(writes(GOOD), environment, judge=again, made_by=maker)
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event) and item.what.kind == "judge_replied":
                    await handle.interrupt()
                    break
        models: dict[Role, ModelAdapter] = {"writer": writes(GOOD), "judge": again}
        resumed = await resume(handle.operation, agents=[maker], models=models, environment=environment)
    assert len(again.prompts) in {asked, asked + 1}  # one that was under way came to nothing
    assert (resumed.ending, resumed.unfinished) == (run.result.ending, run.result.unfinished)


def slow_place(store: MemoryStore, blobs: MemoryBlobs) -> Environment:
    """An environment whose clock runs fast."""
    return Environment(
        Path("never-used"),
        store=store,
        blobs=blobs,
        renderer=PlainRenderer(),
        compiler=PlainCompiler(),
        pictures=PlainPictures(),
        clock=Slow(),
    )


@pytest.mark.promise("O9", "O15")
async def test_a_writer_that_never_stops_is_stopped_by_its_steps_and_its_last_draft_is_kept() -> None:
    script = {(1, step): calls(("write_poem", {"text": f"poem {step}"})) for step in range(1, 100)}
    run = await made(Scripted(script), budget=Budget(steps=7))
    assert (run.result.usage.steps, run.result.ending) == (7, "exhausted")
    assert await run.text("poem.txt") == "poem 7"


@pytest.mark.promise("O7", "O14")
async def test_a_judge_that_is_out_leaves_a_state_of_its_own_and_resuming_judges_the_same_draft() -> None:
    maker = agent(verifiers=(LENGTH, RUBRIC))
    out = Scripted({(1, 1): AdapterError("judge", "503")}, name="judge")
    store, blobs = MemoryStore(), MemoryBlobs()
    async with slow_place(store, blobs) as environment:
        writer = writes(GOOD)
        first = await finished(begin(writer, environment, judge=out, made_by=maker), environment)
        assert (first.result.verification, first.result.ending) == ("errored", "errored")
        assert first.result.usage.rejections == 0
        back = Scripted({}, otherwise=verdict({"rhymes": True}), name="judge")
        silent = Scripted({}, name="scripted")
        models: dict[Role, ModelAdapter] = {"writer": silent, "judge": back}
        result = await resume(first.result.operation, agents=[maker], models=models, environment=environment)
    assert silent.prompts == []
    assert (result.verification, result.status) == ("passed", "succeeded")
    assert [prompt.turn for prompt in back.prompts] == [1]
