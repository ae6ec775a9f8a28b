"""Built scenes: solids before an arch, and walls in the sun with a stair."""

from __future__ import annotations

from random import Random

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._motifs._solids import ball, bowl, plinth, vase
from compositor.adapters.painter._outlines import Point, archway, ellipse, moved, rectangle
from compositor.adapters.painter._paint import Fade, Glow, clear
from compositor.adapters.painter._palette import Palette


def still_life(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Two drums and what stands on them, before an arch or a disc."""
    u = canvas.unit
    x, floor = 0.64 * canvas.width, canvas.height - 12 * u
    _room(canvas, palette, chance, x, canvas.height - 27 * u)
    tall = chance.uniform(19, 29) * u
    high = plinth(canvas, palette.main, (x - 16 * u, floor - 3 * u), 13 * u, tall, 0.44 if palette.dark else 0.58)
    low = plinth(canvas, palette.paper, (x + 16 * u, floor + 1 * u), 15.5 * u, 12 * u, 0.84)
    above, beside = (x - 16 * u, floor - 3 * u - tall), (x + 16 * u, floor - 11 * u)
    if chance.random() < 0.7:
        vase(canvas, palette.accent, above, 27 * u, 0.64, on=high)
    else:
        ball(canvas, palette.accent, above, 10 * u, 0.68, on=high)
    if chance.random() < 0.5:
        ball(canvas, palette.second, beside, 9.5 * u, 0.74, on=low)
    else:
        bowl(canvas, palette.second, beside, 9 * u, 0.7, on=low)
    ball(canvas, palette.main, (x - 1 * u, floor + 3 * u), 4.6 * u, 0.5)


def _room(canvas: Canvas, palette: Palette, chance: Random, x: float, line: float) -> None:
    """A wall and a floor that meet at a line, and a shape on the wall about x."""
    u, w, h = canvas.unit, canvas.width, canvas.height
    hue, back, ground = (palette.main, 0.3, 0.25) if palette.dark else (palette.paper, 0.9, 0.83)
    canvas.wash(Fade((0, 0), (w, h), (hue.tone(back + 0.04), hue.tone(back - 0.03))))
    tones = (hue.tone(ground + 0.04), hue.tone(ground - 0.04))
    canvas.fill(Fade((0, line), (0, h), tones), rectangle(-9, line, w + 9, h + 9))
    wall = (rectangle(-9, -9, w + 9, line),)
    archlike = chance.random() < 0.6
    shape = archway(x - 30 * u, line - 62 * u, x + 22 * u, line) if archlike else ellipse(x, line - 30 * u, 33 * u)
    canvas.fill(hue.tone(0.2), moved(shape, 2 * u, 1 * u), soft=4 * u, opacity=0.16, within=wall)
    light = 0.46 if palette.dark else 0.8
    shades = tuple(palette.second.tone(light + more, 0.72) for more in (0.07, 0.0, -0.05))
    canvas.fill(Fade((x - 30 * u, line - 62 * u), (x + 22 * u, line), shades), shape, within=wall)


def arches(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Walls in the sun: an arch that one looks into, a stair beside it, and a ball that rests there."""
    u, w, h = canvas.unit, canvas.width, canvas.height
    high, low = (0.22, 0.44) if palette.dark else (0.7, 0.9)
    canvas.wash(Fade((0, 0), (0, 0.85 * h), (palette.main.tone(high, 0.85), palette.main.tone(low, 0.75))))
    left, floor = 0.5 * w - 24 * u, h - 14 * u
    sun, halo = (min(left + 68 * u, w - 14 * u), floor - 60 * u), palette.second.tone(0.92)
    canvas.wash(Glow(sun, 55 * u, (clear(halo, 0.5), clear(halo, 0.12), clear(halo, 0))))
    canvas.fill(Fade((0, sun[1] - 9 * u), (0, sun[1] + 9 * u), palette.disc()), ellipse(*sun, 8.5 * u))
    lit = 0.62 if palette.dark else 0.85
    _house(canvas, palette, (left, floor), lit)
    _stair(canvas, palette, (left + 50 * u, floor), lit, chance.randint(4, 7))
    ground = rectangle(-9, floor, w + 9, h + 9)
    canvas.fill(
        Fade((0, floor), (0, h), (palette.second.tone(lit + 0.05, 0.7), palette.second.tone(lit - 0.04, 0.8))), ground
    )
    cast = [(left - 16 * u, floor), (left + 12 * u, floor), (left - 30 * u, h + 9), (left - 74 * u, h + 9)]
    canvas.fill(palette.second.tone(0.2), cast, soft=1.5 * u, opacity=0.22, within=(ground,))
    ball(canvas, palette.accent, (left + chance.uniform(0, 5) * u, floor + 7 * u), 7 * u, 0.68)


def _house(canvas: Canvas, palette: Palette, foot: Point, lit: float) -> None:
    """A front in the light, a side in the shade, and an archway through a thick wall."""
    u, hue = canvas.unit, palette.second
    left, floor = foot
    roof, top = floor - 68 * u, floor - 48 * u
    side = Fade((0, roof), (0, floor), (hue.tone(lit - 0.22, 0.85), hue.tone(lit - 0.12, 0.85)))
    front = Fade((left, 0), (left + 50 * u, 0), (hue.tone(lit + 0.05, 0.7), hue.tone(lit, 0.8)))
    canvas.fill(side, rectangle(left - 16 * u, roof, left + 1, floor))
    canvas.fill(front, rectangle(left, roof, left + 50 * u, floor))
    door = archway(left + 13 * u, top, left + 39 * u, floor)
    canvas.fill(side, door)
    within = Fade((0, top), (0, floor), (palette.main.tone(0.26), palette.main.tone(0.52)))
    canvas.fill(within, moved(door, 5.5 * u, 0), within=(door,))


def _stair(canvas: Canvas, palette: Palette, foot: Point, lit: float, steps: int) -> None:
    """Steps that go down to the right."""
    u, hue = canvas.unit, palette.second
    deep, rise = 9 * u, 37 * u / steps
    for step in range(steps):
        x, top = foot[0] + step * deep, foot[1] - (steps - step) * rise
        face = Fade((0, top), (0, foot[1]), (hue.tone(lit - 0.1, 0.85), hue.tone(lit - 0.05, 0.8)))
        canvas.fill(face, rectangle(x, top, x + deep + 1, foot[1]))
        canvas.fill(hue.tone(lit + 0.08, 0.6), rectangle(x, top, x + deep + 1, top + 1.3 * u))
