"""How an operation ends: the sentences of the design, written down again as rows, against every reachable case."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product
from typing import Any, get_args

import pytest

from compositor.runtime import EXIT_CODES, Ended, StopReason, ended
from compositor.verifiers import Kind, Status, Verdict

Answer = tuple[str, str, str, bool, int]
"""verification, status, ending, version saved, exit code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What an operation came to.

    Attributes:
        host: `written` (nothing is built), `built`, `missing` (a written output), `build failed`, `build errored`, or
            `not evaluated` (cancelled before the first evaluation).
        measured: the statuses of the measurements.
        judged: the statuses of the judgments; a skipped one with its reason, as in `skipped: budget`.
        policy, stop: how it may complete, why the work stopped.
    """

    host: str
    measured: tuple[str, ...]
    judged: tuple[str, ...]
    policy: str = "draft_allowed"
    stop: str = "done"

    @property
    def complete(self) -> bool:
        """Whether there is a deliverable."""
        return self.host in {"written", "built"}

    @property
    def all(self) -> tuple[str, ...]:
        """Every status, the host's too, without reasons."""
        return (*_HOSTS[self.host], *self.measured, *(status.partition(":")[0] for status in self.judged))


_HOSTS: dict[str, tuple[str, ...]] = {
    "written": ("passed",),
    "built": ("passed", "passed"),
    "missing": ("failed",),
    "build failed": ("passed", "failed"),
    "build errored": ("passed", "errored"),
    "not evaluated": (),
}

# ---- the sentences of the design, in its order; the first row that fits gives the answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What a row may look at: the case, and the answers that were given before."""

    case: Case
    verification: str = ""
    status: str = ""


Row = tuple[str, Callable[[Known], bool], str]


def otherwise(_known: Known) -> bool:
    """The last row always fits."""
    return True


VERIFICATION: tuple[Row, ...] = (
    ("a blocking finding, a missing output, a failed build", lambda known: "failed" in known.case.all, "failed"),
    ("a verifier or judge broke down", lambda known: "errored" in known.case.all, "errored"),
    ("nothing was evaluated, and there is no deliverable", lambda known: not known.case.complete, "failed"),
    ("an applicable verifier is inconclusive", lambda known: "inconclusive" in known.case.all, "unresolved"),
    ("an applicable verifier is skipped", lambda known: "skipped" in known.case.all, "unresolved"),
    ("no measurement passed", lambda known: "passed" not in known.case.measured, "unresolved"),
    ("else passed", otherwise, "passed"),
)

WAIVED = {"skipped: no-judge", "skipped: not-requested"}


def only_unjudged(known: Known) -> bool:
    """Unresolved only because judgments were skipped as `no-judge` or `not-requested`."""
    judged = [status for status in known.case.judged if status not in WAIVED]
    others = (*known.case.measured, *judged)
    settled = not any(status.startswith(("skipped", "inconclusive")) for status in others)
    return known.verification == "unresolved" and settled and "passed" in known.case.measured


STATUS: tuple[Row, ...] = (
    ("`cancelled` only by cancel", lambda known: known.case.stop == "cancelled", "cancelled"),
    ("`succeeded` if passed", lambda known: known.verification == "passed", "succeeded"),
    (
        "or, under `draft_allowed`, unresolved only because judgments were skipped",
        lambda known: known.case.policy == "draft_allowed" and only_unjudged(known),
        "succeeded",
    ),
    ("else `incomplete` with a complete deliverable", lambda known: known.case.complete, "incomplete"),
    ("`failed` without one", otherwise, "failed"),
)

ENDING: tuple[Row, ...] = (
    ("cancelled", lambda known: known.case.stop == "cancelled", "cancelled"),
    ("a budget was spent", lambda known: known.case.stop == "exhausted", "exhausted"),
    ("the writer repeated itself", lambda known: known.case.stop == "no-progress", "no-progress"),
    ("the writer's model gave no usable reply", lambda known: known.case.stop == "errored", "errored"),
    ("a verifier, a judge or the build broke down", lambda known: known.verification == "errored", "errored"),
    ("nothing rejected it, something is left open", lambda known: known.verification == "unresolved", "unjudged"),
    ("verified", otherwise, "passed"),
)

SAVED: tuple[Row, ...] = (
    ("a version on `succeeded`", lambda known: known.status == "succeeded", "saved"),
    (
        "and on `incomplete` under `draft_allowed`",
        lambda known: known.status == "incomplete" and known.case.policy == "draft_allowed",
        "saved",
    ),
    ("otherwise the files stay with the operation", otherwise, "not saved"),
)

EXITS = {"succeeded": 0, "failed": 1, "incomplete": 5, "cancelled": 130}


