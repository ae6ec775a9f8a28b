"""Merge tags: what a sending system replaces for each reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from compositor.workspace import View

SYNTAXES: Mapping[str, re.Pattern[str]] = {
    "handlebars": re.compile(r"\{\{\{?[^{}]*\}?\}\}"),
    "mailchimp": re.compile(r"\*\|[^|*]*\|\*"),
    "salesforce": re.compile(r"%%[^%\s][^%]*%%"),
}
"""The syntaxes that a request can declare (`delivery.merge_tags`)."""

_OTHERS = re.compile(r"\{%[^%]*%\}|<%[^%]*%>|\$\{[^}]{0,200}\}|\[\[[^\]]{0,200}\]\]|\{\{|\}\}")


def declared(view: View) -> str:
    """The syntax that the request declares, or `none`."""
    return str(view.get("delivery.merge_tags", "none"))


def foreign_tags(text: str, syntax: str) -> Iterator[str]:
    """Every merge tag, or half of one, that is not of the declared syntax: nobody would replace it."""
    rest = without_tags(text, syntax)
    for name, pattern in SYNTAXES.items():
        if name != syntax:
            yield from pattern.findall(rest)
            rest = pattern.sub(" ", rest)
    yield from _OTHERS.findall(rest)


def without_tags(text: str, syntax: str) -> str:
    """The text without the tags of a syntax."""
    pattern = SYNTAXES.get(syntax)
    return pattern.sub("", text) if pattern else text


def begins_with_tag(address: str, syntax: str) -> bool:
    """Whether an address is known only when the mail is sent."""
    pattern = SYNTAXES.get(syntax)
    return bool(pattern and pattern.match(address.strip()))
