"""Outlines: everything that is drawn is a closed line of points. Pixels, y downwards; angles in degrees, clockwise."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, hypot, pi, radians, sin

Point = tuple[float, float]
Outline = Sequence[Point]

_FACET = 2.5
"""Pixels between two points of a curve: what smoothing at the edges hides."""


def ellipse(x: float, y: float, rx: float, ry: float | None = None, *, turned: float = 0) -> Outline:
    """An ellipse about a point; a circle where only one radius is given."""
    return placed(arc((0, 0), rx, 0, 360, ry=ry), (x, y), turned)


def arc(centre: Point, rx: float, start: float, end: float, *, ry: float | None = None) -> list[Point]:
    """Points on an ellipse from one angle to another; 0 is to the right, 90 below."""
    ry = rx if ry is None else ry
    count = max(8, int(max(rx, ry) * abs(radians(end - start)) / _FACET))
    angles = (radians(start + (end - start) * step / count) for step in range(count + 1))
    return [(centre[0] + rx * cos(angle), centre[1] + ry * sin(angle)) for angle in angles]


def band(centre: Point, outer: float, inner: float, start: float = 0, end: float = 360) -> Outline:
    """A part of a ring."""
    return [*arc(centre, outer, start, end), *arc(centre, max(inner, 0.01), end, start)]


def sector(centre: Point, radius: float, start: float, end: float) -> Outline:
    """A slice of a disc."""
    return [centre, *arc(centre, radius, start, end)]


def rectangle(left: float, top: float, right: float, bottom: float) -> Outline:
    """A rectangle."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def archway(left: float, top: float, right: float, bottom: float) -> Outline:
    """A rectangle whose top is half a circle."""
    radius = (right - left) / 2
    return [(left, bottom), *arc((left + radius, top + radius), radius, 180, 360), (right, bottom)]


def smooth(points: Outline, *, closed: bool = False, steps: int = 12) -> list[Point]:
    """A soft line through points (Catmull-Rom)."""
    count = len(points)
    if closed:
        quads = [[points[(at + step) % count] for step in (-1, 0, 1, 2)] for at in range(count)]
    else:
        ends = [points[0], *points, points[-1]]
        quads = [list(ends[at : at + 4]) for at in range(count - 1)]
    line = [_between(quad, step / steps) for quad in quads for step in range(steps)]
    return line if closed else [*line, points[-1]]


def _between(quad: Outline, t: float) -> Point:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = quad
    squared, cubed = t * t, t * t * t
    return (
        0.5 * (2 * bx + (cx - ax) * t + (2 * ax - 5 * bx + 4 * cx - dx) * squared + (3 * (bx - cx) + dx - ax) * cubed),
        0.5 * (2 * by + (cy - ay) * t + (2 * ay - 5 * by + 4 * cy - dy) * squared + (3 * (by - cy) + dy - ay) * cubed),
    )


def ribbon(line: Outline, width: float, *, end: float | None = None) -> Outline:
    """A line with a width, which may change towards its end."""
    end = width if end is None else end
    sides: tuple[list[Point], list[Point]] = ([], [])
    for at, (x, y) in enumerate(line):
        before, after = line[max(0, at - 1)], line[min(len(line) - 1, at + 1)]
        dx, dy = after[0] - before[0], after[1] - before[1]
        half = (width + (end - width) * at / max(1, len(line) - 1)) / 2 / (hypot(dx, dy) or 1)
        sides[0].append((x - dy * half, y + dx * half))
        sides[1].append((x + dy * half, y - dx * half))
    return [*sides[0], *reversed(sides[1])]


def placed(outline: Outline, at: Point, turned: float = 0, scale: float = 1) -> list[Point]:
    """An outline that was drawn about (0, 0), scaled, turned and moved to its place."""
    c, s = cos(radians(turned)) * scale, sin(radians(turned)) * scale
    return [(at[0] + x * c - y * s, at[1] + x * s + y * c) for x, y in outline]


def moved(outline: Outline, dx: float, dy: float) -> list[Point]:
    """An outline at another place."""
    return [(x + dx, y + dy) for x, y in outline]


def below(line: Outline, bottom: float) -> Outline:
    """All that is under a line, down to a level."""
    return [*line, (line[-1][0], bottom), (line[0][0], bottom)]


def around(hole: Outline, width: float, height: float) -> Outline:
    """A sheet of this size with a hole in it; it is cut open along one line, which nobody sees."""
    margin = width + height
    sheet = rectangle(-margin, -margin, width + margin, height + margin)
    return [*sheet, sheet[0], *hole, hole[0], sheet[0]]


def turned_on_wheel(profile: Outline) -> Outline:
    """A body from the wheel: the right half of its outline from the top down, about x = 0, and its mirror."""
    right = smooth(profile)
    return [*right, *((-x, y) for x, y in reversed(right))]


def wave(width: float, height: float, *parts: tuple[float, float, float]) -> list[Point]:
    """A level line across a picture: sines of (size, waves across the picture, shift in turns) about a height."""
    count = max(24, int(width / 6))
    return [
        (
            width * step / count,
            height + sum(size * sin(2 * pi * (waves * step / count + shift)) for size, waves, shift in parts),
        )
        for step in range(count + 1)
    ]
