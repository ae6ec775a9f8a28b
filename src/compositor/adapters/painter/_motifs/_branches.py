"""Branches: a stem, leaves along it, and the half of each leaf that is in shade."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, degrees, hypot, radians, sin
from random import Random

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._outlines import Outline, Point, placed, ribbon, smooth


@dataclass(frozen=True, slots=True)
class Growth:
    """How a plant grows.

    Attributes:
        pairs: of leaves along a stem.
        length: of the longest leaf, as a part of the stem.
        width: of a leaf, as a part of its length.
        angle: degrees from the stem.
    """

    pairs: int
    length: float
    width: float
    angle: float


FERN = Growth(18, 0.2, 0.15, 58)
EUCALYPTUS = Growth(8, 0.12, 0.66, 66)
BAY = Growth(8, 0.22, 0.27, 46)
OLIVE = Growth(10, 0.17, 0.22, 50)

_BARE = 0.3
"""The lower part of a stem has no leaves."""


def stem(foot: Point, angle: float, long: float) -> list[Point]:
    """A stem that sets out nearly upright and hangs over; the angle is that of its middle, from upright."""
    points = [foot]
    for (before, _), (part, bent) in pairwise(((0.0, 0.0), (0.35, 0.5), (0.7, 0.85), (1.0, 1.15))):
        way, step = radians(angle * bent), (part - before) * long
        points.append((points[-1][0] + sin(way) * step, points[-1][1] - cos(way) * step))
    return smooth(points)


def branch(canvas: Canvas, line: Sequence[Point], growth: Growth, tones: tuple[str, str], chance: Random) -> None:
    """Draw a branch along a stem.

    Args:
        canvas: to draw on.
        line: the stem, from its foot.
        growth: of the plant.
        tones: of the leaves in light, and in shade.
        chance: no two leaves are alike.
    """
    whole, halves = leaves_on(line, growth, chance)
    canvas.fill(tones[1], ribbon(line, 0.9 * canvas.unit, end=0.3 * canvas.unit))
    canvas.fill(tones[0], *whole)
    canvas.fill(tones[1], *halves)


def leaves_on(line: Sequence[Point], growth: Growth, chance: Random) -> tuple[list[Outline], list[Outline]]:
    """The leaves along a stem, and the half of each that is in shade."""
    tall = hypot(line[0][0] - line[-1][0], line[0][1] - line[-1][1])
    whole: list[Outline] = []
    halves: list[Outline] = []
    for place, way, side, part in _buds(line, growth.pairs):
        long = tall * growth.length * min(1.0, 0.6 + 1.3 * (1 - part)) * chance.uniform(0.9, 1.08)
        turn = way + side * growth.angle * (1 - 0.45 * part) + chance.uniform(-6, 6)
        half = _half(long, growth.width)
        other = [(x, -y) for x, y in half]
        whole.append(placed([*half, *reversed(other)], place, turn))
        halves.append(placed(half if side < 0 else other, place, turn))
    return whole, halves


def _buds(line: Sequence[Point], pairs: int) -> Iterator[tuple[Point, float, int, float]]:
    """Where leaves grow: the place, the way of the stem there, the side, and how far up; one stands at the tip."""
    for number in range(pairs):
        part = _BARE + (1 - _BARE) * number / (pairs - 1)
        at = min(len(line) - 2, int(part * (len(line) - 1)))
        (x, y), (ahead_x, ahead_y) = line[at], line[at + 1]
        way = degrees(atan2(ahead_y - y, ahead_x - x))
        for side in (-1, 1) if number < pairs - 1 else (0,):
            yield (x, y), way, side, part


def _half(long: float, width: float) -> list[Point]:
    """One side of a leaf along the x axis, from its stalk to its tip."""
    broad = long * width / 2
    edge = [(0.0, 0.0), (0.22 * long, -0.8 * broad), (0.5 * long, -broad), (0.8 * long, -0.55 * broad), (long, 0.0)]
    return smooth(edge, steps=5)
