"""The evaluator: build, measure, judge; what runs again, and what never passes."""

from __future__ import annotations

import anyio
import pytest

from compositor.agents import compose
from compositor.capabilities import (
    BuildContext,
    Built,
    CheckContext,
    Finding,
    Report,
    Scope,
    ToolContext,
    ToolResult,
    View,
    Where,
    tool,
)
from compositor.errors import CompileFailed, EnvironmentUnfit, PortError
from compositor.operations import resume
from compositor.runtime import Evaluator, Spending, Unrecorded, Work
from compositor.runtime import _building as building
from compositor.testing import MemoryBlobs, Scripted, calls, verdict
from compositor.workspace import Artifact, Entry, Ports, Snapshot
from tests.runtime.bench import (
    BETTER,
    GOOD,
    LENGTH,
    LONG,
    OWNS,
    RUBRIC,
    agent,
    begin,
    build,
    check_length,
    counting,
    finished,
    judgment,
    made,
    measurement,
    place,
    reporting,
    request,
    write,
    write_poem,
    write_title,
    writes,
)

pytestmark = pytest.mark.anyio

CLEAN = Report(examined=1)
ONLY_POEM = Scope(files=("poem.txt",))


@pytest.mark.promise("O5")
async def test_measurements_come_before_judgments_and_a_judge_is_not_paid_for_what_they_reject() -> None:
    judge = Scripted({(2, 1): verdict({"rhymes": True})}, name="judge")
    run = await made(writes(LONG, GOOD), judge=judge, verifiers=(LENGTH, RUBRIC))
    checked = [(c.draft, c.verdict["verifier"], c.verdict["status"]) for c in run.of("checked")]
    assert checked == [
        (1, "outputs", "passed"),
        (1, "build", "passed"),
        (1, "length", "failed"),
        (1, "rubric", "skipped"),
        (2, "outputs", "passed"),
        (2, "build", "passed"),
        (2, "length", "passed"),
        (2, "rubric", "passed"),
    ]
    assert len(judge.prompts) == 1
    [reason] = [c.verdict["reason"] for c in run.of("checked") if c.verdict["status"] == "skipped"]
    assert reason == "measurements-failed"


@pytest.mark.promise("O5")
async def test_measurements_run_side_by_side_and_are_reported_by_name() -> None:
    first_there, second_there = anyio.Event(), anyio.Event()

    async def one(ctx: CheckContext) -> Report:
        first_there.set()
        await second_there.wait()
        return CLEAN

    async def other(ctx: CheckContext) -> Report:
        await first_there.wait()
        second_there.set()
        return CLEAN

    run = await made(
        writes(GOOD), verifiers=(LENGTH, measurement(one, name="b", seconds=5), measurement(other, name="a", seconds=5))
    )
    assert [report["verifier"] for report in run.result.reports] == ["outputs", "build", "a", "b", "length"]
    assert run.result.verification == "passed"


@pytest.mark.promise("O7")
async def test_a_check_that_calls_itself_passed_and_then_breaks_down_has_not_passed() -> None:
    async def breaks(ctx: CheckContext) -> Report:
        passed = CLEAN
        await ctx.files.read("poem.txt")
        raise RuntimeError(f"after {passed.examined} things")

    run = await made(writes(GOOD), verifiers=(LENGTH, measurement(breaks)))
    report = run.report("measure")
    assert (report["status"], report["reason"]) == ("errored", "RuntimeError: after 1 things")
    result = run.result
    assert (result.status, result.verification, result.ending) == ("incomplete", "errored", "errored")
    assert run.of("draft_rejected") == []
    assert [(left.check, left.reason) for left in result.not_checked] == [
        ("measure", "errored: RuntimeError: after 1 things")
    ]