def by_the_design(case: Case) -> Answer:
    """What the rows say."""
    verification = _first(VERIFICATION, Known(case=case))
    status = _first(STATUS, Known(case=case, verification=verification))
    ending = _first(ENDING, Known(case=case, verification=verification))
    saved = _first(SAVED, Known(case=case, status=status)) == "saved"
    return verification, status, ending, saved, EXITS[status]


def _first(rows: tuple[Row, ...], known: Known) -> str:
    return next(answer for _, fits, answer in rows if fits(known))


# ---- every case that can be reached

STATUSES: tuple[Status, ...] = get_args(Status)
HELD = ("passed", "failed", "inconclusive", "errored", "not_applicable")
"""What a judge that was asked may come to."""


def reachable() -> Iterator[Case]:
    """Every combination that an operation can come to, with up to two measurements and two judgments."""
    for host, measured, policy in product(_HOSTS, _measurements(), ("draft_allowed", "verified_only")):
        for judged in _judgments(host, measured):
            for stop in get_args(StopReason):
                case = Case(host=host, measured=measured, judged=judged, policy=policy, stop=stop)
                if _can_be(case):
                    yield case


def _measurements() -> list[tuple[Status, ...]]:
    return [pair for count in range(3) for pair in combinations_with_replacement(STATUSES, count)]


def _judgments(host: str, measured: tuple[str, ...]) -> list[tuple[str, ...]]:
    """None, one or two: all of them held, or all skipped for one reason; those that do not apply are among either."""
    found = {"failed", "errored"} & {*_HOSTS[host], *measured}
    because = next((f"skipped: measurements-{word}" for word in ("failed", "errored") if word in found), None)
    reasons = ["skipped: no-judge", "skipped: not-requested", "skipped: budget", *([because] if because else [])]
    groups = [(reason, "not_applicable") for reason in reasons] + ([] if because else [HELD])
    return sorted({pair for group in groups for n in range(3) for pair in combinations_with_replacement(group, n)})


def _can_be(case: Case) -> bool:
    unevaluated = case.host == "not evaluated"
    if unevaluated and (case.stop != "cancelled" or case.measured or case.judged):
        return False
    # a rejected draft goes back until a budget ends it, so a writer is never done with one
    rejected_and_done = "failed" in case.all and case.stop == "done"
    # the reason `budget` is given only where a budget, or no progress, ended the work (or a cancel came after that)
    budget = "skipped: budget" in case.judged and case.stop in {"done", "errored"}
    return not rejected_and_done and not budget


def verdicts_of(case: Case) -> list[Verdict]:
    """The case as the evaluator reports it."""
    names = ("outputs", "build")
    host = [_verdict(name, "measurement", status) for name, status in zip(names, _HOSTS[case.host], strict=False)]
    measured = [_verdict(f"measure-{n}", "measurement", status) for n, status in enumerate(case.measured)]
    judged = [_verdict(f"judge-{n}", "judgment", status) for n, status in enumerate(case.judged)]
    return [*host, *measured, *judged]


def _verdict(name: str, kind: Kind, told: str) -> Verdict:
    status, _, reason = told.partition(": ")
    fields: dict[str, Any] = {"verifier": name, "kind": kind, "status": status, "reason": reason}
    return Verdict(version="1", required=False, **fields)


def by_the_product(case: Case) -> Answer:
    """What the product says."""
    told: Any = {"stop": case.stop, "policy": case.policy}
    end = ended(verdicts_of(case), complete=case.complete, **told)
    return _answer(end)


def _answer(end: Ended) -> Answer:
    return end.verification, end.status, end.ending, end.saves, end.exit_code


@pytest.mark.promise("O8", "O9")
def test_every_reachable_case_ends_as_the_design_says() -> None:
    cases = list(reachable())
    assert len(cases) > 5_000
    wrong = {case: (by_the_product(case), by_the_design(case)) for case in cases}
    assert {case: answers for case, answers in wrong.items() if answers[0] != answers[1]} == {}
    assert len({answers[1] for answers in wrong.values()}) == len(SEEN)
    assert {answers[1] for answers in wrong.values()} == SEEN


