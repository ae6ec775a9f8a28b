"""Who may be together: one content capability, requirements present, no exclusions, no name twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compositor.agents._assembly import Assembly
from compositor.errors import Problem
from compositor.workspace import PORT_NAMES


def exactly_one_content(assembly: Assembly) -> Iterator[Problem]:
    """`no-content`, `many-content`."""
    content = sorted(member.name for member in assembly.members if member.capability.kind == "content")
    if not content:
        names = tuple(sorted(member.name for member in assembly.members))
        yield Problem(
            code="no-content",
            message=f"no capability of {assembly.agent.name!r} owns the deliverable; it has {', '.join(names)}",
            concerns=names,
            cure="give the agent one capability with kind='content'",
        )
    if len(content) > 1:
        yield Problem(
            code="many-content",
            message=f"{len(content)} capabilities want to own the deliverable: {', '.join(content)}",
            concerns=tuple(content),
            cure="keep one of them, and make the others support capabilities",
        )


def requirements_present(assembly: Assembly) -> Iterator[Problem]:
    """`missing-requirement`: of another capability, or of a port that there is not."""
    present = {member.name for member in assembly.members}
    for member in assembly.members:
        for name in sorted(set(member.capability.requires) - present):
            yield Problem(
                code="missing-requirement",
                message=f"{member.name} requires {name}, which is not in",
                concerns=tuple(sorted((member.name, name))),
                cure=f"add {name} to the agent, or take {member.name} out",
            )
        for port in sorted(set(member.capability.ports) - set(PORT_NAMES)):
            yield Problem(
                code="missing-requirement",
                message=f"{member.name} requires the port {port!r}, which nobody offers",
                where=port,
                concerns=(member.name,),
                cure=f"use one of: {', '.join(PORT_NAMES)}",
            )


def exclusions_respected(assembly: Assembly) -> Iterator[Problem]:
    """`excluded-together`."""
    present = {member.name for member in assembly.members}
    for member in assembly.members:
        for name in sorted(set(member.capability.excludes) & present - {member.name}):
            pair = tuple(sorted((member.name, name)))
            yield Problem(
                code="excluded-together",
                message=f"{pair[0]} and {pair[1]} exclude each other",
                concerns=pair,
                cure="keep one of the two",
            )


def names_unique(assembly: Assembly) -> Iterator[Problem]:
    """`duplicate-capability`."""
    for name, count in sorted(Counter(member.name for member in assembly.members).items()):
        if count > 1:
            yield Problem(
                code="duplicate-capability",
                message=f"{name} is in {count} times",
                concerns=(name,),
                cure="list it once: in `always`, or in `when`, or as `content`",
            )


HOST_REPORTS = frozenset({"outputs", "build"})
"""Names of the host's own reports."""


def verifiers_unique(assembly: Assembly) -> Iterator[Problem]:
    """`verifier-collision`: a report is known by its verifier's name."""
    owners: dict[str, list[str]] = {}
    for member in assembly.distinct:
        for verifier in member.capability.verifiers:
            owners.setdefault(verifier.name, []).append(member.name)
    for name, names in sorted(owners.items()):
        if len(names) > 1 or name in HOST_REPORTS:
            others = sorted(set(names)) + (["the host"] if name in HOST_REPORTS else [])
            yield Problem(
                code="verifier-collision",
                message=f"the verifier {name} is brought by {' and '.join(others)}",
                where=name,
                concerns=tuple(sorted(set(names))),
                cure="rename it in one of them",
            )


def functions_sound(assembly: Assembly) -> Iterator[Problem]:
    """`capability-failed`."""
    for member in assembly.members:
        yield from member.faults


MEMBERSHIP_RULES = (
    exactly_one_content,
    requirements_present,
    exclusions_respected,
    names_unique,
    verifiers_unique,
    functions_sound,
)
