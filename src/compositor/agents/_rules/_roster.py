"""What the writer may call: one tool per name, checkable schemas, and nothing that is the judge's."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from compositor.agents._assembly import Assembly, Member
from compositor.authoring import mentioned_tools
from compositor.errors import Problem
from compositor.tools import Tool, schema_faults
from compositor.workspace import COPY, RENDER, fold, overlap

SUBMIT_VERDICT = "submit_verdict"
"""The closing tool of every judge; no capability may register it."""

MAX_NAME = 64
"""Longest tool name that model APIs take."""


def provider_key(name: str) -> str:
    """The form in which two tool names are one: what model APIs allow is letters, digits, `_` and `-`, 64 at most."""
    return re.sub(r"[^a-z0-9_-]", "_", fold(name))[:MAX_NAME]


def tool_names_unique(assembly: Assembly) -> Iterator[Problem]:
    """`tool-collision`: among the writer's tools, and among those of one judge."""
    yield from _collisions((entry.name, entry.owner.name) for entry in assembly.tools)
    for member in assembly.distinct:
        for verifier in member.capability.verifiers:
            judges = [(tool.name, member.name) for tool in verifier.tools]
            yield from _collisions([*judges, (SUBMIT_VERDICT, "every judge")] if judges else ())


def _collisions(tools: Iterable[tuple[str, str]]) -> Iterator[Problem]:
    """Problems among tools, each with the name of its owner."""
    by_key: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, owner in tools:
        by_key[provider_key(name)].append((name, owner))
    for key, entries in sorted(by_key.items()):
        if len(entries) > 1:
            owners = sorted({owner for _, owner in entries})
            names = sorted({name for name, _ in entries})
            yield Problem(
                code="tool-collision",
                message=f"the tool {' / '.join(names)} is registered by {' and '.join(owners)}",
                where=key,
                concerns=tuple(owner for owner in owners if owner != "every judge"),
                cure="rename the tool in one of them",
            )


def judges_keep_their_tools(assembly: Assembly) -> Iterator[Problem]:
    """`judge-tool-exposed`."""
    judged: dict[str, set[str]] = defaultdict(set)
    for member in assembly.members:
        for verifier in member.capability.verifiers:
            for tool in verifier.tools:
                judged[provider_key(tool.name)].add(member.name)
    for entry in assembly.tools:
        key = provider_key(entry.name)
        if key in judged or key == SUBMIT_VERDICT:
            owners = tuple(sorted({entry.owner.name, *judged.get(key, ())}))
            yield Problem(
                code="judge-tool-exposed",
                message=f"the writer would see {entry.name}, a tool of the judge ({', '.join(owners)})",
                where=entry.name,
                concerns=owners,
                cure="take it out of `tools`, or give the judge's tool another name",
            )


def schemas_checkable(assembly: Assembly) -> Iterator[Problem]:
    """`invalid-tool-schema`."""
    for member in assembly.members:
        judges_tools = (tool for verifier in member.capability.verifiers for tool in verifier.tools)
        for tool in (*member.capability.tools, *judges_tools):
            for fault in _faults(tool):
                yield Problem(
                    code="invalid-tool-schema",
                    message=f"{tool.name} of {member.name}: {fault}",
                    where=tool.name,
                    concerns=(member.name,),
                    cure="use JSON types, and formats and patterns that the validator can check",
                )


def _faults(tool: Tool) -> tuple[str, ...]:
    if not tool.name or provider_key(tool.name) != tool.name:
        return (f"the name must be 1 to {MAX_NAME} lower-case letters, digits, underscores and hyphens",)
    if not tool.about.strip():
        return ("it has no docstring, which is all that a model is told of it",)
    try:
        return schema_faults(tool.schema)
    except TypeError as error:
        return (str(error),)


def labels_unique(assembly: Assembly) -> Iterator[Problem]:
    """`label-collision`: two makers of a label; what a build makes (`copy`, `render/`) is the content capability's."""
    makers = sorted((label, member.name) for member in assembly.members for label in _labels(member))
    for (label, maker), (other_label, other) in combinations(makers, 2):
        if maker != other and overlap(label, other_label):
            yield Problem(
                code="label-collision",
                message=f"{maker} makes {label!r} and {other} makes {other_label!r}",
                where=label,
                concerns=tuple(sorted((maker, other))),
                cure="put the labels of one of them into a folder of its own",
            )


def _labels(member: Member) -> set[str]:
    built = {COPY, RENDER} if member.capability.build is not None else set()
    return built.union(*(tool.makes for tool in member.capability.tools))


def mentions_exist(assembly: Assembly) -> Iterator[Problem]:
    """`instructions-name-absent-tool`. What only the mode removed is no fault: its paragraph is dropped."""
    known = {entry.name for entry in assembly.tools}
    for member in assembly.members:
        for paragraph in member.instructions.paragraphs:
            for name in mentioned_tools(paragraph):
                if name not in known:
                    yield Problem(
                        code="instructions-name-absent-tool",
                        message=f"the instructions of {member.name} tell the writer to call {name}, which nobody has",
                        where=name,
                        concerns=(member.name,),
                        cure="correct the name, or require the capability that registers it",
                    )


ROSTER_RULES = (tool_names_unique, judges_keep_their_tools, schemas_checkable, labels_unique, mentions_exist)
