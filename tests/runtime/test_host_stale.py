"""Writes that were prepared before the file became what it is: refused, so that no work is lost unseen."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor.agents import compose
from compositor.capabilities import ToolContext, ToolError, ToolResult, tool
from compositor.runtime import Answer, Host, Reply, Unrecorded, Work
from compositor.testing import MemoryBlobs, Scripted, calls
from compositor.workspace import Entry, Ports, Snapshot
from tests.runtime.bench import agent, answers, made, request, write_poem, write_title

pytestmark = pytest.mark.anyio


@tool(seconds=5)
async def replace_word(ctx: ToolContext, old: str, new: str, pause: float = 0) -> ToolResult:
    """Replace a word of the poem."""
    text = await ctx.files.read_text("poem.txt")
    if old not in text:
        raise ToolError(f"there is no {old}")
    await anyio.sleep(pause)
    await ctx.files.write("poem.txt", text.replace(old, new))
    return ToolResult(text="replaced")


@tool()
async def replace_line(ctx: ToolContext, number: int, text: str) -> ToolResult:
    """Replace a line of the poem, by its number."""
    ctx.files.refuse_stale("poem.txt")
    lines = (await ctx.files.read_text("poem.txt")).splitlines()
    lines[number] = text
    await ctx.files.write("poem.txt", "\n".join(lines))
    return ToolResult(text="replaced")


@tool()
async def burn(ctx: ToolContext) -> ToolResult:
    """Remove the poem."""
    ctx.files.remove("poem.txt")
    return ToolResult(text="burnt")


TOOLS = (write_poem, write_title, replace_word, replace_line, burn)
STALE = "'poem.txt' has changed since this call was prepared. Read it and write again, in a new reply"


async def after(*wanted: tuple[str, dict[str, object]], poem: str = "Alpha and\nOmega") -> tuple[list[str], str]:
    """What the calls of one reply are answered over this poem, and what the poem is then."""
    writer = Scripted({(1, 1): calls(("write_poem", {"text": poem})), (1, 2): calls(*wanted)})
    run = await made(writer, tools=TOOLS)
    return [answer.text for answer in answers(writer)[1:]], await run.text("poem.txt")


async def test_the_second_of_two_whole_writes_in_one_reply_is_refused_and_the_first_stays() -> None:
    told, poem = await after(("write_poem", {"text": "one"}), ("write_poem", {"text": "two"}))
    assert told == ["wrote 1 words", f"write_poem: {STALE}"]
    assert poem == "one"


async def test_the_same_write_twice_loses_nothing_and_is_no_fault() -> None:
    told, _ = await after(("write_poem", {"text": "one"}), ("write_poem", {"text": "one"}))
    assert told == ["wrote 1 words", "wrote 1 words"]


async def test_a_removal_of_what_an_earlier_call_has_just_written_is_refused() -> None:
    told, poem = await after(("write_poem", {"text": "one"}), ("burn", {}))
    assert (told[1], poem) == (f"burn: {STALE}", "one")


async def test_a_whole_write_over_an_edit_is_refused_and_an_edit_after_a_whole_write_sees_it() -> None:
    told, poem = await after(
        ("replace_word", {"old": "Alpha", "new": "Anfang"}), ("write_poem", {"text": "Alpha and Ende"})
    )
    assert (told, poem) == (["replaced", f"write_poem: {STALE}"], "Anfang and\nOmega")
    told, poem = await after(("write_poem", {"text": "one"}), ("replace_word", {"old": "one", "new": "two"}))
    assert (told, poem) == (["wrote 1 words", "replaced"], "two")


async def test_an_edit_by_position_is_refused_where_the_lines_may_be_others_now() -> None:
    told, poem = await after(
        ("replace_line", {"number": 0, "text": "Anfang and"}), ("replace_line", {"number": 1, "text": "Ende"})
    )
    assert (told, poem) == (["replaced", f"replace_line: {STALE}"], "Anfang and\nOmega")


async def test_what_is_refused_may_be_done_in_the_next_reply_which_has_seen_the_answer() -> None:
    two = calls(("write_poem", {"text": "one"}), ("write_poem", {"text": "two"}))
    run = await made(Scripted({(1, 1): two, (1, 2): calls(("write_poem", {"text": "two"}))}))
    assert await run.text("poem.txt") == "two"


# Replies that another runtime announces side by side


async def host_over(text: str) -> tuple[Host, Work]:
    """A host of its own, as a runtime that drives its own loop has it."""
    blobs = MemoryBlobs()
    entry = Entry(sha256=await blobs.put(text.encode()), size=len(text))
    composition = compose(agent(tools=TOOLS), request())
    work = Work(composition=composition, blobs=blobs, ports=Ports(), snapshot=Snapshot(files={"poem.txt": entry}))
    return Host(work, Unrecorded()), work


async def poem_of(work: Work) -> str:
    return (await work.blobs.get(work.snapshot.files["poem.txt"].sha256)).decode()


async def announced(host: Host, *replies: Reply, base: Snapshot | None = None) -> list[tuple[Answer, ...]]:
    """The answers to replies that are announced at the same moment."""
    told: dict[int, tuple[Answer, ...]] = {}

    async def announce(step: int, reply: Reply) -> None:
        told[step] = await host.run(reply, step, base)

    async with anyio.create_task_group() as side_by_side:
        for step, reply in enumerate(replies, start=1):
            side_by_side.start_soon(announce, step, reply)
    return [told[step] for step in sorted(told)]


async def test_two_replies_at_once_run_one_after_the_other_and_the_later_one_overwrites_nothing() -> None:
    host, work = await host_over("Alpha and Omega")
    slow = calls(("replace_word", {"old": "Alpha", "new": "Anfang", "pause": 0.02}))
    (first,), (second,) = await announced(host, slow, calls(("write_poem", {"text": "all new"})))
    assert (first.failed, second.failed) == (False, True)
    assert await poem_of(work) == "Anfang and Omega"
    (_,), (third,) = await announced(host, slow, calls(("replace_word", {"old": "Omega", "new": "Ende"})))
    assert not third.failed
    assert await poem_of(work) == "Anfang and Ende"


async def test_a_reply_is_prepared_on_the_files_that_its_model_knew() -> None:
    host, work = await host_over("old")
    known = work.snapshot
    await host.run(calls(("write_poem", {"text": "new"})), 1)
    (stale,) = await host.run(calls(("write_poem", {"text": "mine"})), 2, known)
    assert stale.failed
    (fresh,) = await host.run(calls(("write_poem", {"text": "mine"})), 3)
    assert not fresh.failed


async def test_a_reply_that_is_interrupted_while_it_waits_for_its_turn_is_answered_too() -> None:
    host, work = await host_over("old")
    answered: list[Answer] = []
    waits = calls(("replace_word", {"old": "old", "new": "new", "pause": 60}))
    async with anyio.create_task_group() as both:
        both.start_soon(host.run, waits, 1)
        both.start_soon(host.run, calls(("write_poem", {"text": "mine"})), 2)
        await anyio.wait_all_tasks_blocked()
        both.cancel_scope.cancel()
    answered += await host.run(calls(("write_poem", {"text": "mine"})), 3)
    assert [answer.failed for answer in answered] == [False]
    assert await poem_of(work) == "mine"


LETTERS = ("a", "b", "c", "d")
EDITS = st.one_of(
    st.tuples(st.just("replace_word"), st.sampled_from(LETTERS)),
    st.tuples(st.just("write_poem"), st.sampled_from(LETTERS)),
    st.tuples(st.just("replace_line"), st.sampled_from(LETTERS)),
    st.tuples(st.just("burn"), st.just("")),
)


def call_of(edit: tuple[str, str], known: str, place: int) -> tuple[str, dict[str, object]]:
    """An edit as a model prepares it that knows this text: it marks one letter, and keeps the rest."""
    name, letter = edit
    mark = letter.upper() + str(place)
    if name == "replace_word":
        return name, {"old": letter, "new": mark}
    if name == "write_poem":
        return name, {"text": known.replace(letter, mark)}
    if name == "replace_line":
        lines = known.splitlines()
        at = LETTERS.index(letter)
        return name, {"number": at, "text": lines[at].replace(letter, mark) if at < len(lines) else mark}
    return name, {}


@settings(deadline=None, max_examples=200)
@given(replies=st.lists(st.lists(EDITS, min_size=1, max_size=3), min_size=1, max_size=3), shared=st.booleans())
async def test_no_update_that_was_answered_well_is_ever_lost_unseen(
    replies: Sequence[Sequence[tuple[str, str]]], shared: bool
) -> None:
    """All calls are prepared on the same text; each that succeeds marks a letter, and all these marks stand at the end.

    Only a whole write or a removal can lose a mark, and only one of its kind can have succeeded, before any other.
    """
    text = "a\nb\nc\nd"
    host, work = await host_over(text)
    prepared = [
        [call_of(edit, text, 10 * number + place) for place, edit in enumerate(edits)]
        for number, edits in enumerate(replies)
    ]
    base = work.snapshot if shared else None
    told = await announced(host, *(calls(*wanted) for wanted in prepared), base=base)
    done = [
        (name, arguments)
        for wanted, given_back in zip(prepared, told, strict=True)
        for (name, arguments), answer in zip(wanted, given_back, strict=True)
        if not answer.failed
    ]
    if "burn" in [name for name, _ in done]:
        assert [name for name, _ in done] == ["burn"]
        assert "poem.txt" not in work.snapshot.files
        return
    poem = await poem_of(work)
    for name, arguments in done:
        written = str(arguments["new" if name == "replace_word" else "text"])
        marks = [line for line in written.splitlines() if len(line) > 1]
        assert [mark for mark in marks if mark not in poem] == [], (done, poem)
