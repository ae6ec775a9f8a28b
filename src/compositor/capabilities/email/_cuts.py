"""Where a picture is cut: the largest part of a shape, as near around the focal point as the edges allow."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from compositor._values import Json
from compositor.workspace import Box

MOST_WIDTH = 1200
"""Pixels of a cut picture's width: twice the 600 of a mail, for dense screens."""
LEAST_SIDE = 64
"""Pixels below which nothing can be seen in a picture: the size of a thumbnail."""

_RATIO = re.compile(r"\s*(\d{1,4})\s*[:/]\s*(\d{1,4})\s*")
_INSIDE = 0.1
"""Of a pixel: edges of a box lie this far inside, so that rounding cannot make it touch the next pixel."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A part of a picture.

    Attributes:
        left, top, width, height: of the part, in pixels of the picture.
        box: the same as parts of the picture.
    """

    left: int
    top: int
    width: int
    height: int
    box: Box

    @property
    def shown(self) -> tuple[int, int]:
        """Pixels once it is made: never more than there are, and at most `MOST_WIDTH` wide."""
        if self.width <= MOST_WIDTH:
            return self.width, self.height
        return MOST_WIDTH, max(1, round(self.height * MOST_WIDTH / self.width))

    @property
    def too_small(self) -> bool:
        """Whether nothing could be seen in it."""
        return min(self.shown) < LEAST_SIDE


def ratio_of(words: str) -> Fraction | None:
    """Width by height, from `4:3` or `4/3`; None where the words are no ratio."""
    found = _RATIO.fullmatch(words)
    if found is None or not int(found[1]) or not int(found[2]):
        return None
    return Fraction(int(found[1]), int(found[2]))


def focal_point(asset: Mapping[str, Json]) -> Point:
    """What a crop of an asset must keep; the middle where nobody says."""
    point = asset.get("focal_point")
    return (point["x"], point["y"]) if point else (0.5, 0.5)


def cut_of(width: int, height: int, ratio: Fraction, point: Point) -> Cut:
    """The part of a picture that has a ratio.

    Args:
        width: of the picture, in pixels.
        height: of the picture, in pixels.
        ratio: of the part, width by height.
        point: what it must keep, as parts of width and height.
    """
    across = min(width, max(1, round(height * ratio)))
    down = min(height, max(1, round(width / ratio)))
    left, top = _start(point[0], width, across), _start(point[1], height, down)
    box = (
        (left + _INSIDE) / width,
        (top + _INSIDE) / height,
        (left + across - _INSIDE) / width,
        (top + down - _INSIDE) / height,
    )
    return Cut(left=left, top=top, width=across, height=down, box=box)


def _start(at: float, length: int, part: int) -> int:
    """Where a part begins that has a point in its middle, or as near to it as the edges allow."""
    return min(max(round(at * length - part / 2), 0), length - part)
