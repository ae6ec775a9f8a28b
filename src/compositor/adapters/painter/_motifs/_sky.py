"""The sky: stars and a young moon over the last light, or a day with a few clouds."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._outlines import Outline, Point, arc, below, ellipse, placed, rectangle, wave
from compositor.adapters.painter._paint import Fade, Glow, clear
from compositor.adapters.painter._palette import Palette


def sky(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """By night or by day, as the palette says."""
    (_night if palette.dark else _day)(canvas, palette, chance)


def _night(canvas: Canvas, palette: Palette, chance: Random) -> None:
    u, w, h = canvas.unit, canvas.width, canvas.height
    deep, glow = palette.main, palette.second
    colours = (deep.tone(0.19), deep.tone(0.27), deep.tone(0.42), glow.tone(0.66, 0.9), glow.tone(0.82))
    canvas.wash(Fade((0, 0), (0, 1.02 * h), colours))
    for size, count, opacity in ((0.16, 130, 0.5), (0.26, 46, 0.8), (0.42, 12, 1.0)):
        canvas.fill(glow.tone(0.95, 0.5), *_stars(canvas, chance, size, count), opacity=opacity)
    at, radius = (0.7 * w, 0.32 * h), 11 * u
    canvas.wash(Glow(at, 4.5 * radius, tuple(clear(glow.tone(0.85), part) for part in (0.34, 0.12, 0.03, 0))))
    canvas.fill(Glow(at, radius, (glow.tone(0.96, 0.6), glow.tone(0.9, 0.8))), _moon(at, radius))
    canvas.fill(glow.tone(0.8, 0.8), *_veils(canvas, chance), opacity=0.3, soft=1.4 * u)
    across = w / u / 150
    for height, tall, light in ((0.85, 2.4 * u, 0.3), (0.92, 3.4 * u, 0.2)):
        parts = ((tall, 1.1), (0.5 * tall, 2.3), (0.16 * tall, 5.5))
        line = wave(w, height * h, *((size, count * across, chance.random()) for size, count in parts))
        canvas.fill(deep.tone(light), below(line, h + 9))


def _stars(canvas: Canvas, chance: Random, size: float, count: int) -> Iterator[Outline]:
    """More of them higher up."""
    for _ in range(count):
        x, y = chance.random() * canvas.width, chance.random() ** 1.4 * 0.72 * canvas.height
        yield ellipse(x, y, max(0.5, size * canvas.unit))


def _moon(at: Point, radius: float) -> Outline:
    """A young moon: its outer edge is half a circle, its inner one half an ellipse."""
    outer, inner = arc((0, 0), radius, -90, 90), arc((0, 0), radius * 0.58, 90, -90, ry=radius)
    return placed([*outer, *inner], at, 24)


def _veils(canvas: Canvas, chance: Random) -> Iterator[Outline]:
    """Long thin clouds above the horizon."""
    for _ in range(7):
        x, y = chance.random() * canvas.width, chance.uniform(0.56, 0.88) * canvas.height
        yield ellipse(x, y, chance.uniform(16, 46) * canvas.unit, chance.uniform(0.35, 0.9) * canvas.unit)


_CLOUDS = ((0.8, 0.46, 8.5), (0.2, 0.62, 6.5), (0.58, 0.79, 10.5), (0.98, 0.85, 12.5), (0.12, 0.97, 14))
"""Parts of the width and height, and the size in units: the lower, the nearer and the larger."""


def _day(canvas: Canvas, palette: Palette, chance: Random) -> None:
    w, h = canvas.width, canvas.height
    colours = (palette.main.tone(0.66), palette.main.tone(0.8, 0.8), palette.paper.tone(0.95, 0.7))
    canvas.wash(Fade((0, 0), (0, h), colours))
    at, radius = (0.7 * w, 0.33 * h), 14 * canvas.unit
    halo = palette.second.tone(0.95)
    canvas.wash(Glow(at, 4 * radius, tuple(clear(halo, part) for part in (0.6, 0.2, 0.04, 0))))
    canvas.fill(Fade((0, at[1] - radius), (0, at[1] + radius), palette.disc()), ellipse(*at, radius))
    for x, y, size in _CLOUDS:
        place = ((x + chance.uniform(-0.05, 0.05)) * w, (y + chance.uniform(-0.03, 0.03)) * h)
        _cloud(canvas, palette, chance, place, size * canvas.unit)


def _cloud(canvas: Canvas, palette: Palette, chance: Random, at: Point, size: float) -> None:
    """Balls that rest on a level line, lit from above."""
    x, y = at
    balls = [
        ellipse(x + place * size, y - 0.82 * radius * size, radius * size * chance.uniform(0.9, 1.1))
        for place, radius in ((-1.35, 0.36), (-0.72, 0.62), (0.05, 0.88), (0.78, 0.58), (1.32, 0.34))
    ]
    foot, air = ellipse(x, y, 1.75 * size, 0.5 * size), rectangle(x - 3 * size, y - 3 * size, x + 3 * size, y)
    body = (palette.paper.tone(0.975, 0.5), palette.main.tone(0.86, 0.6))
    canvas.fill(Fade((0, y - 1.5 * size), (0, y + 0.1 * size), body), *balls, foot, within=(air,))
