"""Plain geometry, cut large: blocks with a part of a circle each, rings that rise, and a quiet pattern."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from random import Random

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._outlines import Point, band, ellipse, rectangle, sector
from compositor.adapters.painter._paint import Fade, Glow, clear
from compositor.adapters.painter._palette import Palette


def blocks(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Large squares, each with a part of a circle; some stay empty."""
    shorter, longer = sorted((canvas.width, canvas.height))
    side = shorter / (2 if longer < 4 * shorter else 1)
    columns, rows = ceil(canvas.width / side - 0.2), ceil(canvas.height / side - 0.2)
    side = ceil(max(canvas.width / columns, canvas.height / rows))  # whole pixels: no seams
    colours = _flat_colours(palette)
    grounds: dict[tuple[int, int], str] = {}
    for row in range(rows):
        for column in range(columns):
            beside = {grounds.get((row, column - 1)), grounds.get((row - 1, column))}
            ground = chance.choice([colour for colour in colours if colour not in beside])
            figure = chance.choice([colour for colour in colours if colour != ground])
            grounds[row, column] = ground
            place = (float(column * side), float(row * side))
            canvas.fill(ground, rectangle(*place, place[0] + side, place[1] + side))
            _figure(canvas, chance, place, side, figure)


def _flat_colours(palette: Palette) -> Sequence[str]:
    main, second, accent, paper = palette.main, palette.second, palette.accent, palette.paper
    if palette.dark:
        return (main.tone(0.24), main.tone(0.36), second.tone(0.72), accent.tone(0.64), paper.tone(0.93))
    return (paper.tone(0.95, 0.8), main.tone(0.82, 0.6), main.own, second.tone(0.76), accent.tone(0.68))


def _figure(canvas: Canvas, chance: Random, place: Point, side: float, colour: str) -> None:
    (left, top), (right, bottom) = place, (place[0] + side, place[1] + side)
    middle = (left + side / 2, top + side / 2)
    corner, edge, turn = chance.choice(
        (
            ((left, top), (middle[0], top), 0),
            ((right, top), (right, middle[1]), 90),
            ((right, bottom), (middle[0], bottom), 180),
            ((left, bottom), (left, middle[1]), 270),
        )
    )
    quarter = sector(corner, side, turn, turn + 90)
    match chance.choice(("quarter", "quarter", "half", "rings", "leaf", "disc", "empty")):
        case "quarter":
            canvas.fill(colour, quarter)
        case "half":
            canvas.fill(colour, ellipse(*edge, side / 2), within=(rectangle(left, top, right, bottom),))
        case "rings":
            rings = [band(corner, side * outer, side * (outer - 0.2), turn, turn + 90) for outer in (1.0, 0.6)]
            canvas.fill(colour, *rings, sector(corner, side * 0.2, turn, turn + 90))
        case "leaf":
            opposite = (left + right - corner[0], top + bottom - corner[1])
            canvas.fill(colour, quarter, within=(sector(opposite, side, turn + 180, turn + 270),))
        case "disc":
            canvas.fill(colour, ellipse(*middle, side * 0.3))


def arcs(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Rings that rise from below like a sun, and go on beyond the edge."""
    u, w, h = canvas.unit, canvas.width, canvas.height
    ground = (palette.main.tone(0.26), palette.main.tone(0.2))
    if not palette.dark:
        ground = (palette.paper.tone(0.945, 0.9), palette.paper.tone(0.9))
    canvas.wash(Fade((0, 0), (w, h), ground))
    centre, outer = ((0.64 * w, h + 4 * u), 92 * u) if chance.random() < 0.6 else ((w + 2 * u, h + 2 * u), 112 * u)
    width, gap = 0.136 * outer, 0.024 * outer
    rings = (
        (palette.main, 0.42 if palette.dark else 0.34),
        (palette.main, 0.6),
        (palette.second, 0.74),
        (palette.accent, 0.66),
        (palette.paper, 0.93),
    )
    for hue, light in rings:
        shades = tuple(hue.tone(light + more) for more in (0.05, 0.0, -0.08))
        shape = band(centre, outer, outer - width, 180, 360)
        canvas.fill(Fade((centre[0] - outer, 0), (centre[0] + outer, 0), shades), shape)
        outer -= width + gap
    canvas.fill(Glow(centre, outer, (palette.accent.tone(0.84), palette.accent.tone(0.72))), ellipse(*centre, outer))


def pattern(canvas: Canvas, palette: Palette, chance: Random) -> None:
    """Scales in two near tones, with light that falls across them."""
    hue, lights = (palette.main, (0.25, 0.33)) if palette.dark else (palette.paper, (0.9, 0.955))
    low, high = (hue.tone(light) for light in lights)
    radius = chance.uniform(11, 15) * canvas.unit
    columns = range(-1, ceil(canvas.width / (2 * radius)) + 1)
    for row in range(ceil(canvas.height / (radius * 0.5)) + 2):
        centres = [((2 * column + row % 2) * radius, row * radius * 0.5) for column in columns]
        for step, tone in enumerate((high, low, high, low)):
            canvas.fill(tone, *(ellipse(*centre, radius * (1 - 0.24 * step)) for centre in centres))
    light, shade = palette.second.tone(0.86, 0.6), palette.main.tone(0.2)
    fall = (clear(light, 0.3), clear(light, 0.06), clear(shade, 0.0), clear(shade, 0.2))
    canvas.wash(Fade((0, 0), (canvas.width, canvas.height), fall))