@pytest.mark.promise("O7")
async def test_a_check_that_hangs_or_returns_what_it_may_not_is_errored() -> None:
    async def hangs(ctx: CheckContext) -> Report:
        await anyio.sleep_forever()
        raise AssertionError

    async def says_yes(ctx: CheckContext) -> Report:
        return True  # type: ignore[return-value]  # the fault is the point

    async def asks_a_judge(ctx: CheckContext) -> Report:
        await ctx.judge.review([])
        raise AssertionError

    checks = {"hangs": hangs, "says-yes": says_yes, "asks": asks_a_judge}
    verifiers = [measurement(check, name=name, seconds=0.05) for name, check in checks.items()]
    run = await made(writes(GOOD), verifiers=(LENGTH, *verifiers))
    assert {name: run.report(name)["reason"] for name in checks} == {
        "hangs": "it was stopped after 0.05 s",
        "says-yes": "it returned bool, not Report",
        "asks": "PortError: judge: a measurement has no judge → make it a judgment verifier",
    }


@pytest.mark.promise("O7")
async def test_a_check_that_examined_nothing_is_inconclusive_and_costs_no_rejection() -> None:
    judge = Scripted({(1, 1): verdict({"rhymes": True})}, name="judge")
    nothing = measurement(reporting(Report(examined=0)))
    run = await made(writes(GOOD), judge=judge, verifiers=(LENGTH, nothing, RUBRIC))
    assert run.report("measure")["status"] == "inconclusive"
    assert run.report("rubric")["status"] == "passed"
    assert (run.result.verification, run.result.status, run.result.ending) == ("unresolved", "incomplete", "unjudged")
    assert run.of("draft_rejected") == []


async def test_judges_do_not_run_after_a_measurement_that_broke_down() -> None:
    async def breaks(ctx: CheckContext) -> Report:
        raise RuntimeError

    judge = Scripted({}, name="judge")
    run = await made(writes(GOOD), judge=judge, verifiers=(LENGTH, measurement(breaks), RUBRIC))
    assert (run.report("rubric")["reason"], judge.prompts) == ("measurements-errored", [])


def never(view: View, artifacts: object, record: object) -> bool:
    """It never applies."""
    return False


def broken_predicate(view: View, artifacts: object, record: object) -> bool:
    """It cannot say."""
    raise KeyError("brief")


async def test_a_check_that_says_it_does_not_apply_is_not_applicable_and_never_runs() -> None:
    check, runs = counting(reporting(CLEAN))
    run = await made(writes(GOOD), verifiers=(LENGTH, measurement(check, applies=never)))
    assert (run.report("measure")["status"], runs, run.result.verification) == ("not_applicable", [], "passed")


async def test_a_judgment_that_does_not_apply_is_not_applicable_even_without_a_judge() -> None:
    run = await made(writes(GOOD), verifiers=(LENGTH, judgment(reporting(CLEAN), applies=never)))
    assert run.report("judge-it")["status"] == "not_applicable"
    assert (run.result.verification, run.result.ending) == ("passed", "passed")


async def test_a_check_that_cannot_say_whether_it_applies_is_errored() -> None:
    run = await made(writes(GOOD), verifiers=(LENGTH, measurement(reporting(CLEAN), applies=broken_predicate)))
    assert run.report("measure")["reason"] == "applies() failed: KeyError: 'brief'"


async def test_without_a_judge_and_when_judging_is_not_requested_the_reason_says_so() -> None:
    run = await made(writes(GOOD), verifiers=(LENGTH, RUBRIC))
    assert (run.report("rubric")["reason"], run.result.status) == ("no-judge", "succeeded")
    judge = Scripted({}, name="judge")
    run = await made(writes(GOOD), judge=judge, verifiers=(LENGTH, RUBRIC), asks={"evaluation": {"enabled": False}})
    assert (run.report("rubric")["reason"], run.result.status, judge.prompts) == ("not-requested", "succeeded", [])
    assert "measured, and not judged" in run.result.summary


