"""The plain-text part: the words of the mail in reading order, for people who read no HTML."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Collection, Sequence
from itertools import groupby

from compositor.capabilities.email._passages import Passage, Piece

WIDTH = 76
"""Columns. RFC 5322 asks for at most 78 characters a line."""

_UNSEEN = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u2060\ufeff\u034f"))
_RULE = "-" * 40


def plain_text(made: Sequence[Passage], *, small_print: frozenset[str] = frozenset()) -> str:
    """The words with their addresses in parentheses; hidden passages are left out, and pictures that lead nowhere new.

    Args:
        made: the passages of the mail.
        small_print: ids of sections that follow a rule.
    """
    said = {
        piece.href for passage in made if passage.kind != "picture" for piece in passage.pieces if not passage.hidden
    }
    spoken = [passage for passage in made if _is_spoken(passage, said)]
    blocks: list[tuple[str, bool]] = []
    ruled = False
    for _, group in groupby(enumerate(spoken), key=lambda entry: _run(*entry)):
        run = [passage for _, passage in group]
        if run[0].section in small_print and not ruled:
            blocks.append((_RULE, False))
            ruled = True
        blocks.append((_written(run), run[0].kind in {"item", "cell"}))
    return _joined(blocks) + "\n" if blocks else ""


def _is_spoken(passage: Passage, said: Collection[str]) -> bool:
    """Whether it belongs into the text part: of pictures only those that lead where no words lead."""
    return not passage.hidden and (passage.kind != "picture" or passage.pieces[0].href not in {"", *said})


def _run(index: int, passage: Passage) -> tuple[str, int]:
    """Passages that belong on one line share this: the cells of a row."""
    return ("row", passage.row) if passage.kind == "cell" else ("alone", index)


def _joined(blocks: Sequence[tuple[str, bool]]) -> str:
    """Blocks with an empty line between them; those that are lines of one list or table without."""
    text = ""
    was_line = False
    for block, line in blocks:
        if text:
            text += "\n" if line and was_line else "\n\n"
        text += block
        was_line = line
    return text


def _written(run: Sequence[Passage]) -> str:
    first = run[0]
    if first.kind == "cell":
        return _wrapped((": " if len(run) == 2 else " | ").join(_said(cell.pieces).rstrip(":") for cell in run))
    said = _said(first.pieces)
    if first.kind == "heading":
        return _underlined(said, "=" if first.level == 1 else "-")
    if first.kind == "item":
        mark = f"{first.level}. " if first.level else "- "
        return _wrapped(said, first=mark, rest=" " * len(mark))
    return _wrapped(said)


def _said(pieces: Sequence[Piece]) -> str:
    words = "".join(_with_address(piece) for piece in pieces).translate(_UNSEEN).replace("\u00a0", " ")
    return "\n".join(re.sub(r"[ \t]+", " ", line).strip() for line in words.split("\n"))


def _with_address(piece: Piece) -> str:
    href = piece.href.strip()
    words = piece.text.strip()
    if not href or not words or href.startswith("#") or _same_address(href, words):
        return piece.text
    gap = " " if piece.text.endswith(" ") else ""
    return f"{piece.text.rstrip()} ({href.removeprefix('mailto:')}){gap}"


def _same_address(href: str, words: str) -> bool:
    return re.sub(r"^(?:https?://|mailto:|tel:)|/$", "", href) == re.sub(r"^https?://|/$", "", words)


def _wrapped(text: str, *, first: str = "", rest: str = "") -> str:
    lines = []
    for index, line in enumerate(text.split("\n")):
        lines += textwrap.wrap(
            line,
            WIDTH,
            initial_indent=first if index == 0 else rest,
            subsequent_indent=rest,
            break_long_words=False,
            break_on_hyphens=False,
        ) or [""]
    return "\n".join(lines)


def _underlined(text: str, mark: str) -> str:
    lines = _wrapped(text)
    return f"{lines}\n{mark * max(_columns(line) for line in lines.splitlines())}"


def _columns(line: str) -> int:
    """Columns that a line takes: East Asian wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1 for char in line)
