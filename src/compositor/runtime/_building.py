"""The build of the derived outputs: one recorded effect, skipped where nothing that it reads has changed."""

from __future__ import annotations

from dataclasses import dataclass

from compositor._values import Json, canonical
from compositor.authoring import Built, Finding, Where
from compositor.errors import CompileFailed, EnvironmentUnfit, PortError, StorageFailed
from compositor.runtime._contained import contained
from compositor.runtime._faults import shortened, told, without_machine
from compositor.runtime._journal import Done, Effects
from compositor.runtime._running import refuse_unsound
from compositor.runtime._scopes import BuildScope, build_scope
from compositor.runtime._work import Work
from compositor.runtime.events import DeliverableBuilt
from compositor.verifiers import Status, Verdict, findings_fault
from compositor.workspace import (
    Artifact,
    Entry,
    Trace,
    covered,
    covers,
    delta_as_json,
    delta_from_json,
)

BUILD_SECONDS = 120.0
"""Longest build: three renders at their own limits, and the compiler."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outcome:
    """What a build came to; the parts are empty unless it is `passed`, but for the findings."""

    status: Status
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    files: dict[str, Entry] | None = None
    artifacts: dict[str, Artifact] | None = None


class Builder:
    """Builds drafts of one operation."""

    __slots__ = ("_built", "_journal", "_work")

    def __init__(self, work: Work, journal: Effects) -> None:
        self._work, self._journal = work, journal
        self._built: list[tuple[Trace, Json]] = []

    async def build(self, draft: int, key: str) -> Verdict:
        """Make the derived outputs and take them into the work; the host's verdict on it.

        Whatever an earlier draft derived is gone first: nothing stale is ever checked or delivered.
        """
        self.forget()
        result = await self._journal.effect("build", key, {"draft": draft}, lambda: self._perform(draft))
        if result["status"] in {"passed", "failed"}:
            self._built.append((Trace.from_json(result["trace"]), result))
        self._take_up(result)
        return Verdict(
            verifier="build",
            version="1",
            kind="measurement",
            required=True,
            status=result["status"],
            reason=result["reason"],
            examined=len(self._derived),
            findings=tuple(Finding.from_json(finding) for finding in result["findings"]),
        )

    def forget(self) -> None:
        """Take what the latest build made out of the work."""
        stale = {path: None for path in self._work.snapshot.files if covered(path, self._derived)}
        self._work.merge(stale, {})
        for label in self._work.built:
            del self._work.artifacts[label]
        self._work.built = ()

    @property
    def _derived(self) -> tuple[str, ...]:
        return tuple(output.path for output in self._work.composition.content.capability.owns if output.derived)

    @property
    def _required(self) -> tuple[str, ...]:
        owns = self._work.composition.content.capability.owns
        return tuple(output.path for output in owns if output.derived and output.required)

    async def _perform(self, draft: int) -> Done:
        earlier = next((r for trace, r in reversed(self._built) if self._holds(trace)), None)
        result = earlier or await self._build()
        event = DeliverableBuilt(
            draft=draft,
            outputs=tuple(result["delta"]),
            artifacts=tuple(result["artifacts"]),
            unchanged=earlier is not None,
            failed=result["reason"] or "; ".join(finding["message"] for finding in result["findings"]),
        )
        return Done(result=result, happened=(event,))

    def _holds(self, trace: Trace) -> bool:
        return trace.holds(self._work.snapshot, self._work.artifacts)

    async def _build(self) -> Json:
        trace = Trace()
        outcome = await self._outcome(trace)
        return {
            "status": outcome.status,
            "reason": outcome.reason,
            "findings": [finding.as_json() for finding in outcome.findings],
            "delta": delta_as_json(outcome.files or {}),
            "artifacts": {label: a.as_json() for label, a in sorted((outcome.artifacts or {}).items())},
            "trace": trace.as_json(),
        }

    async def _outcome(self, trace: Trace) -> _Outcome:
        """A fault of the source fails the build; a fault of the machine is an error, never charged to the writer."""
        build = self._work.composition.content.capability.build
        if build is None:
            return _Outcome(status="not_applicable", reason="nothing is derived")
        scope = build_scope(self._work, trace)
        ended = await contained(lambda: build(scope), seconds=BUILD_SECONDS, kept=self._work.ports.processes)
        if ended.overdue:
            return _Outcome(status="errored", reason=f"the build was stopped after {BUILD_SECONDS:g} s")
        if ended.left:
            return _Outcome(status="errored", reason=f"the build left processes running: {', '.join(ended.left)}")
        if ended.raised is not None:
            return self._broken(ended.raised)
        try:
            return await self._accepted(ended.value, scope)
        except StorageFailed:
            raise
        except Exception as error:  # noqa: BLE001 - what a build returned may do anything when it is looked at
            return _Outcome(status="errored", reason=shortened(f"the build is misshapen: {told(error)}"))

    def _broken(self, error: BaseException) -> _Outcome:
        if isinstance(error, CompileFailed):
            return self._failed(error.reason, error.line)
        if isinstance(error, PortError | EnvironmentUnfit):
            return _Outcome(status="errored", reason=str(error))
        if isinstance(error, TimeoutError) or not isinstance(error, Exception):
            return _Outcome(status="errored", reason=told(error))
        return self._failed(without_machine(told(error)))

    def _failed(self, reason: str, line: int | None = None) -> _Outcome:
        finding = Finding(
            code="build-failed",
            severity="blocking",
            message=f"the deliverable could not be built: {reason[:600]}",
            where=Where(of=self._work.composition.written[0], line=line),
            remedy="correct the source at this place",
        )
        return _Outcome(status="failed", findings=(finding,))

    async def _accepted(self, built: object, scope: BuildScope) -> _Outcome:
        if not isinstance(built, Built):
            return _Outcome(status="errored", reason=f"the build returned {type(built).__name__}, not Built")
        refuse_unsound(built.artifacts, scope.stored)
        if fault := findings_fault(built.findings):
            return _Outcome(status="errored", reason=f"the build is misshapen: {fault}")
        canonical([finding.as_json() for finding in built.findings])  # what cannot be recorded is no finding
        foreign = sorted(path for path in built.outputs if not covered(path, self._derived))
        if foreign:
            return _Outcome(status="errored", reason=f"the build made {', '.join(foreign)}, which is not derived")
        if any(finding.severity == "blocking" for finding in built.findings):
            return _Outcome(status="failed", findings=built.findings)
        unmade = sorted(path for path in self._required if not any(covers(path, made) for made in built.outputs))
        if unmade:
            return _Outcome(status="errored", reason=f"the build did not make {', '.join(unmade)}")
        files: dict[str, Entry] = {}
        for path, content in sorted(built.outputs.items()):
            data = content.encode("utf-8", "replace") if isinstance(content, str) else content
            files[path] = Entry(sha256=await self._work.blobs.put(data), size=len(data))
        return _Outcome(status="passed", findings=built.findings, files=files, artifacts=dict(built.artifacts))

    def _take_up(self, result: Json) -> None:
        made = {label: Artifact.from_json(artifact) for label, artifact in result["artifacts"].items()}
        self._work.merge(delta_from_json(result["delta"]), made)
        self._work.built = tuple(made)
