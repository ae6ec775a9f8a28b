"""An agent: which capabilities make which content, under which limits. It is data alone, so it can be enumerated."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, combinations
from typing import Any, Literal

from compositor._values import Json
from compositor.authoring import Capability
from compositor.workspace import field_value

Completion = Literal["draft_allowed", "verified_only"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asks:
    """A predicate over a request: it has the field, and some part of the field has the given values.

    Attributes:
        field: a dotted request field; absent, null and empty count as not there.
        having: values that the field, or one item of it where it is a list, must have.
    """

    field: str
    having: Mapping[str, Json] = dataclasses.field(default_factory=dict)

    def holds(self, request: Mapping[str, Json]) -> bool:
        """Whether the request (a JSON object) asks for it."""
        value = field_value(request, self.field)
        items = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        return any(bool(item) and self._matches(item) for item in items)

    def _matches(self, item: Json) -> bool:
        return all(isinstance(item, Mapping) and item.get(key) == wanted for key, wanted in self.having.items())

    def __str__(self) -> str:
        with_values = ", ".join(f"{key}={value}" for key, value in sorted(self.having.items()))
        return f"{self.field}[{with_values}]" if with_values else self.field


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A capability that is in only when the request asks for it."""

    capability: Capability
    asks: Asks


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of one operation; None is no limit.

    Attributes:
        steps: model replies over all turns, planning replies included.
        rejections: repairs after a rejection, measured or judged.
        judge_steps: replies of one judge in one evaluation.
        tokens, cost (US dollars), seconds: of the whole operation.
    """

    steps: int = 10
    rejections: int = 2
    judge_steps: int = 4
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = 900.0

    def as_json(self) -> dict[str, Json]:
        """The limits as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}

    def tightened(self, limits: Mapping[str, Json]) -> Budget:
        """The budget under further limits; a looser one changes nothing, and what is no number is no limit."""
        tighter: dict[str, Any] = {name: _tighter(getattr(self, name), limits.get(name)) for name in self.__slots__}
        return replace(self, **tighter)


def is_number(value: Json) -> bool:
    """Whether it is a finite number; true and false are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _tighter(mine: Json, other: Json) -> Json:
    if is_number(mine) and is_number(other):
        return min(mine, other)
    return other if mine is None and is_number(other) else mine


@dataclass(frozen=True, slots=True, kw_only=True)
class Mode:
    """A named narrowing of a roster. It can only remove.

    Attributes:
        name: what the caller says.
        tools: names of the tools that stay; None keeps every tool that writes nothing.
        budget: tighter limits.
    """

    name: str
    tools: tuple[str, ...] | None = None
    budget: Mapping[str, Json] = field(default_factory=dict)


REVIEW = Mode(name="review")
"""Read and render: what writes is out. Every agent ships it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """A declaration.

    Attributes:
        operation: `generate` or `edit`.
        content: the content capability.
        traits: request facts that select this agent instead of the ordinary one.
        always: capabilities that are always in.
        when: capabilities that are in when the request asks.
        withholds: request fields that no capability may see.
        modes: named narrowings beside `review`.
        budget: its limits.
        completion: whether an unverified draft may be saved.
    """

    operation: str
    content: Capability
    traits: frozenset[str] = frozenset()
    always: tuple[Capability, ...] = ()
    when: tuple[When, ...] = ()
    withholds: tuple[str, ...] = ()
    modes: tuple[Mode, ...] = ()
    budget: Budget = field(default_factory=Budget)
    completion: Completion = "draft_allowed"

    @property
    def name(self) -> str:
        """For people: `generate email` and, where there are any, its traits."""
        return " ".join([self.operation, self.content_type, *sorted(self.traits)])

    @property
    def content_type(self) -> str:
        """What it makes."""
        return self.content.content_type or self.content.name

    def members(self, request: Mapping[str, Json]) -> tuple[Capability, ...]:
        """The capabilities that are in for a request: content first, then by name."""
        asked = (when.capability for when in self.when if when.asks.holds(request))
        return tuple(sorted((self.content, *self.always, *asked), key=member_order))

    def mode(self, name: str) -> Mode | None:
        """The mode of that name, or None."""
        return next((mode for mode in self.all_modes if mode.name == name), None)

    @property
    def all_modes(self) -> tuple[Mode, ...]:
        """Its own modes, and `review` unless it has its own of that name, by name."""
        own = {mode.name for mode in self.modes}
        return tuple(sorted((*self.modes, *(() if REVIEW.name in own else (REVIEW,))), key=lambda mode: mode.name))

    def variants(self) -> tuple[Agent, ...]:
        """This agent once for every subset of its conditional capabilities, each with that subset always in."""
        subsets = chain.from_iterable(combinations(self.when, size) for size in range(len(self.when) + 1))
        return tuple(
            replace(self, always=(*self.always, *(when.capability for when in subset)), when=()) for subset in subsets
        )


def member_order(capability: Capability) -> tuple[bool, str]:
    """Content before support, then by name: the order of instructions, and the reason why listing order is nothing."""
    return (capability.kind != "content", capability.name)
