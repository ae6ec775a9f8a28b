"""Findings, reports and the host's verdict on a report.

The author of a verifier says what was examined and found; the status is computed here, in one place, so that no check
can call itself passed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from compositor._values import Json, freeze, thaw
from compositor.workspace import Section

Severity = Literal["blocking", "warning", "note"]
Status = Literal["passed", "failed", "inconclusive", "errored", "not_applicable", "skipped"]
Kind = Literal["measurement", "judgment"]
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The place of a finding: a path or label, and a line (from 1), a box, or both.

    A box is `(x, y, width, height)` in pixels of the picture that `of` names; beside a line, of the first `render/*`.
    """

    of: str
    line: int | None = None
    box: Box | None = None

    def __str__(self) -> str:
        if self.line is not None:
            return f"{self.of}:{self.line}"
        if self.box is not None:
            x, y, width, height = (round(value) for value in self.box)
            return f"{self.of} at {x},{y} ({width}×{height})"
        return self.of

    @staticmethod
    def at(section: Section) -> Where:
        """Where a piece of the copy was written, and where it is seen."""
        of, _, line = section.place.rpartition(":")
        written = Where(of=of, line=int(line)) if of and line.isdigit() else Where(of=section.place)
        return replace(written, box=section.box)

    def as_json(self) -> Json:
        """The place as a JSON object."""
        return {"of": self.of, "line": self.line, "box": list(self.box) if self.box else None}

    @staticmethod
    def from_json(value: Json) -> Where:
        """The place that `as_json` wrote."""
        return Where(of=value["of"], line=value["line"], box=tuple(value["box"]) if value["box"] else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a verifier found.

    Attributes:
        code: stable and hyphenated, unique in its verifier.
        severity: `blocking` makes the report fail.
        message: one sentence for a person.
        where: its place.
        measured, threshold: the figure and its limit, with the same unit, where there are any.
        remedy: what the writer should do about it.
    """

    code: str
    severity: Severity
    message: str
    where: Where
    measured: Json = None
    threshold: Json = None
    remedy: str = ""

    @staticmethod
    def at(
        section: Section,
        code: str,
        message: str,
        remedy: str,
        *,
        severity: Severity = "blocking",
        measured: Json = None,
        threshold: Json = None,
    ) -> Finding:
        """A finding at a piece of the copy. Words that were measured are cut to a length that can be read."""
        return Finding(
            code=code,
            severity=severity,
            message=message,
            where=Where.at(section),
            measured=measured[:300] if isinstance(measured, str) else measured,
            threshold=threshold,
            remedy=remedy,
        )

    def as_json(self) -> Json:
        """The finding as a JSON object."""
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "where": self.where.as_json(),
            "measured": thaw(self.measured),
            "threshold": thaw(self.threshold),
            "remedy": self.remedy,
        }

    @staticmethod
    def from_json(value: Json) -> Finding:
        """The finding that `as_json` wrote."""
        return Finding(**{**value, "where": Where.from_json(value["where"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """Bounded extra work that a verifier asks for.

    Attributes:
        instruction: what the writer should do.
        rounds: how often at most.
        fresh_review: judge once more, in a new transcript, when measurements are clean.
    """

    instruction: str
    rounds: int = 1
    fresh_review: bool = False

    def as_json(self) -> Json:
        """The follow-up as a JSON object."""
        return {"instruction": self.instruction, "rounds": self.rounds, "fresh_review": self.fresh_review}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a verifier returns.

    Attributes:
        examined: how many things it looked at; 0 is no pass.
        findings: what it found.
        measures: named figures, for the evidence.
        follow_up: bounded extra work, or None.
        absent: the subject is provably not there (`not_applicable`).
        undecided: why the check could not tell, or empty (`inconclusive`).
    """

    examined: int
    findings: tuple[Finding, ...] = ()
    measures: Mapping[str, Json] = field(default_factory=dict)
    follow_up: FollowUp | None = None
    absent: bool = False
    undecided: str = ""

    @staticmethod
    def not_applicable(count: int = 0, *, of: str = "") -> Report:
        """There is nothing to examine, and that was counted: for example 0 pictures in the document."""
        return Report(examined=0, absent=True, measures={of or "subjects": count})

    @staticmethod
    def inconclusive(
        reason: str, *, examined: int = 0, findings: Sequence[Finding] = (), measures: Mapping[str, Json] | None = None
    ) -> Report:
        """The check ran and cannot tell."""
        return Report(examined=examined, findings=tuple(findings), measures=measures or {}, undecided=reason)


def report_fault(report: Report) -> str:
    """What is wrong with the shape of a report; empty where nothing is. A check is code of others, and may lie."""
    told: Mapping[str, object] = {name: getattr(report, name) for name in Report.__slots__}
    if type(told["examined"]) is not int or report.examined < 0:
        return f"it says that it examined {report.examined!r}, which is no count"
    if type(told["absent"]) is not bool or type(told["undecided"]) is not str:
        return "it does not say clearly whether its subject is absent, or why it is undecided"
    return _follow_up_fault(told["follow_up"]) or findings_fault(told["findings"])


def findings_fault(findings: object) -> str:
    """What is wrong with the shape of findings; empty where nothing is. A severity that nobody knows blocks nothing."""
    if not isinstance(findings, Sequence) or not all(isinstance(finding, Finding) for finding in findings):
        return "its findings are not findings"
    severities = get_args(Severity)
    for finding in findings:
        if finding.severity not in severities:
            return f"the severity {finding.severity!r} of {finding.code!r} is not one of {', '.join(severities)}"
        if not all(isinstance(words, str) for words in (finding.code, finding.message, finding.remedy)):
            return "a finding has a code, message or remedy that is no text"
        if not _is_place(finding.where):
            return f"the place of {finding.code!r} is none"
    return ""


def _is_place(where: object) -> bool:
    if not isinstance(where, Where) or not isinstance(where.of, str):
        return False
    box: object = where.box
    numbers = box if isinstance(box, tuple) else ()
    boxed = box is None or (len(numbers) == 4 and all(isinstance(number, int | float) for number in numbers))
    return boxed and (where.line is None or type(where.line) is int)


def _follow_up_fault(follow_up: object) -> str:
    if follow_up is None:
        return ""
    if not isinstance(follow_up, FollowUp):
        return f"its follow-up is {type(follow_up).__name__}, not FollowUp"
    if (type(follow_up.instruction), type(follow_up.rounds), type(follow_up.fresh_review)) != (str, int, bool):
        return "its follow-up has an instruction, rounds or a wish for a fresh review that is none"
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The host's word on one verifier's run: the report with its computed status.

    Attributes:
        verifier, version, kind, required: of the verifier.
        status: see `verdict_of`.
        reason: why it was skipped, inconclusive or errored; else empty.
        examined, findings, measures, follow_up: of the report.
    """

    verifier: str
    version: str
    kind: Kind
    required: bool
    status: Status
    reason: str = ""
    examined: int = 0
    findings: tuple[Finding, ...] = ()
    measures: Mapping[str, Json] = field(default_factory=dict)
    follow_up: FollowUp | None = None

    @property
    def blocking(self) -> tuple[Finding, ...]:
        """The findings that make it fail."""
        return tuple(finding for finding in self.findings if finding.severity == "blocking")

    def as_json(self) -> Json:
        """The verdict as a JSON object."""
        return {
            "verifier": self.verifier,
            "version": self.version,
            "kind": self.kind,
            "required": self.required,
            "status": self.status,
            "reason": self.reason,
            "examined": self.examined,
            "findings": [finding.as_json() for finding in self.findings],
            "measures": thaw(self.measures),
            "follow_up": self.follow_up.as_json() if self.follow_up else None,
        }

    @staticmethod
    def from_json(value: Json) -> Verdict:
        """The verdict that `as_json` wrote."""
        follow_up = value["follow_up"]
        return Verdict(
            **{
                **value,
                "findings": tuple(Finding.from_json(finding) for finding in value["findings"]),
                "measures": freeze(value["measures"]),
                "follow_up": FollowUp(**follow_up) if follow_up else None,
            }
        )