@pytest.mark.promise("V2")
async def test_a_check_runs_again_only_if_something_that_it_read_changed() -> None:
    async def title(ctx: CheckContext) -> Report:
        there = ctx.files.exists("title.txt")
        return Report(examined=len(await ctx.files.read("title.txt")) if there else 1)

    async def shout(ctx: CheckContext) -> Report:
        return Report(examined=len(await ctx.files.read("shout.txt")))

    async def record(ctx: CheckContext) -> Report:
        return Report(examined=len(ctx.record))

    counted = {name: counting(check) for name, check in {"title": title, "shout": shout, "record": record}.items()}
    verifiers = [measurement(check, name=name) for name, (check, _) in counted.items()]
    length, lengths = counting(check_length)
    script = {
        (1, 1): write(LONG),
        (2, 1): calls(("write_title", {"text": "On flowers"})),
        (3, 1): write(GOOD),
    }
    run = await made(Scripted(script), verifiers=(measurement(length, name="length"), *verifiers))
    assert run.result.status == "succeeded"
    assert {name: len(runs) for name, (_, runs) in counted.items()} == {"title": 2, "shout": 2, "record": 3}
    assert len(lengths) == 2
    unchanged = [(c.draft, c.verdict["verifier"]) for c in run.of("checked") if c.unchanged]
    assert unchanged == [(2, "length"), (2, "shout"), (3, "title")]


@pytest.mark.promise("V2")
async def test_a_judge_is_asked_again_only_if_something_that_it_saw_changed() -> None:
    judge = Scripted({}, otherwise=verdict({"rhymes": False}), name="judge")
    script = {(1, 1): write(GOOD), (2, 1): calls(("write_title", {"text": "x"})), (3, 1): write(BETTER)}
    run = await made(Scripted(script), judge=judge, verifiers=(LENGTH, RUBRIC))
    assert [prompt.turn for prompt in judge.prompts] == [1, 3]
    assert [c.draft for c in run.of("checked") if c.unchanged and c.verdict["verifier"] == "rubric"] == [2]


@pytest.mark.promise("V2")
async def test_a_draft_is_not_built_again_where_nothing_that_the_build_read_changed() -> None:
    built: list[str] = []

    async def only_poem(ctx: BuildContext) -> Built:
        built.append(await ctx.files.read_text("poem.txt"))
        return await build(ctx)

    script = {(1, 1): write(LONG), (2, 1): calls(("write_title", {"text": "x"})), (3, 1): write(GOOD)}
    run = await made(Scripted(script), build=only_poem)
    assert built == [LONG, GOOD]
    assert [made_of.unchanged for made_of in run.of("deliverable_built")] == [False, True, False]


@pytest.mark.promise("V2")
async def test_a_build_never_sees_what_it_made_before_and_is_used_again_for_an_earlier_source() -> None:
    seen: list[tuple[str, ...]] = []

    async def lists(ctx: BuildContext) -> Built:
        seen.append((*ctx.files.list(), *ctx.artifacts.labels()))
        return await build(ctx)

    longer = f"{LONG} eight"
    run = await made(writes(LONG, longer, LONG), build=lists)
    assert seen == [("poem.txt",), ("poem.txt",)]
    assert [made_of.unchanged for made_of in run.of("deliverable_built")] == [False, False, True]
    assert await run.text("shout.txt") == LONG.upper()


async def fails_on_bad(ctx: BuildContext) -> Built:
    """A build that takes no bad poem."""
    if "bad" in await ctx.files.read_text("poem.txt"):
        raise CompileFailed("press", "bad words do not print", 3)
    return await build(ctx)


async def test_what_a_failed_build_left_from_an_earlier_draft_is_never_checked_nor_delivered() -> None:
    seen: list[tuple[str, ...]] = []

    async def looks(ctx: CheckContext) -> Report:
        seen.append((*ctx.files.list(), *ctx.artifacts.labels()))
        return CLEAN

    watching = measurement(looks, name="looks", reads=Scope(files=("poem.txt", "shout.txt"), labels=("copy",)))
    run = await made(writes(LONG, "bad", "bad bad"), verifiers=(LENGTH, watching), build=fails_on_bad)
    assert seen == [("poem.txt", "shout.txt", "copy")]
    assert {artifact.label for artifact in run.result.artifacts} == {"poem.txt"}
    [finding] = run.report("build")["findings"]
    assert (finding["code"], finding["where"]["line"], finding["severity"]) == ("build-failed", 3, "blocking")
    assert "bad words do not print" in finding["message"]
    assert (run.report("looks")["status"], run.report("looks")["reason"]) == ("skipped", "what it reads was not made")
    assert (run.result.status, run.result.verification, run.result.version) == ("failed", "failed", None)