SEEN: set[Answer] = {
    ("passed", "succeeded", "passed", True, 0),
    ("passed", "succeeded", "exhausted", True, 0),
    ("passed", "succeeded", "no-progress", True, 0),
    ("passed", "succeeded", "errored", True, 0),
    ("unresolved", "succeeded", "unjudged", True, 0),
    ("unresolved", "succeeded", "exhausted", True, 0),
    ("unresolved", "succeeded", "no-progress", True, 0),
    ("unresolved", "succeeded", "errored", True, 0),
    ("unresolved", "incomplete", "unjudged", True, 5),
    ("unresolved", "incomplete", "unjudged", False, 5),
    ("unresolved", "incomplete", "exhausted", True, 5),
    ("unresolved", "incomplete", "exhausted", False, 5),
    ("unresolved", "incomplete", "no-progress", True, 5),
    ("unresolved", "incomplete", "no-progress", False, 5),
    ("unresolved", "incomplete", "errored", True, 5),
    ("unresolved", "incomplete", "errored", False, 5),
    ("errored", "incomplete", "errored", True, 5),
    ("errored", "incomplete", "errored", False, 5),
    ("errored", "incomplete", "exhausted", True, 5),
    ("errored", "incomplete", "exhausted", False, 5),
    ("errored", "incomplete", "no-progress", True, 5),
    ("errored", "incomplete", "no-progress", False, 5),
    ("errored", "failed", "errored", False, 1),
    ("errored", "failed", "exhausted", False, 1),
    ("errored", "failed", "no-progress", False, 1),
    ("failed", "incomplete", "exhausted", True, 5),
    ("failed", "incomplete", "exhausted", False, 5),
    ("failed", "incomplete", "no-progress", True, 5),
    ("failed", "incomplete", "no-progress", False, 5),
    ("failed", "incomplete", "errored", True, 5),
    ("failed", "incomplete", "errored", False, 5),
    ("failed", "failed", "exhausted", False, 1),
    ("failed", "failed", "no-progress", False, 1),
    ("failed", "failed", "errored", False, 1),
    ("passed", "cancelled", "cancelled", False, 130),
    ("unresolved", "cancelled", "cancelled", False, 130),
    ("errored", "cancelled", "cancelled", False, 130),
    ("failed", "cancelled", "cancelled", False, 130),
}
"""Every end that there is."""

BY_HAND: tuple[tuple[Case, Answer], ...] = (
    (Case(host="built", measured=("passed",), judged=("passed",)), ("passed", "succeeded", "passed", True, 0)),
    (Case(host="built", measured=("passed", "not_applicable"), judged=()), ("passed", "succeeded", "passed", True, 0)),
    (
        Case(host="built", measured=("passed",), judged=("skipped: no-judge",)),
        ("unresolved", "succeeded", "unjudged", True, 0),
    ),
    (
        Case(host="built", measured=("passed",), judged=("skipped: no-judge",), policy="verified_only"),
        ("unresolved", "incomplete", "unjudged", False, 5),
    ),
    (
        Case(host="built", measured=("passed",), judged=("skipped: budget",), stop="exhausted"),
        ("unresolved", "incomplete", "exhausted", True, 5),
    ),
    (
        Case(host="built", measured=("inconclusive",), judged=("passed",)),
        ("unresolved", "incomplete", "unjudged", True, 5),
    ),
    (
        Case(host="built", measured=("passed", "inconclusive"), judged=("skipped: no-judge",)),
        ("unresolved", "incomplete", "unjudged", True, 5),
    ),
    (Case(host="written", measured=("not_applicable",), judged=()), ("unresolved", "incomplete", "unjudged", True, 5)),
    (
        Case(host="built", measured=("failed",), judged=("skipped: measurements-failed",), stop="exhausted"),
        ("failed", "incomplete", "exhausted", True, 5),
    ),
    (
        Case(host="missing", measured=("skipped",), judged=("skipped: measurements-failed",), stop="exhausted"),
        ("failed", "failed", "exhausted", False, 1),
    ),
    (
        Case(host="build errored", measured=("skipped",), judged=("skipped: measurements-errored",)),
        ("errored", "failed", "errored", False, 1),
    ),
    (Case(host="built", measured=("passed",), judged=("errored",)), ("errored", "incomplete", "errored", True, 5)),
    (
        Case(host="not evaluated", measured=(), judged=(), stop="cancelled"),
        ("failed", "cancelled", "cancelled", False, 130),
    ),
)


@pytest.mark.promise("O8")
@pytest.mark.parametrize(("case", "answer"), BY_HAND)
def test_the_cases_that_people_ask_about_end_as_written_here(case: Case, answer: Answer) -> None:
    assert (by_the_product(case), by_the_design(case)) == (answer, answer)


def test_a_verified_draft_whose_judge_was_overridden_says_so() -> None:
    passed = verdicts_of(Case(host="built", measured=("passed",), judged=("passed",)))
    end = ended(passed, complete=True, stop="done", policy="draft_allowed", overridden=True)
    assert _answer(end) == ("passed", "succeeded", "overridden", True, 0)


def test_an_inconclusive_verdict_cannot_borrow_the_reason_of_a_judge_that_was_not_there() -> None:
    told = verdicts_of(Case(host="built", measured=("passed",), judged=("inconclusive: no-judge",)))
    assert ended(told, complete=True, stop="done", policy="draft_allowed").status == "incomplete"


def test_the_exit_codes_are_those_of_the_command_line() -> None:
    assert EXIT_CODES == EXITS
