"""The head of the document: type classes, and what phones and dark settings change."""

from __future__ import annotations

from dataclasses import fields
from xml.etree.ElementTree import Element

from compositor.capabilities.email._designer._elements import FAR, NEAR, element
from compositor.capabilities.email._designer._plan import Plan
from compositor.capabilities.email._designer._style import MOBILE_GUTTER, RADIUS, Style, Type
from compositor.capabilities.email._designer._theme import Ground, Theme

FIGURE_ON_PHONE = 64
"""Pixels of the figure of an offer there."""
PHONE = "max-width:479px"
"""MJML stacks its columns below 480 px."""


def head(plan: Plan, style: Style) -> Element:
    """The `mj-head` of a plan."""
    schemes = [element("meta", name=name, content="light dark") for name in ("color-scheme", "supported-color-schemes")]
    preview = [element("mj-preview", plan.preheader)] if plan.preheader else []
    return element(
        "mj-head",
        element("mj-title", plan.subject),
        *preview,
        element("mj-raw", *schemes),
        element("mj-attributes", *_defaults(style)),
        element("mj-style", f"{_BREAKS}\n{_phone(style)}"),
        element("mj-style", _dark(style.light, style.dark)),
    )


def _defaults(style: Style) -> list[Element]:
    body = style.types["body"]
    kinds = [_class(name, each, style) for name, each in style.types.items()]
    button = element(
        "mj-class",
        name="button",
        font_size=f"{body.size}px",
        line_height=f"{body.line}px",
        font_weight="700",
        border_radius=f"{RADIUS}px",
    )
    return [
        element("mj-all", font_family=style.body_family),
        element("mj-text", padding="0"),
        *kinds,
        button,
    ]


def _class(name: str, each: Type, style: Style) -> Element:
    return element(
        "mj-class",
        name=name,
        font_family=style.heading_family if each.heading else None,
        font_size=f"{each.size}px",
        line_height=f"{each.line}px",
        font_weight=str(each.weight) if each.weight != 400 else None,
    )


_LINE = "\n"
_BREAKS = "div { text-wrap:pretty; } h1, h2, h3, p { text-wrap:balance; }"
"""Where the mail program knows how: short texts in lines of like length, no single word at the end of a long one."""


def _phone(style: Style) -> str:
    """Narrower gutters, columns one under the other, the button across, the headline a step smaller."""
    shape, body, title = (style.types[kind] for kind in ("display", "body", "title"))
    cell = "> table > tbody > tr > td"
    rules = [
        f".gutter {cell} {{ {_sides(MOBILE_GUTTER)} }}",
        f".gutters {cell} {{ {_sides(MOBILE_GUTTER // 2)} }}",
        *(f".under-{gap} {{ padding-top:{gap}px !important; }}" for gap in (NEAR, FAR)),
        f".figure div {{ {_sized(body)} }}",
        f".quotation div {{ {_sized(Type(title.size, style.types['quote'].leading))} }}",
        f".offer-figure {{ {_sized(Type(FIGURE_ON_PHONE, 1.06))} }}",
        f".action table {{ width:100% !important; }} .action a {{ display:block !important; {_sides(12)} }}",
        *(
            f".mobile-{size} h1, .mobile-{size} h2 {{ {_sized(Type(size, shape.leading))} }}"
            for size in style.mobile_displays
        ),
    ]
    return f"@media only screen and ({PHONE}) {{\n{_LINE.join(rules)}\n}}"


def _sides(pixels: int) -> str:
    return f"padding-left:{pixels}px !important; padding-right:{pixels}px !important;"


def _sized(each: Type) -> str:
    return f"font-size:{each.size}px !important; line-height:{each.line}px !important;"


def _dark(light: Theme, dark: Theme) -> str:
    """The dark grounds. The logo keeps the page that it was made for behind it."""
    plate = f"background:{light.page.fill} !important; padding:6px 10px; box-sizing:border-box;"
    rules = [
        f".design {{ background-color:{dark.page.fill} !important; }}",
        *(rule for each in fields(dark) for rule in _on(f".on-{each.name}", getattr(dark, each.name))),
        f".logo img {{ {plate} border-radius:{RADIUS}px; }}",
    ]
    return f"@media (prefers-color-scheme:dark) {{\n{_LINE.join(rules)}\n}}"


def _on(name: str, ground: Ground) -> list[str]:
    fills = ", ".join((name, f"{name} > table", f"{name} > table > tbody > tr > td"))
    words = ", ".join(f"{name} {tag}" for tag in ("div", "th", "td", "p"))
    return [
        f"{fills} {{ background:{ground.fill} !important; }}",
        f"{words} {{ color:{ground.ink} !important; border-color:{ground.hairline} !important; }}",
        f"{name} .muted div, {name} .muted p, {name} th.muted, {name} a.muted {{ color:{ground.muted} !important; }}",
        f"{name} .second td, {name} .second a {{ {_lined(ground.ink)} }}",
        f"{name} a.link, {name} th.link {{ color:{ground.link} !important; }}",
    ]


def _lined(ink: str) -> str:
    return f"color:{ink} !important; border-color:{ink} !important;"
