"""How each section is drawn: one function for a role, from its parts to rows of MJML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from xml.etree.ElementTree import Element

from compositor.capabilities.email._designer._colours import WHITE, lightness
from compositor.capabilities.email._designer._elements import (
    COLUMN_GAP,
    FAR,
    NEAR,
    anchor,
    button,
    column,
    element,
    full_width,
    heading,
    headline,
    hung,
    picture,
    prose,
    row,
    rule,
    short,
    text,
    text_link,
)
from compositor.capabilities.email._designer._plan import Part, Role, Section
from compositor.capabilities.email._designer._style import COLUMN, RADIUS, WIDTH, Style
from compositor.capabilities.email._designer._theme import Ground
from compositor.capabilities.email._designer._typography import ems, quoted

Rows = list[Element]

_GROUP = 24
"""Pixels between the groups of one section."""
_LOGO_HEIGHT, _LOGO_WIDTHS = 40, (64, 160)
_HERO_ASPECT = 0.9
"""Pictures taller than this are set inside the gutters, so that the headline is not pushed off the first screen."""
_PLATE = 12
_TALLEST = 560
_SHORT, _SHORT_QUOTE = 20, 70
"""Ems up to which a text is short enough to be centred: under a small picture, and as a quotation."""


def draw(section: Section, style: Style, ground: Ground) -> Rows:
    """The rows of a section on its ground."""
    return _DRAWN[section.role](section, style, ground)


def _header(section: Section, style: Style, ground: Ground) -> Rows:
    (part,) = section.parts
    logo = part.picture
    if logo is None:
        words = [element("strong", part.words["name"])]
        return [row(style, column(text(style, ground, "title", words, align=style.axis)))]
    least, most = _LOGO_WIDTHS
    width = min(max(logo.aspect * _LOGO_HEIGHT, least, logo.min_width), max(most, logo.min_width))
    clear = max(round(logo.clear_space * width / logo.aspect) - _GROUP, 0)
    mark = picture(logo, width, href=part.link.url if part.link else None, corners=0, align=style.axis)
    mark.set("css-class", "logo")
    held = column(mark)
    if lightness(ground.fill) < 0.5:  # a logo that was made for light grounds brings one along
        held.attrib |= {
            "width": f"{width + 2 * _PLATE:.0f}px",
            "background-color": WHITE,
            "border-radius": f"{RADIUS}px",
        }
        held.set("padding", f"{_PLATE}px")
    placed = row(style, held, top=clear, bottom=clear)
    placed.set("text-align", style.axis)
    return [placed]


def _hero(section: Section, style: Style, ground: Ground) -> Rows:
    (part,) = section.parts
    rows: Rows = []
    shown = part.picture
    bleeds = shown is not None and shown.width >= WIDTH and shown.aspect >= _HERO_ASPECT
    if shown and bleeds:
        rows.append(full_width(picture(shown, WIDTH, corners=0)))
    elif shown:
        rows.append(row(style, column(picture(shown, min(COLUMN, _TALLEST * shown.aspect))), top=_GROUP))
    largest = style.displays[0] if shown is None else style.displays[min(1, len(style.displays) - 1)]
    words = [headline(style, ground, part.words["headline"], level=1, largest=largest)]
    if part.words["text"]:
        words.append(text(style, ground, "lead", [short(part.words["text"])], gap=16, align=style.axis))
    if part.link:
        words.append(button(style, ground, part.link, gap=_GROUP + 8, align=style.axis))
    return [*rows, row(style, column(*words), top=40 if shown else _GROUP)]


def _lead(section: Section, style: Style, ground: Ground) -> Rows:
    (part,) = section.parts
    words = [text(style, ground, "lead", prose(part.words["text"]))]
    return [row(style, column(*words, *_linked(part, style, ground)))]


def _notice(section: Section, style: Style, _: Ground) -> Rows:
    """Prominent required words: a panel in the ink and size of the body."""
    panel = style.light.raised
    words = [
        text(style, panel, "body", _legal_words(part), gap=12 if number else 0)
        for number, part in enumerate(section.parts)
    ]
    boxed = column(*words)
    boxed.attrib |= {
        "background-color": panel.fill,
        "border-radius": "6px",
        "padding": "20px 24px",
        "css-class": "on-raised",
    }
    return [row(style, boxed)]


def _strip(section: Section, style: Style, ground: Ground) -> Rows:
    """Two or three short facts side by side, on a phone too."""
    columns = [
        column(
            text(style, ground, "small", [part.words["label"]], align="center", colour=ground.muted),
            text(style, ground, "title", [part.words["value"]], gap=4, align="center", css_class="figure"),
        )
        for part in section.parts
    ]
    line = row(style, column(rule(ground)))
    return [
        line,
        row(style, element("mj-group", *columns, direction=style.direction), top=_GROUP - 4, bottom=_GROUP - 4),
        deepcopy(line),
    ]


def _details(section: Section, style: Style, ground: Ground) -> Rows:
    """Facts in a table: quiet label, strong value."""
    small, body = style.types["small"], style.types["body"]
    label = f"width:26%;font-size:{small.size}px;font-weight:400;color:{ground.muted};"
    value = f"font-size:{body.size}px;font-weight:700;color:{ground.ink};"
    return [_table(section.parts, style, ground, label, value)]


def _agenda(section: Section, style: Style, ground: Ground) -> Rows:
    """Hours in a table: the time leads."""
    title, body = style.types["title"], style.types["body"]
    label = f"width:26%;font-size:{title.size}px;font-weight:{title.weight};color:{ground.link};"
    label += f"font-family:{style.heading_family};"
    value = f"font-size:{body.size}px;color:{ground.ink};"
    return [_table(section.parts, style, ground, label, value)]


def _table(parts: Sequence[Part], style: Style, ground: Ground, label: str, value: str) -> Element:
    lines = []
    for number, part in enumerate(parts):
        edge = f"border-top:1px solid {ground.hairline};" if number else ""
        cell = f"padding:14px 0;vertical-align:top;text-align:{style.start};{edge}"
        gap = f"padding-{style.end}:16px;"
        lines.append(
            element(
                "tr",
                element("th", part.words["label"], scope="row", style=cell + gap + label),
                element("td", part.words["value"], style=cell + value),
            )
        )
    body = style.types["body"]
    table = element(
        "mj-table", *lines, color=ground.ink, font_size=f"{body.size}px", line_height=f"{body.line}px", padding="0"
    )
    return row(style, column(table))


def _statement(section: Section, style: Style, ground: Ground) -> Rows:
    words: Rows = []
    for part in section.parts:
        words += _said(part, style, ground, "heading", gap=_GROUP if words else 0)
    return [row(style, column(*words))]


def _list(section: Section, style: Style, ground: Ground) -> Rows:
    """Messages without pictures: headline beside text, hairlines between."""
    rows: Rows = []
    for number, part in enumerate(section.parts):
        if number:
            rows.append(row(style, column(rule(ground)), top=_GROUP, bottom=_GROUP))
        if not part.words["headline"] or style.stacked:
            rows.append(row(style, column(*_said(part, style, ground, "title"))))
            continue
        side, words = (
            heading(style, ground, "title", part.words["headline"]),
            text(style, ground, "body", prose(part.words["text"])),
        )
        rows.append(
            row(
                style,
                column(side, width="36%", sides=COLUMN_GAP // 2),
                column(words, *_linked(part, style, ground), width="64%", sides=COLUMN_GAP // 2, under=NEAR),
            )
        )
    return rows


def _cards(section: Section, style: Style, ground: Ground) -> Rows:
    """Two or three pictures in a row, each with its words."""
    if style.stacked:
        return _stacked(section, style, ground)
    count = len(section.parts)
    width = (COLUMN - COLUMN_GAP * (count - 1)) / count
    brief = all(ems(part.words["text"]) <= _SHORT for part in section.parts)
    align = style.axis if brief else style.start
    columns = [
        column(
            *_pictured(part, width),
            *_named(part, style, ground, align),
            under=FAR if number else None,
            sides=COLUMN_GAP // 2,
        )
        for number, part in enumerate(section.parts)
    ]
    return [row(style, *columns)]


def _feature(section: Section, style: Style, ground: Ground) -> Rows:
    """One picture beside its words."""
    if style.stacked:
        return _stacked(section, style, ground)
    (part,) = section.parts
    width = (COLUMN - COLUMN_GAP) / 2
    shown = column(*_pictured(part, width), align="middle", sides=COLUMN_GAP // 2)
    words = column(*_said(part, style, ground, "heading"), align="middle", under=FAR, sides=COLUMN_GAP // 2)
    return [row(style, shown, words, turned=section.turned)]


def _stacked(section: Section, style: Style, ground: Ground) -> Rows:
    """The same in one column."""
    rows: Rows = []
    for number, part in enumerate(section.parts):
        words = _said(part, style, ground, "heading", gap=16)
        rows.append(row(style, column(*_pictured(part, COLUMN), *words), top=_GROUP if number else 0))
    return rows


def _quote(section: Section, style: Style, ground: Ground) -> Rows:
    (part,) = section.parts
    brief = ems(part.words["text"]) <= _SHORT_QUOTE
    align, said = style.axis if brief else style.start, quoted(part.words["text"], style.locale)
    words = [text(style, ground, "lead", prose(said))]
    if brief:
        words = [text(style, ground, "quote", [short(said, hung(style, said))], align=align)]
    if part.words["attribution"]:
        words.append(
            text(style, ground, "small", [short(part.words["attribution"])], gap=16, align=align, colour=ground.muted)
        )
    return [row(style, column(*words))]


def _closing(section: Section, style: Style, ground: Ground) -> Rows:
    (part,) = section.parts
    words = [headline(style, ground, part.words["headline"], level=2, largest=31)]
    if part.link:
        words.append(button(style, ground, part.link, gap=_GROUP, align=style.axis))
    return [row(style, column(*words))]


def _legal(section: Section, style: Style, ground: Ground) -> Rows:
    words = [
        text(style, ground, "legal", _legal_words(part), gap=8 if number else 0, colour=ground.muted)
        for number, part in enumerate(section.parts)
    ]
    return [row(style, column(*words))]


def _footer(section: Section, style: Style, ground: Ground) -> Rows:
    (part,) = section.parts
    words: Rows = []
    if part.words["name"]:
        words.append(text(style, ground, "legal", [element("strong", part.words["name"])], gap=_GROUP))
    if part.words["address"]:
        words.append(text(style, ground, "legal", [part.words["address"]], colour=ground.muted))
    if part.link:
        words.append(text(style, ground, "legal", [anchor(ground, part.link, colour=ground.muted)], gap=8))
    return [row(style, column(rule(ground), *words))] if words else []


def _said(part: Part, style: Style, ground: Ground, kind: str, *, gap: int = 0) -> Rows:
    """Headline, text and link, one under the other."""
    words: Rows = []
    if part.words.get("headline"):
        words.append(heading(style, ground, kind, part.words["headline"], gap=gap))
    words.append(text(style, ground, "body", prose(part.words["text"]), gap=8 if words else gap))
    return [*words, *_linked(part, style, ground)]


def _named(part: Part, style: Style, ground: Ground, align: str) -> Rows:
    """Words under a small picture."""
    words: Rows = []
    if part.words["headline"]:
        words.append(heading(style, ground, "name", part.words["headline"], level=3, gap=16, align=align))
    words.append(
        text(
            style, ground, "small", prose(part.words["text"]), gap=4 if words else 16, align=align, colour=ground.muted
        )
    )
    if part.link:
        words.append(text_link(style, ground, part.link, gap=8, align=align))
    return words


def _linked(part: Part, style: Style, ground: Ground) -> Rows:
    return [button(style, ground, part.link, gap=20, align=style.start, second=True)] if part.link else []


def _pictured(part: Part, width: float) -> Rows:
    if part.picture is None:
        return []
    shown, href = part.picture, part.link.url if part.link else None
    if part.link and href and not shown.alt:
        shown = replace(shown, alt=part.link.text)  # a linked picture is named by where it leads
    return [picture(shown, width, href=href)]


def _legal_words(part: Part) -> list[Element | str]:
    words = prose(part.words["text"])
    return [element("span", *words, lang=part.language)] if part.language else words


_DRAWN: Mapping[Role, Callable[[Section, Style, Ground], Rows]] = {
    "header": _header,
    "hero": _hero,
    "lead": _lead,
    "notice": _notice,
    "strip": _strip,
    "details": _details,
    "agenda": _agenda,
    "statement": _statement,
    "list": _list,
    "cards": _cards,
    "feature": _feature,
    "quote": _quote,
    "closing": _closing,
    "legal": _legal,
    "footer": _footer,
}
