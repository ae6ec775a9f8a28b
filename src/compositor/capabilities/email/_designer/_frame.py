"""What stands around the messages: header, hero, required words, closing, footer."""

from __future__ import annotations

import re

from compositor.capabilities.email._designer._colours import WHITE, lightness
from compositor.capabilities.email._designer._elements import (
    GROUP,
    Child,
    Rows,
    Sheet,
    anchor,
    button,
    column,
    element,
    headline,
    panel,
    picture,
    prose,
    row,
    rule,
    text,
)
from compositor.capabilities.email._designer._plan import Part, Section

_LOGO_HEIGHT, _LOGO_WIDTHS = 40, (64, 160)
_PLATE = 12
_CLOSING_SIZE = 31
_NAME = re.compile(r"[^:：.]{3,60}[:：]")


def header(section: Section, sheet: Sheet) -> Rows:
    """The logo with its clear space, or the name."""
    (part,) = section.parts
    logo, style = part.picture, sheet.style
    if logo is None:
        name = element("strong", part.words["name"])
        return [row(style, column(text(sheet, "title", [name], align=style.axis)))]
    least, most = _LOGO_WIDTHS
    width = min(max(logo.aspect * _LOGO_HEIGHT, least, logo.min_width), max(most, logo.min_width))
    clear = max(round(logo.clear_space * width / logo.aspect) - GROUP, 0)
    mark = picture(logo, width, link=part.link, corners=0, align=style.axis)
    mark.set("css-class", "logo")
    if lightness(sheet.ground.fill) < 0.5:  # a logo that was made for light grounds brings one along
        held = panel(mark, fill=WHITE, padding=f"{_PLATE}px", width=f"{width + 2 * _PLATE:.0f}px")
    else:
        held = column(mark)
    return [row(style, held, top=clear, bottom=clear)]


def notice(section: Section, sheet: Sheet) -> Rows:
    """Prominent required words: a panel, in the ink and size of the body."""
    raised = Sheet(sheet.style, sheet.style.light.raised)
    words = [
        text(raised, "body", _named(_untouched(part)), gap=12 if number else 0)
        for number, part in enumerate(section.parts)
    ]
    return [row(sheet.style, panel(*words, fill=raised.ground.fill, padding="20px 24px", ground="raised"))]


def closing(section: Section, sheet: Sheet) -> Rows:
    """The action once more."""
    (part,) = section.parts
    style = sheet.style
    sizes = [size for size in style.displays if size <= _CLOSING_SIZE]
    said = part.words.get("headline")
    words = [headline(sheet, said, level=2, sizes=sizes)] if said else []
    if part.link:
        words.append(button(sheet, part.link, gap=GROUP if said else 0, align=style.axis))
    return [row(style, column(*words))]


def legal(section: Section, sheet: Sheet) -> Rows:
    """Required words for the end."""
    words = [
        text(sheet, "legal", _untouched(part), gap=8 if number else 0, muted=True)
        for number, part in enumerate(section.parts)
    ]
    return [row(sheet.style, column(*words))]


def footer(section: Section, sheet: Sheet) -> Rows:
    """Who sent it, from where, and the way out."""
    (part,) = section.parts
    words = [rule(sheet)]
    if name := part.words["name"]:
        words.append(text(sheet, "legal", [element("strong", name)], gap=GROUP))
    if address := part.words["address"]:
        words.append(text(sheet, "legal", [address], gap=0 if name else GROUP, muted=True))
    if part.link:
        words.append(text(sheet, "legal", [anchor(sheet, part.link, muted=True)], gap=8, muted=True))
    return [row(sheet.style, column(*words))]


def _named(words: list[Child]) -> list[Child]:
    """The words with what they say they are, up to their first colon, in bold: people look for it."""
    name = _NAME.match(words[0]) if words and isinstance(words[0], str) else None
    return [element("strong", name[0]), name.string[name.end() :], *words[1:]] if name else words


def _untouched(part: Part) -> list[Child]:
    words = prose(part.words["text"])
    return [element("span", *words, lang=part.language)] if part.language else words
