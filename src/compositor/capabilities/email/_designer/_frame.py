"""What stands around the messages: header, hero, required words, closing, footer."""

from __future__ import annotations

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
    full_width,
    headline,
    panel,
    picture,
    prose,
    row,
    rule,
    short,
    text,
)
from compositor.capabilities.email._designer._plan import Part, Section
from compositor.capabilities.email._designer._style import COLUMN, WIDTH

_LOGO_HEIGHT, _LOGO_WIDTHS = 40, (64, 160)
_PLATE = 12
_HERO_ASPECT = 0.9
"""Taller pictures are set inside the gutters, so that the headline is not pushed off the first screen."""
_TALLEST = 560
_CLOSING_SIZE = 31


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


def hero(section: Section, sheet: Sheet) -> Rows:
    """The one idea: picture, headline, one line, one action."""
    (part,) = section.parts
    shown, style = part.picture, sheet.style
    rows: Rows = []
    if shown and shown.width >= WIDTH and shown.aspect >= _HERO_ASPECT:
        rows = [full_width(picture(shown, WIDTH, link=part.link, corners=0))]
    elif shown:
        inside = picture(shown, min(COLUMN, _TALLEST * shown.aspect), link=part.link)
        rows = [row(style, column(inside), top=GROUP)]
    sizes = style.displays if shown is None else style.displays[1:] or style.displays
    words = [headline(sheet, part.words["headline"], level=1, sizes=sizes)]
    if tagline := part.words["text"]:
        words.append(text(sheet, "lead", short(sheet, "lead", tagline), gap=16, align=style.axis))
    if part.link:
        words.append(button(sheet, part.link, gap=32, align=style.axis))
    return [*rows, row(style, column(*words), top=40 if shown else GROUP)]


def notice(section: Section, sheet: Sheet) -> Rows:
    """Prominent required words: a panel, in the ink and size of the body."""
    raised = Sheet(sheet.style, sheet.style.light.raised)
    words = [
        text(raised, "body", _untouched(part), gap=12 if number else 0) for number, part in enumerate(section.parts)
    ]
    return [row(sheet.style, panel(*words, fill=raised.ground.fill, padding="20px 24px", ground="raised"))]


def closing(section: Section, sheet: Sheet) -> Rows:
    """The action once more."""
    (part,) = section.parts
    style = sheet.style
    sizes = [size for size in style.displays if size <= _CLOSING_SIZE]
    words = [headline(sheet, part.words["headline"], level=2, sizes=sizes)]
    if part.link:
        words.append(button(sheet, part.link, gap=GROUP, align=style.axis))
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


def _untouched(part: Part) -> list[Child]:
    words = prose(part.words["text"])
    return [element("span", *words, lang=part.language)] if part.language else words
