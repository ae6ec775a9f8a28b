"""Which agent serves a request: operation, content type and traits must all fit; anything else is refused by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compositor.agents._agent import Agent
from compositor.errors import UnsupportedRequest


def dispatch(agents: Sequence[Agent], *, operation: str, content: str, traits: Iterable[str] = ()) -> Agent:
    """The one agent for an operation on a content type with these traits.

    Raises:
        UnsupportedRequest: naming what is supported.
    """
    wanted = frozenset(traits)
    for agent in agents:
        if agent.operation == operation and agent.content_type == content and agent.traits == wanted:
            return agent
    raise UnsupportedRequest(
        operation=operation,
        content=content,
        traits=sorted(wanted),
        supported=sorted(agent.name for agent in agents),
    )
