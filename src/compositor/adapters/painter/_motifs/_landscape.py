"""Hills and the sea: a low sun, and layers that grow darker and richer as they come nearer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._outlines import Outline, Point, below, ellipse, wave
from compositor.adapters.painter._paint import Fade, Glow, clear
from compositor.adapters.painter._palette import Palette

_RIDGES, _SWELLS = 6, 7


def hills(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Ridges behind ridges, with mist between them, and a few trees on the nearest."""
    _sky(canvas, palette, 0.5 * canvas.height)
    _sun(canvas, palette, (0.68 * canvas.width, 0.36 * canvas.height), 13 * canvas.unit)
    far, near = (0.56, 0.2) if palette.dark else (0.84, 0.3)
    for number in range(_RIDGES):
        depth = number / (_RIDGES - 1)
        tall = (5.5 + 5 * depth) * canvas.unit
        parts = ((tall, 0.8), (tall * 0.45, 1.9), (tall * 0.16, 4.3), (tall * 0.05, 11))
        crest = _crest(canvas, chance, (0.5 + 0.42 * depth) * canvas.height, parts)
        light = far + (near - far) * depth**0.9
        mist = (palette.main.tone(light, 0.45 + 0.55 * depth), palette.main.tone(light + 0.1 * (1.2 - depth), 0.4))
        _layer(canvas, crest, mist, 0.3 * canvas.height)
    canvas.fill(palette.main.tone(near - 0.05), *_trees(canvas, chance, crest))


def sea(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """A disc on the horizon, its path of light on the water, and a swell that comes nearer."""
    u, h, horizon = canvas.unit, canvas.height, 0.47 * canvas.height
    _sky(canvas, palette, horizon)
    _sun(canvas, palette, (0.66 * canvas.width, horizon - 4 * u), 17 * u)
    far, near = (0.52, 0.2) if palette.dark else (0.8, 0.34)
    surface = [(-9.0, horizon), (canvas.width + 9.0, horizon)]
    _layer(canvas, surface, (palette.main.tone(far + 0.06, 0.7), palette.main.tone(near)), h - horizon)
    for number in range(_SWELLS):
        depth = number / (_SWELLS - 1)
        tall = (0.25 + 3.2 * depth) * u
        level = horizon + (0.07 + 0.82 * depth**1.25) * (h - horizon)
        crest = _crest(canvas, chance, level, ((tall, 1.1), (tall * 0.42, 2.3), (tall * 0.12, 5.2)))
        light = far + (near - far) * (0.15 + 0.85 * depth)
        water = tuple(palette.main.tone(light + more, 0.75 + 0.25 * depth) for more in (0.1, 0.03, -0.02, -0.04))
        _layer(canvas, crest, water, (0.1 + 0.12 * depth) * h)
    glints = list(_glints(canvas, chance, (0.66 * canvas.width, horizon)))
    for part, opacity in enumerate((0.95, 0.7, 0.45)):
        canvas.fill(palette.second.tone(0.9, 0.8), *glints[part::3], opacity=opacity)


def _sky(canvas: Canvas, palette: Palette, horizon: float) -> None:
    main, second = palette.main, palette.second
    colours = (main.tone(0.84, 0.5), palette.paper.tone(0.94, 0.7), second.tone(0.92, 0.6))
    if palette.dark:
        colours = (main.tone(0.22, 0.9), main.tone(0.4), second.tone(0.72, 0.8))
    canvas.wash(Fade((0, 0), (0, horizon * 1.25), colours))


def _sun(canvas: Canvas, palette: Palette, at: Point, radius: float) -> None:
    glow = palette.second.tone(0.86)
    canvas.wash(Glow(at, 4.6 * radius, tuple(clear(glow, opacity) for opacity in (0.75, 0.3, 0.08, 0))))
    canvas.fill(Fade((0, at[1] - radius), (0, at[1] + radius), palette.disc()), ellipse(*at, radius))


def _crest(canvas: Canvas, chance: Random, level: float, parts: Sequence[tuple[float, float]]) -> list[Point]:
    """A line of waves (size, how many across a picture of 3 : 2), each somewhat longer or shorter."""
    across = canvas.width / canvas.unit / 150
    waves = ((size, count * across * chance.uniform(0.8, 1.25), chance.random()) for size, count in parts)
    return wave(canvas.width, level, *waves)


def _layer(canvas: Canvas, crest: Sequence[Point], colours: tuple[str, ...], reach: float) -> None:
    """All below a line, in colours that change from its highest point down."""
    start = min(y for _, y in crest)
    canvas.fill(Fade((0, start), (0, start + reach), colours), below(crest, canvas.height + 9))


def _glints(canvas: Canvas, chance: Random, sun: Point) -> Iterator[Outline]:
    """Flat lights on the water below the sun; the nearer, the farther apart."""
    step = 0.9 * canvas.unit
    y = sun[1] + step
    while y < canvas.height - 6 * canvas.unit:
        reach = max(4 * canvas.unit, 13 * canvas.unit - 0.16 * (y - sun[1]))
        for _ in range(2):
            yield ellipse(sun[0] + chance.gauss(0, 0.38) * reach, y, chance.uniform(0.16, 0.62) * reach, step * 0.22)
        y += step * chance.uniform(0.9, 1.5)
        step *= 1.07


_SKIRTS = ((0.0, 0.62), (0.26, 0.5), (0.5, 0.38))
"""Rows of branches of a conifer, from the ground up: where each begins and how tall it is, as parts of the tree."""


def _trees(canvas: Canvas, chance: Random, crest: Sequence[Point]) -> Iterator[Outline]:
    """Conifers in two groups on a line."""
    for middle, count in ((0.12, 11), (0.3, 4)):
        for _ in range(count):
            x, y = crest[int(len(crest) * min(0.98, max(0.01, chance.gauss(middle, 0.05))))]
            tall = chance.uniform(4, 10) * canvas.unit
            for start, size in _SKIRTS:
                foot, half = y + canvas.unit - tall * start, tall * size * 0.3
                yield [(x - half, foot), (x, foot - tall * size), (x + half, foot)]
