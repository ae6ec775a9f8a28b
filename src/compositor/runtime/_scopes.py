"""What a tool, a build and a check may touch: one small value each, made anew for every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from compositor._values import Json, digest
from compositor.agents import RosterTool
from compositor.authoring import ToolRun
from compositor.errors import PortError
from compositor.runtime._work import Work
from compositor.verifiers import Judge, Verifier
from compositor.workspace import Artifact, Artifacts, Blobs, Files, Ports, Trace, View, made


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolScope:
    """Implements `ToolContext`."""

    files: Files
    artifacts: Artifacts
    view: View
    ports: Ports
    blobs: Blobs
    notes: list[str] = field(default_factory=list)

    async def store(self, data: bytes, media_type: str, facts: Mapping[str, Json] | None = None) -> Artifact:
        """Keep bytes as an artifact."""
        return await made(self.blobs, data, media_type, facts)

    def emit(self, note: str) -> None:
        """Add a line of progress."""
        self.notes.append(note[:200])


def tool_scope(work: Work, entry: RosterTool) -> ToolScope:
    """The scope of a call of the writer, over the work as it stands now."""
    return ToolScope(
        files=Files(work.snapshot, work.blobs, reads=entry.reads, writes=entry.writes),
        artifacts=Artifacts(dict(work.artifacts), work.blobs),
        view=entry.owner.view,
        ports=work.ports.only(entry.owner.capability.ports),
        blobs=work.blobs,
    )


def judge_tool_scope(work: Work, verifier: Verifier, check: CheckScope, trace: Trace) -> ToolScope:
    """The scope of a call of a judge: what its verifier may look at, and nothing to write."""
    return ToolScope(
        files=Files(work.snapshot, work.blobs, reads=verifier.reads.files, trace=trace),
        artifacts=Artifacts(work.artifacts, work.blobs, reads=verifier.reads.labels, trace=trace),
        view=check.view,
        ports=check.ports,
        blobs=work.blobs,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildScope:
    """Implements `BuildContext`."""

    files: Files
    artifacts: Artifacts
    view: View
    ports: Ports
    blobs: Blobs

    async def store(self, data: bytes, media_type: str, facts: Mapping[str, Json] | None = None) -> Artifact:
        """Keep bytes as an artifact."""
        return await made(self.blobs, data, media_type, facts)


def build_scope(work: Work, trace: Trace) -> BuildScope:
    """The scope of the content capability's build."""
    content = work.composition.content
    return BuildScope(
        files=Files(work.snapshot, work.blobs, trace=trace),
        artifacts=Artifacts(dict(work.artifacts), work.blobs, trace=trace),
        view=content.view,
        ports=work.ports.only(content.capability.ports),
        blobs=work.blobs,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckScope:
    """Implements `CheckContext`."""

    files: Files
    artifacts: Artifacts
    view: View
    ports: Ports
    thresholds: Mapping[str, Json]
    runs: tuple[ToolRun, ...]
    given_judge: Judge | None = None

    @property
    def record(self) -> tuple[ToolRun, ...]:
        """The successful tool runs; looking at them is logged."""
        self.files.trace.record = record_digest(self.runs)
        return self.runs

    @property
    def judge(self) -> Judge:
        """The judge. Raises PortError in a measurement."""
        if self.given_judge is None:
            raise PortError("judge", "a measurement has no judge", "make it a judgment verifier")
        return self.given_judge


def check_scope(work: Work, verifier: Verifier, view: View, ports: tuple[str, ...], trace: Trace) -> CheckScope:
    """The scope of a check: no more than the verifier declares."""
    return CheckScope(
        files=Files(work.snapshot, work.blobs, reads=verifier.reads.files, trace=trace),
        artifacts=Artifacts(work.artifacts, work.blobs, reads=verifier.reads.labels, trace=trace),
        view=view,
        ports=work.ports.only(ports),
        thresholds=verifier.thresholds,
        runs=tuple(work.runs),
    )


def record_digest(runs: Sequence[ToolRun]) -> str:
    """Hex SHA-256 of the record of tool runs."""
    return digest([run.as_json() for run in runs])
