"""What a tool, a build and a check may touch: one small value each, made anew for every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from compositor._values import Json, digest, well_formed
from compositor.agents import RosterTool
from compositor.authoring import ToolRun
from compositor.errors import PortError
from compositor.runtime._work import Work
from compositor.verifiers import Judge, Verifier
from compositor.workspace import Artifact, Artifacts, Blobs, Files, Ports, Snapshot, Trace, View, made

MAX_NOTES = 100
"""Lines of progress of one call."""
MAX_NOTE_CHARS = 200
"""Longest line of progress."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolScope:
    """Implements `ToolContext`."""

    files: Files
    artifacts: Artifacts
    view: View
    ports: Ports
    blobs: Blobs
    stored: set[str]
    notes: list[str] = field(default_factory=list)

    async def store(self, data: bytes, media_type: str, facts: Mapping[str, Json] | None = None) -> Artifact:
        """Keep bytes as an artifact."""
        artifact = await made(self.blobs, data, media_type, facts)
        self.stored.add(artifact.sha256)
        return artifact

    def emit(self, note: str) -> None:
        """Add a line of progress; beyond `MAX_NOTES` nobody is told any more."""
        if len(self.notes) < MAX_NOTES:
            self.notes.append(well_formed(str(note))[:MAX_NOTE_CHARS])


def tool_scope(work: Work, entry: RosterTool, base: Snapshot) -> ToolScope:
    """The scope of a call of the writer, over the work as it stands now; the call was prepared on `base`."""
    return ToolScope(
        files=Files(work.snapshot, work.blobs, reads=entry.reads, writes=entry.writes, base=base),
        artifacts=Artifacts(dict(work.artifacts), work.blobs),
        view=entry.owner.view,
        ports=work.ports.only(entry.owner.capability.ports),
        blobs=work.blobs,
        stored=_addresses(work),
    )


def judge_tool_scope(work: Work, verifier: Verifier, check: CheckScope, trace: Trace) -> ToolScope:
    """The scope of a call of a judge: what its verifier may look at, and nothing to write."""
    return ToolScope(
        files=Files(work.snapshot, work.blobs, reads=verifier.reads.files, trace=trace),
        artifacts=Artifacts(work.artifacts, work.blobs, reads=verifier.reads.labels, trace=trace),
        view=check.view,
        ports=check.ports,
        blobs=work.blobs,
        stored=_addresses(work),
    )


def _addresses(work: Work) -> set[str]:
    """Where the bytes of the work are: an artifact of another address has none, whatever made it."""
    files, artifacts = work.snapshot.files.values(), work.artifacts.values()
    return {*(entry.sha256 for entry in files), *(artifact.sha256 for artifact in artifacts)}


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildScope:
    """Implements `BuildContext`."""

    files: Files
    artifacts: Artifacts
    view: View
    ports: Ports
    blobs: Blobs
    stored: set[str]

    async def store(self, data: bytes, media_type: str, facts: Mapping[str, Json] | None = None) -> Artifact:
        """Keep bytes as an artifact."""
        artifact = await made(self.blobs, data, media_type, facts)
        self.stored.add(artifact.sha256)
        return artifact


def build_scope(work: Work, trace: Trace) -> BuildScope:
    """The scope of the content capability's build."""
    content = work.composition.content
    return BuildScope(
        files=Files(work.snapshot, work.blobs, trace=trace),
        artifacts=Artifacts(dict(work.artifacts), work.blobs, trace=trace),
        view=content.view,
        ports=work.ports.only(content.capability.ports),
        blobs=work.blobs,
        stored=_addresses(work),
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
