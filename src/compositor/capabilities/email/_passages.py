"""The words of a mail in reading order: passages of text, with their links, out of HTML or MJML.

A passage is what one block holds: a paragraph, a heading, a list item, a cell, a button, the words of a picture. Head,
scripts and comments have no words. What is hidden by its own style (a preheader) is read and marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from compositor.capabilities.email._plan import SECTION_CLASS
from compositor.verifiers.markup import VOID, Token, collapsed, tokens

Kind = Literal["heading", "item", "cell", "text", "action", "picture"]

_INLINE = frozenset(
    {"a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i"}
    | {"img", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup"}
    | {"time", "tt", "u", "var", "wbr"}
)
_SILENT = frozenset(
    {"script", "style", "title", "mj-style", "mj-title", "mj-attributes", "mj-font", "noscript", "select"}
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LINKS = frozenset({"a", "mj-button", "mj-navbar-link", "mj-social-element", "mj-image"})
_PICTURES = frozenset({"img", "mj-image", "mj-carousel-image"})
_LISTS = frozenset({"ol", "ul"})
_MOST_OPEN = 512
"""Open elements that are followed; browsers nest no deeper (Blink)."""
_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0*)?\s*(?:;|$|!)|"
                     r"max-height\s*:\s*0(?:px)?\s*(?:;|$|!)|mso-hide\s*:\s*all)", re.IGNORECASE)  # fmt: skip
_FILLED = re.compile(r"(?:^|;)\s*background(?:-color)?\s*:(?!\s*(?:none|transparent|inherit|initial))", re.IGNORECASE)
_BOXED = re.compile(r"(?:^|;)\s*display\s*:\s*(?:block|inline-block|table)", re.IGNORECASE)
_PADDED = re.compile(r"(?:^|;)\s*padding(?:-\w+)?\s*:", re.IGNORECASE)


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
"""Raised digits are other characters: as plain ones the mark of a reference would become part of the word before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of words and the address that it leads to, or empty."""

    text: str
    href: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The words of one block.

    Attributes:
        kind: what it is; an `action` is a link that is drawn as a button.
        pieces: its runs; a line break within it is a piece of its own.
        line: of its first word in the document.
        section: the id of the planned section that it stands in, or empty.
        hidden: by its own style.
        level: of a heading, from 1; of a list item, its number in an ordered list; else 0.
        row: passages of one row of a data table share this number; else 0.
    """

    kind: Kind
    pieces: tuple[Piece, ...]
    line: int
    section: str = ""
    hidden: bool = False
    level: int = 0
    row: int = 0

    @property
    def text(self) -> str:
        """All its words, white space collapsed."""
        return collapsed("".join(piece.text for piece in self.pieces))


def passages(document: str) -> tuple[Passage, ...]:
    """Read a document, HTML or MJML, front to back."""
    reader = _Reader()
    for token in tokens(document):
        reader.meet(token)
    return tuple(reader.finished())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """An element that is open, and what holds for everything in it."""

    name: str
    breaks: bool = False
    hidden: bool = False
    silent: bool = False
    href: str = ""
    button: bool = False
    section: str = ""
    kind: Kind = "text"
    level: int = 0
    data: bool = False
    raised: bool = False


_ROOT = _Open(name="")


