"""Marks of references in a text, and the list of references that they point to.

A mark is raised digits (`¹`, `¹,²`, `¹–³`) or numbers in brackets (`[1]`, `[1, 2]`, `[1–3]`). An entry of the list is a
passage that begins with its number: `1. Title …`, `¹ Title …` or `[1] Title …`; or an item of a numbered list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compositor.workspace import Section
from compositor.workspace.wording import folded

_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_PLAIN = str.maketrans(_RAISED, "0123456789")
_RUN = rf"[{_RAISED}]+(?:\s?[,–-]\s?[{_RAISED}]+)*"
_BRACKETS = r"\[\d{1,3}(?:\s?[,–-]\s?\d{1,3})*\]"
MARK = re.compile(rf"{_RUN}|{_BRACKETS}")
_ENTRY = re.compile(rf"^(?:(\d{{1,3}})[.)]\s+|([{_RAISED}]+)\s*|\[(\d{{1,3}})\]\s*)(?=\S)")
_LONGEST_RANGE = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of a list of references: its number, its words without it, and the section that it is."""

    number: int
    text: str
    section: Section


def numbers_of(mark: str) -> tuple[int, ...]:
    """The numbers that a mark names, ranges written out."""
    plain = mark.strip("[]").translate(_PLAIN)
    return tuple(number for part in plain.split(",") for number in _range(part))


def _range(part: str) -> range:
    first, *rest = [int(digits) for digits in re.findall(r"\d+", part)]
    last = rest[-1] if rest else first
    return range(first, min(last, first + _LONGEST_RANGE) + 1)


def marks_in(text: str) -> tuple[int, ...]:
    """All numbers that the marks in a text name, in order."""
    return tuple(number for mark in MARK.findall(text) for number in numbers_of(mark))


def unmarked(text: str) -> str:
    """The text without its marks."""
    return MARK.sub("", text)


def entries(sections: Sequence[Section], sources: Sequence[str]) -> tuple[Entry, ...]:
    """The list of references: passages that begin with a number and name one of the sources.

    Args:
        sections: the words of a deliverable.
        sources: titles and citations, any of which makes a numbered passage an entry.
    """
    return tuple(_entries(sections, [folded(words) for words in sources if words]))


def _entries(sections: Sequence[Section], sources: Sequence[str]) -> Iterator[Entry]:
    for section in sections:
        number, words = _numbered(section)
        if number and any(source in folded(words) for source in sources):
            yield Entry(number=number, text=words, section=section)


def _numbered(section: Section) -> tuple[int, str]:
    """The number that a section begins with, or that its list gives it, and its words without it; else 0."""
    begin = _ENTRY.match(section.text)
    if begin is None:
        return section.number, section.text
    digits = next(digits for digits in begin.groups() if digits)
    return int(digits.translate(_PLAIN)), section.text[begin.end() :]
