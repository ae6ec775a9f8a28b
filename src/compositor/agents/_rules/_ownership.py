"""Which file belongs to whom: one owner per output, nothing unowned, nothing unbuilt, nothing unverified."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from compositor.agents._assembly import Assembly, Member
from compositor.authoring import Capability
from compositor.errors import PathRefused, Problem
from compositor.workspace import Output, checked_path, covers, overlap, overlaps


def outputs_disjoint(assembly: Assembly) -> Iterator[Problem]:
    """`output-collision`: after NFC and case-folding, parent folders included; a path that is refused counts too."""
    claims = sorted((output.path, member.name) for member in assembly.distinct for output in member.capability.owns)
    for (path, name), (other_path, other) in combinations(claims, 2):
        if overlap(path, other_path):
            owners = sorted({name, other})
            what = f"{path!r} and {other_path!r} are one output to some systems; claimed by {' and '.join(owners)}"
            yield _output_collision(path, owners, what)
    for path, name in claims:
        if reason := _refusal(path.removesuffix("/")):
            yield _output_collision(path, [name], f"the output {path!r} of {name} is refused: {reason}")


def _output_collision(path: str, owners: list[str], message: str) -> Problem:
    return Problem(
        code="output-collision",
        message=message,
        where=path,
        concerns=tuple(owners),
        cure="let one capability own it, under a plain relative path, and let the others read it",
    )


def given_files_disjoint(assembly: Assembly) -> Iterator[Problem]:
    """`file-collision`: two laid on one path or one inside the other, on another's output, or no plain path at all."""
    laid = sorted((path, member.name) for member in assembly.distinct for path in member.files)
    for (path, name), (other_path, other) in combinations(laid, 2):
        if overlap(path, other_path):
            where = f"and {other_path!r} cannot both be there; laid by {' and '.join(sorted({name, other}))}"
            yield _file_collision(path, {name, other}, where)
    for path, name in laid:
        if reason := _refusal(path):
            yield _file_collision(path, {name}, f"of {name} is refused: {reason}")
        for owner in _owners_of(assembly, path):
            if owner.name != name:
                yield _file_collision(path, {name, owner.name}, f"of {name} stands where {owner.name} has its output")


def _file_collision(path: str, owners: set[str], what: str) -> Problem:
    return Problem(
        code="file-collision",
        message=f"the given file {path!r} {what}",
        where=path,
        concerns=tuple(sorted(owners)),
        cure="lay it into a folder named after the capability",
    )


def _refusal(path: str) -> str:
    try:
        checked_path(path)
    except PathRefused as error:
        return error.reason
    return ""


def writes_owned(assembly: Assembly) -> Iterator[Problem]:
    """`unowned-output`: a tool may write only what its own capability owns as written."""
    for entry in assembly.tools:
        for pattern in entry.writes:
            if any(covers(owned, pattern) for owned in entry.owner.written):
                continue
            owners = {owner.name for owner in _owners_of(assembly, pattern)}
            whose = "not its own as written" if owners == {entry.owner.name} else _belonging(owners)
            yield Problem(
                code="unowned-output",
                message=f"{entry.name} of {entry.owner.name} writes {pattern!r}, which is {whose}",
                where=pattern,
                concerns=tuple(sorted({entry.owner.name, *owners})),
                cure=f"declare it in `owns` of {entry.owner.name} as written, or let the tool write something else",
            )


def _belonging(owners: set[str]) -> str:
    return f"owned by {' and '.join(sorted(owners)) or 'nobody'}"


def _owners_of(assembly: Assembly, pattern: str) -> tuple[Member, ...]:
    return tuple(member for member in assembly.distinct if overlaps((pattern,), member.owned))


def derived_built(assembly: Assembly) -> Iterator[Problem]:
    """`unbuilt-output`: the content capability's build is the only one that is run."""
    for member in assembly.members:
        is_content = member.capability.kind == "content"
        for output in member.capability.owns:
            if output.derived and (member.capability.build is None or not is_content):
                why = "has no build" if is_content else "is no content capability, so nothing is built for it"
                yield Problem(
                    code="unbuilt-output",
                    message=f"{member.name} derives {output.path!r} and {why}",
                    where=output.path,
                    concerns=(member.name,),
                    cure="give the content capability a `build`, or let tools write the output",
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
            if not overlaps((output.path,), measured):
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
