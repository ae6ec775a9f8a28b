"""Things that flow: colours that run into one another, folded bands, and strings that swing."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, exp, pi, sin
from random import Random

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._outlines import Outline, Point, below, moved, ribbon, smooth
from compositor.adapters.painter._paint import Fade, Glow, clear
from compositor.adapters.painter._palette import Palette


def mesh(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Colours that run into one another in slow folds."""
    a, b, c, d = (chance.uniform(0, 2 * pi) for _ in range(4))
    turn, steep = chance.uniform(0.5, 0.9), 1.7 if palette.dark else 1.0  # by night, the dark has the larger part

    def height_at(x: float, y: float) -> float:
        along, over = x * cos(turn) + y * sin(turn), y * cos(turn) - x * sin(turn)
        bent = along + 0.16 * sin(3.1 * over + a) + 0.07 * sin(6.3 * along + 2.4 * over + b)
        fold = 0.5 + 0.5 * sin(5.4 * bent + c + 0.9 * sin(2.2 * over + d))
        return float((0.9 * fold + 0.05 * (1 + sin(7 * over - 3 * along + a))) ** steep)

    canvas.field(height_at, tuple(_run(palette)))
    shine = palette.paper.tone(0.96, 0.7)
    at = (chance.uniform(0.1, 0.9) * canvas.width, chance.uniform(0, 0.3) * canvas.height)
    reach = 0.6 * max(canvas.width, canvas.height)
    canvas.wash(Glow(at, reach, (clear(shine, 0.3), clear(shine, 0.1), clear(shine, 0))))


def _run(palette: Palette) -> Iterator[str]:
    """From the main hue to the second and the accent: through the dark by night, through the light by day."""
    main, second, accent = palette.main, palette.second, palette.accent
    if palette.dark:
        yield from (main.tone(0.19), main.tone(0.26), main.tone(0.44))
        yield from (accent.tone(0.62), accent.tone(0.72), second.tone(0.84))
    else:
        yield from (main.tone(0.62), main.tone(0.74, 0.9), main.tone(0.88, 0.6))
        yield from (second.tone(0.9, 0.7), second.tone(0.82, 0.9), accent.tone(0.76))


def folds(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Broad bands that lie over one another like silk, and fan out to one side."""
    u, w, h = canvas.unit, canvas.width, canvas.height
    ground = (palette.main.tone(0.2), palette.main.tone(0.3))
    if not palette.dark:
        ground = (palette.paper.tone(0.95), palette.main.tone(0.86, 0.5))
    canvas.wash(Fade((0, 0), (w, h), ground))
    swing, lift, bands = chance.uniform(0.75, 1.2), chance.uniform(-0.06, 0.05), 7
    for step in range(bands):
        part = step / (bands - 1)
        hue = (palette.second, palette.accent, palette.main)[min(2, int(part * 3))]
        light = 0.74 - 0.46 * part if palette.dark else 0.86 - 0.3 * part
        edge = _edge(canvas, part, swing, lift)
        canvas.fill(palette.main.tone(0.2), below(moved(edge, 0, -1.2 * u), 2 * h), soft=4 * u, opacity=0.32)
        sheen = tuple(hue.tone(light + more) for more in (-0.08, 0.1, 0.0, -0.14))
        canvas.fill(Fade((0, h), (w, 0.2 * h), sheen), below(edge, 2 * h))


def _edge(canvas: Canvas, part: float, swing: float, lift: float) -> list[Point]:
    """The upper edge of a band."""
    w, h = canvas.width, canvas.height
    left, right = (0.72 + 0.3 * part + lift) * h, (0.02 + 1.02 * part) * h
    rise = 0.2 * h * swing * (1 - 0.5 * part)
    heights = (left, left + 0.25 * rise, (left + right) / 2 + 0.7 * rise, right + 0.1 * rise, right - 0.55 * rise)
    return smooth([(x * w, y) for x, y in zip((-0.1, 0.12, 0.42, 0.72, 1.1), heights, strict=True)], steps=24)


_STRINGS = 46


def lines(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Strings that swing, most of all near one place; the middle ones are heard."""
    ground = palette.main.tone(0.2) if palette.dark else palette.paper.tone(0.955)
    glow = palette.main.tone(0.42) if palette.dark else palette.second.tone(0.9)
    canvas.wash(Glow((0.66 * canvas.width, 0.5 * canvas.height), 0.8 * canvas.width, (glow, ground)))
    phase, speed = chance.uniform(0, 2 * pi), chance.uniform(3.4, 4.6)
    for number in range(_STRINGS):
        part = number / (_STRINGS - 1)
        off = abs(part - 0.5)
        if off < 0.09:
            colour = palette.accent.tone(0.76 if palette.dark else 0.6)
        else:
            colour = palette.main.tone(0.62 - 0.5 * off if palette.dark else 0.45 + 0.8 * off)
        width = max(1.0, (0.34 - 0.2 * off) * canvas.unit)
        canvas.fill(colour, ribbon(_string(canvas, part, phase, speed), width))


def _string(canvas: Canvas, part: float, phase: float, speed: float) -> Outline:
    """One string; part is its place among them, from the first to the last."""
    level, count = (0.22 + 0.56 * part) * canvas.height, max(60, canvas.width // 8)
    line = []
    for step in range(count + 1):
        x = step / count
        near = exp(-(((x - 0.66) / 0.2) ** 2)) + 0.25 * exp(-(((x - 0.28) / 0.16) ** 2))
        swing = sin(speed * 2 * pi * x + phase + 3.2 * part) + 0.5 * sin(speed * 3.3 * pi * x - 4 * part)
        height = level + 0.16 * canvas.height * near * swing * (1 - (2 * part - 1) ** 2)
        line.append((x * canvas.width, height))
    return line