async def test_what_was_derived_is_gone_when_the_source_is_gone() -> None:
    @tool()
    async def burn(ctx: ToolContext) -> ToolResult:
        """Remove the poem."""
        ctx.files.remove("poem.txt")
        return ToolResult(text="burnt")

    script = {(1, 1): write(LONG), (2, 1): calls(("burn", {}))}
    run = await made(Scripted(script), tools=(write_poem, write_title, burn))
    assert run.result.artifacts == ()
    assert run.result.verification == "failed"


async def test_a_blocking_finding_of_a_build_fails_it_and_a_warning_does_not() -> None:
    async def builds(ctx: BuildContext) -> Built:
        text = await ctx.files.read_text("poem.txt")
        severity = "blocking" if text == LONG else "warning"
        odd = Finding(code="odd", severity=severity, message="odd words", where=Where(of="poem.txt"))  # type: ignore[arg-type]  # one of two
        return Built(outputs={"shout.txt": text.upper().encode()}, findings=(odd,))

    run = await made(writes(LONG, GOOD), build=builds)
    assert [event.failed for event in run.of("deliverable_built")] == ["odd words", "odd words"]
    assert run.report("build")["status"] == "passed"
    assert run.result.status == "succeeded"


async def test_any_error_in_a_build_fails_the_draft_and_goes_back_to_the_writer() -> None:
    async def builds(ctx: BuildContext) -> Built:
        text = await ctx.files.read_text("poem.txt")
        return Built(outputs={"shout.txt": text[:20] if text != LONG else str(1 // 0)})

    run = await made(writes(LONG, GOOD), build=builds)
    assert "ZeroDivisionError" in run.of("draft_rejected")[0].findings[0]["message"]
    assert run.result.status == "succeeded"


async def press_is_down(ctx: BuildContext) -> Built:
    """The machine's fault."""
    raise PortError("press", "it is down", "switch it on")


async def press_is_missing(ctx: BuildContext) -> Built:
    """The machine's fault."""
    raise EnvironmentUnfit("no press", [])


async def prints_elsewhere(ctx: BuildContext) -> Built:
    """The capability's fault."""
    return Built(outputs={"poem.txt": "x"})


async def prints_nothing(ctx: BuildContext) -> Built:
    """The capability's fault."""
    return Built()


async def never_ends(ctx: BuildContext) -> Built:
    """The machine's fault."""
    await anyio.sleep_forever()
    raise AssertionError


async def returns_words(ctx: BuildContext) -> Built:
    """The capability's fault."""
    return "built"  # type: ignore[return-value]  # the fault is the point


async def finds_oddly(ctx: BuildContext) -> Built:
    """The capability's fault."""
    odd = Finding(code="odd", severity="fatal", message="odd", where=Where(of="poem.txt"))  # type: ignore[arg-type]  # the fault is the point
    return Built(outputs={"shout.txt": "!"}, findings=(odd,))


async def measures_no_number(ctx: BuildContext) -> Built:
    """The capability's fault."""
    sketch = await ctx.store(b"x", "text/plain", {"share": float("nan")})
    return Built(outputs={"shout.txt": "!"}, artifacts={"copy": sketch})


async def shows_what_is_nowhere(ctx: BuildContext) -> Built:
    """The capability's fault."""
    lost = Artifact(media_type="text/plain", sha256="0" * 64, size=1)
    return Built(outputs={"shout.txt": "!"}, artifacts={"copy": lost})


async def waits_too_long(ctx: BuildContext) -> Built:
    """The machine's fault."""
    raise TimeoutError("no answer")


async def panics(ctx: BuildContext) -> Built:
    """The machine's fault: what libraries in other languages raise is no `Exception`."""
    raise SystemExit(3)


BROKEN = {
    "the build returned str, not Built": returns_words,
    "the build is misshapen: the severity 'fatal' of 'odd' is not one of": finds_oddly,
    "the build is misshapen: ValueError: Out of range float": measures_no_number,
    "the build is misshapen: ValueError: copy was not made with": shows_what_is_nowhere,
    "TimeoutError: no answer": waits_too_long,
    "SystemExit: 3": panics,
    "press: it is down": press_is_down,
    "no press": press_is_missing,
    "the build made poem.txt, which is not derived": prints_elsewhere,
    "the build did not make shout.txt": prints_nothing,
    "the build was stopped after 0.05 s": never_ends,
}


@pytest.mark.parametrize("reason", BROKEN)
async def test_a_build_that_breaks_down_is_errored_and_never_charged_to_the_writer(
    reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "BUILD_SECONDS", 0.05)
    run = await made(writes(GOOD), build=BROKEN[reason])
    assert run.report("build")["status"] == "errored"
    assert run.report("build")["reason"].startswith(reason)
    assert run.of("draft_rejected") == []
    assert (run.result.status, run.result.verification, run.result.ending) == ("failed", "errored", "errored")


async def test_a_content_capability_without_derived_outputs_needs_no_build() -> None:
    owns = tuple(output for output in OWNS if not output.derived)
    run = await made(
        writes(LONG, GOOD),
        owns=owns,
        build=None,
        verifiers=(measurement(check_length, reads=Scope(files=("poem.txt", "title.txt"))),),
    )
    assert run.of("deliverable_built") == []
    assert [report["verifier"] for report in run.result.reports] == ["outputs", "measure"]
    assert run.result.status == "succeeded"


async def test_a_check_of_a_label_that_a_tool_makes_runs_though_the_build_failed() -> None:
    @tool(makes=("sketch",))
    async def sketch(ctx: ToolContext) -> ToolResult:
        """Make a sketch and a bad poem."""
        await ctx.files.write("poem.txt", "bad")
        return ToolResult(text="x", artifacts={"sketch": await ctx.store(b"x", "text/plain")})

    async def looks(ctx: CheckContext) -> Report:
        return Report(examined=len(ctx.artifacts.labels("")))

    verifiers = (
        LENGTH,
        measurement(looks, name="of-tool", reads=Scope(labels=("sketch",))),
        measurement(looks, name="of-build", reads=Scope(labels=("copy",))),
    )
    run = await made(
        Scripted({(1, 1): calls(("sketch", {}))}), tools=(sketch, write_title), verifiers=verifiers, build=fails_on_bad
    )
    assert {name: run.report(name)["status"] for name in ("of-tool", "of-build", "length")} == {
        "of-tool": "passed",
        "of-build": "skipped",
        "length": "skipped",
    }


async def test_an_errored_operation_is_resumed_by_evaluating_the_same_draft_again() -> None:
    broken = [True, True]

    async def breaks_twice(ctx: CheckContext) -> Report:
        await ctx.files.read("poem.txt")
        if broken:
            raise RuntimeError(f"{broken.pop()}")
        return CLEAN

    made_by = agent(verifiers=(LENGTH, measurement(breaks_twice)))
    writer = writes(GOOD)
    async with place() as environment:
        first = await finished(begin(writer, environment, made_by=made_by), environment)
        assert (first.result.verification, first.result.version and first.result.version.number) == ("errored", 1)
        again = resume(first.result.operation, agents=[made_by], models={"writer": writer}, environment=environment)
        second = await finished(again, environment)
        assert (second.result.verification, second.result.version and second.result.version.number) == ("errored", 2)
        again = resume(first.result.operation, agents=[made_by], models={"writer": writer}, environment=environment)
        third = await finished(again, environment)
        assert (third.result.status, third.result.verification) == ("succeeded", "passed")
        assert third.result.version is not None
        assert (third.result.version.number, third.result.version.parent) == (3, 2)
        assert len(writer.prompts) == 2
        assert [c.draft for c in third.of("checked") if c.verdict["verifier"] == "measure"] == [1, 1, 1]
        assert [event.attempt for event in third.events][-1] == 3
        stored = await resume(
            first.result.operation, agents=[made_by], models={"writer": writer}, environment=environment
        )
        assert stored == third.result


async def test_an_errored_operation_whose_second_look_rejects_goes_back_to_the_writer() -> None:
    broken = [True]

    async def breaks_once(ctx: CheckContext) -> Report:
        if broken:
            raise RuntimeError(f"{broken.pop()}")
        return await check_length(ctx)

    made_by = agent(verifiers=(measurement(breaks_once),))
    writer = writes(LONG, GOOD)
    async with place() as environment:
        first = await finished(begin(writer, environment, made_by=made_by), environment)
        again = resume(first.result.operation, agents=[made_by], models={"writer": writer}, environment=environment)
        second = await finished(again, environment)
        assert second.result.status == "succeeded"
        assert await second.text("poem.txt") == GOOD


async def test_a_check_may_look_at_no_more_than_it_declared() -> None:
    async def pries(ctx: CheckContext) -> Report:
        await ctx.files.read("title.txt")
        raise AssertionError

    run = await made(writes(GOOD), verifiers=(LENGTH, measurement(pries, reads=ONLY_POEM)))
    assert run.report("measure")["reason"] == "NotOwned: may not read 'title.txt' here. Allowed: poem.txt"


async def test_files_from_outside_are_examined_without_an_operation() -> None:
    blobs = MemoryBlobs()
    snapshot = Snapshot(files={"poem.txt": Entry(sha256=await blobs.put(GOOD.encode()), size=len(GOOD))})
    composition = compose(agent(verifiers=(LENGTH, RUBRIC)), request())
    work = Work(composition=composition, blobs=blobs, ports=Ports(), snapshot=snapshot)
    unrecorded = Unrecorded()
    evaluation = await Evaluator(work, unrecorded, Spending(budget=composition.budget), None).examine()
    assert [(verdict.verifier, verdict.status) for verdict in evaluation.verdicts] == [
        ("build", "passed"),
        ("length", "passed"),
        ("rubric", "skipped"),
    ]
    assert unrecorded.recorded("build/1") is None
    assert evaluation.complete


async def test_files_from_outside_can_be_judged_without_an_operation() -> None:
    blobs = MemoryBlobs()
    snapshot = Snapshot(files={"poem.txt": Entry(sha256=await blobs.put(GOOD.encode()), size=len(GOOD))})
    composition = compose(agent(verifiers=(LENGTH, RUBRIC)), request())
    work = Work(composition=composition, blobs=blobs, ports=Ports(), snapshot=snapshot)
    judge = Scripted({(1, 1): verdict({"rhymes": True})}, name="judge")
    spending = Spending(budget=composition.budget)
    evaluation = await Evaluator(work, Unrecorded(), spending, judge).examine()
    assert [found.status for found in evaluation.verdicts] == ["passed", "passed", "passed"]
    assert spending.model_calls == 1


async def test_files_of_a_kind_that_is_not_built_are_examined_too() -> None:
    owns = tuple(output for output in OWNS if not output.derived)
    plain = measurement(check_length, reads=Scope(files=("poem.txt", "title.txt")))
    composition = compose(agent(owns=owns, build=None, verifiers=(plain,)), request())
    work = Work(composition=composition, blobs=MemoryBlobs(), ports=Ports(), snapshot=Snapshot())
    evaluation = await Evaluator(work, Unrecorded(), Spending(budget=composition.budget), None).examine()
    assert [(verdict.verifier, verdict.status) for verdict in evaluation.verdicts] == [
        ("build", "not_applicable"),
        ("measure", "skipped"),
    ]
