"""What the email has to say, one function for each way of saying it."""

from __future__ import annotations

from compositor.capabilities.email._designer._elements import (
    COLUMN_GAP,
    FAR,
    GROUP,
    NEAR,
    Rows,
    Sheet,
    anchor,
    button,
    column,
    heading,
    picture,
    prose,
    row,
    rule,
    short,
    text,
)
from compositor.capabilities.email._designer._plan import Part, Section
from compositor.capabilities.email._designer._style import COLUMN
from compositor.capabilities.email._designer._typography import ems, quoted

_SHORT, _SHORT_QUOTE = 20, 70
"""Ems up to which a text is short enough to be centred: under a small picture, and as a quotation."""
_SIDES = COLUMN_GAP // 2


def lead(section: Section, sheet: Sheet) -> Rows:
    """The opening paragraph, a size larger."""
    (part,) = section.parts
    return [row(sheet.style, column(text(sheet, "lead", prose(part.words["text"])), *_linked(part, sheet)))]


def statement(section: Section, sheet: Sheet) -> Rows:
    """Words alone, one under the other."""
    words: Rows = []
    for part in section.parts:
        words += _said(part, sheet, "heading", gap=GROUP if words else 0)
    return [row(sheet.style, column(*words))]


def listed(section: Section, sheet: Sheet) -> Rows:
    """Words alone: headline beside text, hairlines between."""
    rows: Rows = []
    for part in section.parts:
        if rows:
            rows.append(row(sheet.style, column(rule(sheet)), top=GROUP, bottom=GROUP))
        if sheet.style.stacked or not part.words["headline"]:
            rows.append(row(sheet.style, column(*_said(part, sheet, "title"))))
        else:
            side = column(heading(sheet, "title", part.words["headline"]), width="36%", sides=_SIDES)
            words = (text(sheet, "body", prose(part.words["text"])), *_linked(part, sheet))
            rows.append(row(sheet.style, side, column(*words, width="64%", sides=_SIDES, under=NEAR)))
    return rows


def cards(section: Section, sheet: Sheet) -> Rows:
    """Two or three pictures in a row, each over its words."""
    if sheet.style.stacked:
        return _stacked(section, sheet)
    count = len(section.parts)
    width = (COLUMN - COLUMN_GAP * (count - 1)) / count
    brief = all(ems(part.words["text"]) <= _SHORT for part in section.parts)
    align = sheet.style.axis if brief else sheet.style.start
    columns = [
        column(*_pictured(part, width), *_named(part, sheet, align), under=FAR if number else None, sides=_SIDES)
        for number, part in enumerate(section.parts)
    ]
    return [row(sheet.style, *columns)]


def feature(section: Section, sheet: Sheet) -> Rows:
    """One picture beside its words."""
    if sheet.style.stacked:
        return _stacked(section, sheet)
    (part,) = section.parts
    shown = column(*_pictured(part, (COLUMN - COLUMN_GAP) / 2), align="middle", sides=_SIDES)
    words = column(*_said(part, sheet, "heading"), align="middle", under=FAR, sides=_SIDES)
    return [row(sheet.style, shown, words, turned=section.turned)]


def quote(section: Section, sheet: Sheet) -> Rows:
    """Somebody else's words, large if they are few."""
    (part,) = section.parts
    said = quoted(part.words["text"], sheet.style.locale)
    if ems(said) <= _SHORT_QUOTE:
        align = sheet.style.axis
        words = [text(sheet, "quote", short(sheet, "quote", said), align=align, css_class="quotation")]
    else:
        align = sheet.style.start
        words = [text(sheet, "lead", prose(said))]
    if name := part.words["attribution"]:
        words.append(text(sheet, "small", short(sheet, "small", name), gap=16, align=align, muted=True))
    return [row(sheet.style, column(*words))]


def _stacked(section: Section, sheet: Sheet) -> Rows:
    """Pictures over their words, all in one column."""
    rows: Rows = []
    for part in section.parts:
        words = _said(part, sheet, "heading", gap=16)
        rows.append(row(sheet.style, column(*_pictured(part, COLUMN), *words), top=GROUP if rows else 0))
    return rows


def _said(part: Part, sheet: Sheet, kind: str, *, gap: int = 0) -> Rows:
    """Headline, text and link, one under the other."""
    words: Rows = []
    if headline := part.words.get("headline"):
        words.append(heading(sheet, kind, headline, gap=gap))
    words.append(text(sheet, "body", prose(part.words["text"]), gap=8 if words else gap))
    return [*words, *_linked(part, sheet)]


def _named(part: Part, sheet: Sheet, align: str) -> Rows:
    """Words under a small picture."""
    words: Rows = []
    if headline := part.words["headline"]:
        words.append(heading(sheet, "name", headline, level=3, gap=16, align=align))
    words.append(text(sheet, "small", prose(part.words["text"]), gap=4 if words else 16, align=align, muted=True))
    if part.link:
        words.append(text(sheet, "small", [anchor(sheet, part.link)], gap=8, align=align))
    return words


def _linked(part: Part, sheet: Sheet) -> Rows:
    return [button(sheet, part.link, gap=20, align=sheet.style.start, second=True)] if part.link else []


def _pictured(part: Part, width: float) -> Rows:
    return [picture(part.picture, width, link=part.link)] if part.picture else []
