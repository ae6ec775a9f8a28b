"""Writing HTML so that nothing gets in unescaped: every plain string is text, and only `tag` makes markup."""

from __future__ import annotations

import html
import re

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_VOID = frozenset({"input"})

Attribute = str | float | bool | None


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(value: str) -> Markup:
    """The escaped text; characters that a page cannot hold become U+FFFD."""
    return value if isinstance(value, Markup) else Markup(html.escape(_UNPRINTABLE.sub("\ufffd", value)))


def tag(name: str, *children: str | None, **attributes: Attribute) -> Markup:
    """An element.

    Args:
        name: of the element.
        children: markup, plain strings (which are escaped), or None for nothing.
        attributes: `class_` stands for class, `aria_label` for aria-label; None and False leave an attribute out.
    """
    start = "".join([f"<{name}", *(_attribute(key, value) for key, value in attributes.items()), ">"])
    if name in _VOID:
        return Markup(start)
    return Markup(f"{start}{together(*children)}</{name}>")


def together(*parts: str | None) -> Markup:
    """Several parts, one after the other."""
    return Markup("".join(text(part) for part in parts if part is not None))


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = key.removesuffix("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{text(str(value))}"'
