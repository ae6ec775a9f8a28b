"""The pictures of the invitation example: a map of light, in the colours of the museum."""

from __future__ import annotations

import math
from collections.abc import Iterator

from svg import around, circle, document, down, ellipse, group, path, rect, stroke, tag

NIGHT, CORAL, AMBER, ICE, PAPER = "#171d4b", "#ee5a3c", "#f7b24a", "#c9d6f2", "#fbf8f2"
"""Colours of the brand in `request.json`."""
DUSK = "#2b3474"

_WIDTH, _HEIGHT = 1200, 1040
_SUN = (742, 452, 318)
_HILL = (470, 560)
_LIGHTS = (
    (168, 330, 7),
    (262, 676, 9),
    (108, 560, 5),
    (398, 214, 5),
    (352, 812, 6),
    (620, 846, 7),
    (1092, 742, 8),
    (1128, 300, 5),
)


def opening() -> str:
    """The hero: a low sun over a lake that is a map. It ends in the night, so that the band goes on below it."""
    x, y, radius = _SUN
    shades = tag(
        "defs",
        down("sun", (0, AMBER, 1), (0.55, CORAL, 1), (1, "#d8412f", 1)),
        down("night", (0, "#232b66", 1), (0.8, NIGHT, 1)),
        down("out", (0.74, "#fff", 1), (0.97, "#000", 1)),
        around("halo", (0.5, CORAL, 0.5), (1, CORAL, 0)),
        tag("clipPath", *slices(), id="slices"),
        tag("clipPath", circle(x, y, radius), id="disc"),
        tag("mask", rect(0, 0, _WIDTH, _HEIGHT, fill="url(#out)"), id="fade"),
    )
    lines = "".join(contours())
    drawn_on_sun = group(lines, clip_path="url(#disc)", fill="none", stroke=NIGHT, stroke_opacity=0.62)
    return document(
        _WIDTH,
        _HEIGHT,
        shades,
        rect(0, 0, _WIDTH, _HEIGHT, fill="url(#night)"),
        circle(x, y, 560, fill="url(#halo)", opacity=0.5),
        group(group(lines, fill="none", stroke=ICE, stroke_opacity=0.34), mask="url(#fade)"),
        group(circle(x, y, radius, fill="url(#sun)"), drawn_on_sun, clip_path="url(#slices)"),
        group(*(light(*each) for each in _LIGHTS), mask="url(#fade)"),
    )


def contours() -> Iterator[str]:
    """The lines of one hill, turning slowly as they widen; every fifth is bold, as on a map."""
    for number, radius in enumerate(range(34, 1150, 34)):
        yield path(contour(radius, 0.6 + radius / 340), stroke_width=1.7 if number % 5 else 3.2)


def contour(radius: float, turn: float) -> str:
    """One closed line: a circle that three waves push out of shape."""
    points = []
    for step in range(0, 360, 3):
        angle = math.radians(step)
        waves = ((0.16, 2, turn), (0.09, 3, -1.7 * turn), (0.045, 5, 2.3 * turn))
        reach = radius * (1 + sum(size * math.sin(times * angle + shift) for size, times, shift in waves))
        x, y = _HILL[0] + reach * 1.22 * math.cos(angle), _HILL[1] + reach * 0.86 * math.sin(angle)
        points.append(f"{x:.1f} {y:.1f}")
    return f"M{' L'.join(points)} Z"


def slices() -> Iterator[str]:
    """The sun above the water whole, below it in bars that thin out."""
    x, middle, radius = _SUN
    y = middle - radius - 2.0
    while y < middle + radius - 20:
        depth = max(0.0, (y - middle - 10) / radius)
        bar = 46 * (1 - 0.62 * depth) if depth else middle + 10 - y
        yield rect(x - radius, y, 2 * radius, bar)
        y += bar + 7 + 20 * depth


