"""Which calls of one reply run side by side, and that nobody's work is lost by it."""

from __future__ import annotations

from itertools import pairwise

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor.agents import RosterTool, compose
from compositor.capabilities import ToolContext, ToolResult, tool
from compositor.runtime._waves import conflict, waves
from compositor.testing import Scripted, calls
from compositor.tools import Tool
from tests.runtime.bench import OWNS, agent, answers, made, poem, request, write_poem, write_title

pytestmark = pytest.mark.anyio


async def test_calls_that_do_not_disturb_each_other_run_side_by_side() -> None:
    both_there = anyio.Event()
    first_there = anyio.Event()

    @tool(writes=("poem.txt",), reads=("poem.txt",), seconds=5)
    async def poem_waits(ctx: ToolContext) -> ToolResult:
        """Wait for the other one."""
        first_there.set()
        await both_there.wait()
        await ctx.files.write("poem.txt", "a poem")
        return ToolResult(text="first")

    @tool(writes=("title.txt",), reads=("title.txt",), seconds=5)
    async def title_follows(ctx: ToolContext) -> ToolResult:
        """End before the first one does."""
        await first_there.wait()
        await ctx.files.write("title.txt", "a title")
        both_there.set()
        return ToolResult(text="second")

    writer = Scripted({(1, 1): calls(("poem_waits", {}), ("title_follows", {}))})
    run = await made(writer, tools=(poem_waits, title_follows))
    assert [answer.text for answer in answers(writer)] == ["first", "second"]
    assert [answered.tool for answered in run.of("tool_answered")] == ["title_follows", "poem_waits"]
    assert [await run.text("poem.txt"), await run.text("title.txt")] == ["a poem", "a title"]


async def test_a_call_sees_what_an_earlier_call_of_the_same_reply_wrote() -> None:
    writer = Scripted({(1, 1): calls(("write_poem", {"text": "so it begins"}), ("read_poem", {}))})
    await made(writer)
    assert answers(writer)[1].text == "so it begins"


async def test_a_call_sees_the_label_that_an_earlier_call_of_the_same_reply_made() -> None:
    @tool(writes=(), reads=(), makes=("sketch",))
    async def sketch(ctx: ToolContext) -> ToolResult:
        """Make a sketch."""
        return ToolResult(text="made", artifacts={"sketch": await ctx.store(b"lines", "text/plain")})

    @tool(writes=(), reads=())
    async def look(ctx: ToolContext) -> ToolResult:
        """Look at the sketch."""
        return ToolResult(text=(await ctx.artifacts.read("sketch")).decode())

    writer = Scripted({(1, 1): calls(("sketch", {}), ("look", {}), ("write_poem", {"text": "x"}))})
    await made(writer, tools=(sketch, look, write_poem))
    assert answers(writer)[1].text == "lines"


async def run_nothing(ctx: ToolContext) -> ToolResult:
    """Do nothing."""
    return ToolResult(text="")


PATTERNS = st.lists(st.sampled_from(("poem.txt", "title.txt", "parts/", "parts/a.txt", "Poem.txt")), max_size=2)
TOOLS = st.builds(
    Tool,
    name=st.just("any"),
    about=st.just("any"),
    run=st.just(run_nothing),
    reads=st.one_of(PATTERNS.map(tuple), st.just(("",))),
    writes=PATTERNS.map(tuple),
    makes=st.sampled_from(((), (), ("sketch",))),
)
OWNER = compose(agent(), request()).content
ENTRIES = st.lists(TOOLS.map(lambda one: RosterTool(tool=one, owner=OWNER)), max_size=6)


@given(entries=ENTRIES)
@settings(deadline=None)
def test_waves_keep_the_order_hold_no_conflict_and_are_as_long_as_they_can_be(entries: list[RosterTool]) -> None:
    planned = [(entry, index) for index, entry in enumerate(entries)]
    cut = waves(planned)
    assert [call for wave in cut for call in wave] == planned
    for wave in cut:
        assert not any(conflict(one, other) for place, (one, _) in enumerate(wave) for other, _ in wave[:place])
    for wave, following in pairwise(cut):
        assert any(conflict(following[0][0], earlier) for earlier, _ in wave)


@given(one=TOOLS, other=TOOLS)
@settings(deadline=None)
def test_who_writes_what_another_reads_or_writes_is_in_conflict_whichever_comes_first(one: Tool, other: Tool) -> None:
    left, right = RosterTool(tool=one, owner=OWNER), RosterTool(tool=other, owner=OWNER)
    assert conflict(left, right) == conflict(right, left)
    if set(one.writes) & {*other.reads, *other.writes}:
        assert conflict(left, right)


def test_readers_alone_are_never_in_conflict_and_a_reader_of_all_is_with_any_writer() -> None:
    owner = compose(agent(), request()).content
    reader = RosterTool(tool=Tool(name="r", about="", run=run_nothing, reads=("",), writes=()), owner=owner)
    writer = RosterTool(tool=write_title, owner=owner)
    assert not conflict(reader, reader)
    assert conflict(reader, writer)
    assert {output.path for output in poem().owns} == {output.path for output in OWNS}
