"""Paper: sheets with a hole each, one behind the other; and paper that falls at a feast."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from random import Random

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._outlines import Outline, around, ellipse, moved, placed, ribbon, smooth
from compositor.adapters.painter._paint import Fade, Glow
from compositor.adapters.painter._palette import Hue, Palette

_SHEETS = 6


def cutouts(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Sheets of paper, each with a hole that lets one see the next, down to something bright."""
    u, at = canvas.unit, (0.64 * canvas.width, 0.5 * canvas.height)
    canvas.wash(Glow(at, 60 * u, (palette.accent.tone(0.86, 0.9), palette.accent.tone(0.72))))
    canvas.fill(palette.paper.tone(0.95), ellipse(*at, 9 * u))
    far, near = (0.62, 0.24) if palette.dark else (0.66, 0.94)
    nearest = palette.main if palette.dark else palette.paper
    hues = (palette.second, palette.second, palette.main, palette.main, palette.main, nearest)
    phases = [chance.uniform(0, 2 * pi) for _ in range(3)]
    wide = min(1.5, max(0.8, (canvas.width / canvas.height) ** 0.6))
    for step, hue in enumerate(hues):
        light = far + (near - far) * step / (_SHEETS - 1)
        hole = placed([(x * wide, y) for x, y in _hole((17 + 8.5 * step) * u, phases, 0.55 * step)], at)
        sheet = around(hole, canvas.width, canvas.height)
        canvas.fill(palette.main.tone(0.18), moved(sheet, -0.8 * u, 1.4 * u), soft=3 * u, opacity=0.34)
        canvas.fill(Fade((0, 0), (0, canvas.height), (hue.tone(light + 0.02), hue.tone(light - 0.03))), sheet)


def _hole(radius: float, phases: Sequence[float], turn: float) -> Outline:
    """A circle that three waves push out of shape."""
    waves = ((0.1, 2, phases[0] + turn), (0.08, 3, phases[1] - turn), (0.05, 5, phases[2] + turn))
    points = []
    for step in range(36):
        angle = 2 * pi * step / 36
        reach = radius * (1 + sum(size * sin(times * angle + shift) for size, times, shift in waves))
        points.append((reach * cos(angle), reach * sin(angle)))
    return smooth(points, closed=True, steps=6)


def confetti(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Paper that falls from above, with streamers at the sides; the middle stays free."""
    u, w, h = canvas.unit, canvas.width, canvas.height
    ground, lights = (palette.main, (0.3, 0.21)) if palette.dark else (palette.paper, (0.965, 0.9))
    canvas.wash(Glow((0.5 * w, 0.62 * h), 0.75 * max(w, h), (ground.tone(lights[0]), ground.tone(lights[1]))))
    papers = (
        (palette.main, 0.56 if palette.dark else 0.42),
        (palette.second, 0.78),
        (palette.accent, 0.68),
        (palette.paper, 0.93 if palette.dark else 0.84),
    )
    for hue, light in papers:
        for back in (0.0, 0.09):
            canvas.fill(hue.tone(light - back), *(_piece(canvas, chance, 2.7) for _ in range(14)))
    for x, lean, (hue, light) in ((0.08, 9, papers[2]), (0.93, -10, papers[1]), (0.82, 6, papers[0])):
        _streamer(canvas, chance, x * w, lean, (hue, light))
    for hue, light in papers[:3]:
        canvas.fill(hue.tone(light), *(_piece(canvas, chance, 5.5) for _ in range(2)), soft=1.4 * u)


def _streamer(canvas: Canvas, chance: Random, x: float, lean: float, colour: tuple[Hue, float]) -> None:
    """A paper snake that swings as it falls; one sees its back at every turn."""
    u, (hue, light) = canvas.unit, colour
    long, phase = chance.uniform(46, 62) * u, chance.uniform(0, 2 * pi)
    parts = [number / 90 for number in range(91)]
    line = [(x + (lean * part + 3.6 * sin(16 * part + phase)) * u, long * part - 4 * u) for part in parts]
    turns = tuple(hue.tone(light + more) for more in (0.05, -0.12) * 4)
    canvas.fill(Fade((0, 0), (0, long), turns), ribbon(line, 2.6 * u, end=1.4 * u))


def _piece(canvas: Canvas, chance: Random, size: float) -> Outline:
    """A strip, a disc or a curl; the nearer to a side, the farther it has fallen."""
    x = chance.random()
    y = chance.random() ** (3.0 - 2.2 * abs(2 * x - 1))
    s, turn = size * canvas.unit * chance.uniform(0.6, 1.15), chance.uniform(0, 360)
    kind = chance.choice(("strip", "strip", "disc", "curl"))
    shape: Outline = [(-s * 0.36, -s * 0.75), (s * 0.36, -s * 0.6), (s * 0.36, s * 0.75), (-s * 0.36, s * 0.6)]
    if kind == "disc":
        shape = ellipse(0, 0, s * 0.55, s * 0.55 * chance.uniform(0.35, 1))
    elif kind == "curl":
        shape = ribbon(smooth([(-s, 0), (-s * 0.4, -s * 0.5), (s * 0.2, s * 0.4), (s, -s * 0.1)]), s * 0.4)
    return placed(shape, (x * canvas.width, y * canvas.height), turn)
