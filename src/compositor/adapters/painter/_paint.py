"""Paints: what an outline is filled with. Colours are `#rrggbb`, or `#rrggbbaa` where something shows through."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, hypot
from typing import Protocol

from coloraide import Color
from PIL import Image

from compositor.adapters.painter._outlines import Point

_STEPS = 255

Box = tuple[int, int, int, int]
"""Left, top, right and bottom in pixels of the picture."""


class Paint(Protocol):
    """Something that can be laid over a part of the picture."""

    def over(self, box: Box) -> Image.Image:
        """The paint on that part: an image of its size, `RGBA` where something shows through, else `RGB`."""
        ...


@dataclass(frozen=True, slots=True)
class Fade:
    """Colours that change evenly along a line, and stay as they are beyond its ends."""

    start: Point
    end: Point
    colours: tuple[str, ...]

    def over(self, box: Box) -> Image.Image:
        """The paint on a part of the picture."""
        dx, dy = self.end[0] - self.start[0], self.end[1] - self.start[1]
        length = hypot(dx, dy) or 1.0
        steps = min(_STEPS, ceil(length))  # no more than one a pixel, or the ends of the strip do not reach
        down, across = dy * steps / length**2, dx * steps / length**2
        first = _LEAD + (box[0] - self.start[0]) * across + (box[1] - self.start[1]) * down
        return _mapped(_strip(self.colours, steps), box, ((0, 0, 1.5), (across, down, first)), length)


@dataclass(frozen=True, slots=True)
class Glow:
    """Colours that change evenly from a point outwards."""

    centre: Point
    radius: float
    colours: tuple[str, ...]

    def over(self, box: Box) -> Image.Image:
        """The paint on a part of the picture."""
        scale = _REACH / self.radius
        left, top = (128 + (box[side] - self.centre[side]) * scale for side in (0, 1))
        distances = _mapped(_distances(), box, ((scale, 0, left), (0, scale, top)), self.radius)
        return through(distances, self.colours)


Row = tuple[float, float, float]
"""A coordinate of the source, from those of the target: the parts of x and y, and what is added."""


def _mapped(source: Image.Image, box: Box, rows: tuple[Row, Row], length: float) -> Image.Image:
    """A source, looked up for every pixel of a box, by coordinates that grow evenly.

    The longer the change, the coarser the grid on which it is looked up; it is smooth, so nothing is lost in between.
    """
    width, height = box[2] - box[0], box[3] - box[1]
    coarser = min(8, max(1, int(length / _SMOOTH)))
    size = (ceil(width / coarser) + 1, ceil(height / coarser) + 1)
    coefficients = [number for x, y, start in rows for number in (x * coarser, y * coarser, start)]
    looked_up = source.transform(
        size,
        Image.Transform.AFFINE,
        coefficients,
        Image.Resampling.BILINEAR,
        fillcolor=255 if source.mode == "L" else None,
    )
    if coarser == 1:
        return looked_up.crop((0, 0, width, height))
    part = (0, 0, width / coarser, height / coarser)
    return looked_up.resize((width, height), Image.Resampling.BICUBIC, box=part)


_SMOOTH = 40
"""Pixels of a change of colour for each pixel of the grid that it is looked up on."""
_REACH = 127
"""Pixels from the middle of Pillow's radial gradient to the nearest edge of it."""


@lru_cache(maxsize=1)
def _distances() -> Image.Image:
    """Grey levels that grow evenly from 0 in the middle to 255 at the edge, and stay so in the corners."""
    whole = Image.radial_gradient("L")
    edge = whole.tobytes()[128 * 256 + 128 - _REACH]
    return whole.point([min(255, round(level * 255 / edge)) for level in range(256)])


def through(levels: Image.Image, colours: tuple[str, ...]) -> Image.Image:
    """Grey levels, seen through a ramp of colours: the first for black, the last for white."""
    shades, mode = ramp(colours)
    levels.putpalette(b"".join(shades), mode)
    return levels.convert(mode)


_LEAD = 4096
"""Steps of its end colours that a strip has before and after the change: more than a picture has pixels across."""


@lru_cache(maxsize=512)
def _strip(colours: tuple[str, ...], steps: int) -> Image.Image:
    shades, mode = ramp(colours)
    chosen = [shades[round(step / steps * _STEPS)] for step in range(steps + 1)]
    column = [chosen[0]] * _LEAD + chosen + [chosen[-1]] * _LEAD
    return Image.frombytes(mode, (3, len(column)), b"".join(shade * 3 for shade in column))


@lru_cache(maxsize=512)
def ramp(colours: tuple[str, ...]) -> tuple[list[bytes], str]:
    """256 steps through colours, mixed in OKLab, and the mode of their bytes: `RGBA` where any is not opaque."""
    mode = "RGBA" if any(len(colour) > 7 for colour in colours) else "RGB"
    stops = [(*Color(colour).convert("oklab").coords(), Color(colour).alpha()) for colour in colours]
    shades = []
    for step in range(_STEPS + 1):
        place = step / _STEPS * (len(stops) - 1)
        at = min(int(place), len(stops) - 2)
        one, other, part = stops[at], stops[at + 1], place - at
        *mixed, alpha = (a + (b - a) * part for a, b in zip(one, other, strict=True))
        levels = (*Color("oklab", mixed).convert("srgb").coords(), alpha)
        shades.append(bytes(map(_level, levels[: len(mode)])))
    return shades, mode


def _level(part: float) -> int:
    return min(255, max(0, round(part * 255)))


def clear(colour: str, opacity: float) -> str:
    """A colour that lets something through: 0 all, 1 nothing."""
    return f"{colour[:7]}{_level(opacity):02x}"
