"""What no mail may hold, in a source or compiled: code, forms, embedded documents, addresses that run something."""

from __future__ import annotations

import re
from collections.abc import Iterator

from compositor.verifiers.markup import Token

_REFUSED = frozenset({"applet", "base", "embed", "frame", "frameset", "iframe", "object", "script"})
_FORMS = frozenset({"button", "form", "input", "select", "textarea"})
_SWITCHES = frozenset({"checkbox", "radio"})
"""Kinds of `input` that send nothing: menus and carousels are made of them, by the compiler too."""
_ADDRESSES = frozenset({"action", "background", "background-url", "formaction", "href", "poster", "src", "xlink:href"})
_RUNS = re.compile(r"(?:javascript|vbscript|livescript)\s*:|data\s*:\s*text/html", re.IGNORECASE)
_UNSEEN = re.compile(r"[\x00-\x20\u00ad\u200b-\u200f\u2028\u2029\u2060\ufeff]+")


def dangers(token: Token) -> Iterator[tuple[str, str]]:
    """What is refused about one tag: a code and the words for it."""
    if token.kind != "open":
        return
    if token.name in _REFUSED:
        yield "active-content", f"<{token.name}> is refused in mail"
    if token.name in _FORMS and (token.get("type") or "").strip().lower() not in _SWITCHES:
        yield "form", f"<{token.name}> is refused in mail: most mail programs drop it or warn of it; link to a page"
    if token.name == "meta" and (token.get("http-equiv") or "").strip().lower() == "refresh":
        yield "active-content", "a meta refresh is refused in mail"
    for attribute in token.attributes:
        if attribute.name.startswith("on") and len(attribute.name) > 2:
            yield "event-handler", f"the event handler {attribute.name} is refused in mail"
        elif attribute.name in _ADDRESSES and runs_something(attribute.value):
            yield "active-address", f"{attribute.name} runs a script instead of leading somewhere"
        elif attribute.name == "style" and "expression(" in attribute.value.lower():
            yield "active-content", "a style with expression() is refused in mail"


def runs_something(address: str) -> bool:
    """Whether an address runs a script; characters that browsers skip are skipped."""
    return bool(_RUNS.match(_UNSEEN.sub("", address)))
