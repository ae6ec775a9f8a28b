"""The head of the document: type classes, and what phones and dark settings change."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from compositor.capabilities.email._designer._elements import FAR, NEAR, element
from compositor.capabilities.email._designer._plan import Plan
from compositor.capabilities.email._designer._style import MOBILE_GUTTER, RADIUS, Style, Type
from compositor.capabilities.email._designer._theme import Ground, Theme

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
        element("mj-style", _phone(style)),
        element("mj-style", _dark(style.dark)),
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


def _phone(style: Style) -> str:
    """Narrower gutters, the button across, columns one under the other, the headline a step smaller."""
    shape = style.types["display"]
    sizes = [(size, Type(size, shape.leading).line) for size in style.mobile_displays]
    inner = MOBILE_GUTTER // 2
    rules = [
        f".gutter > table > tbody > tr > td {{ padding-left:{MOBILE_GUTTER}px !important; padding-right:{MOBILE_GUTTER}px !important; }}",
        f".gutters > table > tbody > tr > td {{ padding-left:{inner}px !important; padding-right:{inner}px !important; }}",
        *(f".under-{gap} {{ padding-top:{gap}px !important; }}" for gap in (NEAR, FAR)),
        ".action table { width:100% !important; }",
        ".action a { display:block !important; padding-left:12px !important; padding-right:12px !important; }",
        *(
            f".mobile-{s} h1, .mobile-{s} h2 {{ font-size:{s}px !important; line-height:{line}px !important; }}"
            for s, line in sizes
        ),
    ]
    return f"@media only screen and ({PHONE}) {{ {' '.join(rules)} }}"


def _dark(theme: Theme) -> str:
    """The dark grounds. The logo keeps the light page behind it: it was made for a light one."""
    rules = [
        f".design {{ background-color:{theme.page.fill} !important; }}",
        *(rule for name in ("page", "surface", "raised", "band") for rule in _on(name, getattr(theme, name))),
    ]
    return f"@media (prefers-color-scheme:dark) {{ {' '.join(rules)} }}"


def _on(name: str, ground: Ground) -> list[str]:
    return [
        f".on-{name}, .on-{name} > table {{ background:{ground.fill} !important; }}",
        f".on-{name} div, .on-{name} th, .on-{name} td {{ color:{ground.ink} !important; border-color:{ground.hairline} !important; }}",
        f".on-{name} .muted div {{ color:{ground.muted} !important; }}",
        f".on-{name} .link {{ color:{ground.link} !important; }}",
    ]
