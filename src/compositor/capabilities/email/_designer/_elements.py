"""The few MJML elements that sections are made of, set on a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from compositor.capabilities.email._designer._material import Link, Picture
from compositor.capabilities.email._designer._style import (
    COLUMN,
    GUTTER,
    MOBILE_COLUMN,
    MOBILE_GUTTER,
    RADIUS,
    Style,
    Type,
)
from compositor.capabilities.email._designer._theme import Ground
from compositor.capabilities.email._designer._typography import display_size, hangs, paragraphs, phrases, without_orphan

Child = Element | str
Rows = list[Element]

GROUP = 24
"""Pixels between the groups of one section: half of what is between two sections."""
COLUMN_GAP = 24
"""Pixels between two columns."""
NEAR, FAR = 8, 32
"""Pixels between columns that stand one under the other on a phone: of one group, or of two."""
NARROWEST = 320 - 2 * MOBILE_GUTTER
"""Pixels of the column on the narrowest screen (WCAG 2.2, 1.4.10)."""
WIDEST_PHONE_COLUMN = 480 - 2 * MOBILE_GUTTER
"""Pixels that a picture needs to fill its column on every screen on which MJML stacks columns."""
_BUTTON, _SECOND_BUTTON = (48, 32), (44, 24)
"""Height and side padding in pixels; 44 is what WCAG 2.2, 2.5.5 asks of a target."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a section is set on: the style of the email, and the section's ground."""

    style: Style
    ground: Ground


def element(tag: str, *children: Child, **attributes: str | None) -> Element:
    """An element; underscores in names become hyphens, attributes that are None are left out."""
    named = {name.replace("_", "-"): value for name, value in attributes.items() if value is not None}
    made, last = Element(tag, named), None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif last is None:
            made.text = (made.text or "") + child
        else:
            last.tail = (last.tail or "") + child
    return made


def text(
    sheet: Sheet,
    kind: str,
    words: Sequence[Child],
    *,
    gap: int = 0,
    align: str | None = None,
    muted: bool = False,
    css_class: str | None = None,
) -> Element:
    """A block of text of a kind, with `gap` pixels above it."""
    return element(
        "mj-text",
        *words,
        mj_class=kind,
        css_class="muted" if muted else css_class,
        color=sheet.ground.muted if muted else sheet.ground.ink,
        align=align or sheet.style.start,
        padding=f"{gap}px 0 0" if gap else None,
    )


def prose(words: str) -> list[Child]:
    """The paragraphs of a text, as the children of one block."""
    children: list[Child] = []
    for lines in paragraphs(words):
        if children:
            children += [element("br"), element("br")]
        for number, line in enumerate(lines):
            children += [element("br"), line] if number else [line]
    return children


def short(sheet: Sheet, kind: str, words: str) -> list[Child]:
    """A text of a few lines, which are balanced where the mail program knows how (`_head`)."""
    pieces = _unbroken(words, sheet.style.types[kind].size)
    return [element("p", *pieces, style="margin:0;" + _hung(sheet, words))]


def heading(sheet: Sheet, kind: str, words: str, *, level: int = 2, gap: int = 0, align: str | None = None) -> Element:
    """A heading in the size of its kind."""
    drawn = sheet.style.types[kind]
    return text(sheet, kind, [_heading(sheet, words, level, drawn, drawn.size)], gap=gap, align=align)


def headline(sheet: Sheet, words: str, *, level: int, sizes: Sequence[int], width: float = COLUMN) -> Element:
    """Display text in the largest of the sizes in which it stays short, and a step smaller on a phone."""
    size = display_size(words, sizes, width, most=2 if width == COLUMN else 4)
    smaller = [step for step in sheet.style.mobile_displays if step < size] or [size]
    on_phone = display_size(words, smaller, MOBILE_COLUMN, most=3)
    drawn = replace(sheet.style.types["display"], size=size)
    inner = _heading(sheet, words, level, drawn, on_phone)
    return text(sheet, "display", [inner], align=sheet.style.axis, css_class=f"mobile-{on_phone}")


def _heading(sheet: Sheet, words: str, level: int, drawn: Type, on_phone: int) -> Element:
    tracked = f"letter-spacing:{drawn.tracking}em;" if drawn.tracking else ""
    css = f"margin:0;font-size:{drawn.size}px;line-height:{drawn.line}px;font-weight:{drawn.weight};{tracked}"
    return element(f"h{level}", *_unbroken(words, on_phone), style=css + _hung(sheet, words))


