"""Every way in which a verifier can fail: never a pass, and never charged to the writer."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import Any

import anyio
import pytest

from compositor.capabilities import CheckContext, Criterion, Finding, FollowUp, Report, Scope, View, Where
from compositor.errors import AdapterError, JudgeFailed
from compositor.runtime import Call, Reply
from compositor.testing import Scripted, calls, verdict
from tests.runtime.bench import BETTER, GOOD, LENGTH, Check, Run, criteria, judgment, made, measurement, writes

pytestmark = pytest.mark.anyio

NARROW = Scope(fields=("brief",), files=("poem.txt",), labels=("copy",))
YES = verdict({"rhymes": True})


class Panic(BaseException):
    """What libraries in other languages raise."""


def raising(error: BaseException) -> Check:
    async def check(ctx: CheckContext) -> Report:
        raise error

    return check


def returning(value: Any) -> Check:
    async def check(ctx: CheckContext) -> Report:
        await ctx.files.read("poem.txt")
        return value  # type: ignore[no-any-return] # on purpose

    return check


def looking(look: Callable[[CheckContext], Any]) -> Check:
    """A check that looks where it may not, and would pass."""

    async def check(ctx: CheckContext) -> Report:
        seen = look(ctx)
        if hasattr(seen, "__await__"):
            await seen
        return Report(examined=1)

    return check


async def hangs(ctx: CheckContext) -> Report:
    """Never end."""
    await anyio.sleep_forever()
    raise AssertionError


async def passes_and_then_breaks(ctx: CheckContext) -> Report:
    """Say passed, and break down."""
    passed = Report(examined=1)
    raise RuntimeError(f"after {passed.examined}")


async def passes_over_its_time(ctx: CheckContext) -> Report:
    """Answer its own end with a pass."""
    try:
        await anyio.sleep_forever()
    except asyncio.CancelledError:
        raise RuntimeError("nearly") from None
    raise AssertionError


def finding(**changes: Any) -> Finding:
    parts: dict[str, Any] = {"code": "odd", "severity": "note", "message": "odd", "where": Where(of="poem.txt")}
    return Finding(**(parts | changes))


ODD = FollowUp(instruction="Go on.", rounds="2")  # type: ignore[arg-type] # on purpose


def finds(**changes: Any) -> Check:
    """A check whose one finding is odd."""
    return returning(Report(examined=1, findings=(finding(**changes),)))


ERRORED: Mapping[str, Check] = {
    "RuntimeError: lost": raising(RuntimeError("lost")),
    "RuntimeError: after 1": passes_and_then_breaks,
    "RuntimeError: one (and 1 more)": raising(ExceptionGroup("two", [RuntimeError("one"), ValueError("two")])),
    "SystemExit: 0": raising(SystemExit(0)),
    "GeneratorExit": raising(GeneratorExit()),
    "CancelledError": raising(asyncio.CancelledError()),
    "Panic: lost": raising(Panic("lost")),
    "TimeoutError: its own": raising(TimeoutError("its own")),
    "it was stopped after 0.2 s": hangs,
    "it was stopped after 0.2": passes_over_its_time,
    "it returned bool, not Report": returning(True),
    "it returned NoneType, not Report": returning(None),
    "it returned dict, not Report": returning({"examined": 1}),
    "examined '1', which is no count": returning(Report(examined="1")),  # type: ignore[arg-type] # on purpose
    "examined True, which is no count": returning(Report(examined=True)),
    "examined nan, which is no count": returning(Report(examined=math.nan)),  # type: ignore[arg-type] # on purpose
    "examined -1, which is no count": returning(Report(examined=-1)),
    "the severity 'BLOCKING' of 'odd' is not one of": finds(severity="BLOCKING"),
    "message or remedy that is no text": finds(message=b"odd"),
    "the place of 'odd' is none": finds(where="poem.txt"),
    "place of 'odd' is none": finds(where=Where(of=7)),  # type: ignore[arg-type] # on purpose
    "of 'odd' is none": finds(where=Where(of="poem.txt", line="3")),  # type: ignore[arg-type] # on purpose
    "'odd' is none": finds(where=Where(of="poem.txt", box=(1, 2, 3))),  # type: ignore[arg-type] # on purpose
    "odd' is none": finds(where=Where(of="poem.txt", box=7)),  # type: ignore[arg-type] # on purpose
    "TypeError: bytes is not": finds(measured=b"x"),
    "its findings are not findings": returning(Report(examined=1, findings=({"code": "odd"},))),  # type: ignore[arg-type] # on purpose
    "its findings are not": returning(Report(examined=1, findings=7)),  # type: ignore[arg-type] # on purpose
    "its follow-up is str, not FollowUp": returning(Report(examined=1, follow_up="more")),  # type: ignore[arg-type] # on purpose
    "whether its subject is absent": returning(Report(examined=1, absent=0)),  # type: ignore[arg-type] # on purpose
    "why it is undecided": returning(Report(examined=1, undecided=None)),  # type: ignore[arg-type] # on purpose
    "ValueError: Out of range": returning(Report(examined=1, measures={"share": math.nan})),
    "TypeError: set is not": returning(Report(examined=1, measures={"tags": {1}})),
    "a wish for a fresh review that is none": returning(Report(examined=1, follow_up=ODD)),
    "NotOwned: may not read 'title.txt'": looking(lambda ctx: ctx.files.read("title.txt")),
    "NotOwned: may not read 'shout.txt'": looking(lambda ctx: ctx.files.exists("shout.txt")),
    "NotOwned: may not read 'render/page'": looking(lambda ctx: ctx.artifacts.get("render/page")),
    "NotOwned: may not write 'poem.txt'": looking(lambda ctx: ctx.files.write("poem.txt", "better")),
    "FieldNotInView": looking(lambda ctx: ctx.view.get("evaluation")),
    "PortError: compiler: not given": looking(lambda ctx: ctx.ports.compiler),
}

INCONCLUSIVE: Mapping[str, tuple[Check, Mapping[str, Any]]] = {
    "nothing was examined": (returning(Report(examined=0)), {}),
    "the light was bad": (returning(Report.inconclusive("the light was bad", examined=3)), {}),
    "its subject is absent, and this verifier is required": (returning(Report.not_applicable(0)), {"required": True}),
}


async def checked(check: Check, kind: str, **changes: Any) -> tuple[Run, Mapping[str, Any], Scripted]:
    """A good poem under one more verifier: the run, that verifier's report, and the writer."""
    declared = measurement if kind == "measurement" else judgment
    writer = writes(GOOD, BETTER)
    verifier = declared(check, name="odd", **({"reads": NARROW, "seconds": 0.2} | changes))
    judge = Scripted({}, otherwise=YES, name="judge")
    run = await made(writer, judge=judge, verifiers=(LENGTH, verifier))
    return run, run.report("odd"), writer


