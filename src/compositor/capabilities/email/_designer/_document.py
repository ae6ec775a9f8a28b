"""The whole MJML document: head, sections on their grounds, and the room between them."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, tostring
from xml.sax.saxutils import unescape

from compositor.capabilities.email._designer._elements import Sheet, element
from compositor.capabilities.email._designer._head import head
from compositor.capabilities.email._designer._plan import Plan, Section
from compositor.capabilities.email._designer._repair import Constraints
from compositor.capabilities.email._designer._sections import DRAWN
from compositor.capabilities.email._designer._style import ROOM, WIDTH, Style
from compositor.capabilities.email._plan import SECTION_CLASS

_HEADER_ROOM = 24
_CSS = re.compile(r"(?<=<mj-style>)[^<]*(?=</mj-style>)")
"""MJML takes the content of `mj-style` as it stands: a child combinator must not be escaped."""


def document(plan: Plan, style: Style, constraints: Constraints) -> str:
    """The MJML source of a plan."""
    grounds = [_ground_of(section, plan) for section in plan.sections]
    following = [*grounds[1:], ""]
    wrapped = [_wrapped(*each, style) for each in zip(plan.sections, grounds, following, strict=True)]
    body = element(
        "mj-body",
        *(wrapper for wrapper in wrapped if len(wrapper)),
        width=f"{WIDTH}px",
        background_color=style.light.page.fill,
        css_class=f"design layout-{plan.layout.name} {constraints.classes}".strip(),
    )
    root = element("mjml", head(plan, style), body, lang=style.locale, dir=style.direction)
    _lay_out(root)
    return _CSS.sub(lambda css: unescape(css[0]), tostring(root, encoding="unicode")) + "\n"


def _ground_of(section: Section, plan: Plan) -> str:
    if section.role == "hero":
        return plan.layout.hero
    if section.role == "closing" and not section.parts[0].words:
        return "surface"  # a button alone belongs to what stands above it
    return plan.layout.grounds.get(section.role, DRAWN[section.role][0])


def _wrapped(section: Section, ground: str, following: str, style: Style) -> Element:
    sheet = Sheet(style, getattr(style.light, ground))
    _, drawn = DRAWN[section.role]
    top, bottom = _room(section, ground, following, style)
    return element(
        "mj-wrapper",
        *drawn(section, sheet),
        css_class=f"{SECTION_CLASS}{section.id} on-{ground}",
        background_color=sheet.ground.fill,
        padding=f"{top}px 0 {bottom}px",
    )


def _room(section: Section, ground: str, following: str, style: Style) -> tuple[int, int]:
    """Pixels above and below: sections on one ground share the room between them."""
    if section.role == "header":
        return _HEADER_ROOM, _HEADER_ROOM
    bottom = 0 if ground == following else ROOM
    if section.role == "hero":
        bleeds = style.layout.opening in ("poster", "plain") and section.parts[0].picture
        return (0 if bleeds else ROOM), bottom
    if section.role in ("references", "legal", "footer"):
        return 32, bottom
    return ROOM, bottom


def _lay_out(node: Element, depth: int = 1) -> None:
    """Components on lines of their own. What is in them is HTML, where white space between two pieces would be seen."""
    if not len(node) or any(not child.tag.startswith("mj-") for child in node):
        return
    node.text = "\n" + "  " * depth
    for child in node:
        _lay_out(child, depth + 1)
        child.tail = node.text
    node[-1].tail = node.text[:-2]
