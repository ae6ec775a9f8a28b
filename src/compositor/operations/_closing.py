"""Closing an operation: the result document, the version, and the one transaction that saves both."""

from __future__ import annotations

import mimetypes
from collections.abc import Container, Mapping, Sequence

from compositor.operations._opening import Opened
from compositor.operations._result import NotChecked, Result, ResultArtifact, SavedVersion, Usage
from compositor.runtime import Clock, Closing, Effect, Journal, Outcome, StopReason, Store, Version, Work, put_json
from compositor.runtime.events import OperationEnded
from compositor.verifiers import Verdict
from compositor.workspace import DISCLOSURE, RENDER, Artifact, covered

UNRESOLVABLE = "https://assets.invalid/"
"""The default of `delivery.asset_base_url`: it never resolves (RFC 2606), so nothing can be fetched by mistake."""

EVIDENCE = "evidence/"
"""The folder of an output folder that holds artifacts which are neither outputs nor pictures of them."""


async def close_operation(opened: Opened, outcome: Outcome, journal: Journal, store: Store, key: str) -> Result:
    """Save what the outcome allows, and end the operation.

    Args:
        opened: the operation.
        outcome: what it came to.
        journal: of the operation.
        store: of the operation.
        key: of the commit effect: another one each time that the operation is evaluated again.
    """
    work = opened.work
    version = await _version(opened, outcome, store, journal.clock) if outcome.ended.saves else None
    result = _result(opened, outcome, version, journal.seconds)
    document = result.model_dump(mode="json")
    closing = Closing(
        effect=Effect(
            key=key,
            name="commit_version",
            arguments={"draft": outcome.evaluation.draft, "status": outcome.ended.status},
            result={"version": version.id if version else None},
        ),
        result=await put_json(work.blobs, document),
        status=outcome.ended.status,
        version=version,
    )
    happened = OperationEnded(
        status=outcome.ended.status,
        verification=outcome.ended.verification,
        ending=outcome.ended.ending,
        version=version.id if version else None,
        warnings=result.warnings,
    )
    await journal.close(closing, (happened,))
    return result


async def _version(opened: Opened, outcome: Outcome, store: Store, clock: Clock) -> Version:
    work, record = opened.work, opened.record
    head = await store.head(record.document)
    return Version(
        document=record.document,
        number=head.number + 1 if head else 1,
        parent=head.number if head else None,
        operation=record.id,
        snapshot=await put_json(work.blobs, work.snapshot.as_json()),
        artifacts=await put_json(work.blobs, {name: a.as_json() for name, a in sorted(work.artifacts.items())}),
        verification=outcome.ended.verification,
        isolation=opened.isolation,
        saved_at=clock.now().isoformat(timespec="milliseconds"),
    )


def _result(opened: Opened, outcome: Outcome, version: Version | None, seconds: float) -> Result:
    composition = opened.work.composition
    verdicts = outcome.evaluation.verdicts
    return Result(
        operation=opened.record.id,
        content=opened.record.content,
        composition=composition.digest,
        adapter=opened.models["writer"].name,
        policy=composition.completion,
        status=outcome.ended.status,
        verification=outcome.ended.verification,
        ending=outcome.ended.ending,
        summary=_summary(opened, outcome),
        version=_saved(version) if version else None,
        artifacts=artifacts_of(opened.work),
        reports=tuple(verdict.as_json() for verdict in verdicts),
        warnings=_warnings(opened, outcome),
        unfinished=_unfinished(outcome),
        not_checked=not_checked(verdicts),
        usage=Usage(**outcome.spending.as_json()),
        cost=outcome.spending.cost,
        seconds=round(seconds, 3),
    )


def _saved(version: Version) -> SavedVersion:
    return SavedVersion.model_validate(
        {
            "document": version.document,
            "number": version.number,
            "parent": version.parent,
            "id": version.id,
            "isolation": version.isolation,
        }
    )