def refuse_charge(run: Run, writer: Scripted) -> None:
    """It is no pass, and the writer was told nothing: it wrote, said that it was done, and that was all."""
    assert run.result.verification != "passed"
    assert run.result.status != "succeeded"
    assert (run.result.usage.rejections, run.of("draft_rejected")) == (0, [])
    assert [len(prompt.messages) for prompt in writer.prompts] == [1, 3]


@pytest.mark.promise("O7")
@pytest.mark.parametrize("kind", ["measurement", "judgment"])
@pytest.mark.parametrize("reason", ERRORED)
async def test_a_check_that_breaks_down_is_errored_and_costs_the_writer_nothing(reason: str, kind: str) -> None:
    run, report, writer = await checked(ERRORED[reason], kind)
    assert report["status"] == "errored"
    assert reason in report["reason"]
    assert run.result.ending == "errored"
    refuse_charge(run, writer)


@pytest.mark.promise("O7")
@pytest.mark.parametrize("kind", ["measurement", "judgment"])
@pytest.mark.parametrize("reason", INCONCLUSIVE)
async def test_a_check_that_cannot_tell_is_inconclusive_and_costs_the_writer_nothing(reason: str, kind: str) -> None:
    check, changes = INCONCLUSIVE[reason]
    run, report, writer = await checked(check, kind, **changes)
    assert (report["status"], report["reason"]) == ("inconclusive", reason)
    assert run.result.verification == "unresolved"
    refuse_charge(run, writer)


@pytest.mark.parametrize("kind", ["measurement", "judgment"])
async def test_what_is_provably_absent_is_not_applicable_and_passes_for_nothing(kind: str) -> None:
    run, report, writer = await checked(returning(Report.not_applicable(0, of="pictures")), kind)
    assert (report["status"], report["measures"]) == ("not_applicable", {"pictures": 0})
    assert run.result.verification == "passed"  # by the length, which was measured
    assert len(writer.prompts) == 2


def broken_predicate(error: BaseException) -> Callable[..., bool]:
    def applies(view: View, artifacts: object, record: object) -> bool:
        raise error

    return applies


def odd_predicate(view: View, artifacts: object, record: object) -> bool:
    """Say yes, in words."""
    return "no"  # type: ignore[return-value] # on purpose


@pytest.mark.promise("O7")
@pytest.mark.parametrize("kind", ["measurement", "judgment"])
@pytest.mark.parametrize(
    ("applies", "reason"),
    [
        (broken_predicate(KeyError("brief")), "applies() failed: KeyError: 'brief'"),
        (broken_predicate(SystemExit(1)), "applies() failed: SystemExit: 1"),
        (odd_predicate, "applies() returned str, not bool"),
    ],
)
async def test_a_check_that_cannot_say_whether_it_applies_is_errored(
    applies: Callable[..., bool], reason: str, kind: str
) -> None:
    run, report, writer = await checked(returning(Report(examined=1)), kind, applies=applies)
    assert (report["status"], report["reason"]) == ("errored", reason)
    refuse_charge(run, writer)


