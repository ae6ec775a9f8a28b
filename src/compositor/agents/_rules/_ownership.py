"""Which file belongs to whom: one owner per output, nothing unowned, nothing unbuilt, nothing unverified."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from compositor.agents._assembly import Assembly, Member
from compositor.authoring import Capability
from compositor.errors import PathRefused, Problem
from compositor.workspace import Output, checked_path, covers, fold, overlap


def outputs_disjoint(assembly: Assembly) -> Iterator[Problem]:
    """`output-collision`: after NFC and case-folding; a parent folder claimed by another counts."""
    claims = [(output.path, member) for member in assembly.members for output in member.capability.owns]
    for (path, member), (other_path, other) in combinations(claims, 2):
        if overlap(path, other_path):
            owners = tuple(sorted({member.name, other.name}))
            first, second = sorted((path, other_path))
            yield Problem(
                code="output-collision",
                message=f"{first!r} and {second!r} are one output to some systems; claimed by {' and '.join(owners)}",
                where=first,
                concerns=owners,
                cure="let one capability own it, and let the other read it",
            )


def given_files_disjoint(assembly: Assembly) -> Iterator[Problem]:
    """`file-collision`: one path laid by two, on another's output, or no plain path at all."""
    laid = [(path, member) for member in assembly.members for path in member.files]
    for (path, member), (other_path, other) in combinations(laid, 2):
        if fold(path) == fold(other_path):
            yield _file_collision(path, member, other, f"is laid by both {member.name} and {other.name}")
    for path, member in laid:
        try:
            checked_path(path)
        except PathRefused as error:
            yield _file_collision(path, member, member, f"of {member.name} is refused: {error.reason}")
        for other in assembly.members:
            if other is not member and any(overlap(path, owned) for owned in other.owned):
                yield _file_collision(path, member, other, f"of {member.name} stands where {other.name} has its output")


def _file_collision(path: str, member: Member, other: Member, what: str) -> Problem:
    return Problem(
        code="file-collision",
        message=f"the given file {path!r} {what}",
        where=path,
        concerns=tuple(sorted({member.name, other.name})),
        cure="lay it into a folder named after the capability",
    )


def writes_owned(assembly: Assembly) -> Iterator[Problem]:
    """`unowned-output`: a tool may write only what its own capability owns as written."""
    for entry in assembly.tools:
        for pattern in entry.writes:
            if any(covers(owned, pattern) for owned in entry.owner.written):
                continue
            owner = _owner_of(assembly, pattern)
            whose = f"belongs to {owner.name}" if owner else "belongs to nobody"
            yield Problem(
                code="unowned-output",
                message=f"{entry.name} of {entry.owner.name} writes {pattern!r}, which {whose}",
                where=pattern,
                concerns=tuple(sorted({entry.owner.name, *((owner.name,) if owner else ())})),
                cure=f"declare it in `owns` of {entry.owner.name} as written, or let the tool write something else",
            )


def _owner_of(assembly: Assembly, pattern: str) -> Member | None:
    return next((m for m in assembly.members if any(overlap(pattern, owned) for owned in m.owned)), None)


def derived_built(assembly: Assembly) -> Iterator[Problem]:
    """`unbuilt-output`."""
    for member in assembly.members:
        for output in member.capability.owns:
            if output.derived and member.capability.build is None:
                yield Problem(
                    code="unbuilt-output",
                    message=f"{member.name} derives {output.path!r} and has no build",
                    where=output.path,
                    concerns=(member.name,),
                    cure="give the capability a `build`, or let its tools write the output",
                )


def deliverable_verified(assembly: Assembly) -> Iterator[Problem]:
    """`unverified-output`: each output of the deliverable is read by a measurement."""
    measured = [
        pattern
        for member in assembly.members
        for verifier in member.capability.verifiers
        if verifier.kind == "measurement"
        for pattern in verifier.reads.files
    ]
    for member in assembly.members:
        for output in _deliverable(member.capability):
            if not any(pattern == "" or overlap(pattern, output.path) for pattern in measured):
                yield Problem(
                    code="unverified-output",
                    message=f"no measurement reads {output.path!r} of {member.name}",
                    where=output.path,
                    concerns=(member.name,),
                    cure="add a measurement verifier that reads it, or do not deliver it",
                )


def _deliverable(capability: Capability) -> tuple[Output, ...]:
    return capability.owns if capability.kind == "content" else ()


OWNERSHIP_RULES = (outputs_disjoint, given_files_disjoint, writes_owned, derived_built, deliverable_verified)
