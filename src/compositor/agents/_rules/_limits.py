"""Limits: a mode and a request may only tighten, budgets make sense, and the prompt fits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from compositor._values import Json, canonical
from compositor.agents._agent import Budget, is_number
from compositor.agents._assembly import Assembly
from compositor.errors import Problem
from compositor.tools import Tool
from compositor.workspace import field_value

MAX_PROMPT_BYTES = 240_000
"""Instructions and tool descriptions, UTF-8. House limit: about 60,000 tokens, under half of the smallest context
window (128,000) of the models in use, so that pictures and history have room."""

AT_LEAST = {"steps": 1, "rejections": 0, "judge_steps": 1, "tokens": 1, "cost": 0, "seconds": 0.001}
"""The smallest limit of each kind that makes sense."""
COUNTED = frozenset({"steps", "rejections", "judge_steps", "tokens"})
"""Limits that are whole numbers."""


def mode_named(assembly: Assembly) -> Iterator[Problem]:
    """`unknown-mode`."""
    if assembly.mode_name is not None and assembly.mode is None:
        yield Problem(
            code="unknown-mode",
            message=f"{assembly.agent.name!r} has no mode {assembly.mode_name!r}",
            where=assembly.mode_name,
            cure=f"use one of: {', '.join(mode.name for mode in assembly.agent.all_modes)}",
        )


def modes_narrow(assembly: Assembly) -> Iterator[Problem]:
    """`mode-widens`, `unknown-mode-tool`; of every mode that the agent declares, named or not."""
    judges = _judges_tools(assembly)
    known = {entry.name for entry in assembly.tools}
    known |= {tool.name for when in assembly.agent.when for tool in when.capability.tools}
    for mode in assembly.agent.modes:
        for name in mode.tools or ():
            if name in judges:
                owners = tuple(sorted(judges[name]))
                yield _widens(mode.name, f"shows the writer {name}, a tool of the judge of {', '.join(owners)}", owners)
            elif name not in known:
                yield Problem(
                    code="unknown-mode-tool",
                    message=f"the mode {mode.name!r} keeps {name}, which nobody registers",
                    where=mode.name,
                    concerns=tuple(sorted({member.name for member in assembly.members})),
                    cure="correct the name; a mode can only keep what is in the roster",
                )
        for name, limit, mine in _loosened(assembly.agent.budget, mode.budget):
            yield _widens(mode.name, f"allows {limit} {name} where the agent allows {mine}", ())


def _judges_tools(assembly: Assembly) -> Mapping[str, set[str]]:
    owners: dict[str, set[str]] = {}
    for member in assembly.members:
        for verifier in member.capability.verifiers:
            for tool in verifier.tools:
                owners.setdefault(tool.name, set()).add(member.name)
    return owners


def _widens(mode: str, what: str, concerns: tuple[str, ...]) -> Problem:
    return Problem(
        code="mode-widens",
        message=f"the mode {mode!r} {what}",
        where=mode,
        concerns=concerns,
        cure="a mode can only remove; take this out of it",
    )


def _loosened(budget: Budget, limits: Mapping[str, Json]) -> Iterator[tuple[str, Json, Json]]:
    """Each limit above the budget's own: its name, the limit, and the budget's."""
    for name, mine in budget.as_json().items():
        limit = limits.get(name)
        if is_number(limit) and is_number(mine) and limit > mine:
            yield name, limit, mine


def budgets_make_sense(assembly: Assembly) -> Iterator[Problem]:
    """`budget-invalid`: of the agent, its modes and the request; a request may only tighten."""
    own = assembly.agent.budget
    asked = field_value(assembly.request, "policy.budgets") or {}
    yield from _invalid("the agent", own.as_json())
    yield from _invalid("the request", asked)
    for mode in assembly.agent.modes:
        yield from _invalid(f"the mode {mode.name!r}", mode.budget)
    for name, limit, mine in _loosened(own, asked):
        message = f"the request asks for {limit} {name}, the agent allows {mine}"
        yield _budget(message, name, "ask for less, or leave it out")


def _invalid(who: str, limits: Mapping[str, Json]) -> Iterator[Problem]:
    for name, limit in limits.items():
        if name not in AT_LEAST:
            yield _budget(f"{who} limits {name!r}, which is no budget", name, f"use: {', '.join(AT_LEAST)}")
        elif limit is not None and not _makes_sense(name, limit):
            whole = "a whole number of " if name in COUNTED else ""
            yield _budget(f"{who} sets {name} to {limit!r}", name, f"use {whole}at least {AT_LEAST[name]}")


def _makes_sense(name: str, limit: Json) -> bool:
    return is_number(limit) and limit >= AT_LEAST[name] and (name not in COUNTED or limit == int(limit))


def _budget(message: str, name: str, cure: str) -> Problem:
    return Problem(code="budget-invalid", message=message, where=f"budget.{name}", cure=cure)


def policy_tightens(assembly: Assembly) -> Iterator[Problem]:
    """`policy-widens`."""
    asked = field_value(assembly.request, "policy.completion")
    if asked == "draft_allowed" and assembly.agent.completion == "verified_only":
        yield Problem(
            code="policy-widens",
            message=f"the request allows drafts, {assembly.agent.name!r} saves verified work only",
            where="policy.completion",
            cure="leave the policy out of the request; it may only be tightened",
        )


def prompt_fits(assembly: Assembly) -> Iterator[Problem]:
    """`prompt-too-large`."""
    sizes: Counter[str] = Counter()
    for member in assembly.members:
        sizes[member.name] += sum(len(paragraph.encode()) for paragraph in member.instructions.paragraphs)
    for entry in assembly.roster:
        sizes[entry.owner.name] += _described(entry.tool)
    total = sum(sizes.values())
    if total > MAX_PROMPT_BYTES:
        largest = sorted(sizes, key=lambda name: (-sizes[name], name))[:3]
        yield Problem(
            code="prompt-too-large",
            message=f"instructions and tools take {total:,} bytes; the limit is {MAX_PROMPT_BYTES:,}. "
            f"Largest: {', '.join(f'{name} ({sizes[name]:,})' for name in largest)}",
            concerns=tuple(sorted(name for name in sizes if sizes[name])),
            cure="move long texts into given files, which the writer reads when it needs them",
        )


def _described(tool: Tool) -> int:
    try:
        return len(tool.about.encode()) + len(canonical(tool.schema))
    except TypeError:  # reported as invalid-tool-schema
        return 0


LIMIT_RULES = (mode_named, modes_narrow, budgets_make_sense, policy_tightens, prompt_fits)
