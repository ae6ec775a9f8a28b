"""How this email is set: its type, its axis and its colours, decided once for all sections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from compositor._values import Json
from compositor.capabilities.email._designer._fonts import family, is_serif
from compositor.capabilities.email._designer._layout import Layout
from compositor.capabilities.email._designer._repair import Constraints
from compositor.capabilities.email._designer._theme import Theme, dark_theme, light_theme
from compositor.capabilities.email._designer._typography import is_cjk
from compositor.capabilities.email._designer._words import direction
from compositor.workspace.tokens import brand_fonts

WIDTH = 600
"""Pixels of the card: the body width of MJML and of most mail."""
GUTTER, MOBILE_GUTTER = 40, 24
"""Pixels at each side of the text."""
COLUMN, MOBILE_COLUMN = WIDTH - 2 * GUTTER, 375 - 2 * MOBILE_GUTTER
ROOM = 48
"""Pixels between two sections; inside a section groups are half as far apart."""
RADIUS = 6


@dataclass(frozen=True, slots=True)
class Type:
    """A size of type: pixels, leading as a factor, weight, tracking in ems, and whether the heading family sets it."""

    size: int
    leading: float
    weight: int = 400
    tracking: float = 0.0
    heading: bool = False

    @property
    def line(self) -> int:
        """Line height in even pixels, so that what follows stays on the grid."""
        return 2 * round(self.size * self.leading / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """What all sections share.

    Attributes:
        locale, direction: of the words.
        layout: how the email is set.
        light, dark: the colours, by the reader's setting.
        body_family, heading_family: CSS lists.
        types: kind → type.
        displays, mobile_displays: sizes that a headline may have, largest first.
        stacked: whether everything stands in one column.
    """

    locale: str
    direction: str
    layout: Layout
    light: Theme
    dark: Theme
    body_family: str
    heading_family: str
    types: Mapping[str, Type]
    displays: tuple[int, ...]
    mobile_displays: tuple[int, ...]
    stacked: bool

    @property
    def start(self) -> str:
        """The side at which a line begins."""
        return "right" if self.direction == "rtl" else "left"

    @property
    def end(self) -> str:
        """The side at which a line ends."""
        return "left" if self.direction == "rtl" else "right"

    @property
    def centred(self) -> bool:
        """Whether short display text stands on the middle axis."""
        return self.layout.centred

    @property
    def axis(self) -> str:
        """Alignment of short display text."""
        return "center" if self.centred else self.start


_LATIN: Mapping[str, Type] = {
    "legal": Type(12, 1.5),
    "small": Type(14, 1.45),
    "body": Type(16, 1.55),
    "lead": Type(18, 1.5),
    "name": Type(16, 1.35, 700),
    "title": Type(20, 1.3, heading=True),
    "quote": Type(25, 1.35, heading=True),
    "heading": Type(25, 1.25, heading=True),
    "display": Type(39, 1.14, tracking=-0.015, heading=True),
}
_EM_SQUARE: Mapping[str, Type] = {
    "legal": Type(13, 1.7),
    "small": Type(15, 1.6),
    "body": Type(17, 1.75),
    "lead": Type(19, 1.7),
    "name": Type(17, 1.5, 700),
    "title": Type(21, 1.45, heading=True),
    "quote": Type(25, 1.5, heading=True),
    "heading": Type(25, 1.4, heading=True),
    "display": Type(39, 1.3, heading=True),
}
"""Characters that fill the em square have finer strokes at the same size: a larger body, more leading, no tracking."""
_DISPLAYS, _MOBILE_DISPLAYS = (49, 39, 31, 25), (39, 31, 25, 22)
_SERIF_WEIGHT, _SANS_WEIGHT = 400, 700


def style_of(view: Mapping[str, Json], *, layout: Layout, constraints: Constraints) -> Style:
    """The style of a view, given as plain JSON."""
    brand, locale = view.get("brand") or {}, view.get("locale") or "en"
    fonts = brand_fonts(brand)
    body, heading = fonts.get("body", fonts.get("heading", ())), fonts.get("heading", fonts.get("body", ()))
    light = light_theme(brand, tokens_only=constraints.tokens_only)
    return Style(
        locale=locale,
        direction=direction(locale),
        layout=layout,
        light=light,
        dark=dark_theme(light),
        body_family=family(body, locale),
        heading_family=family(heading, locale),
        types=_types(locale, _SERIF_WEIGHT if is_serif(heading) else _SANS_WEIGHT),
        displays=_DISPLAYS[constraints.smaller :],
        mobile_displays=_MOBILE_DISPLAYS[constraints.smaller :],
        stacked=constraints.stacked,
    )


def _types(locale: str, weight: int) -> Mapping[str, Type]:
    kinds = _EM_SQUARE if is_cjk(locale) else _LATIN
    return {
        kind: replace(each, weight=weight) if each.heading and kind != "quote" else each for kind, each in kinds.items()
    }
