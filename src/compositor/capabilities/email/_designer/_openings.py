"""How an email opens: one function for each opening of a layout. Each shows the one idea and nothing beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from compositor.capabilities.email._designer._elements import (
    COLUMN_GAP,
    FAR,
    GROUP,
    Child,
    Rows,
    Sheet,
    button,
    column,
    element,
    full_width,
    headline,
    picture,
    row,
    rule,
    short,
    text,
)
from compositor.capabilities.email._designer._layout import FIGURES, Opening
from compositor.capabilities.email._designer._plan import Part, Section
from compositor.capabilities.email._designer._style import COLUMN, WIDTH

_SIDES = COLUMN_GAP // 2
_BESIDE = 0.5
_FIGURE_SIZES = (96, 84, 72)
_UNDER_PICTURE = 40
_TALLEST = 560


def poster(part: Part, sheet: Sheet) -> Rows:
    """The picture from edge to edge, the words below it."""
    rows: Rows = []
    if part.picture and part.picture.width >= WIDTH:
        rows = [full_width(picture(part.picture, WIDTH, link=part.link, corners=0))]
    elif part.picture:
        inside = picture(part.picture, min(COLUMN, _TALLEST * part.picture.aspect), link=part.link)
        rows = [row(sheet.style, column(inside), top=GROUP)]
    words = column(*_words(part, sheet, sheet.style.displays[1:]))
    return [*rows, row(sheet.style, words, top=_UNDER_PICTURE if rows else 0)]


def beside(part: Part, sheet: Sheet) -> Rows:
    """The words, and beside them what they are about."""
    if part.picture is None or sheet.style.stacked:
        return poster(part, sheet)
    width = (COLUMN - COLUMN_GAP) * _BESIDE
    sizes = [size for size in sheet.style.displays if size <= 31] or sheet.style.displays[-1:]
    words = column(*_words(part, sheet, sizes, width=width), align="middle", sides=_SIDES, width="50%")
    shown = picture(part.picture, min(width, _TALLEST * part.picture.aspect), link=part.link)
    return [row(sheet.style, words, column(shown, align="middle", sides=_SIDES, under=FAR, width="50%"))]


def type_alone(part: Part, sheet: Sheet) -> Rows:
    """Type as the picture."""
    return [row(sheet.style, column(*_words(part, sheet, sheet.style.displays)), top=GROUP, bottom=GROUP)]


def letter(part: Part, sheet: Sheet) -> Rows:
    """A headline over the text that follows; the action comes after the text."""
    sizes = [size for size in sheet.style.displays if size <= 39]
    words = [headline(sheet, part.words["headline"], level=1, sizes=sizes or sheet.style.displays)]
    if tagline := part.words["text"]:
        words.append(text(sheet, "lead", short(sheet, "lead", tagline), gap=12, muted=True))
    return [row(sheet.style, column(*words))]


def figure(part: Part, sheet: Sheet) -> Rows:
    """The figure of the offer, as large as the column lets it be, within the headline."""
    words = part.words["headline"]
    found = FIGURES.search(words)
    if found is None:
        return type_alone(part, sheet)
    before, after = words[: found.start()].strip(), words[found.end() :].strip()
    lines: list[Child] = [_line(before, sheet)] if before else []
    lines.append(_figure(found[0].replace(" ", "\u00a0"), sheet, spaced=bool(before)))
    lines += [_line(after, sheet, spaced=True)] if after else []
    heading = element("h1", *lines, style="margin:0;font-weight:inherit;")
    shown: Rows = [text(sheet, "display", [heading], align=sheet.style.axis, css_class="offer")]
    return [row(sheet.style, column(*shown, *_below(part, sheet)), top=GROUP, bottom=GROUP)]


def _line(words: str, sheet: Sheet, *, spaced: bool = False) -> Child:
    size = sheet.style.types["heading"]
    gap = "margin-top:8px;" if spaced else ""
    css = f"display:block;{gap}font-size:{size.size}px;line-height:{size.line}px;font-weight:{size.weight};"
    return element("span", f"{words} ", style=css)


def _figure(words: str, sheet: Sheet, *, spaced: bool) -> Child:
    room = COLUMN / max(len(words) * 0.62, 1)
    size = next((size for size in _FIGURE_SIZES if size <= room), int(room))
    weight = sheet.style.types["display"].weight
    gap = "margin-top:8px;" if spaced else ""
    css = f"display:block;{gap}font-size:{size}px;line-height:{size + 4}px;font-weight:{weight};letter-spacing:-0.02em;"
    return element("span", f"{words} ", style=css, **{"class": "offer-figure"})


def index(part: Part, sheet: Sheet) -> Rows:
    """A quiet opening over a hairline; what is inside follows at once."""
    sizes = [size for size in sheet.style.displays if size <= 39]
    words = [headline(sheet, part.words["headline"], level=1, sizes=sizes or sheet.style.displays)]
    words += _below(part, sheet)
    return [row(sheet.style, column(*words), bottom=_UNDER_PICTURE), row(sheet.style, column(rule(sheet)))]


def _words(part: Part, sheet: Sheet, sizes: Sequence[int], width: float = COLUMN) -> Rows:
    sizes = sizes or sheet.style.displays
    shown = headline(sheet, part.words["headline"], level=1, sizes=sizes, width=width)
    return [shown, *_below(part, sheet)]


def _below(part: Part, sheet: Sheet) -> Rows:
    """The one line and the one action under a headline."""
    words: Rows = []
    if tagline := part.words["text"]:
        words.append(text(sheet, "lead", short(sheet, "lead", tagline), gap=16, align=sheet.style.axis))
    if part.link:
        words.append(button(sheet, part.link, gap=32, align=sheet.style.axis))
    return words


OPENINGS: Mapping[Opening, Callable[[Part, Sheet], Rows]] = {
    "poster": poster,
    "beside": beside,
    "type": type_alone,
    "letter": letter,
    "ticket": type_alone,
    "figure": figure,
    "index": index,
    "plain": poster,
}


def hero(section: Section, sheet: Sheet) -> Rows:
    """The one idea, as the layout opens."""
    (part,) = section.parts
    return OPENINGS[sheet.style.layout.opening](part, sheet)
