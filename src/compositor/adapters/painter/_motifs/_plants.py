"""Plants: a bunch of branches before a disc, and a sunlit wall with the shade of a branch on it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._motifs._branches import (
    BAY,
    EUCALYPTUS,
    FERN,
    OLIVE,
    branch,
    leaves_on,
    stem,
)
from compositor.adapters.painter._motifs._solids import ball, bowl, plinth, vase
from compositor.adapters.painter._outlines import Outline, Point, ellipse, rectangle, ribbon
from compositor.adapters.painter._paint import Fade
from compositor.adapters.painter._palette import Palette

_FANS = ((-52, -30, 8, 30, 54), (-40, -14, 18, 42), (-60, -26, 58))
"""Degrees from upright at which branches stand: behind, between, in front."""


def leaves(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Branches that fan out from below, row before row, before a disc."""
    u, w, h = canvas.unit, canvas.width, canvas.height
    ground, lights = (palette.main, (0.2, 0.28)) if palette.dark else (palette.paper, (0.965, 0.91))
    canvas.wash(Fade((0, 0), (w, h), (ground.tone(lights[0]), ground.tone(lights[1]))))
    at, radius = (0.66 * w, h - 56 * u), 30 * u
    disc = (palette.second.tone(0.86, 0.8), palette.accent.tone(0.74, 0.9))
    canvas.fill(Fade((0, at[1] - radius), (0, at[1] + radius), disc), ellipse(*at, radius))
    rows = (0.3, 0.4, 0.54) if palette.dark else (0.78, 0.56, 0.34)
    for depth, (light, growth, fan) in enumerate(zip(rows, (BAY, EUCALYPTUS, FERN), _FANS, strict=True)):
        strength = 0.6 + 0.2 * depth
        tones = (palette.main.tone(light, strength), palette.main.tone(light - 0.055, strength))
        for angle in fan:
            long = (92 - 11 * depth + chance.uniform(-7, 7)) * u
            line = stem((at[0] + angle * 0.12 * u, h + 9 * u), angle + chance.uniform(-5, 5), long)
            branch(canvas, line, growth, tones, chance)


def window(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """A wall that the sun reaches through a window, with the shade of branches in the light, and a board before it."""
    u, w, h = canvas.unit, canvas.width, canvas.height
    hue, wall, lit = (palette.main, 0.3, 0.5) if palette.dark else (palette.paper, 0.84, 0.955)
    canvas.wash(Fade((0, 0), (w, h), (hue.tone(wall + 0.03), hue.tone(wall - 0.05))))
    corner = (0.6 * w - 8 * u, h - 96 * u)
    panes = tuple(_panes(corner, u))
    canvas.fill(hue.tone(lit, 0.9), *panes, soft=1.3 * u, opacity=0.92)
    shades: list[Outline] = []
    for (x, y), angle, long in (((58, 84), -38, 74), ((66, 52), -52, 58)):
        line = stem((corner[0] + x * u, corner[1] + y * u), angle + chance.uniform(-5, 5), long * u)
        shades += [ribbon(line, 0.7 * u), *leaves_on(line, OLIVE, chance)[0]]
    canvas.fill(hue.tone(wall - 0.06), *shades, soft=1.2 * u, opacity=0.8, within=panes, rim=1.3 * u)
    _board(canvas, palette, h - 15 * u)
    _on_board(canvas, palette, chance, (0.6 * w - 16 * u, h - 9 * u))


def _panes(corner: Point, u: float) -> Iterator[Outline]:
    """Two by three panes, thrown aslant."""
    for row in range(3):
        for column in range(2):
            x, y = corner[0] + (27 * column - 7 * row) * u, corner[1] + (25 * row + 6.5 * column) * u
            yield [(x, y), (x + 24 * u, y + 5.8 * u), (x + 17.9 * u, y + 27.8 * u), (x - 6.1 * u, y + 22 * u)]


def _board(canvas: Canvas, palette: Palette, top: float) -> None:
    w, h = canvas.width, canvas.height
    wood, light = (palette.main, 0.24) if palette.dark else (palette.second, 0.68)
    tones = (wood.tone(light + 0.05, 0.6), wood.tone(light - 0.06, 0.6))
    canvas.fill(Fade((0, top), (0, h), tones), rectangle(-9, top, w + 9, h + 9))
    canvas.fill(wood.tone(light + 0.16, 0.5), rectangle(-9, top, w + 9, top + 0.7 * canvas.unit))


def _on_board(canvas: Canvas, palette: Palette, chance: Random, foot: Point) -> None:
    """A vase with a branch, or a bowl on a drum; and a ball."""
    u, (x, y) = canvas.unit, foot
    if chance.random() < 0.65:
        light = 0.56 if palette.dark else 0.4
        tones = (palette.main.tone(light), palette.main.tone(light - 0.06))
        for angle, long in ((-24, 34), (6, 42), (30, 30)):
            line = stem((x, y - 30 * u), angle + chance.uniform(-4, 4), long * u)
            branch(canvas, line, OLIVE, tones, chance)
        vase(canvas, palette.accent, foot, 34 * u, 0.66)
    else:
        top = plinth(canvas, palette.paper, foot, 15 * u, 22 * u, 0.82)
        bowl(canvas, palette.accent, (x, y - 21.5 * u), 10 * u, 0.68, on=top)
    ball(canvas, palette.main, (x + 21 * u, y + 2 * u), 6 * u, 0.52)