# Judges


def answering(*answers: tuple[str, bool]) -> Call:
    """A call that submits these answers."""
    given = [{"criterion": name, "met": met, "evidence": "seen"} for name, met in answers]
    return calls(("submit_verdict", {"answers": given})).calls[0]


MET, UNMET = answering(("rhymes", True)), answering(("rhymes", False))
WRONG: Mapping[str, Reply] = {
    "another shape": calls(("submit_verdict", {"verdict": "looks good"})),
    "no JSON": Reply(calls=(Call(id="a", name="submit_verdict", arguments='{"answers": [{'),)),
    "only words": Reply(text="It looks good."),
    "no answers": calls(("submit_verdict", {"answers": []})),
    "another criterion": Reply(calls=(answering(("scans", True)),)),
    "one criterion twice": Reply(calls=(answering(("rhymes", True), ("rhymes", True)),)),
    "one criterion both ways": Reply(calls=(answering(("rhymes", True), ("rhymes", False)),)),
    "two verdicts that differ": Reply(calls=(MET, UNMET)),
    "two verdicts that differ, the other way round": Reply(calls=(UNMET, MET)),
    "a verdict that was cut": Reply(calls=(MET,), stop="length"),
    "a refusal": Reply(text="I cannot.", stop="refused"),
}


async def asks(ctx: CheckContext) -> Report:
    """Pass where the judge says yes."""
    opinion = await ctx.judge.review(criteria(ctx.view))
    unmet = [finding(severity="blocking") for answer in opinion.answers if not answer.met]
    return Report(examined=len(opinion.answers), findings=tuple(unmet))


async def asks_and_passes_all_the_same(ctx: CheckContext) -> Report:
    """Pass whatever the judge does."""
    try:
        return await asks(ctx)
    except JudgeFailed:
        return Report(examined=1)


@pytest.mark.promise("O6", "O7")
@pytest.mark.parametrize("check", [asks, asks_and_passes_all_the_same])
@pytest.mark.parametrize("wrong", WRONG)
async def test_a_judge_that_gives_no_clear_verdict_has_failed_and_rejects_nothing(wrong: str, check: Check) -> None:
    judge, writer = Scripted({}, otherwise=WRONG[wrong], name="judge"), writes(GOOD, BETTER)
    run = await made(writer, judge=judge, verifiers=(LENGTH, judgment(check, name="odd", reads=NARROW)))
    assert run.report("odd")["status"] == "errored"
    assert "the judge judge failed" in run.report("odd")["reason"]
    assert len(judge.prompts) <= 4
    refuse_charge(run, writer)


@pytest.mark.parametrize("check", [asks, asks_and_passes_all_the_same])
async def test_a_judge_whose_model_is_out_has_failed_and_rejects_nothing(check: Check) -> None:
    judge, writer = Scripted({(1, 1): AdapterError("judge", "503")}, name="judge"), writes(GOOD, BETTER)
    run = await made(writer, judge=judge, verifiers=(LENGTH, judgment(check, name="odd", reads=NARROW)))
    assert "503" in run.report("odd")["reason"]
    refuse_charge(run, writer)


@pytest.mark.parametrize("wrong", WRONG)
async def test_a_judge_that_finds_a_clear_verdict_when_asked_again_has_judged(wrong: str) -> None:
    judge, writer = Scripted({(1, 1): WRONG[wrong]}, otherwise=YES, name="judge"), writes(GOOD, BETTER)
    run = await made(writer, judge=judge, verifiers=(LENGTH, judgment(asks, name="odd", reads=NARROW)))
    assert (run.report("odd")["status"], run.result.status, len(judge.prompts)) == ("passed", "succeeded", 2)


async def test_the_same_verdict_twice_in_one_reply_contradicts_nothing() -> None:
    judge, writer = Scripted({(1, 1): Reply(calls=(MET, MET))}, name="judge"), writes(GOOD, BETTER)
    run = await made(writer, judge=judge, verifiers=(LENGTH, judgment(asks, name="odd", reads=NARROW)))
    assert (run.report("odd")["status"], len(judge.prompts)) == ("passed", 1)


async def test_a_check_may_ask_another_time_where_the_judge_has_failed() -> None:
    async def asks_twice(ctx: CheckContext) -> Report:
        try:
            return await asks(ctx)
        except JudgeFailed:
            return Report(examined=len((await ctx.judge.review([Criterion(id="rhymes", asks="it rhymes")])).answers))

    turns = iter([Reply(text="Hm."), Reply(text="Hm."), YES])
    judge, writer = Scripted({(1, 1): lambda _: next(turns), (1, 2): lambda _: next(turns)}, name="judge"), writes(GOOD)
    run = await made(writer, judge=judge, verifiers=(LENGTH, judgment(asks_twice, name="odd", reads=NARROW)))
    assert (run.report("odd")["status"], len(judge.prompts)) == ("passed", 3)
