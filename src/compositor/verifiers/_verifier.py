"""A verifier: one check of the deliverable, and the rule that turns its report into a status."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from compositor._values import Json
from compositor.tools import Tool
from compositor.verifiers._judge import Judge
from compositor.verifiers._report import Kind, Report, Status, Verdict
from compositor.workspace import Artifact, Artifacts, Files, Ports, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """The upper bound of what a verifier may look at.

    Attributes:
        fields: request fields.
        files: path patterns.
        labels: label patterns.
    """

    fields: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRun:
    """One successful tool run, as verifiers see it: which tool, the paths it changed and the labels it made."""

    tool: str
    changed: tuple[str, ...] = ()
    made: tuple[str, ...] = ()

    def as_json(self) -> Json:
        """The run as a JSON object."""
        return {"tool": self.tool, "changed": list(self.changed), "made": list(self.made)}


class CheckContext(Protocol):
    """What a check may touch. Everything that is looked at is logged."""

    @property
    def files(self) -> Files:
        """The workspace, read-only, within the verifier's scope."""
        ...

    @property
    def artifacts(self) -> Artifacts:
        """The labelled things, within the verifier's scope."""
        ...

    @property
    def view(self) -> View:
        """The request, within the verifier's scope."""
        ...

    @property
    def ports(self) -> Ports:
        """The outside world, narrowed to the ports that the capability named."""
        ...

    @property
    def thresholds(self) -> Mapping[str, Json]:
        """The verifier's own thresholds."""
        ...

    @property
    def record(self) -> tuple[ToolRun, ...]:
        """The successful tool runs of the operation, in order."""
        ...

    @property
    def judge(self) -> Judge:
        """The judge, for judgments only. Raises PortError in a measurement."""
        ...


Check = Callable[[CheckContext], Awaitable[Report]]
Applies = Callable[[View, Mapping[str, Artifact], tuple[ToolRun, ...]], bool]


def _always(view: View, artifacts: Mapping[str, Artifact], record: tuple[ToolRun, ...]) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Verifier:
    """A check as declared.

    Attributes:
        name: unique in a composition.
        version: raise it when the same input may get another report; verdicts are cached under it.
        kind: `measurement` (facts) or `judgment` (a model's opinion).
        check: `async (ctx) -> Report`.
        reads: the upper bound of what it may look at.
        thresholds: its limits, each beside its source in the code.
        required: a required verifier may not say that its subject is absent.
        tools: for judgments: what the judge may call; the writer never sees these.
        applies: whether it applies; False is `not_applicable`.
        seconds: its time limit.
    """

    name: str
    version: str
    kind: Kind
    check: Check
    reads: Scope
    thresholds: Mapping[str, Json] = field(default_factory=dict)
    required: bool = False
    tools: tuple[Tool, ...] = ()
    applies: Applies = _always
    seconds: float = 60.0


def verdict_of(verifier: Verifier, report: Report) -> Verdict:
    """The status of a report, the first that fits.

    `failed` with a blocking finding; `inconclusive` where the check says so, where a required verifier calls its
    subject absent, or where nothing was examined; `not_applicable` where the subject is provably absent; else `passed`.
    """
    status, reason = _status(verifier, report)
    return Verdict(
        verifier=verifier.name,
        version=verifier.version,
        kind=verifier.kind,
        required=verifier.required,
        status=status,
        reason=reason,
        examined=report.examined,
        findings=report.findings,
        measures=report.measures,
        follow_up=report.follow_up,
    )


def _status(verifier: Verifier, report: Report) -> tuple[Status, str]:
    if any(finding.severity == "blocking" for finding in report.findings):
        return "failed", ""
    if report.undecided:
        return "inconclusive", report.undecided
    if report.absent and verifier.required:
        return "inconclusive", "its subject is absent, and this verifier is required"
    if report.absent:
        return "not_applicable", "its subject is absent"
    if report.examined <= 0:
        return "inconclusive", "nothing was examined"
    return "passed", ""


def unreported(verifier: Verifier, status: Status, reason: str) -> Verdict:
    """The verdict on a verifier that gave no report: errored, skipped or not applicable."""
    return Verdict(
        verifier=verifier.name,
        version=verifier.version,
        kind=verifier.kind,
        required=verifier.required,
        status=status,
        reason=reason,
    )
