"""A case: a control with the edits of a fault made in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from compositor._values import Json, sha256
from compositor.authoring import BuildContext, Built, Capability
from compositor.errors import Problem
from compositor.operations._accuracy._corpus import Control, CorpusFaulty, Fault, Grow, Merge, Replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is put before measurements.

    Attributes:
        name: of the control, or of the fault.
        request: as a caller would send it.
        files: beside the request, and the written outputs.
        late: edits of outputs that are derived first.
    """

    name: str
    request: Mapping[str, Json]
    files: Mapping[str, bytes]
    late: tuple[Replace, ...] = ()


def clean(control: Control) -> Case:
    """The control as it is."""
    return Case(name=control.name, request=control.request, files=control.files)


def planted(control: Control, fault: Fault) -> Case:
    """The control with the fault in it.

    Raises:
        CorpusFaulty: what is to be changed does not stand there.
    """
    request: Json = control.request
    files: dict[str, bytes] = dict(control.files)
    late: list[Replace] = []
    for edit in fault.edits:
        if isinstance(edit, Merge):
            request = merged(request, edit.request)
        elif isinstance(edit, Grow):
            files = _grown(files, edit, fault.id)
        elif edit.file in files:
            files[edit.file] = _replaced(files[edit.file], edit, fault.id)
        else:
            late.append(edit)
    return Case(name=fault.id, request=request, files=files, late=tuple(late))


def _grown(files: Mapping[str, bytes], edit: Grow, name: str) -> dict[str, bytes]:
    """The files with one of them grown; whoever names it by its digest names the new one."""
    if edit.file not in files:
        raise _faulty(name, f"there is no {edit.file} beside the request")
    before = files[edit.file]
    after = before.ljust(edit.grow_to, b"\0")
    old, new = sha256(before).encode(), sha256(after).encode()
    return {path: after if path == edit.file else data.replace(old, new) for path, data in files.items()}


def with_late_edits(capability: Capability, case: Case) -> Capability:
    """A content capability whose build is followed by the edits of derived outputs."""
    build = capability.build
    if not case.late or build is None:
        return capability

    async def then_edited(ctx: BuildContext) -> Built:
        built = await build(ctx)
        outputs = {
            path: content.encode() if isinstance(content, str) else content for path, content in built.outputs.items()
        }
        for edit in case.late:
            outputs[edit.file] = _replaced(outputs.get(edit.file, b""), edit, case.name)
        return replace(built, outputs=outputs)

    return replace(capability, build=then_edited)


def merged(target: Json, patch: Json) -> Json:
    """The target with a merge patch applied (RFC 7396)."""
    if not isinstance(patch, Mapping):
        return patch
    result = dict(target) if isinstance(target, Mapping) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result


def _replaced(data: bytes, edit: Replace, name: str) -> bytes:
    find, put = edit.find.encode(), edit.put.encode() * edit.times
    if not find:
        return put
    if find not in data:
        raise _faulty(name, f"{edit.find[:80]!r} does not stand in {edit.file}")
    return data.replace(find, put, 1)


def _faulty(name: str, what: str) -> CorpusFaulty:
    cure = "plant the faults anew, or correct this one"
    return CorpusFaulty(name, [Problem(code="faulty-corpus", message=what, where=name, cure=cure)])
