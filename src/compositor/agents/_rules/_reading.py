"""What may be seen of the request: known fields only, and nothing required is withheld."""

from __future__ import annotations

from collections.abc import Iterator

from compositor.agents._assembly import Assembly
from compositor.errors import Problem
from compositor.workspace import within_field
from compositor.workspace.request import is_field


def required_not_withheld(assembly: Assembly) -> Iterator[Problem]:
    """`withheld-read`. Optional fields that are withheld are narrowed and printed, which is no problem."""
    for member in assembly.members:
        for name in member.capability.reads.required:
            for hidden in assembly.agent.withholds:
                if within_field(name, hidden) or within_field(hidden, name):
                    yield Problem(
                        code="withheld-read",
                        message=f"{member.name} requires {name!r}, and {assembly.agent.name!r} withholds {hidden!r}",
                        where=name,
                        concerns=(member.name,),
                        cure="make the field optional in `reads`, or do not withhold it",
                    )


def fields_known(assembly: Assembly) -> Iterator[Problem]:
    """`unknown-field`: no request has it, or a verifier reads what its capability does not."""
    for member in assembly.members:
        capability = member.capability
        checked = {name for verifier in capability.verifiers for name in verifier.reads.fields}
        for name in sorted({*capability.reads.all, *checked}):
            if not is_field(name):
                yield _unknown(name, f"{member.name} reads", (member.name,))
            elif not any(within_field(name, own) or within_field(own, name) for own in capability.reads.all):
                yield _undeclared(name, member.name)
    for name in assembly.agent.withholds:
        if not is_field(name):
            yield _unknown(name, f"{assembly.agent.name!r} withholds", ())
    for when in assembly.agent.when:
        if not is_field(when.asks.field):
            yield _unknown(when.asks.field, f"{when.capability.name} is asked for by", (when.capability.name,))


def _unknown(name: str, who: str, concerns: tuple[str, ...]) -> Problem:
    return Problem(
        code="unknown-field",
        message=f"{who} {name!r}, which no request has",
        where=name,
        concerns=concerns,
        cure="`compositor request schema` lists the fields; a capability's own go under extensions.<name>",
    )


def _undeclared(name: str, owner: str) -> Problem:
    return Problem(
        code="unknown-field",
        message=f"a verifier of {owner} reads {name!r}, which {owner} itself does not; it would always be absent",
        where=name,
        concerns=(owner,),
        cure=f"add it to `reads` of {owner}",
    )


READING_RULES = (required_not_withheld, fields_known)
