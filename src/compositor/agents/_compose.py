"""From an agent and a request to a sealed composition, or to all the reasons why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from compositor._values import Json
from compositor.agents._agent import Agent
from compositor.agents._assembly import assemble
from compositor.agents._composition import Composition, sealed
from compositor.agents._rules import problems_of
from compositor.errors import CompositionError


class Package(Protocol):
    """A request model; anything that dumps itself as JSON."""

    def model_dump(self, *, mode: str, exclude_none: bool) -> dict[str, Any]:
        """The request as a JSON object."""
        ...


def compose(agent: Agent, request: Package | Mapping[str, Json], mode: str | None = None) -> Composition:
    """Compose an agent for a request. Pure: no model, browser, file or network is touched.

    Args:
        agent: the declaration.
        request: a `Request`, or its JSON object.
        mode: a named narrowing of the agent.

    Raises:
        CompositionError: with every problem at once.
    """
    assembly = assemble(agent, as_json(request), mode)
    if problems := problems_of(assembly):
        raise CompositionError(f"the composition of {agent.name!r} is refused", problems)
    return sealed(assembly)


def as_json(request: Package | Mapping[str, Json]) -> Mapping[str, Json]:
    """A request as its JSON object."""
    return request if isinstance(request, Mapping) else request.model_dump(mode="json", exclude_none=True)
