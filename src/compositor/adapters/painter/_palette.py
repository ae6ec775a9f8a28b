"""Colours for a picture: two or three hues of the brand, and every lightness of them. Arithmetic is in OKLCH."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from coloraide import Color

_COLOURED = 0.035
"""OKLCH chroma from which a colour has a hue to speak of."""
_APART = 28
"""Degrees of hue from which two colours are two hues."""
_NEIGHBOUR = 38
"""Degrees from a lonely hue to the one that is set beside it."""
_DARKEST, _LIGHTEST = 0.17, 0.975
"""No black and no white: both look like holes in a picture."""
_DEEPENED = 10
"""Degrees by which the darkest tones of a hue lean to blue and the lightest to yellow, as in daylight."""
_BROWNED = 70
"""Degrees by which yellow would lean to orange from white to black: in shade it is brown, and not green."""
_YELLOW, _LIFTED = 95, 0.13
"""The OKLCH hue of yellow, and by how much its tones at 0.66 are lifted."""
_LOUDEST = 0.2
"""OKLCH chroma of the strongest tone: pure red and green have 0.26 and 0.29, and nothing stands beside them."""
_PAPER = 0.045
"""OKLCH chroma of the strongest paper; a wall in more of it is a statement."""
_GREYS = ("#8a857d", "#7d8287")
"""A warm and a cool grey, for brands without a hue."""
_HOUSE = (("#27407a", "#e99a6b"), ("#2f5d50", "#d98f5c"), ("#5b3a6e", "#e39aa0"), ("#1d6572", "#ee8f6f"))
"""Two hues each, for wishes without a colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hue:
    """A hue, how strong it is, and the colour of the brand that it was taken from."""

    angle: float
    chroma: float
    lightness: float
    own: str

    def tone(self, lightness: float, strength: float = 1.0) -> str:
        """The hue at a lightness from 0 to 1, `#rrggbb`; strength is a part of its chroma.

        At the lightness of the brand's own colour it is that colour, unless that is yellow or too loud.
        """
        lightness = min(max(lightness + _lift(self.angle, lightness), _DARKEST), _LIGHTEST)
        chroma = min(self.chroma, _LOUDEST) * strength * min(1.0, _room(lightness) / _room(self.lightness))
        turned = _leaning(self.angle, lightness) - _leaning(self.angle, self.lightness)
        return _hex(lightness, chroma, (self.angle + turned) % 360)


def _room(lightness: float) -> float:
    """How much of its chroma a hue keeps: the less, the nearer to black or white."""
    return min(1.0, (lightness + 0.12) / 0.55) * min(1.0, (1.03 - lightness) / 0.3)


def _lift(angle: float, lightness: float) -> float:
    """Yellow is a light colour: its middle tones are lifted, or they would be mud."""
    yellow = max(0.0, 1 - distance(angle, _YELLOW) / 45)
    return _LIFTED * yellow * max(0.0, 1 - abs(lightness - 0.66) / 0.22)


def _leaning(angle: float, lightness: float) -> float:
    """Degrees by which a hue turns in light and in shade."""
    if 50 < angle < 115 and lightness < 0.8:
        return max(50 - angle, (lightness - 0.8) * _BROWNED)
    pole, part = (95, (lightness - 0.6) / 0.4) if lightness > 0.6 else (275, (0.6 - lightness) / 0.45)
    way = (pole - angle + 180) % 360 - 180
    if abs(way) > 150:  # there is no nearer side
        return 0.0
    return max(-_DEEPENED, min(_DEEPENED, way)) * min(1.0, part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """The colours of one picture.

    Attributes:
        main: the hue that the brand is known by.
        second: another hue of the brand, or a neighbour of the first.
        accent: for the one thing that is seen first; where the brand has two hues only, the stronger of them.
        paper: what pale grounds are made of.
        dark: whether the picture is one of the night.
    """

    main: Hue
    second: Hue
    accent: Hue
    paper: Hue
    dark: bool

    @property
    def sun(self) -> Hue:
        """What shines: the accent, where it stands out from the main hue, else paper."""
        return self.accent if distance(self.accent.angle, self.main.angle) >= _APART else self.paper

    def disc(self) -> tuple[str, str]:
        """The tones of something that shines, from its top to its foot."""
        top, foot = (0.82, 0.73) if self.sun is self.accent else (0.97, 0.92)
        return self.sun.tone(top), self.sun.tone(foot)


def palette_of(colours: Sequence[str], chance: Random, *, dark: bool | None) -> Palette:
    """The palette for a brand's colours, the most important first; good also with one, greys only, or none.

    Args:
        colours: `#rrggbb`.
        chance: decides what the brand leaves open.
        dark: whether it is night; None leaves it to the brand and to chance.
    """
    given = [hue_of(colour) for colour in colours or chance.choice(_HOUSE)]
    hues = list(_apart([hue for hue in given if hue.chroma >= _COLOURED and 0.12 < hue.lightness < 0.98]))
    if not hues:
        hues = [hue_of(grey) for grey in _GREYS]
    if len(hues) == 1:
        hues.append(_neighbour(hues[0]))
    main, second = hues[:2]
    accent = hues[2] if len(hues) > 2 else max(hues, key=lambda hue: hue.chroma)
    pale = [hue for hue in given if hue.lightness > 0.84 and 0.004 < hue.chroma < 0.08]
    if dark is None:
        dark = chance.random() < (0.45 if main.lightness < 0.5 else 0.12)
    return Palette(main=main, second=second, accent=accent, paper=_faint((*pale, second)[0]), dark=dark)


def _faint(hue: Hue) -> Hue:
    """The hue, as weak as that of paper."""
    return hue if hue.chroma <= _PAPER else hue_of(_hex(hue.lightness, _PAPER, hue.angle))


def hue_of(colour: str) -> Hue:
    """The hue of a colour."""
    own = Color(colour).convert("oklch")
    angle = own["hue"] if own["hue"] == own["hue"] else 80.0  # a grey has no hue
    return Hue(angle=angle, chroma=own["chroma"], lightness=own["lightness"], own=colour.lower())


def _apart(hues: Sequence[Hue]) -> Iterator[Hue]:
    """Those that are hues of their own, at most three."""
    kept: list[Hue] = []
    for hue in hues:
        if len(kept) < 3 and all(distance(hue.angle, other.angle) >= _APART for other in kept):
            kept.append(hue)
            yield hue


def distance(one: float, other: float) -> float:
    """Degrees between two hues."""
    return abs((one - other + 180) % 360 - 180)


def _neighbour(hue: Hue) -> Hue:
    """A hue beside a lonely one, on its warmer side, and paler."""
    warmer = 1 if (70 - hue.angle) % 360 < 180 else -1
    return hue_of(_hex(0.78, hue.chroma * 0.8, (hue.angle + warmer * _NEIGHBOUR) % 360))


def _hex(lightness: float, chroma: float, angle: float) -> str:
    """The nearest colour that a screen has, at the same lightness and hue."""
    colour = Color("oklch", [lightness, chroma, angle]).convert("srgb")
    return str(colour.fit(method="oklch-chroma").to_string(hex=True))
