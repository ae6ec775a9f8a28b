"""The loop: turns and steps, what ends them, and what goes back to the writer."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest

from compositor._values import Json
from compositor.adapters.offline import Offline
from compositor.agents import Budget
from compositor.capabilities import (
    CheckContext,
    Criterion,
    DesignedCall,
    FollowUp,
    Given,
    Report,
    Scope,
    ToolContext,
    ToolResult,
    View,
    tool,
)
from compositor.errors import AdapterError, CompositionError, EnvironmentUnfit
from compositor.runtime import Prompt, Reply, Said, Text, Usage
from compositor.testing import Scripted, calls, verdict
from tests.runtime.bench import (
    BETTER,
    GOOD,
    LENGTH,
    LONG,
    RUBRIC,
    Run,
    answers,
    judgment,
    made,
    measurement,
    read_poem,
    reporting,
    write,
    write_poem,
    writes,
)

pytestmark = pytest.mark.anyio


def said(prompt: Prompt) -> str:
    """The last message in words that a model was given."""
    last = prompt.messages[-1]
    assert isinstance(last, Said)
    return "\n".join(part.text for part in last.parts if isinstance(part, Text))


def steps(run: Run) -> list[tuple[int, int]]:
    """Turn and step of each reply of the writer."""
    return [(step.turn, step.step) for step in run.of("step_taken")]


@pytest.mark.promise("O2")
async def test_the_next_step_sees_the_result_of_the_last_one_and_the_model_stops_when_it_likes() -> None:
    def echo(prompt: Prompt) -> Reply:
        answered = prompt.messages[-1].as_json()
        return write(f"after {answered['text']}")

    run = await made(Scripted({(1, 1): write(GOOD), (1, 2): echo}))
    assert await run.text("poem.txt") == "after wrote 3 words"
    assert steps(run) == [(1, 1), (1, 2), (1, 3)]


@pytest.mark.promise("O4")
async def test_done_without_a_deliverable_is_rejected_and_never_believed() -> None:
    writer = Scripted({}, otherwise=Reply(text="Done, poem.txt is ready."))
    run = await made(writer)
    assert [rejected.by for rejected in run.of("draft_rejected")] == ["measured", "unchanged"]
    assert run.report("outputs")["findings"][0]["code"] == "missing-output"
    assert "required output poem.txt is missing" in said(writer.prompts[1])
    assert (run.result.status, run.result.exit_code, run.result.ending) == ("failed", 1, "exhausted")
    assert run.result.version is None
    assert len(run.of("checked")) == 2  # the host's report, and the measurement that was skipped: evaluated once


@pytest.mark.promise("O4", "O12")
async def test_stopping_with_an_unchanged_draft_costs_a_rejection_and_repeats_the_findings() -> None:
    writer = Scripted({(1, 1): write(LONG), (3, 1): write(GOOD)})
    run = await made(writer)
    assert [rejected.by for rejected in run.of("draft_rejected")] == ["measured", "unchanged"]
    first, second = said(writer.prompts[2]), said(writer.prompts[3])
    line = "- [too-long] poem.txt: 7 words (measured 7, limit 5). Remedy: use fewer words"
    assert line in first
    assert line in second
    assert "Nothing of the deliverable has changed" in second
    assert run.of("checked")[0].draft == 1
    assert {checked.draft for checked in run.of("checked")} == {1, 2}
    assert run.result.status == "succeeded"


@pytest.mark.promise("O3", "O9")
async def test_a_budget_of_two_rejections_means_three_drafts_and_the_last_one_is_kept_with_its_reasons() -> None:
    judge = Scripted({}, otherwise=verdict({"rhymes": False}, feedback="make it rhyme"), name="judge")
    writer = writes("one", "two", "three", "four")
    run = await made(writer, judge=judge, verifiers=(LENGTH, RUBRIC))
    assert len(judge.prompts) == 3
    assert [(r.by, r.rejections, r.allowed) for r in run.of("draft_rejected")] == [("judged", 1, 2), ("judged", 2, 2)]
    assert await run.text("poem.txt") == "three"
    result = run.result
    assert (result.status, result.verification, result.ending) == ("incomplete", "failed", "exhausted")
    assert result.version is not None
    assert result.unfinished == ("copy: it rhymes for Ada — not met: as seen", "the budget of rejections was spent")
    assert "This is a draft: its verification is failed." in result.warnings


async def test_under_verified_only_no_version_is_saved_and_the_draft_stays_with_the_operation() -> None:
    judge = Scripted({}, otherwise=verdict({"rhymes": False}), name="judge")
    run = await made(writes("one", "two", "three"), judge=judge, verifiers=(LENGTH, RUBRIC), completion="verified_only")
    assert (run.result.status, run.result.version) == ("incomplete", None)
    assert await run.text("poem.txt") == "three"


async def test_measured_and_judged_rejections_share_one_budget() -> None:
    judge = Scripted({(2, 1): verdict({"rhymes": False})}, otherwise=verdict({"rhymes": False}), name="judge")
    run = await made(writes(LONG, "two", LONG, "four"), judge=judge, verifiers=(LENGTH, RUBRIC))
    assert [rejected.by for rejected in run.of("draft_rejected")] == ["measured", "judged"]
    assert await run.text("poem.txt") == LONG
    assert len(judge.prompts) == 1


async def test_without_repairs_the_first_rejection_is_the_end() -> None:
    run = await made(writes(LONG), budget=Budget(rejections=0))
    assert (run.result.ending, run.of("draft_rejected")) == ("exhausted", [])


@pytest.mark.promise("O15")
async def test_the_same_calls_on_unchanged_work_end_the_operation_at_the_third_time() -> None:
    same = calls(("read_poem", {}))
    writer = Scripted({(1, 1): write(GOOD)}, otherwise=same)
    run = await made(writer, judge=Scripted({}, name="judge"), verifiers=(LENGTH, RUBRIC))
    assert run.result.ending == "no-progress"
    assert [answer.ok for answer in run.of("tool_answered")] == [True, True, True, False]
    assert "the same calls came 3 times on unchanged work" in run.of("tool_answered")[-1].text
    assert "the writer repeated the same calls on unchanged work" in run.result.unfinished
    assert run.report("length")["status"] == "passed"
    assert (run.report("rubric")["status"], run.report("rubric")["reason"]) == ("skipped", "budget")


async def test_calls_that_change_the_work_are_never_no_progress() -> None:
    script = {(1, step): write(GOOD if step % 2 else BETTER) for step in range(1, 8)}
    run = await made(Scripted(script))
    assert run.result.ending == "passed"


async def test_long_answers_that_are_kept_in_files_are_no_progress_either() -> None:
    @tool()
    async def tells_much(ctx: ToolContext) -> ToolResult:
        """Tell very much."""
        return ToolResult(text="x" * 100_000)

    run = await made(Scripted({}, otherwise=calls(("tells_much", {}))), tools=(tells_much, write_poem))
    assert len(run.of("step_taken")) == 3
    assert (run.result.ending, run.result.status) == ("no-progress", "failed")


def priced(text: str, **usage: float) -> Reply:
    """A reply that writes and says what it took."""
    return calls(("write_poem", {"text": text}), usage=Usage(**usage))  # type: ignore[arg-type]  # figures by name


LIMITS: Mapping[str, Budget] = {
    "steps": Budget(steps=2),
    "tokens": Budget(tokens=20),
    "cost": Budget(cost=0.2),
    "seconds": Budget(seconds=0.001),
}


@pytest.mark.promise("O3", "O9")
@pytest.mark.parametrize("limit", LIMITS)
async def test_a_spent_budget_ends_the_work_measures_it_and_names_the_limit(limit: str) -> None:
    def reply(prompt: Prompt) -> Reply:
        time.sleep(0.002)
        return priced(f"poem {prompt.step}", input_tokens=6, output_tokens=4, cost=0.1)

    script = {(1, step): reply for step in range(1, 9)}
    judge = Scripted({}, name="judge")
    run = await made(Scripted(script), judge=judge, verifiers=(LENGTH, RUBRIC), budget=LIMITS[limit])
    assert f"the budget of {limit} was spent" in run.result.unfinished
    assert (run.result.ending, run.result.usage.steps) == ("exhausted", 1 if limit == "seconds" else 2)
    assert (run.report("length")["status"], run.report("rubric")["reason"]) == ("passed", "budget")
    assert judge.prompts == []


@pytest.mark.promise("O3")
async def test_a_request_can_tighten_a_budget_and_never_widen_it() -> None:
    script = {(1, step): write(f"poem {step}") for step in range(1, 9)}
    limits: Json = {"policy": {"budgets": {"steps": 1}}}
    run = await made(Scripted(script), asks=limits, budget=Budget(steps=4))
    assert run.result.usage.steps == 1
    wider: Json = {"policy": {"budgets": {"steps": 99}}}
    with pytest.raises(CompositionError, match="the request asks for 99 steps, the agent allows 4"):
        await made(Scripted(script), asks=wider, budget=Budget(steps=4))


async def test_when_steps_end_after_a_rejection_the_verdict_on_the_unchanged_draft_stands() -> None:
    judge = Scripted({}, otherwise=verdict({"rhymes": False}), name="judge")
    run = await made(writes(GOOD), judge=judge, verifiers=(LENGTH, RUBRIC), budget=Budget(steps=2))
    assert (run.result.ending, run.result.verification) == ("exhausted", "failed")
    assert run.report("rubric")["status"] == "failed"


async def test_usage_is_summed_over_writer_and_judge_as_far_as_it_is_known() -> None:
    judge = Scripted({(1, 1): verdict({"rhymes": True})}, name="judge")
    writer = Scripted({(1, 1): priced(GOOD, input_tokens=5, cost=0.5), (1, 2): Reply(usage=Usage(input_tokens=2))})
    run = await made(writer, judge=judge, verifiers=(LENGTH, RUBRIC))
    usage = run.result.usage
    assert (usage.model_calls, usage.steps, usage.input_tokens, usage.output_tokens) == (3, 2, 7, None)
    assert run.result.cost == 0.5


@pytest.mark.parametrize("stop", ["filtered", "refused"])
async def test_a_reply_that_the_provider_withheld_ends_the_work_as_errored_after_a_full_evaluation(stop: str) -> None:
    withheld = Reply.from_json({**Reply(text="No.").as_json(), "stop": stop})
    judge = Scripted({(1, 1): verdict({"rhymes": True})}, name="judge")
    run = await made(Scripted({(1, 1): write(GOOD), (1, 2): withheld}), judge=judge, verifiers=(LENGTH, RUBRIC))
    assert (run.result.ending, run.result.verification, run.result.status) == ("errored", "passed", "succeeded")
    assert run.result.unfinished == ("the writer's model gave no usable reply",)


async def test_a_failing_model_leaves_the_operation_open_and_says_so() -> None:
    with pytest.raises(AdapterError, match="scripted: no answer"):
        await made(Scripted({(1, 1): AdapterError("scripted", "no answer")}))


ASKS = FollowUp(instruction="Read it aloud once.", rounds=1)
REVIEW_AGAIN = FollowUp(instruction="Look at it once more.", rounds=1, fresh_review=True)


@pytest.mark.promise("O6")
async def test_a_follow_up_is_asked_for_as_often_as_it_says_and_costs_no_rejection() -> None:
    asking = measurement(reporting(Report(examined=1, follow_up=FollowUp(instruction="Polish it.", rounds=2))))
    writer = writes("one", "two", "three", "four")
    run = await made(writer, verifiers=(LENGTH, asking))
    assert [(r.by, r.rejections) for r in run.of("draft_rejected")] == [("follow-up", 0), ("follow-up", 0)]
    assert said(writer.prompts[2]).endswith("Polish it.")
    assert (await run.text("poem.txt"), run.result.status, run.result.unfinished) == ("three", "succeeded", ())


async def test_a_follow_up_that_the_writer_ignores_is_listed_as_unfinished() -> None:
    asking = measurement(reporting(Report(examined=1, follow_up=FollowUp(instruction="Polish it.", rounds=2))))
    run = await made(writes("one"), verifiers=(LENGTH, asking))
    assert (run.result.status, run.result.unfinished) == ("succeeded", ("Polish it.",))


async def test_a_follow_up_goes_along_with_a_rejection() -> None:
    asking = measurement(reporting(Report(examined=1, follow_up=ASKS)))
    writer = writes(LONG, GOOD)
    run = await made(writer, verifiers=(LENGTH, asking))
    assert said(writer.prompts[2]).endswith("Read it aloud once.")
    assert [rejected.by for rejected in run.of("draft_rejected")] == ["measured"]


@pytest.mark.promise("O6")
async def test_a_fresh_review_asks_the_judge_anew_in_a_new_transcript_though_nothing_changed() -> None:
    asking = measurement(reporting(Report(examined=1, follow_up=REVIEW_AGAIN)))
    judge = Scripted({}, otherwise=verdict({"rhymes": True}), name="judge")
    run = await made(writes(GOOD), judge=judge, verifiers=(LENGTH, asking, RUBRIC))
    assert [prompt.turn for prompt in judge.prompts] == [1, 2]
    assert [len(prompt.messages) for prompt in judge.prompts] == [1, 1]
    assert [c.unchanged for c in run.of("checked") if c.verdict["verifier"] == "rubric"] == [False, False]
    assert run.result.status == "succeeded"


async def test_a_fresh_review_is_owed_until_measurements_are_clean() -> None:
    asking = measurement(reporting(Report(examined=1, follow_up=REVIEW_AGAIN)))
    judge = Scripted({}, otherwise=verdict({"rhymes": True}), name="judge")

    async def by_name(ctx: CheckContext) -> Report:
        opinion = await ctx.judge.review([Criterion(id="rhymes", asks="it rhymes")])
        return Report(examined=len(opinion.answers))

    blind = judgment(by_name, reads=Scope())  # it looks at nothing that changes: its verdict would be used again
    run = await made(writes(GOOD, LONG, BETTER), judge=judge, verifiers=(LENGTH, asking, blind))
    assert [prompt.turn for prompt in judge.prompts] == [1, 3]
    assert run.result.status == "succeeded"


async def test_when_a_budget_ends_before_the_fresh_review_the_earlier_verdict_stands() -> None:
    asking = measurement(reporting(Report(examined=1, follow_up=REVIEW_AGAIN)))
    judge = Scripted({}, otherwise=verdict({"rhymes": True}), name="judge")
    run = await made(writes(GOOD), judge=judge, verifiers=(LENGTH, asking, RUBRIC), budget=Budget(steps=2))
    assert (run.result.ending, run.result.verification, run.result.status) == ("exhausted", "passed", "succeeded")


async def test_the_first_message_names_the_files_whose_words_they_hold_and_the_request_that_may_be_seen() -> None:
    def lay(view: View) -> Mapping[str, Given]:
        return {
            "given/brief.txt": Given(content=b"x", voice="user", about="the brief"),
            "given/rules.txt": Given(content="y"),
        }

    writer = writes(GOOD)
    await made(writer, files=lay)
    opened = writer.prompts[0].messages[0].as_json()["said"][0]["text"]
    assert "- given/brief.txt — words of: user; the brief" in opened
    assert "- given/rules.txt — words of: system" in opened
    assert '"name":"Ada"' in opened
    assert "- poem.txt" in opened
    assert "shout.txt" not in opened


async def test_the_designer_sees_files_findings_tools_and_the_answers_of_its_turn() -> None:
    seen: list[tuple[object, ...]] = []

    def design(view: View, files: object, findings: object, tools: object, results: object) -> list[DesignedCall]:
        assert isinstance(files, dict)
        assert isinstance(findings, tuple)
        assert isinstance(results, tuple)
        seen.append((dict(files), [finding.code for finding in findings], tools, [r.text for r in results]))
        text = GOOD if findings else LONG
        return [] if results else [DesignedCall(tool="write_poem", arguments={"text": text})]

    run = await made(Offline(), designer=design, tools=(write_poem, read_poem))
    assert run.result.status == "succeeded"
    assert run.result.usage.model_calls == 0
    assert seen[0] == ({}, [], ("read_poem", "write_poem"), [])
    assert seen[1][3] == ["wrote 7 words"]
    assert seen[2][1] == ["too-long"]
    assert seen[2][3] == []


async def test_a_capability_without_a_designer_is_refused_to_the_offline_adapter_before_it_begins() -> None:
    with pytest.raises(EnvironmentUnfit, match="no-designer"):
        await made(Offline())


async def test_all_answers_stand_in_the_history_of_the_next_prompt() -> None:
    writer = Scripted({(1, 1): calls(("write_poem", {"text": GOOD}), ("read_poem", {}), ("read_poem", {}))})
    await made(writer)
    assert [answer.text for answer in answers(writer)] == ["wrote 3 words", GOOD, GOOD]
