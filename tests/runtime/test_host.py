"""The tool host: every call gets its one answer, whatever the model sent and whatever the tool did."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor.capabilities import (
    EVERYTHING,
    Capability,
    CheckContext,
    Finding,
    Report,
    ToolContext,
    ToolError,
    ToolResult,
    Where,
    tool,
)
from compositor.runtime import Reply
from compositor.testing import Scripted, calls, flat_png, history_faults
from compositor.verifiers import Severity
from tests.runtime.bench import (
    BETTER,
    GOOD,
    agent,
    answers,
    begin,
    made,
    measurement,
    place,
    read_poem,
    write,
    write_poem,
)

pytestmark = pytest.mark.anyio


def raw(*wanted: tuple[str, str, str], stop: str = "calls") -> Reply:
    """A reply of calls as a provider sends them: id, name, arguments as text."""
    return Reply.from_json(
        {
            "text": "",
            "calls": [{"id": name, "name": called, "arguments": arguments} for name, called, arguments in wanted],
            "stop": stop,
            "usage": {},
            "opaque": None,
        }
    )


async def answered(reply: Reply, *tools: object) -> Scripted:
    """The writer, after one reply was answered."""
    writer = Scripted({(1, 1): reply})
    await made(writer, tools=tools or (write_poem, read_poem))
    return writer


@pytest.mark.parametrize("ids", [("", ""), ("same", "same"), ("call-1", ""), ("", "call-1")])
async def test_empty_and_repeated_ids_lose_no_call_and_get_answers_in_call_order(ids: tuple[str, str]) -> None:
    first, second = ids
    reply = raw(
        (first, "write_poem", '{"text": "words"}'),
        (second, "read_poem", "{}"),
    )
    writer = await answered(reply)
    given_back = answers(writer)
    assert [answer.text for answer in given_back] == ["wrote 1 words", "words"]
    assert len({answer.call_id for answer in given_back} - {""}) == 2


async def test_an_id_that_comes_again_in_a_later_reply_is_replaced_too() -> None:
    writer = Scripted({(1, 1): raw(("a", "write_poem", '{"text": "x"}')), (1, 2): raw(("a", "read_poem", ""))})
    await made(writer)
    assert [answer.call_id for answer in answers(writer)] == ["a", "call-2"]


@given(ids=st.lists(st.lists(st.sampled_from(("", "a", "call-1", "call-2", "call-3")), max_size=4), max_size=3))
@settings(deadline=None, max_examples=25)
def test_whatever_ids_a_provider_sends_the_history_is_whole(ids: list[list[str]]) -> None:
    script = {
        (1, step): raw(*((name, "write_poem", json.dumps({"text": f"{step}"})) for name in names))
        for step, names in enumerate(ids, start=1)
    }
    writer = Scripted(script)
    anyio.run(lambda: made(writer))
    assert history_faults(writer.prompts[-1].messages) == ()


async def test_the_prefix_that_newer_models_write_is_taken_off() -> None:
    writer = await answered(raw(("a", "functions.write_poem", '{"text": "x"}')))
    assert answers(writer)[0].text == "wrote 1 words"


async def test_a_tool_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    writer = await answered(raw(("a", "publish_" + "x" * 5000, "{}"), ("b", "Write_Poem", "{}")))
    for answer in answers(writer):
        assert answer.failed
        assert "read_poem, write_poem" in answer.text
        assert len(answer.text) <= 1000


async def test_without_any_tool_the_answer_says_so() -> None:
    writer = Scripted({(1, 1): raw(("a", "write_poem", "{}"))})
    async with place() as environment:
        await begin(writer, environment, made_by=agent(tools=(write_poem,)), mode="review")
    assert "Call one of: none" in answers(writer)[0].text


@pytest.mark.parametrize("arguments", ['{"text": "<cut', "null", "[]", "7", '{"text": 7}', "{}", "[" * 500])
async def test_malformed_arguments_are_an_answer_that_names_the_tool_and_the_work_goes_on(arguments: str) -> None:
    script = {(1, 1): raw(("a", "write_poem", arguments)), (1, 2): write(GOOD)}
    run = await made(Scripted(script))
    first, second = run.of("tool_answered")
    assert (first.ok, second.ok) == (False, True)
    assert "write_poem" in first.text
    assert run.result.status == "succeeded"


async def test_arguments_that_were_cut_are_answered_in_at_most_a_thousand_characters_with_the_position() -> None:
    writer = await answered(raw(("a", "write_poem", '{"text": "' + "x" * 5000)))
    assert len(answers(writer)[0].text) <= 1000
    assert "at character 9" in answers(writer)[0].text


@pytest.mark.parametrize("stop", ["length", "filtered", "refused"])
async def test_calls_of_a_reply_that_did_not_come_to_its_end_are_answered_and_not_run(stop: str) -> None:
    run = await made(Scripted({(1, 1): raw(("a", "write_poem", '{"text": "x"}'), stop=stop)}))
    [answer] = run.of("tool_answered")
    assert not answer.ok
    assert "was not run" in answer.text
    assert run.of("checked")[0].verdict["findings"][0]["code"] == "missing-output"


async def test_a_cut_reply_without_calls_is_asked_to_go_on() -> None:
    writer = Scripted({(1, 1): Reply(text="I will", stop="length"), (1, 2): write(GOOD)})
    run = await made(writer)
    assert writer.prompts[1].messages[-1].as_json() == {"said": [{"text": "Your reply was cut. Go on."}]}
    assert run.result.status == "succeeded"


@tool()
async def raises(ctx: ToolContext) -> ToolResult:
    """Break down."""
    ctx.emit("so far, so good")
    raise RuntimeError("a screw is loose" + "!" * 5000)


@tool()
async def refuses(ctx: ToolContext) -> ToolResult:
    """Refuse."""
    raise ToolError("choose another metre")


@tool(seconds=0.01)
async def hangs(ctx: ToolContext) -> ToolResult:
    """Never end."""
    await ctx.files.write("poem.txt", "half a poem")
    await anyio.sleep_forever()
    raise AssertionError


@tool()
async def has_its_own_time_limit(ctx: ToolContext) -> ToolResult:
    """Run into a limit of its own."""
    raise TimeoutError("the pump is slow")


@tool()
async def returns_text(ctx: ToolContext) -> ToolResult:
    """Return what it may not."""
    return "words"  # type: ignore[return-value]  # the fault is the point


@tool()
async def trespasses(ctx: ToolContext) -> ToolResult:
    """Write what is derived."""
    await ctx.files.write("poem.txt", "mine")
    await ctx.files.write("shout.txt", "not mine")
    return ToolResult(text="done")


@tool()
async def labels_in_secret(ctx: ToolContext) -> ToolResult:
    """Make a label that was not declared."""
    await ctx.files.write("poem.txt", "mine")
    return ToolResult(text="done", artifacts={"secret": await ctx.store(b"x", "text/plain")})


@tool(makes=("sketch",))
async def shows_what_is_not(ctx: ToolContext) -> ToolResult:
    """Show a picture that was not made."""
    return ToolResult(text="done", images=("sketch",))


@tool()
async def reads_what_is_hidden(ctx: ToolContext) -> ToolResult:
    """Use a port that was not named."""
    await ctx.ports.compiler.compile("x", "y")
    raise AssertionError


FAULTS: Mapping[str, object] = {
    "raises failed: RuntimeError: a screw is loose": raises,
    "refuses: choose another metre": refuses,
    "hangs was stopped after 0.01 s": hangs,
    "has_its_own_time_limit failed: TimeoutError: the pump is slow": has_its_own_time_limit,
    "returns_text is broken: it returned str, not ToolResult": returns_text,
    "trespasses: may not write 'shout.txt'": trespasses,
    "labels_in_secret is broken: it made secret, which `makes` does not declare": labels_in_secret,
    "shows_what_is_not is broken: it shows sketch, which it did not make": shows_what_is_not,
    "reads_what_is_hidden: compiler: not given to this capability": reads_what_is_hidden,
}


@pytest.mark.parametrize("text", FAULTS)
async def test_a_tool_that_fails_is_an_answer_leaves_nothing_behind_and_the_work_goes_on(text: str) -> None:
    broken = FAULTS[text]
    name = text.partition(" ")[0].removesuffix(":")
    writer = Scripted({(1, 1): calls((name, {})), (1, 2): write(GOOD)})
    run = await made(writer, tools=(broken, write_poem))
    failed = answers(writer)[0]
    assert failed.failed
    assert failed.text.startswith(text)
    assert len(failed.text) <= 1000
    assert run.of("tool_answered")[0].changed == ()
    assert (await run.text("poem.txt"), run.result.status) == (GOOD, "succeeded")


async def test_a_failed_tool_still_shows_the_progress_that_it_told_of() -> None:
    run = await made(Scripted({(1, 1): calls(("raises", {}))}), tools=(raises, write_poem))
    assert run.of("tool_answered")[0].notes == ("so far, so good",)


async def test_what_a_tool_made_is_named_and_shown_to_the_writer() -> None:
    @tool(makes=("sketch/",))
    async def sketch(ctx: ToolContext) -> ToolResult:
        """Make two sketches, and show one."""
        one, two = await ctx.store(flat_png(9, 9), "image/png"), await ctx.store(b"2", "image/png")
        return ToolResult(
            text="see sketch/one", artifacts={"sketch/one": one, "sketch/two": two}, images=("sketch/one",)
        )

    writer = Scripted({(1, 1): calls(("sketch", {})), (1, 2): write(GOOD)})
    run = await made(writer, tools=(sketch, write_poem))
    answer = answers(writer)[0]
    assert answer.text == "see sketch/one\nMade: sketch/two"
    assert [image.label for image in answer.images] == ["sketch/one"]
    assert await writer.prompts[-1].load(answer.images[0].sha256) == flat_png(9, 9)
    assert {a.label for a in run.result.artifacts} >= {"sketch/one", "sketch/two"}


async def test_a_long_answer_is_cut_and_the_whole_of_it_can_be_read() -> None:
    long_text = "é" * 60_000

    @tool()
    async def tells_much(ctx: ToolContext) -> ToolResult:
        """Tell very much."""
        return ToolResult(text=long_text)

    @tool(reads=EVERYTHING, writes=())
    async def read_back(ctx: ToolContext, path: str) -> ToolResult:
        """Read any file."""
        return ToolResult(text="the same" if await ctx.files.read_text(path) == long_text else "another")

    reading = Capability(name="back", kind="support", tools=(read_back,))
    script = {(1, 1): calls(("tells_much", {})), (1, 2): calls(("read_back", {"path": "spilled/step-1-call-1.txt"}))}
    writer = Scripted(script)
    await made(writer, made_by=replace(agent(tools=(tells_much, write_poem)), always=(reading,)))
    cut, read = answers(writer)
    assert cut.text.endswith("… cut at 65,536 of 120,000 bytes; the whole is in spilled/step-1-call-1.txt")
    assert read.text == "the same"


async def test_half_characters_never_stop_the_work_nor_spoil_its_record() -> None:
    @tool()
    async def half(ctx: ToolContext) -> ToolResult:
        """Answer with half a character."""
        ctx.emit("half \ud83c")
        return ToolResult(text="half \ud83c")

    @tool()
    async def fails_by_half(ctx: ToolContext) -> ToolResult:
        """Fail with half a character."""
        raise ValueError("half \ud83c")

    first = raw(
        ("\ud83c", "write_poem", r'{"text": "Cheers \ud83c\udf78 / \ud83c"}'),
        ("b", "half", "{}"),
        ("c", "fails_by_half", "{}"),
        ("d", "no_\ud83c", "\ud83c\udf78"),
    )
    writer = Scripted({(1, 1): first, (1, 2): Reply(text="Cheers \ud83c\udf78 / \ud83c")})
    run = await made(writer, tools=(write_poem, half, fails_by_half))
    assert await run.text("poem.txt") == "Cheers \U0001f378 / \ufffd"
    assert run.of("step_taken")[1].text == "Cheers \U0001f378 / \ufffd"
    assert [answer.text for answer in answers(writer)][1:3] == [
        "half \ufffd",
        "fails_by_half failed: ValueError: half \ufffd",
    ]
    assert {answered.tool: answered.notes for answered in run.of("tool_answered")}["half"] == ("half \ufffd",)
    assert all(event.model_dump_json().encode() for event in run.events)


async def test_half_characters_in_labels_paths_and_findings_spoil_nothing_either() -> None:
    half = "half \ud83c"

    @tool()
    async def writes_half(ctx: ToolContext, path: str) -> ToolResult:
        """Write where it is told."""
        await ctx.files.write(path, half)
        raise AssertionError

    async def finds(ctx: CheckContext) -> Report:
        text = await ctx.files.read_text("poem.txt")
        severity: Severity = "note" if text == BETTER else "blocking"
        odd = Finding(code="half", severity=severity, message=half, where=Where(of=half), measured=half, remedy=half)
        return Report(examined=1, findings=(odd,), measures={half: half})

    writer = Scripted(
        {
            (1, 1): raw(
                ("a", "writes_half", r'{"path": "a\ud83c.txt"}'), ("b", "write_poem", r'{"\ud83c": 1, "text": ""}')
            ),
            (1, 2): write(GOOD),
            (2, 1): write(BETTER),
        }
    )
    run = await made(writer, tools=(write_poem, writes_half), verifiers=(measurement(finds),))
    assert [answer.failed for answer in answers(writer)][:2] == [True, True]
    assert run.result.status == "succeeded"
    assert [event.model_dump_json().encode("utf-8") for event in run.events]
    assert run.result.model_dump_json().encode("utf-8")
    said = "".join(str(message.as_json()) for message in writer.prompts[-1].messages)
    assert said.encode("utf-8")
    assert "[half]" in said


async def test_a_tool_that_removes_a_file_leaves_it_out_of_the_next_snapshot() -> None:
    @tool()
    async def burn(ctx: ToolContext) -> ToolResult:
        """Remove the poem."""
        ctx.files.remove("poem.txt")
        return ToolResult(text="burnt")

    writer = Scripted({(1, 1): write(GOOD), (1, 2): calls(("burn", {})), (1, 3): calls(("burn", {}))})
    run = await made(writer, tools=(write_poem, burn))
    assert [answered.ok for answered in run.of("tool_answered")] == [True, True, False]
    assert run.result.verification == "failed"


@pytest.mark.promise("C4")
async def test_a_tool_that_the_mode_hides_is_no_tool_and_is_not_named() -> None:
    writer = Scripted({(1, 1): raw(("a", "write_poem", '{"text": "x"}'), ("b", "read_poem", "{}"))})
    async with place() as environment:
        result = await begin(writer, environment, made_by=agent(), mode="review")
    hidden, seen = answers(writer)
    assert hidden.text == "there is no tool 'write_poem'. Call one of: read_poem"
    assert seen.text == "read_poem: no file 'poem.txt'"
    assert result.status == "failed"
