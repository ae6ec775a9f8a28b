"""The few MJML elements that sections are made of, set in the email's style."""

from __future__ import annotations

from collections.abc import Sequence
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

WIDEST_PHONE_COLUMN = 480 - 2 * MOBILE_GUTTER
"""Pixels that a picture needs to fill its column on every screen on which columns are stacked."""
COLUMN_GAP = 24
"""Pixels between two columns."""
NEAR, FAR = 8, 32
"""Pixels between columns that stand one under the other on a phone: of one group, or of two."""
_BUTTON, _SECOND_BUTTON = 48, 44
"""Heights in pixels; 44 is what WCAG 2.2, 2.5.5 asks of a target."""
_RULE = "1px"


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


def prose(words: str) -> list[Child]:
    """The paragraphs of a text as children of one block."""
    children: list[Child] = []
    for lines in paragraphs(words):
        if children:
            children += [element("br"), element("br")]
        for number, line in enumerate(lines):
            children += [element("br"), line] if number else [line]
    return children


def short(words: str, css: str = "") -> Element:
    """A text of a few lines, which are balanced where the mail program knows how (`_head`)."""
    return element("p", *prose(words), style="margin:0;" + css)


def text(
    style: Style,
    ground: Ground,
    kind: str,
    words: Sequence[Child],
    *,
    gap: int = 0,
    align: str | None = None,
    colour: str | None = None,
    css_class: str | None = None,
) -> Element:
    """A block of text of a kind, with `gap` pixels above it."""
    return element(
        "mj-text",
        *words,
        mj_class=kind,
        css_class="muted" if colour == ground.muted else css_class,
        color=colour or ground.ink,
        align=align or style.start,
        padding=f"{gap}px 0 0" if gap else None,
    )


def heading(
    style: Style, ground: Ground, kind: str, words: str, *, level: int = 2, gap: int = 0, align: str | None = None
) -> Element:
    """A heading in the size of its kind."""
    return text(style, ground, kind, [_heading(style, words, level, style.types[kind])], gap=gap, align=align)


def headline(style: Style, ground: Ground, words: str, *, level: int, largest: int, gap: int = 0) -> Element:
    """Display text in the largest size, up to `largest` pixels, in which it stays short; smaller on a phone."""
    shape = style.types["display"]
    sizes = [size for size in style.displays if size <= largest] or list(style.displays[-1:])
    size = display_size(words, sizes, COLUMN)
    smaller = [step for step in style.mobile_displays if step < size] or [size]
    small = display_size(words, smaller, MOBILE_COLUMN, most=3)
    drawn = Type(size, shape.leading, shape.weight, shape.tracking)
    block = text(style, ground, "display", [_heading(style, words, level, drawn)], gap=gap, align=style.axis)
    block.set("css-class", f"mobile-{small}")
    return block


def _heading(style: Style, words: str, level: int, drawn: Type) -> Element:
    tracked = f"letter-spacing:{drawn.tracking}em;" if drawn.tracking else ""
    css = f"margin:0;font-size:{drawn.size}px;line-height:{drawn.line}px;font-weight:{drawn.weight};{tracked}"
    return element(f"h{level}", *balanced(words), style=css + hung(style, words))


def balanced(words: str) -> list[Child]:
    """Words of a headline: no single word at the end, and short bracketed names in one piece."""
    return [
        element("span", piece, style="white-space:nowrap;") if whole else piece
        for piece, whole in phrases(without_orphan(words))
    ]


def hung(style: Style, words: str) -> str:
    """CSS that lets an opening full-width bracket hang, where the line has an edge to hang from."""
    return "text-indent:-0.5em;" if hangs(words) and not style.centred and style.direction == "ltr" else ""


def button(style: Style, ground: Ground, link: Link, *, gap: int, align: str, second: bool = False) -> Element:
    """The call to action; a second one is drawn in outline. Without an address its words stand as text."""
    if link.url is None:
        return text(style, ground, "lead", [element("strong", link.text)], gap=gap, align=align)
    body = style.types["body"]
    height = _SECOND_BUTTON if second else _BUTTON
    edge = f"1px solid {ground.ink if second else ground.action}"
    return element(
        "mj-button",
        link.text,
        mj_class="button",
        css_class="action second" if second else "action",
        href=link.url,
        align=align,
        background_color="transparent" if second else ground.action,
        color=ground.ink if second else ground.on_action,
        border=edge,
        inner_padding=f"{(height - body.line) // 2 - 1}px {24 if second else 32}px",
        padding=f"{gap}px 0 0",
    )


def text_link(style: Style, ground: Ground, link: Link, *, gap: int, align: str | None = None) -> Element:
    """A quiet link in a line of its own."""
    if link.url is None:
        return text(style, ground, "small", [element("strong", link.text)], gap=gap, align=align)
    return text(style, ground, "small", [anchor(ground, link)], gap=gap, align=align)


def anchor(ground: Ground, link: Link, *, colour: str | None = None) -> Element:
    """An inline link."""
    css = f"color:{colour or ground.link};text-decoration:underline;"
    return element("a", link.text, href=link.url, style=css, **({} if colour else {"class": "link"}))


def picture(
    shown: Picture, width: float, *, href: str | None = None, corners: int = RADIUS, align: str = "center", gap: int = 0
) -> Element:
    """A picture, never wider than its file."""
    fits = int(min(width, shown.width))
    return element(
        "mj-image",
        src=shown.url,
        alt=shown.alt,
        width=f"{fits}px",
        href=href,
        align=align,
        fluid_on_mobile="true" if shown.width >= WIDEST_PHONE_COLUMN else None,
        border_radius=f"{corners}px" if corners else None,
        padding=f"{gap}px 0 0" if gap else "0",
    )


def rule(ground: Ground) -> Element:
    """A hairline."""
    return element("mj-divider", border_color=ground.hairline, border_width="1px", padding="0")


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


def row(style: Style, *columns: Element, top: int = 0, bottom: int = 0, turned: bool = False) -> Element:
    """A row of columns between the gutters. `turned` swaps two columns on wide screens alone."""
    side = GUTTER - COLUMN_GAP // 2 if len(columns) > 1 else GUTTER
    backwards = (style.direction == "rtl") != turned
    return element(
        "mj-section",
        *columns,
        css_class="gutters" if len(columns) > 1 else "gutter",
        direction="rtl" if backwards else None,
        padding=f"{top}px {side}px {bottom}px",
    )


def full_width(*children: Element) -> Element:
    """A row that reaches from edge to edge of the card."""
    return element("mj-section", column(*children), padding="0")
