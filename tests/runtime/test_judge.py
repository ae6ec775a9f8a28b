"""The judge: a private transcript, its own tools and steps, and a verdict of the right shape or none at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from compositor._values import Json
from compositor.agents import Budget
from compositor.capabilities import (
    BuildContext,
    Built,
    CheckContext,
    Criterion,
    FollowUp,
    Report,
    Scope,
    ToolContext,
    ToolResult,
    View,
    rubric,
    tool,
)
from compositor.errors import AdapterError
from compositor.runtime import Answer, Prompt, Reply
from compositor.testing import Scripted, calls, flat_png, verdict
from tests.runtime.bench import (
    BETTER,
    GOOD,
    LENGTH,
    RUBRIC,
    Run,
    build,
    criteria,
    judgment,
    made,
    writes,
)

pytestmark = pytest.mark.anyio

YES = verdict({"rhymes": True})
NO = verdict({"rhymes": False}, feedback="make it rhyme")
MISSHAPEN = calls(("submit_verdict", {"verdict": "looks good"}))


async def judged(judge: Scripted, *texts: str, **changes: Any) -> Run:
    """A poem that is judged."""
    return await made(writes(*(texts or (GOOD,))), judge=judge, **{"verifiers": (LENGTH, RUBRIC), **changes})


def opening(prompt: Prompt) -> str:
    """The words of the first message."""
    text: str = prompt.messages[0].as_json()["said"][0]["text"]
    return text


@pytest.mark.promise("O6")
async def test_a_judge_begins_with_criteria_brief_words_and_all_measurement_reports_and_never_meets_the_writer() -> (
    None
):
    judge = Scripted({(1, 1): YES}, name="judge")
    await judged(judge)
    [prompt] = judge.prompts
    assert (prompt.role, prompt.design, [tool.name for tool in prompt.tools]) == ("judge", None, ["submit_verdict"])
    words = opening(prompt)
    assert "- rhymes: it rhymes for Ada" in words
    assert '"name":"Ada"' in words
    assert GOOD in words
    assert "- length: passed, 3 examined" in words
    assert "write_poem" not in words


@pytest.mark.promise("O6", "O12")
async def test_only_the_feedback_of_a_judge_reaches_the_writer() -> None:
    judge = Scripted({(1, 1): NO, (2, 1): YES}, name="judge")
    writer = writes(GOOD, BETTER)
    await made(writer, judge=judge, verifiers=(LENGTH, RUBRIC))
    told = [message.as_json() for message in writer.prompts[-1].messages]
    assert "submit_verdict" not in str(told)
    rejection = next(message["said"][0]["text"] for message in told[1:] if "said" in message)
    assert "[unmet-rhymes] copy: it rhymes for Ada — not met: as seen. Remedy: make it rhyme" in rejection
    assert {tool.name for tool in writer.prompts[-1].tools} == {"read_poem", "write_poem", "write_title"}


async def test_a_picture_of_the_deliverable_is_shown_to_the_judge_and_one_that_is_not_there_is_left_out() -> None:
    async def draws(ctx: BuildContext) -> Built:
        built = await build(ctx)
        return Built(
            outputs=built.outputs, artifacts={**built.artifacts, "render/page": await ctx.store(b"p", "image/png")}
        )

    async def shows(ctx: CheckContext) -> Report:
        opinion = await ctx.judge.review(criteria(ctx.view), show=("render/page", "render/other"))
        return Report(examined=len(opinion.answers))

    reads = Scope(fields=("brief",), labels=("copy", "render/"))
    judge = Scripted({(1, 1): YES}, name="judge")
    run = await judged(judge, build=draws, verifiers=(LENGTH, judgment(shows, reads=reads)))
    pictures = judge.prompts[0].messages[0].as_json()["said"][1:]
    assert [picture["label"] for picture in pictures] == ["render/page"]
    assert run.result.verification == "passed"


async def test_a_judgment_that_may_not_see_the_words_or_finds_none_is_held_without_them() -> None:
    async def asks(ctx: CheckContext) -> Report:
        return Report(examined=len((await ctx.judge.review(criteria(ctx.view))).answers))

    async def wordless(ctx: BuildContext) -> Built:
        return Built(outputs={"shout.txt": "!"})

    for labels, builds in (((), build), (("copy",), wordless)):
        judge = Scripted({(1, 1): YES}, name="judge")
        reads = Scope(fields=("brief",), labels=labels)
        run = await judged(judge, build=builds, verifiers=(LENGTH, judgment(asks, reads=reads)))
        assert "The words of the deliverable:\nnull" in opening(judge.prompts[0])
        assert run.result.verification == "passed"


@pytest.mark.parametrize(
    "wrong",
    [
        MISSHAPEN,
        Reply(text="It looks good."),
        calls(("submit_verdict", {"answers": []})),
        calls(("submit_verdict", {"answers": [{"criterion": "scans", "met": True, "evidence": "x"}]})),
    ],
)
async def test_a_verdict_of_the_wrong_shape_is_asked_for_once_more(wrong: Reply) -> None:
    judge = Scripted({(1, 1): wrong, (1, 2): YES}, name="judge")
    run = await judged(judge)
    assert (run.result.status, run.result.verification) == ("succeeded", "passed")
    assert len(judge.prompts) == 2


@pytest.mark.promise("O7")
async def test_a_judge_that_never_finds_the_shape_has_failed_and_the_writer_is_not_charged() -> None:
    judge = Scripted({}, otherwise=MISSHAPEN, name="judge")
    run = await judged(judge)
    assert len(judge.prompts) == 2
    report = run.report("rubric")
    assert (report["status"], report["reason"]) == (
        "errored",
        "JudgeFailed: the judge judge failed: its verdict had the wrong shape, twice",
    )
    assert run.of("draft_rejected") == []
    assert (run.result.verification, run.result.ending) == ("errored", "errored")
    assert await run.text("poem.txt") == GOOD


async def test_two_verdicts_of_the_wrong_shape_in_one_reply_are_one_fault() -> None:
    [call] = MISSHAPEN.calls
    judge = Scripted({(1, 1): Reply(calls=(call, call)), (1, 2): YES}, name="judge")
    run = await judged(judge)
    assert run.result.status == "succeeded"


@tool(reads=("poem.txt",), writes=(), makes=("zoom",))
async def look_closely(ctx: ToolContext, at: str) -> ToolResult:
    """Look at a file closely."""
    text = await ctx.files.read_text(at)
    return ToolResult(text=text, artifacts={"zoom": await ctx.store(flat_png(9, 9), "image/png")}, images=("zoom",))


@tool(writes=())
async def scribble(ctx: ToolContext) -> ToolResult:
    """Try to write."""
    await ctx.files.write("poem.txt", "mine now")
    return ToolResult(text="done")


@tool(writes=())
async def tell_much(ctx: ToolContext) -> ToolResult:
    """Tell very much."""
    return ToolResult(text="x" * 100_000)


def with_tools() -> Mapping[str, Any]:
    """Verifiers of which the judgment has tools of its own."""

    async def asks(ctx: CheckContext) -> Report:
        return Report(examined=len((await ctx.judge.review(criteria(ctx.view))).answers))

    reads = Scope(fields=("brief",), files=("poem.txt",), labels=("copy",))
    return {"verifiers": (LENGTH, judgment(asks, reads=reads, tools=(look_closely, scribble, tell_much)))}


@pytest.mark.promise("O6")
async def test_a_judge_has_tools_that_the_writer_never_sees_and_that_write_nothing() -> None:
    script = {
        (1, 1): calls(
            ("look_closely", {"at": "poem.txt"}),
            ("look_closely", {"at": "title.txt"}),
            ("look_closely", {}),
            ("scribble", {}),
            ("write_poem", {"text": "mine"}),
        ),
        (1, 2): calls(("tell_much", {})),
        (1, 3): YES,
    }
    judge = Scripted(script, name="judge")
    run = await judged(judge, **with_tools())
    given = [message for message in judge.prompts[-1].messages if isinstance(message, Answer)]
    assert [answer.failed for answer in given] == [False, True, True, True, True, False]
    assert given[0].text == GOOD + "\nMade: zoom"
    assert await judge.prompts[-1].load(given[0].images[0].sha256) == flat_png(9, 9)
    assert "there is no tool 'write_poem'. Call submit_verdict to finish" in given[4].text
    assert given[5].text.endswith("… cut at 65,536 of 100,000 bytes")
    assert [tool.name for tool in judge.prompts[0].tools] == ["look_closely", "scribble", "tell_much", "submit_verdict"]
    assert await run.text("poem.txt") == GOOD
    assert len(run.of("judge_replied")) == 3
    assert run.result.verification == "passed"


@pytest.mark.promise("V2")
async def test_what_a_judge_looked_at_through_its_tools_counts_as_seen() -> None:
    script = {(draft, 1): calls(("look_closely", {"at": "poem.txt"})) for draft in (1, 2)}
    judge = Scripted(script, otherwise=YES, name="judge")
    blind = Scope(fields=("brief",), files=("poem.txt",))

    async def asks(ctx: CheckContext) -> Report:
        opinion = await ctx.judge.review(criteria(ctx.view))
        return Report(examined=len(opinion.answers), follow_up=FollowUp(instruction="Once more.", rounds=1))

    run = await judged(judge, GOOD, BETTER, verifiers=(LENGTH, judgment(asks, reads=blind, tools=(look_closely,))))
    assert {prompt.turn for prompt in judge.prompts} == {1, 2}
    assert run.result.verification == "passed"


@pytest.mark.promise("O3")
async def test_a_judge_has_a_budget_of_steps_of_its_own() -> None:
    judge = Scripted({}, otherwise=calls(("look_closely", {"at": "poem.txt"})), name="judge")
    run = await judged(judge, budget=Budget(judge_steps=3), **with_tools())
    assert len(judge.prompts) == 3
    assert "it gave no verdict within its steps" in run.report("judge-it")["reason"]
    assert (run.result.usage.steps, run.result.usage.model_calls) == (2, 5)


async def test_a_cut_reply_of_a_judge_is_no_verdict() -> None:
    cut = Reply.from_json({**NO.as_json(), "stop": "length"})
    judge = Scripted({(1, 1): cut, (1, 2): YES}, name="judge")
    run = await judged(judge)
    answer = next(message for message in judge.prompts[-1].messages if isinstance(message, Answer))
    assert answer.failed
    assert "was not run: the reply was cut" in answer.text
    assert run.result.verification == "passed"


async def test_a_judge_whose_model_fails_has_failed() -> None:
    judge = Scripted({(1, 1): AdapterError("judge", "no answer")}, name="judge")
    run = await judged(judge)
    assert run.report("rubric")["reason"] == "JudgeFailed: the judge judge failed: no answer"
    assert run.result.verification == "errored"


async def test_a_verifier_may_ask_twice_and_each_time_in_a_transcript_of_its_own() -> None:
    async def asks_twice(ctx: CheckContext) -> Report:
        one = await ctx.judge.review([Criterion(id="rhymes", asks="it rhymes")])
        other = await ctx.judge.review([Criterion(id="scans", asks="it scans")])
        return Report(examined=len(one.answers) + len(other.answers))

    def either(prompt: Prompt) -> Reply:
        return verdict({"scans" if "scans" in opening(prompt) else "rhymes": True})

    judge = Scripted({(1, 1): either}, name="judge")
    run = await judged(judge, verifiers=(LENGTH, judgment(asks_twice)))
    assert [len(prompt.messages) for prompt in judge.prompts] == [1, 1]
    assert run.report("judge-it")["examined"] == 2


async def test_an_item_that_should_be_met_and_is_not_is_a_warning_and_no_rejection() -> None:
    given: Json = [{"id": "short", "asks": "it is short", "severity": "should"}]
    judge = Scripted({(1, 1): verdict({"short": False}, feedback="cut it")}, name="judge")
    run = await judged(judge, asks={"evaluation": {"criteria": given}})
    [finding] = run.report("rubric")["findings"]
    assert (finding["severity"], finding["remedy"]) == ("warning", "cut it")
    assert run.report("rubric")["measures"] == {"criteria": 1, "short": "not met: as seen"}
    assert run.result.status == "succeeded"


async def test_an_answer_without_evidence_is_no_answer() -> None:
    judge = Scripted({(1, 1): verdict({"rhymes": True}, evidence=" "), (1, 2): verdict({"rhymes": True})}, name="judge")
    run = await judged(judge)
    assert len(judge.prompts) == 2
    assert "evidence" in str(judge.prompts[-1].messages[-1])
    assert run.report("rubric")["measures"]["rhymes"] == "met: as seen"


def no_criteria(view: View) -> list[Criterion]:
    """Nothing to ask."""
    return []


async def test_without_criteria_the_rubric_is_not_applicable() -> None:
    empty = rubric(fields=("brief", "evaluation"), derive=no_criteria)
    run = await judged(Scripted({}, name="judge"), verifiers=(LENGTH, empty))
    assert run.report("rubric")["status"] == "not_applicable"
    assert run.result.verification == "passed"