def _unbroken(words: str, size: int) -> list[Child]:
    """Short words, in pieces that stay whole on the narrowest phone when they are set in so many pixels."""
    pieces = phrases(without_orphan(words), NARROWEST / size)
    return [element("span", piece, style="white-space:nowrap;") if whole else piece for piece, whole in pieces]


def _hung(sheet: Sheet, words: str) -> str:
    """CSS that lets an opening full-width bracket hang, where the line has an edge to hang from."""
    edge = not sheet.style.centred and sheet.style.direction == "ltr"
    return "text-indent:-0.5em;" if edge and hangs(words) else ""


def button(sheet: Sheet, link: Link, *, gap: int, align: str, second: bool = False) -> Element:
    """The call to action; a second one is drawn in outline. Without an address its words stand as text."""
    if link.url is None:
        return text(sheet, "lead", [element("strong", link.text)], gap=gap, align=align)
    ground = sheet.ground
    height, side = _SECOND_BUTTON if second else _BUTTON
    return element(
        "mj-button",
        link.text,
        mj_class="button",
        css_class="action second" if second else "action",
        href=link.url,
        align=align,
        background_color="transparent" if second else ground.action,
        color=ground.ink if second else ground.on_action,
        border=f"1px solid {ground.ink if second else ground.action}",
        inner_padding=f"{(height - sheet.style.types['body'].line) // 2 - 1}px {side}px",
        padding=f"{gap}px 0 0",
    )


def anchor(sheet: Sheet, link: Link, *, muted: bool = False) -> Element:
    """An inline link; only words where it leads nowhere."""
    if link.url is None:
        return element("strong", link.text)
    colour = sheet.ground.muted if muted else sheet.ground.link
    css = f"color:{colour};text-decoration:underline;"
    return element("a", link.text, href=link.url, style=css, **{"class": "muted" if muted else "link"})


def picture(
    shown: Picture, width: float, *, link: Link | None = None, corners: int = RADIUS, align: str = "center"
) -> Element:
    """A picture, never wider than its file. A linked one without words of its own is named by where it leads."""
    href = link.url if link else None
    return element(
        "mj-image",
        src=shown.url,
        alt=shown.alt or (link.text if link and href else ""),
        width=f"{int(min(width, shown.width))}px",
        href=href,
        align=align,
        fluid_on_mobile="true" if shown.width >= WIDEST_PHONE_COLUMN else None,
        border_radius=f"{corners}px" if corners else None,
        padding="0",
    )


def rule(sheet: Sheet) -> Element:
    """A hairline."""
    return element("mj-divider", border_color=sheet.ground.hairline, border_width="1px", padding="0")


def column(
    *children: Element, width: str | None = None, align: str = "top", under: int | None = None, sides: int = 0
) -> Element:
    """A column; on a phone it stands `under` the one before at that distance (`NEAR` or `FAR`)."""
    return element(
        "mj-column",
        *children,
        width=width,
        vertical_align=align,
        padding=f"0 {sides}px" if sides else None,
        css_class=f"under-{under}" if under else None,
    )


def panel(*children: Element, fill: str, padding: str, width: str | None = None, ground: str | None = None) -> Element:
    """A column with a fill of its own; `ground` names it for dark settings."""
    return element(
        "mj-column",
        *children,
        width=width,
        background_color=fill,
        border_radius=f"{RADIUS}px",
        padding=padding,
        css_class=f"on-{ground}" if ground else None,
    )


def row(style: Style, *columns: Element, top: int = 0, bottom: int = 0, turned: bool = False) -> Element:
    """A row of columns between the gutters. `turned` swaps two columns on wide screens alone."""
    side = GUTTER - COLUMN_GAP // 2 if len(columns) > 1 else GUTTER
    backwards = (style.direction == "rtl") != turned
    return element(
        "mj-section",
        *columns,
        css_class="gutters" if len(columns) > 1 else "gutter",
        direction="rtl" if backwards else None,
        text_align=style.axis,
        padding=f"{top}px {side}px {bottom}px",
    )


def full_width(child: Element) -> Element:
    """A row that reaches from edge to edge of the card."""
    return element("mj-section", column(child), padding="0")
