"""How an operation ends: two answers, never mixed. This module is the table; it has no other state.

- `verification` says what is proven about the deliverable.
- `status` says whether the operation did what was asked under its policy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from compositor.agents import Completion as Policy
from compositor.verifiers import Verdict

Verification = Literal["passed", "failed", "errored", "unresolved"]
OperationStatus = Literal["succeeded", "incomplete", "failed", "cancelled"]
Ending = Literal["passed", "overridden", "unjudged", "exhausted", "no-progress", "errored", "cancelled"]
StopReason = Literal["done", "exhausted", "no-progress", "errored", "cancelled"]
"""Why the work stopped: the writer was done, a budget was spent, it repeated itself, a part broke down, or a cancel."""

NO_JUDGE, NOT_REQUESTED, BUDGET = "no-judge", "not-requested", "budget"
"""Reasons of a skipped judgment. The first two leave a draft that may succeed under `draft_allowed`."""

EXIT_CODES: dict[OperationStatus, int] = {"succeeded": 0, "failed": 1, "incomplete": 5, "cancelled": 130}
"""What a command returns for a status. The other codes (usage, lock drift, environment) belong to the command line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """The end of an operation.

    Attributes:
        verification, status, ending: see the module.
        saves: whether a version is saved.
    """

    verification: Verification
    status: OperationStatus
    ending: Ending
    saves: bool

    @property
    def exit_code(self) -> int:
        """What a command returns."""
        return EXIT_CODES[self.status]


def verification_of(verdicts: Sequence[Verdict], *, complete: bool) -> Verification:
    """The first that fits.

    `failed`: a blocking finding, a missing output or a failed build (both come as failed host reports). `errored`: a
    verifier, a judge or the build broke down. `unresolved`: an applicable verifier is inconclusive or skipped, or no
    measurement passed. Else `passed`.

    What a broken build did not make is not a missing output: nothing is known about the writer's work.
    """
    statuses = {verdict.status for verdict in verdicts}
    if "failed" in statuses:
        return "failed"
    if "errored" in statuses:
        return "errored"
    if not complete:
        return "failed"
    measured = any(v.kind == "measurement" and v.status == "passed" and v.verifier not in HOST for v in verdicts)
    if not measured or statuses & {"inconclusive", "skipped"}:
        return "unresolved"
    return "passed"


HOST = frozenset({"outputs", "build"})
"""The host's own reports: they can fail a deliverable, but they prove nothing about it."""


def ended(
    verdicts: Sequence[Verdict], *, complete: bool, stop: StopReason, policy: Policy, overridden: bool = False
) -> Ended:
    """The end that follows from the last evaluation, the reason for stopping, and the policy."""
    verification = verification_of(verdicts, complete=complete)
    if stop == "cancelled":
        return Ended(verification=verification, status="cancelled", ending="cancelled", saves=False)
    status = _status(verdicts, verification, complete=complete, policy=policy)
    saves = status == "succeeded" or (status == "incomplete" and policy == "draft_allowed")
    ending = _ending(verification, stop, overridden=overridden)
    return Ended(verification=verification, status=status, ending=ending, saves=saves)


def _status(
    verdicts: Sequence[Verdict], verification: Verification, *, complete: bool, policy: Policy
) -> OperationStatus:
    if verification == "passed":
        return "succeeded"
    if verification == "unresolved" and policy == "draft_allowed" and _only_unjudged(verdicts):
        return "succeeded"
    return "incomplete" if complete else "failed"


def _only_unjudged(verdicts: Sequence[Verdict]) -> bool:
    """Whether the only open matter is that nobody was there, or asked, to judge."""
    settled = [v for v in verdicts if not (v.status == "skipped" and v.reason in {NO_JUDGE, NOT_REQUESTED})]
    return verification_of(settled, complete=True) == "passed"


def _ending(verification: Verification, stop: StopReason, *, overridden: bool) -> Ending:
    """Why it ended. `unjudged` covers every draft that nothing rejected and something applicable left open."""
    if stop != "done":
        return stop
    if verification == "passed" and overridden:
        return "overridden"
    return _AT_REST[verification]


_AT_REST: dict[Verification, Ending] = {
    "passed": "passed",
    "failed": "exhausted",
    "errored": "errored",
    "unresolved": "unjudged",
}
"""The ending of a writer who was done, by what is proven."""
