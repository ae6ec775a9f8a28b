"""A tolerant reader of markup: HTML, and XML-like languages that hold HTML.

Real documents repeat attributes, write raw `&`, hold template tags and forget to close things. A parser that refuses
them cannot say what is wrong with them, and one that repairs them hides it. So this reader gives the tokens as they
stand, each with its line, and leaves the judgement to its callers. It is linear in the length of the source and never
raises.
"""

from __future__ import annotations

import bisect
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

RAW_TEXT = frozenset({"script", "style", "textarea", "title", "mj-style"})
"""Elements whose content is text up to their own closing tag (HTML, "raw text" and "escapable raw text")."""
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}
)
"""Elements that have no content and no closing tag (HTML, "void elements")."""
MAX_DEPTH = 100
"""Open elements at once, for documents that a compiler will read: about 10,000 end the process of mrml, 800 on a small
thread stack (measured with mjml-python 1.4.2). Real mail has under 30."""

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_SPACE = re.compile(r"[\s/]*")
_ATTRIBUTE = re.compile(r"""([^\s=>/<"']+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s>"'<]+))?""")
_NEWLINE = re.compile("\n")
_WHITE = re.compile(r"[ \t\r\n\f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """One attribute as it stands.

    Attributes:
        name: in lower case.
        raw: the value without its quotes, character references kept; None where it has no value.
        start, end: its place in the source, name and quotes included.
    """

    name: str
    raw: str | None
    start: int
    end: int

    @property
    def value(self) -> str:
        """The value with character references decoded; empty where it has none."""
        return html.unescape(self.raw) if self.raw else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One piece of markup.

    Attributes:
        kind: `broken` is a tag that never ends.
        name: of the element, in lower case; empty for text, comments and declarations.
        line: from 1.
        start, end: its place in the source.
        attributes: of an opening tag, in order, repeated ones included.
        self_closing: written with a slash before the end.
        raw: the source between `start` and `end`.
    """

    kind: Literal["open", "close", "text", "comment", "declaration", "broken"]
    line: int
    start: int
    end: int
    raw: str
    name: str = ""
    attributes: tuple[Attribute, ...] = ()
    self_closing: bool = False

    def get(self, name: str) -> str | None:
        """The decoded value of the first attribute of that name, or None where there is none."""
        return next((attribute.value for attribute in self.attributes if attribute.name == name), None)

    @property
    def text(self) -> str:
        """The words of a text token, character references decoded."""
        return html.unescape(self.raw)


def collapsed(text: str) -> str:
    """The text with runs of HTML white space as one space, and none at the ends. No-break spaces stay."""
    return _WHITE.sub(" ", text).strip(" ")


def tokens(source: str, raw_text: frozenset[str] = RAW_TEXT) -> Iterator[Token]:
    """Read a document, front to back; together the tokens cover all of it.

    Args:
        source: the document.
        raw_text: elements whose content is one text, up to their closing tag.
    """
    reader = _Reader(source)
    position = 0
    while position < len(source):
        token = reader.next(position)
        yield token
        position = token.end
        if token.kind == "open" and token.name in raw_text and not token.self_closing:
            raw = reader.raw_text(position, token.name)
            if raw is not None:
                yield raw
                position = raw.end


class _Reader:
    """The source with its line index."""

    __slots__ = ("_lines", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._lines = [match.start() for match in _NEWLINE.finditer(source)]

    def next(self, position: int) -> Token:
        """The token that begins at a position."""
        source = self._source
        if source.startswith("<!--", position):
            return self._until("-->", position, "comment")
        if source.startswith(("<!", "<?"), position):
            return self._until(">", position, "declaration")
        if tag := _TAG.match(source, position):
            return self._tag(tag)
        return self._text(position)

    def raw_text(self, position: int, name: str) -> Token | None:
        """The text up to the closing tag of a raw-text element, or None where there is none."""
        close = re.compile(rf"</{re.escape(name)}(?=[\s/>])", re.IGNORECASE).search(self._source, position)
        end = close.start() if close else len(self._source)
        return self._token("text", position, end) if end > position else None

    def _text(self, position: int) -> Token:
        end = position + 1
        while True:
            end = self._source.find("<", end)
            if end < 0:
                return self._token("text", position, len(self._source))
            if self._source.startswith(("<!", "<?"), end) or _TAG.match(self._source, end):
                return self._token("text", position, end)
            end += 1

    def _until(self, closing: str, position: int, kind: Literal["comment", "declaration"]) -> Token:
        end = self._source.find(closing, position)
        return self._token(kind, position, len(self._source) if end < 0 else end + len(closing))

    def _tag(self, tag: re.Match[str]) -> Token:
        attributes: list[Attribute] = []
        position = tag.end()
        while True:
            position = _at_end(_SPACE.match(self._source, position), position)
            if self._source.startswith(">", position):
                break
            attribute = _ATTRIBUTE.match(self._source, position)
            if attribute:
                attributes.append(_attribute(attribute))
                position = attribute.end()
            elif self._source.startswith(('"', "'", "="), position):
                position += 1
            else:  # the end of the document, or the next tag begins
                return self._token("broken", tag.start(), tag.end(), name=tag[2].lower())
        return self._token(
            "close" if tag[1] else "open",
            tag.start(),
            position + 1,
            name=tag[2].lower(),
            attributes=tuple(attributes),
            self_closing=self._source[position - 1] == "/",
        )

    def _token(
        self,
        kind: Literal["open", "close", "text", "comment", "declaration", "broken"],
        start: int,
        end: int,
        *,
        name: str = "",
        attributes: tuple[Attribute, ...] = (),
        self_closing: bool = False,
    ) -> Token:
        return Token(
            kind=kind,
            line=bisect.bisect_left(self._lines, start) + 1,
            start=start,
            end=end,
            raw=self._source[start:end],
            name=name,
            attributes=attributes,
            self_closing=self_closing,
        )


def _at_end(match: re.Match[str] | None, position: int) -> int:
    return match.end() if match else position


def _attribute(match: re.Match[str]) -> Attribute:
    raw: str | None = match[2]
    if raw is not None and raw[0] in "\"'":
        raw = raw[1:-1]
    return Attribute(name=match[1].lower(), raw=raw, start=match.start(), end=match.end())
