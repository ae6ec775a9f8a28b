"""Solids from the wheel, in light that comes from the left: each with the shade that it throws."""

from __future__ import annotations

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._outlines import Outline, Point, arc, ellipse, placed, turned_on_wheel
from compositor.adapters.painter._paint import Fade, Glow
from compositor.adapters.painter._palette import Hue

_FLAT = 0.22
"""How flat a circle looks that lies on the floor."""
_VASE = ((7, -74), (6, -66), (6, -56), (9, -47), (19, -36), (23, -22), (19, -8), (12, 0))
_BOWL = ((40, -26), (38, -18), (30, -6), (16, -1), (14, 0))


def plinth(canvas: Canvas, hue: Hue, foot: Point, radius: float, tall: float, light: float) -> Outline:
    """A drum. Returns its top, for what stands on it."""
    x, y = foot
    _shade(canvas, hue, foot, radius, 1.7 * radius)
    body: Outline = [*arc((x, y), radius, 0, 180, ry=radius * _FLAT), (x - radius, y - tall), (x + radius, y - tall)]
    canvas.fill(_round(hue, light, x - radius, x + radius), body)
    top = ellipse(x, y - tall, radius, radius * _FLAT)
    canvas.fill(Fade((x - radius, 0), (x + radius, 0), (hue.tone(light + 0.12), hue.tone(light + 0.05))), top)
    return top


def ball(canvas: Canvas, hue: Hue, foot: Point, radius: float, light: float, *, on: Outline | None = None) -> None:
    """A ball that lies on the floor, or on something."""
    x, y = foot[0], foot[1] - radius
    _shade(canvas, hue, (x, foot[1] - 0.04 * radius), radius * 0.6, radius * 1.3, on)
    shades = tuple(hue.tone(light + more) for more in (0.17, 0.13, 0.07, 0.0, -0.08, -0.15, -0.18, -0.14))
    canvas.fill(Glow((x - 0.36 * radius, y - 0.42 * radius), 1.62 * radius, shades), ellipse(x, y, radius))


def vase(canvas: Canvas, hue: Hue, foot: Point, tall: float, light: float, *, on: Outline | None = None) -> Point:
    """A bottle with a long neck. Returns its mouth."""
    scale = tall / 74
    _turned(canvas, hue, foot, scale, light, (_VASE, 23, 15), on)
    mouth = (foot[0], foot[1] - tall)
    canvas.fill(hue.tone(light - 0.22), ellipse(*mouth, 7 * scale, 1.5 * scale))
    return mouth


def bowl(canvas: Canvas, hue: Hue, foot: Point, tall: float, light: float, *, on: Outline | None = None) -> None:
    """A bowl that one looks into."""
    scale = tall / 26
    _turned(canvas, hue, foot, scale, light, (_BOWL, 40, 16), on)
    x, y = foot[0], foot[1] - tall
    canvas.fill(hue.tone(light + 0.1), ellipse(x, y, 40 * scale, 5.2 * scale))
    inside = Fade((x - 40 * scale, 0), (x + 40 * scale, 0), (hue.tone(light - 0.24), hue.tone(light - 0.06)))
    canvas.fill(inside, ellipse(x, y + 0.3 * scale, 38 * scale, 4.4 * scale))


def _turned(
    canvas: Canvas,
    hue: Hue,
    foot: Point,
    scale: float,
    light: float,
    form: tuple[Outline, float, float],
    on: Outline | None,
) -> None:
    profile, widest, base = form
    _shade(canvas, hue, foot, base * scale, 1.6 * widest * scale, on)
    reach = widest * scale
    canvas.fill(_round(hue, light, foot[0] - reach, foot[0] + reach), placed(turned_on_wheel(profile), foot, 0, scale))


def _round(hue: Hue, light: float, left: float, right: float) -> Fade:
    """The shading of a round body: lit at the left, darkest before its right edge, which the floor throws light on."""
    lights = (-0.04, 0.06, 0.08, 0.02, -0.06, -0.13, -0.17, -0.14)
    return Fade((left, 0), (right, 0), tuple(hue.tone(light + more) for more in lights))


def _shade(canvas: Canvas, hue: Hue, at: Point, wide: float, long: float, on: Outline | None = None) -> None:
    """A soft reach to the right, and a tight contact; on something, only as far as that goes."""
    x, y = at
    dark, within = hue.tone(0.17), (on,) if on else ()
    cast = placed(ellipse(long * 0.5, 0, wide + long * 0.5, wide * 0.28), (x, y), 4)
    canvas.fill(dark, cast, soft=0.2 * wide, opacity=0.26, within=within)
    canvas.fill(
        dark, ellipse(x + 0.03 * wide, y, wide * 1.02, wide * _FLAT * 1.1), soft=0.09 * wide, opacity=0.4, within=within
    )
