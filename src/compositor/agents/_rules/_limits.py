"""Limits: a mode and a request may only tighten, budgets make sense, and the prompt fits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compositor._values import Json, canonical
from compositor.agents._agent import Budget
from compositor.agents._assembly import Assembly
from compositor.errors import Problem
from compositor.tools import Tool

MAX_PROMPT_BYTES = 240_000
"""Instructions and tool descriptions, UTF-8. House limit: about 60,000 tokens, under half of the smallest context window
(128,000) of the models in use, so that pictures and history have room."""

AT_LEAST = {"steps": 1, "rejections": 0, "judge_steps": 1, "tokens": 1, "cost": 0.0, "seconds": 0.001}


def mode_narrows(assembly: Assembly) -> Iterator[Problem]:
    """`unknown-mode`, `mode-widens`, `unknown-mode-tool`; of every mode that the agent declares, and the one that is named."""
    if assembly.mode_name is not None and assembly.mode is None:
        known = sorted({mode.name for mode in assembly.agent.modes} | {"review"})
        yield Problem(
            code="unknown-mode",
            message=f"{assembly.agent.name!r} has no mode {assembly.mode_name!r}",
            where=assembly.mode_name,
            cure=f"use one of: {', '.join(known)}",
        )
    judges = _judges_tools(assembly)
    present = {entry.name for entry in assembly.tools}
    conditional = {tool.name for when in assembly.agent.when for tool in when.capability.tools}
    for mode in assembly.agent.modes:
        for name in mode.tools or ():
            if name in judges:
                yield _widens(mode.name, f"shows the writer {name}, a tool of the judge of {judges[name]}", (judges[name],))
            elif name not in present | conditional:
                yield Problem(
                    code="unknown-mode-tool",
                    message=f"the mode {mode.name!r} keeps {name}, which nobody registers",
                    where=mode.name,
                    concerns=tuple(sorted(member.name for member in assembly.members)),
                    cure="correct the name; a mode can only keep what is in the roster",
                )
        for name, limit in mode.budget.items():
            mine = getattr(assembly.agent.budget, name, None)
            if mine is not None and limit is not None and limit > mine:
                yield _widens(mode.name, f"allows {limit} {name} where the agent allows {mine}", ())


def _judges_tools(assembly: Assembly) -> dict[str, str]:
    return {
        tool.name: member.name
        for member in assembly.members
        for verifier in member.capability.verifiers
        for tool in verifier.tools
    }


def _widens(mode: str, what: str, concerns: tuple[str, ...]) -> Problem:
    return Problem(
        code="mode-widens",
        message=f"the mode {mode!r} {what}",
        where=mode,
        concerns=concerns,
        cure="a mode can only remove; take this out of it",
    )


def budgets_make_sense(assembly: Assembly) -> Iterator[Problem]:
    """`budget-invalid`: of the agent, its modes and the request; a request may only tighten."""
    asked = assembly.request.get("policy", {}).get("budgets", {})
    sources = [("the agent", assembly.agent.budget.as_json()), ("the request", asked)]
    sources += [(f"the mode {mode.name!r}", mode.budget) for mode in assembly.agent.modes]
    for who, limits in sources:
        yield from _invalid(who, limits)
    for name, limit in sorted(asked.items()):
        mine = getattr(assembly.agent.budget, name, None)
        if mine is not None and limit is not None and limit > mine:
            yield _budget(f"the request asks for {limit} {name}, the agent allows {mine}", name, "ask for less, or leave it out")


def _invalid(who: str, limits: Mapping[str, Json]) -> Iterator[Problem]:
    for name, limit in sorted(limits.items()):
        if name not in Budget.__slots__:
            yield _budget(f"{who} limits {name!r}, which is no budget", name, f"use: {', '.join(Budget.__slots__)}")
        elif limit is not None and not limit >= AT_LEAST[name]:
            yield _budget(f"{who} sets {name} to {limit}", name, f"use at least {AT_LEAST[name]}")


def _budget(message: str, name: str, cure: str) -> Problem:
    return Problem(code="budget-invalid", message=message, where=f"budget.{name}", cure=cure)


def policy_tightens(assembly: Assembly) -> Iterator[Problem]:
    """`policy-widens`."""
    asked = assembly.request.get("policy", {}).get("completion")
    if asked == "draft_allowed" and assembly.agent.completion == "verified_only":
        yield Problem(
            code="policy-widens",
            message=f"the request allows drafts, {assembly.agent.name!r} saves verified work only",
            where="policy.completion",
            cure="leave the policy out of the request; it may only be tightened",
        )


def prompt_fits(assembly: Assembly) -> Iterator[Problem]:
    """`prompt-too-large`."""
    sizes: dict[str, int] = {}
    for member in assembly.members:
        words = sum(len(paragraph.encode()) for paragraph in member.instructions.paragraphs)
        tools = sum(_described(entry.tool) for entry in assembly.roster if entry.owner is member)
        sizes[member.name] = sizes.get(member.name, 0) + words + tools
    total = sum(sizes.values())
    if total > MAX_PROMPT_BYTES:
        largest = sorted(sizes, key=lambda name: -sizes[name])[:3]
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


LIMIT_RULES = (mode_narrows, budgets_make_sense, policy_tightens, prompt_fits)