def artifacts_of(work: Work) -> tuple[ResultArtifact, ...]:
    """Outputs under their own paths, pictures of the deliverable as `NAME.png`, other artifacts as evidence."""
    owned = work.composition.content.owned
    outputs = [
        ResultArtifact(label=path, path=path, media_type=_media_type(path), sha256=entry.sha256)
        for path, entry in sorted(work.snapshot.files.items())
        if covered(path, owned)
    ]
    taken = {output.path for output in outputs}
    labelled = [
        ResultArtifact(
            label=label,
            path=place_of(label, artifact.media_type, taken),
            media_type=artifact.media_type,
            sha256=artifact.sha256,
        )
        for label, artifact in sorted(work.artifacts.items())
    ]
    return (*outputs, *labelled)


def _media_type(path: str) -> str:
    return mimetypes.guess_type(path)[0] or "text/plain"


def place_of(label: str, media_type: str, taken: Container[str]) -> str:
    """Where an artifact lies in an output folder, beside the outputs, whose paths are taken."""
    suffix = mimetypes.guess_extension(media_type) or ""
    name = f"{label.removeprefix(RENDER)}{suffix}"
    return name if label.startswith(RENDER) and name not in taken else f"{EVIDENCE}{label}{suffix}"


def not_checked(verdicts: Sequence[Verdict]) -> tuple[NotChecked, ...]:
    """Every check that gave no answer."""
    open_ones = (verdict for verdict in verdicts if verdict.status in {"skipped", "inconclusive", "errored"})
    return tuple(
        NotChecked(check=v.verifier, reason=f"{v.status}: {v.reason}" if v.reason else v.status) for v in open_ones
    )


def _warnings(opened: Opened, outcome: Outcome) -> tuple[str, ...]:
    warnings = [adapter.disclosure for _, adapter in sorted(opened.models.items()) if adapter.disclosure]
    if opened.isolation in {"closed", "none"}:
        warnings.append(isolation_warning(opened.isolation))
    made = _disclosed(opened.work.artifacts)
    warnings += made
    if (opened.request.assets or made) and opened.request.delivery.asset_base_url == UNRESOLVABLE:
        warnings.append(f"Pictures are addressed under {UNRESOLVABLE}; set delivery.asset_base_url before you publish.")
    if outcome.ended.verification != "passed":
        warnings.append(f"This is a draft: its verification is {outcome.ended.verification}.")
    return tuple(dict.fromkeys(warnings))


def _disclosed(artifacts: Mapping[str, Artifact]) -> list[str]:
    """What a person must know of how things were made, in the order of their labels."""
    facts = (artifact.facts.get(DISCLOSURE) for _, artifact in sorted(artifacts.items()))
    return [str(words) for words in facts if words]


def isolation_warning(level: str) -> str:
    """What a person must know of a render outside the jail."""
    return f"Rendered at isolation level {level!r}: there was no jail. `compositor doctor --install` provides one."


STOPPED: Mapping[StopReason, str] = {
    "no-progress": "the writer repeated the same calls on unchanged work",
    "errored": "the writer's model gave no usable reply",
}
"""Why the writer did not come to its end, in words; a spent budget has its own."""


def _unfinished(outcome: Outcome) -> tuple[str, ...]:
    findings = [f"{finding.where}: {finding.message}" for finding in outcome.evaluation.blocking]
    limit = [f"the budget of {outcome.limit} was spent"] if outcome.limit else []
    stopped = [STOPPED[outcome.stop]] if outcome.stop in STOPPED else []
    return (*findings, *outcome.unfinished, *limit, *stopped)


def _summary(opened: Opened, outcome: Outcome) -> str:
    proven: dict[str, str] = {
        "passed": "verified",
        "failed": "with faults that stand in its reports",
        "errored": "not verified, because a check broke down",
        "unresolved": "measured, and not judged" if _measured(outcome) else "not verified",
    }
    what = f"{opened.record.content} “{opened.request.brief.name}”"
    return f"{what}: {outcome.ended.status}, {proven[outcome.ended.verification]}."


def _measured(outcome: Outcome) -> bool:
    return all(v.status in {"passed", "not_applicable"} for v in outcome.evaluation.verdicts if v.kind == "measurement")