def light(x: float, y: float, radius: float) -> str:
    """A place on the map that is lit."""
    return circle(x, y, radius * 3.2, fill=AMBER, opacity=0.22) + circle(x, y, radius, fill=AMBER)


def rooms() -> str:
    """Light rooms: doorways, one behind the other, towards the light, and somebody who goes there."""
    colours = ("#232b66", "#3a2f72", "#7c3a63", "#bd4b50", CORAL, "#f28645", AMBER, PAPER)
    doors = (door(236 - number * 27, 70 + number * 33, colour) for number, colour in enumerate(colours))
    head = "M280 408 a15 15 0 1 1 .1 0 Z"
    coat = "M258 560 C258 470 262 424 280 424 C298 424 302 470 302 560 Z"
    return document(560, 560, rect(0, 0, 560, 560, fill=NIGHT), *doors, path(f"{head} {coat}", fill=NIGHT))


def door(half: float, top: float, colour: str) -> str:
    """A round-headed doorway."""
    left, right, spring = 280 - half, 280 + half, top + half
    return path(f"M{left} 560 V{spring} A{half} {half} 0 0 1 {right} {spring} V560 Z", fill=colour)


def low_sound() -> str:
    """The concert: strings that swing, one of them heard."""
    strings = (stroke(string(number), AMBER if number == 9 else NIGHT, 5 if number == 9 else 3) for number in range(19))
    return document(560, 560, rect(0, 0, 560, 560, fill=CORAL), *strings)


def string(number: int) -> str:
    """A line that swings more, the nearer it is to the middle one."""
    y, swing = 64 + number * 24, 46 * math.exp(-(((number - 9) / 4.6) ** 2))
    points = (
        f"{x} {y - swing * math.sin(math.pi * x / 560) ** 2 * math.cos(x / 30 + number * 0.32):.1f}"
        for x in range(0, 561, 6)
    )
    return f"M{' L'.join(points)}"


def lanterns() -> str:
    """The workshop: three paper lanterns in the night."""
    hung = (lantern(150, 250, 92, CORAL), lantern(318, 372, 112, PAPER), lantern(452, 196, 74, AMBER))
    return document(560, 560, rect(0, 0, 560, 560, fill=DUSK), *hung)


def lantern(x: float, y: float, r: float, colour: str) -> str:
    """A lantern on its string, glowing."""
    rib = {"stroke_opacity": 0.3}
    bows = (
        f"M{x - r} {y} A{r} {abs(bow) * r * 0.9:.0f} 0 0 {1 if bow > 0 else 0} {x + r} {y}"
        for bow in (-0.82, -0.48, 0.48, 0.82)
    )
    caps = (
        rect(x - r * 0.3, y + r * side, r * 0.6, r * 0.14, rx=4, fill=CORAL if colour == AMBER else AMBER)
        for side in (-0.97, 0.83)
    )
    return "".join(
        (
            stroke(f"M{x} 0 V{y - r * 0.9}", ICE, 2.5),
            ellipse(x, y, r * 1.5, r * 1.4, fill=colour, opacity=0.14),
            ellipse(x, y, r, r * 0.9, fill=colour),
            *(stroke(bow, NIGHT, 2.5, **rib) for bow in bows),
            stroke(f"M{x - r} {y} H{x + r}", NIGHT, 2.5, **rib),
            *caps,
        )
    )


def logo() -> str:
    """The museum's mark, a low sun over a lake, beside its name."""
    water = (rect(40 - half, y, 2 * half, 5, rx=2.5, fill=NIGHT) for y, half in ((53, 40), (64, 32), (75, 20)))
    type_ = {"font-family": "Noto Sans CJK TC", "font-weight": "700", "font-size": "42", "letter-spacing": "3"}
    name = tag("text", "澄湖美術館", x=98, y=63, fill=NIGHT, **type_)
    return document(332, 92, path("M4 46 A36 36 0 0 1 76 46 Z", fill=CORAL), *water, name)
