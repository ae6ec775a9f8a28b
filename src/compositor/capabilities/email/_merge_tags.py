"""Merge tags: what a sending system replaces for each reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from compositor.verifiers.markup import Token, tokens
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


def expanded(html: str, syntax: str) -> str:
    """The mail as a reader with long data gets it: each tag in its words is `LONG_WORDS`; attributes stay."""
    pattern = SYNTAXES.get(syntax)
    if pattern is None or not pattern.search(html):
        return html
    pieces = (_expanded(token, pattern) for token in tokens(html))
    return "".join(pieces)


LONG_WORDS = f"{'n' * 20} {'n' * 19}"
"""Forty characters, in two words of which none can be broken: a long name, or the title of a product."""


def _expanded(token: Token, pattern: re.Pattern[str]) -> str:
    return pattern.sub(LONG_WORDS, token.raw) if token.kind == "text" else token.raw
