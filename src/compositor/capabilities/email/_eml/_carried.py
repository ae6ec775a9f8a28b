"""Pictures that travel inside the message: wherever the document shows one, it says `cid:` (RFC 2392).

Only what shows a picture is changed. A link to a picture stays a link: no mail program follows a `cid:` there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape

from compositor.verifiers.markup import Attribute, Token, tokens

_SHOWING = frozenset({"background", "poster", "src"})
"""Attributes whose whole value is the address of a picture, in HTML and in the VML that Outlook reads."""


def carried(html: str, cids: Mapping[str, str]) -> str:
    """The document with each address of a picture as `cid:`.

    Args:
        html: the document.
        cids: address → content id.
    """
    return "".join(_Carrier(cids).pieces(html)) if cids else html


class _Carrier:
    """Knows the pictures that travel along."""

    __slots__ = ("_cids", "_in_css", "_in_srcset")

    def __init__(self, cids: Mapping[str, str]) -> None:
        self._cids = {address: f"cid:{cid}" for address, cid in cids.items()}
        known = "|".join(map(re.escape, self._cids))
        self._in_css = re.compile(rf"""((?i:url)\(\s*(["']?))({known})(?=\2\s*\))""")
        self._in_srcset = re.compile(rf"(?<![^\s,])(?:{known})(?![^\s,])")

    def pieces(self, source: str, *, inside: bool = False) -> Iterator[str]:
        """The document in pieces; `inside` a comment, in which comments do not begin again."""
        in_style = False
        for token in tokens(source):
            if token.kind == "open":
                yield self._tag(token)
            elif token.kind == "comment" and not inside:  # Outlook reads the markup in conditional comments
                yield token.raw[:4]
                yield from self.pieces(token.raw[4:], inside=True)
            elif token.kind == "text" and in_style:
                yield self._css(token.raw)
            else:
                yield token.raw
            in_style = token.kind == "open" and token.name == "style"

    def _tag(self, token: Token) -> str:
        written, done = "", 0
        for attribute in token.attributes:
            value = self._value(attribute)
            if value != attribute.value:
                start, end = attribute.start - token.start, attribute.end - token.start
                spelled = escape(value, quote=False).replace('"', "&quot;")  # quotes inside of url('…') stay readable
                written += f'{token.raw[done:start]}{attribute.name}="{spelled}"'
                done = end
        return written + token.raw[done:]

    def _value(self, attribute: Attribute) -> str:
        value = attribute.value
        if attribute.name in _SHOWING:
            return self._cids.get(value.strip(), value)
        if attribute.name == "style":
            return self._css(value)
        if attribute.name == "srcset":
            return self._in_srcset.sub(lambda found: self._cids[found[0]], value)
        return value

    def _css(self, text: str) -> str:
        return self._in_css.sub(lambda found: f"{found[1]}{self._cids[found[3]]}", text)
