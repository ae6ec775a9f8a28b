"""The same declaration in another order of listing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import TypeVar

from compositor.agents import Agent
from compositor.capabilities import Capability, Reads, Scope, Tool, Verifier

Item = TypeVar("Item")


def relisted(agent: Agent, random: Random) -> Agent:
    """The agent with everything that is a list shuffled, down to the labels of a verifier."""

    def mixed(items: Sequence[Item]) -> tuple[Item, ...]:
        return tuple(random.sample(items, len(items)))

    def tool(one: Tool) -> Tool:
        return replace(one, reads=mixed(one.reads), writes=mixed(one.writes), makes=mixed(one.makes))

    def verifier(one: Verifier) -> Verifier:
        scope = Scope(fields=mixed(one.reads.fields), files=mixed(one.reads.files), labels=mixed(one.reads.labels))
        return replace(one, reads=scope, tools=mixed([tool(inner) for inner in one.tools]))

    known: dict[int, Capability] = {}

    def capability(one: Capability) -> Capability:
        if id(one) not in known:
            known[id(one)] = replace(
                one,
                reads=Reads(required=mixed(one.reads.required), optional=mixed(one.reads.optional)),
                requires=mixed(one.requires),
                excludes=mixed(one.excludes),
                owns=mixed(one.owns),
                tools=mixed([tool(inner) for inner in one.tools]),
                verifiers=mixed([verifier(inner) for inner in one.verifiers]),
                ports=mixed(one.ports),
                files=lambda view: dict(mixed(tuple(one.files(view).items()))),
            )
        return known[id(one)]

    return replace(
        agent,
        content=capability(agent.content),
        always=mixed([capability(one) for one in agent.always]),
        when=mixed([replace(when, capability=capability(when.capability)) for when in agent.when]),
        withholds=mixed(agent.withholds),
        modes=mixed([mode if mode.tools is None else replace(mode, tools=mixed(mode.tools)) for mode in agent.modes]),
    )
