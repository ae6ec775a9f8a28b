"""The components of MJML: the attributes that each has, what may stand in it, and whether it holds text.

The table is data from `mjml-preset-core` (see `NOTICE.md`), without `mj-html-attributes`, which our compiler refuses.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

ANYWHERE = frozenset({"css-class", "mj-class"})
"""Attributes that every component has."""
DEFAULTS = frozenset({"mj-all", "mj-class"})
"""Tags of `mj-attributes` that are no components: they carry attributes of any component."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """One component.

    Attributes:
        attributes: name → type, in the notation of MJML: `color`, `unit(px,%){1,4}`, `enum(left,right)`, `string` …
        children: components that may stand in it.
        text: it holds text and HTML, and no components.
        anything: it may hold any component (`mj-attributes`).
    """

    attributes: Mapping[str, str]
    children: frozenset[str]
    text: bool
    anything: bool = False


@functools.cache
def components() -> Mapping[str, Component]:
    """Name → component."""
    table = json.loads((files(__package__) / "components.json").read_text(encoding="utf-8"))["components"]
    return {name: _component(entry) for name, entry in table.items()}


def _component(entry: Mapping[str, object]) -> Component:
    by_type = entry["attributes"]
    children = frozenset(str(entry["children"]).split())
    assert isinstance(by_type, dict)
    return Component(
        attributes={name: kind for kind, names in by_type.items() for name in names.split()},
        children=children - {"*"},
        text=bool(entry["text"]),
        anything="*" in children,
    )


@functools.cache
def colour_names() -> frozenset[str]:
    """The words that stand for colours."""
    return frozenset(
        json.loads((files(__package__) / "components.json").read_text(encoding="utf-8"))["colours"].split()
    )


@functools.cache
def every_attribute() -> frozenset[str]:
    """The attributes of all components together."""
    return frozenset(name for component in components().values() for name in component.attributes)


def parents_of(name: str) -> tuple[str, ...]:
    """The components that a component may stand in, sorted."""
    return tuple(sorted(parent for parent, component in components().items() if name in component.children))
