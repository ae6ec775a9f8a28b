"""The evaluation of a draft: build, measure, and only then judge.

Verdicts are used again as long as their trace holds: a check runs again only if something that it read has changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compositor._values import Json
from compositor.runtime._completion import BUDGET, verification_of
from compositor.verifiers import Finding, FollowUp, Verdict
from compositor.workspace import Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A verdict with what was looked at for it, and whether it was used again."""

    verdict: Verdict
    key: str = ""
    trace: Trace = field(default_factory=Trace)
    unchanged: bool = False

    def as_json(self) -> Json:
        """The verdict as a JSON object."""
        return {
            "verdict": self.verdict.as_json(),
            "key": self.key,
            "trace": self.trace.as_json(),
            "unchanged": self.unchanged,
        }

    @staticmethod
    def from_json(value: Json) -> Looked:
        """The verdict that `as_json` wrote."""
        return Looked(
            verdict=Verdict.from_json(value["verdict"]),
            key=value["key"],
            trace=Trace.from_json(value["trace"]),
            unchanged=value["unchanged"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """All verdicts on one draft.

    Attributes:
        draft: from 1.
        written: digest of the written outputs that were evaluated.
        complete: whether every required output is there.
        verdicts: the host's, then measurements, then judgments.
    """

    draft: int
    written: str
    complete: bool
    verdicts: tuple[Verdict, ...]

    @property
    def blocking(self) -> tuple[Finding, ...]:
        """Every blocking finding, in order of verdicts."""
        return tuple(finding for verdict in self.verdicts for finding in verdict.blocking)

    @property
    def errored(self) -> bool:
        """Whether a verifier, a judge or the build broke down, and nothing fails the draft."""
        return verification_of(self.verdicts, complete=self.complete) == "errored"

    @property
    def judged(self) -> bool:
        """Whether a judgment rejected it."""
        return any(verdict.kind == "judgment" and verdict.status == "failed" for verdict in self.verdicts)

    @property
    def reviewed(self) -> bool:
        """Whether no judge was skipped."""
        return not any(verdict.kind == "judgment" and verdict.status == "skipped" for verdict in self.verdicts)

    @property
    def unpaid(self) -> bool:
        """Whether a judge was skipped because a budget was spent."""
        return any(verdict.status == "skipped" and verdict.reason == BUDGET for verdict in self.verdicts)

    @property
    def follow_ups(self) -> Mapping[str, FollowUp]:
        """Verifier → the extra work that it asks for."""
        return {verdict.verifier: verdict.follow_up for verdict in self.verdicts if verdict.follow_up}
