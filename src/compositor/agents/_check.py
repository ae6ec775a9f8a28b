"""Every composition that an agent can come to, composed: what CI runs, without a model, a browser or a network."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compositor._values import Json
from compositor.agents._agent import Agent
from compositor.agents._compose import compose
from compositor.errors import CompositionError, Problem
from compositor.workspace import field_value
from compositor.workspace.request import SCHEMA_VERSION, request_template


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One composition that was tried.

    Attributes:
        agent: its name.
        mode: the narrowing, or None.
        capabilities: who was in.
        digest: of the composition, or None where it was refused.
        problems: why it was refused.
    """

    agent: str
    mode: str | None
    capabilities: tuple[str, ...]
    digest: str | None
    problems: tuple[Problem, ...] = ()

    def as_json(self) -> Json:
        """The outcome as a JSON object."""
        return {
            "agent": self.agent,
            "mode": self.mode,
            "capabilities": list(self.capabilities),
            "digest": self.digest,
            "problems": [
                {"code": p.code, "message": p.message, "where": p.where, "concerns": list(p.concerns), "cure": p.cure}
                for p in self.problems
            ],
        }


def check(agents: Iterable[Agent]) -> tuple[Checked, ...]:
    """Compose every agent with every subset of its conditional capabilities, plain and in every mode."""
    return tuple(
        _tried(variant, mode)
        for agent in agents
        for variant in agent.variants()
        for mode in (None, *(mode.name for mode in agent.all_modes))
    )


def _tried(agent: Agent, mode: str | None) -> Checked:
    request = sample_request(agent)
    names = tuple(capability.name for capability in agent.members(request))
    try:
        composition = compose(agent, request, mode)
    except CompositionError as error:
        return Checked(agent=agent.name, mode=mode, capabilities=names, digest=None, problems=error.problems)
    return Checked(agent=agent.name, mode=mode, capabilities=names, digest=composition.digest)


def sample_request(agent: Agent) -> dict[str, Json]:
    """The smallest request that an agent serves: what a capability requires is filled in, all else is absent."""
    sample: dict[str, Json] = {
        "schema_version": SCHEMA_VERSION,
        "operation": agent.operation,
        "content": agent.content_type,
        "locale": "en",
        "brief": {"name": "Sample", "objective": "awareness"},
    }
    template = request_template(agent.content_type)
    everyone = (agent.content, *agent.always, *(when.capability for when in agent.when))
    for name in sorted({name for capability in everyone for name in capability.reads.required}):
        block = name.partition(".")[0]
        if field_value(sample, name) is None and block in template:
            sample[block] = template[block]
    return sample