class _Reader:
    __slots__ = ("_done", "_line", "_lists", "_open", "_pieces", "_row", "_within")

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._pieces: list[Piece] = []
        self._done: list[Passage] = []
        self._lists: list[tuple[str, int]] = []
        self._within, self._line, self._row = _ROOT, 0, 0

    def finished(self) -> list[Passage]:
        self._end_passage()
        return self._done

    def meet(self, token: Token) -> None:
        if token.kind == "open":
            self._enter(token)
        elif token.kind == "close":
            self._leave(token)
        elif token.kind == "text" and not self._top.silent:
            self._say(token.text, token.line + _leading_lines(token.raw))

    @property
    def _top(self) -> _Open:
        return self._open[-1] if self._open else _ROOT

    def _enter(self, token: Token) -> None:
        element = self._element(token)
        if element.breaks:
            self._end_passage()
        if token.name == "br" and self._pieces:
            self._pieces.append(Piece(text="\n"))
        if token.name in _PICTURES and not element.silent:
            self._show(token, element)
        if token.name == "tr" and element.data:
            self._row += 1
        if token.name in _LISTS:
            self._lists.append((token.name, 0))
        if token.name not in VOID and not token.self_closing and len(self._open) < _MOST_OPEN:
            self._open.append(element)

    def _leave(self, token: Token) -> None:
        if token.name in _LISTS and self._lists:
            self._lists.pop()
        above = next((at for at, element in enumerate(reversed(self._open)) if element.name == token.name), None)
        at = len(self._open) if above is None else len(self._open) - above - 1
        if token.name not in _INLINE or any(element.breaks for element in self._open[at:]):
            self._end_passage()
        del self._open[at:]

    def _element(self, token: Token) -> _Open:
        above, name = self._top, token.name
        style = token.get("style") or ""
        kind, level = self._kind(name, above)
        link = name in _LINKS and token.get("href")
        return _Open(
            name=name,
            breaks=name not in _INLINE or (name == "a" and bool(_BOXED.search(style))),
            hidden=above.hidden or name == "mj-preview" or bool(_HIDDEN.search(style)),
            silent=above.silent or name in _SILENT,
            href=collapsed(link) if link else above.href,
            button=_is_button(token, style) if name in _LINKS else above.button,
            section=_section_of(token) or above.section,
            kind=kind,
            level=level,
            data=token.get("role") not in {"presentation", "none"} if name in {"table", "mj-table"} else above.data,
            raised=name == "sup" or above.raised,
        )

    def _kind(self, name: str, above: _Open) -> tuple[Kind, int]:
        if name in _HEADINGS:
            return "heading", int(name[1])
        if name == "li":
            return "item", self._next_number()
        if name in {"td", "th"} and above.data and above.name == "tr":
            return "cell", 0
        return above.kind, above.level

    def _next_number(self) -> int:
        """The number of the next item of an ordered list; 0 in any other."""
        name, number = self._lists[-1] if self._lists else ("ul", 0)
        if name != "ol":
            return 0
        self._lists[-1] = (name, number + 1)
        return number + 1

    def _say(self, text: str, line: int) -> None:
        if self._pieces and self._within.hidden != self._top.hidden:
            self._end_passage()
        if not self._pieces:
            if not text.strip():
                return
            self._within, self._line = self._top, line
        words = text.replace("\n", " ")
        self._pieces.append(Piece(text=words.translate(_RAISED) if self._top.raised else words, href=self._top.href))

    def _show(self, token: Token, element: _Open) -> None:
        words = collapsed(token.get("alt") or "")
        if not words:
            return
        self._end_passage()
        self._done.append(
            Passage(
                kind="picture",
                pieces=(Piece(text=words, href=element.href),),
                line=token.line,
                section=element.section,
                hidden=element.hidden,
            )
        )

    def _end_passage(self) -> None:
        pieces, self._pieces = _trimmed(self._pieces), []
        if not pieces:
            return
        within = self._within
        linked = all(piece.href for piece in pieces if piece.text.strip())
        kind: Kind = "action" if within.button and linked else within.kind
        self._done.append(
            Passage(
                kind=kind,
                pieces=pieces,
                line=self._line,
                section=within.section,
                hidden=within.hidden,
                level=within.level,
                row=self._row if within.data else 0,
            )
        )


def _leading_lines(raw: str) -> int:
    return raw[: len(raw) - len(raw.lstrip())].count("\n")


def _section_of(token: Token) -> str:
    classes = f"{token.get('class') or ''} {token.get('css-class') or ''}".split()
    return next((name.removeprefix(SECTION_CLASS) for name in classes if name.startswith(SECTION_CLASS)), "")


def _is_button(token: Token, style: str) -> bool:
    if token.name == "mj-button":
        return True
    classes = (token.get("class") or "").lower()
    return "button" in classes or "btn" in classes or bool(_FILLED.search(style) and _PADDED.search(style))


def _trimmed(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Neighbours with the same link joined, white space collapsed, nothing empty at the ends."""
    joined: list[Piece] = []
    for piece in _joined(pieces):
        text = re.sub(r"[ \t\r\f]+", " ", piece.text) if piece.text != "\n" else "\n"
        if text.startswith(" ") and joined and joined[-1].text[-1:] in {" ", "\n"}:
            text = text[1:]
        if text:
            joined.append(Piece(text=text, href=piece.href))
    while joined and not joined[0].text.strip():
        joined.pop(0)
    while joined and not joined[-1].text.strip():
        joined.pop()
    if joined:
        joined[0] = Piece(text=joined[0].text.lstrip(" "), href=joined[0].href)
        joined[-1] = Piece(text=joined[-1].text.rstrip(" "), href=joined[-1].href)
    return tuple(joined)


def _joined(pieces: list[Piece]) -> Iterator[Piece]:
    held: Piece | None = None
    for piece in pieces:
        if held and held.text != "\n" and piece.text != "\n" and held.href == piece.href:
            held = Piece(text=held.text + piece.text, href=held.href)
            continue
        if held:
            yield held
        held = piece
    if held:
        yield held
