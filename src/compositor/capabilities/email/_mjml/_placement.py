"""Rules about components: which there are, where each may stand, and which attributes it takes."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from compositor.capabilities.email._mjml._attribute_types import value_fault
from compositor.capabilities.email._mjml._components import (
    ANYWHERE,
    DEFAULTS,
    Component,
    components,
    every_attribute,
    parents_of,
)
from compositor.capabilities.email._mjml._faults import Fault
from compositor.verifiers.markup import Attribute, Token

ROOT, INCLUDE = "mjml", "mj-include"

_NEEDS = {"mj-class": ("name",), "mj-font": ("name", "href")}
"""Attributes without which a component does nothing, or stops the compiler."""


def in_text(token: Token, holder: str) -> Iterator[Fault]:
    """A tag inside a component that holds text and HTML: components are not drawn there (mjmlio/mjml#2216)."""
    if token.name == INCLUDE:
        yield _included(token)
    elif token.name.startswith("mj-"):
        yield Fault(
            code="component-in-text",
            message=f"<{token.name}> inside <{holder}> is not drawn: <{holder}> holds text and HTML",
            line=token.line,
            remedy=f"close <{holder}> before it, and put <{token.name}> beside it",
        )


def in_defaults(token: Token) -> Iterator[Fault]:
    """A tag inside `mj-attributes`: any component, `mj-all` or `mj-class`."""
    component = components().get(token.name)
    if token.name in DEFAULTS:
        yield from _needs(token)
        yield from _shared_attributes(token)
    elif component:
        yield from _attributes(token, component)
    else:
        yield _unknown(token, "mj-attributes")


def in_component(token: Token, parent: str) -> Iterator[Fault]:
    """A tag that stands directly in another component, or at the top of the document (`parent` empty)."""
    component = components().get(token.name)
    if token.name == INCLUDE:
        yield _included(token)
    elif component is None:
        yield _unknown(token, parent)
    else:
        yield from _placed(token, parent)
        yield from _needs(token)
        yield from _attributes(token, component)


def _included(token: Token) -> Fault:
    remedy = "write the included part here"
    return Fault(code="include-refused", message="mj-include is refused", line=token.line, remedy=remedy)


def _unknown(token: Token, parent: str) -> Fault:
    near = _nearest(token.name, components())
    if token.name in DEFAULTS:
        remedy = "put it into <mj-attributes>"
    elif near:
        remedy = f"write <{near}>"
    else:
        remedy = "use a component of MJML, or put HTML into <mj-text> or <mj-raw>"
    inside = f" in <{parent}>" if parent else ""
    message = f"<{token.name}>{inside} is no component of MJML"
    return Fault(code="unknown-tag", message=message, line=token.line, remedy=remedy)


def _placed(token: Token, parent: str) -> Iterator[Fault]:
    holder = components().get(parent)
    legal = token.name in holder.children if holder else bool(parent) or token.name == ROOT
    if not legal:
        where = f"inside <{parent}>" if parent else "at the top"
        parents = ", ".join(f"<{name}>" for name in parents_of(token.name)) or "no other component"
        message = f"<{token.name}> may not stand {where}"
        yield Fault(code="misplaced-tag", message=message, line=token.line, remedy=f"it may stand in {parents}")


def _needs(token: Token) -> Iterator[Fault]:
    for name in _NEEDS.get(token.name, ()):
        if not token.get(name):
            message = f"<{token.name}> has no {name}"
            yield Fault(code="missing-attribute", message=message, line=token.line, remedy=f'write {name}="…"')


def _attributes(token: Token, component: Component) -> Iterator[Fault]:
    for attribute in token.attributes:
        kind = component.attributes.get(attribute.name)
        if kind is None and attribute.name not in ANYWHERE:
            yield _unknown_attribute(token, attribute, component.attributes)
        elif kind is not None and (right := value_fault(kind, attribute.value)):
            yield Fault(
                code="wrong-value",
                message=f'{attribute.name}="{attribute.value[:60]}" of <{token.name}> is no value for it',
                line=token.line,
                measured=attribute.value[:60],
                threshold=right,
                remedy=f"write {right}",
            )


def _shared_attributes(token: Token) -> Iterator[Fault]:
    """`mj-all` and `mj-class` carry attributes of any component."""
    known = every_attribute() | ANYWHERE | {"name"}
    return (_unknown_attribute(token, a, every_attribute()) for a in token.attributes if a.name not in known)


def _unknown_attribute(token: Token, attribute: Attribute, known: Iterable[str]) -> Fault:
    near = _nearest(attribute.name, [*known, *ANYWHERE])
    return Fault(
        code="unknown-attribute",
        message=f"<{token.name}> has no attribute {attribute.name[:60]!r}",
        line=token.line,
        remedy=f"did you mean {near}? Else remove it" if near else "remove it",
    )


def _nearest(name: str, known: Iterable[str]) -> str:
    return next(iter(difflib.get_close_matches(name[:60], list(known), n=1, cutoff=0.7)), "")
