"""Arithmetic with colours, all written `#rrggbb`; mixing happens in OKLab, changes of lightness in OKLCH."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

WHITE, BLACK = "#ffffff", "#000000"
_HALVINGS = 8
"""Steps of the search for a lightness; finer than a colour of eight bits can show."""


def _colour(value: str) -> Any:
    from coloraide import Color  # 20 CPU ms: not wanted by those who only import the capability

    return Color(value)


def _hex(colour: Any) -> str:
    return str(colour.convert("srgb").fit(method="oklch-chroma").to_string(hex=True))


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2, 1 to 21."""
    return float(_colour(one).contrast(_colour(other), method="wcag21"))


def difference(one: str, other: str) -> float:
    """Delta E 2000."""
    return float(_colour(one).delta_e(_colour(other), method="2000"))


def lightness(colour: str) -> float:
    """OKLCH lightness, 0 to 1."""
    return float(_colour(colour).convert("oklch")["lightness"])


def chroma(colour: str) -> float:
    """OKLCH chroma, 0 to about 0.4."""
    return float(_colour(colour).convert("oklch")["chroma"])


def mixed(one: str, other: str, part: float) -> str:
    """`one` with a part (0 to 1) of `other`."""
    return _hex(_colour(one).mix(_colour(other), part, space="oklab"))


def at(colour: str, *, light: float, most_chroma: float = 0.4) -> str:
    """The colour at another OKLCH lightness, its hue kept and its chroma limited."""
    moved = _colour(colour).convert("oklch")
    moved["lightness"], moved["chroma"] = min(max(light, 0.0), 1.0), min(moved["chroma"], most_chroma)
    return _hex(moved)


def readable(colour: str, ground: str, ratio: float) -> str:
    """The colour, made lighter or darker only as far as it needs to reach a contrast with the ground.

    Black or white, whichever can be read better, is the answer where its hue cannot reach it.
    """
    if contrast(colour, ground) >= ratio:
        return colour
    end = most_readable((BLACK, WHITE), ground)
    near, far = lightness(colour), lightness(end)
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        near, far = (near, middle) if contrast(at(colour, light=middle), ground) >= ratio else (middle, far)
    moved = at(colour, light=far)
    return moved if contrast(moved, ground) >= ratio else end


def quiet(ink: str, ground: str, ratio: float) -> str:
    """The ink, thinned with the ground as far as the contrast allows."""
    shares = (step / 50 for step in range(30, 0, -1))
    thinned = (mixed(ink, ground, share) for share in shares)
    return next((colour for colour in thinned if contrast(colour, ground) >= ratio), ink)


def most_readable(candidates: Iterable[str], ground: str) -> str:
    """The candidate with the highest contrast."""
    return max(candidates, key=lambda colour: contrast(colour, ground))
