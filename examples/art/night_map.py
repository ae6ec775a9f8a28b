"""The pictures of the invitation example: a map of light, in the four colours of the museum."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

NIGHT, CORAL, AMBER, ICE, PAPER = "#171d4b", "#ee5a3c", "#f7b24a", "#c9d6f2", "#fbf8f2"
"""The colours of the brand in `request.json`."""


def picture(width: int, height: int, *layers: str) -> str:
    """An SVG document of layers."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">{"".join(layers)}</svg>'


def contour(cx: float, cy: float, radius: float, turn: float) -> str:
    """One closed line of a map: a circle that hills push out of shape."""
    points = []
    for step in range(0, 360, 3):
        angle = math.radians(step)
        hills = (
            0.16 * math.sin(2 * angle + turn)
            + 0.09 * math.sin(3 * angle - 1.7 * turn)
            + 0.045 * math.sin(5 * angle + 2.3 * turn)
        )
        reach = radius * (1 + hills)
        points.append(f"{cx + reach * 1.22 * math.cos(angle):.1f} {cy + reach * 0.86 * math.sin(angle):.1f}")
    return f"M{' L'.join(points)} Z"


def contours(cx: float, cy: float, radii: Iterable[int]) -> Iterator[str]:
    """Lines of one hill, turning slowly as they widen."""
    return (contour(cx, cy, radius, 0.6 + radius / 340) for radius in radii)


def opening() -> str:
    """The hero: a low sun over a lake that is a map; it ends in the night, so that the band goes on below it."""
    width, height, cx, cy, radius = 1200, 1040, 742, 452, 318
    lines = list(contours(470, 560, range(34, 1150, 34)))
    thin = "".join(
        f'<path d="{line}" stroke-width="{3.2 if number % 5 == 0 else 1.7}"/>' for number, line in enumerate(lines)
    )
    slices, y, gap = [], cy - radius - 2.0, 0.0
    while y < cy + radius - 20:
        depth = max(0.0, (y - cy - 10) / radius)
        bar = 46 * (1 - 0.62 * depth) if depth else cy + 10 - y
        slices.append(f'<rect x="{cx - radius}" y="{y:.1f}" width="{2 * radius}" height="{bar:.1f}"/>')
        gap = 7 + 20 * depth
        y += bar + gap
    defs = f"""<defs>
<linearGradient id="sun" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="{AMBER}"/><stop offset=".55" stop-color="{CORAL}"/><stop offset="1" stop-color="#d8412f"/></linearGradient>
<clipPath id="bars">{"".join(slices)}</clipPath>
<clipPath id="disc"><circle cx="{cx}" cy="{cy}" r="{radius}"/></clipPath>
<linearGradient id="night" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#232b66"/><stop offset=".8" stop-color="{NIGHT}"/></linearGradient>
<linearGradient id="out" x1="0" x2="0" y1="0" y2="1"><stop offset=".74" stop-color="#fff"/><stop offset=".97" stop-color="#000"/></linearGradient>
<mask id="fade"><rect width="{width}" height="{height}" fill="url(#out)"/></mask>
<radialGradient id="halo"><stop offset=".5" stop-color="{CORAL}" stop-opacity=".5"/><stop offset="1" stop-color="{CORAL}" stop-opacity="0"/></radialGradient></defs>"""
    lights = "".join(
        f'<circle cx="{x}" cy="{y}" r="{r * 3.2}" fill="{AMBER}" opacity=".22"/><circle cx="{x}" cy="{y}" r="{r}" fill="{AMBER}"/>'
        for x, y, r in (
            (168, 330, 7),
            (262, 676, 9),
            (108, 560, 5),
            (398, 214, 5),
            (352, 812, 6),
            (620, 846, 7),
            (1092, 742, 8),
            (1128, 300, 5),
        )
    )
    return picture(
        width,
        height,
        defs,
        f'<rect width="{width}" height="{height}" fill="url(#night)"/>',
        f'<circle cx="{cx}" cy="{cy}" r="560" fill="url(#halo)" opacity=".5"/>',
        f'<g mask="url(#fade)"><g fill="none" stroke="{ICE}" stroke-opacity=".34">{thin}</g></g>',
        f'<g clip-path="url(#bars)"><circle cx="{cx}" cy="{cy}" r="{radius}" fill="url(#sun)"/>'
        f'<g clip-path="url(#disc)" fill="none" stroke="{NIGHT}" stroke-opacity=".62">{thin}</g></g>',
        f'<g mask="url(#fade)">{lights}</g>',
    )


def rooms() -> str:
    """Light rooms: doorways, one behind the other, towards the light."""
    doors = []
    for number, colour in enumerate(("#232b66", "#3a2f72", "#7c3a63", "#bd4b50", CORAL, "#f28645", AMBER, PAPER)):
        half, top = 236 - number * 27, 70 + number * 33
        doors.append(
            f'<path d="M{280 - half} 560 V{top + half} A{half} {half} 0 0 1 {280 + half} {top + half} V560 Z" fill="{colour}"/>'
        )
    person = f'<path d="M280 408 a15 15 0 1 1 .1 0 Z M258 560 C258 470 262 424 280 424 C298 424 302 470 302 560 Z" fill="{NIGHT}"/>'
    return picture(560, 560, f'<rect width="560" height="560" fill="{NIGHT}"/>', *doors, person)


def low_sound() -> str:
    """The concert: strings that swing."""
    lines = []
    for number in range(19):
        y = 64 + number * 24
        swing = 46 * math.exp(-(((number - 9) / 4.6) ** 2))
        points = " L".join(
            f"{x} {y - swing * math.sin(math.pi * x / 560) ** 2 * math.cos(x / 30 + number * 0.32):.1f}"
            for x in range(0, 561, 6)
        )
        colour = AMBER if number == 9 else ICE
        lines.append(
            f'<path d="M{points}" stroke="{colour}" stroke-width="{5 if number == 9 else 3}" fill="none" stroke-opacity="{1 if number == 9 else 0.85}"/>'
        )
    return picture(
        560, 560, f'<rect width="560" height="560" fill="{CORAL}"/>', f"<g>{''.join(lines)}</g>".replace(ICE, NIGHT)
    )


def lanterns() -> str:
    """The workshop: paper lanterns."""
    hung = []
    for x, y, r, colour in ((150, 250, 92, CORAL), (318, 372, 112, PAPER), (452, 196, 74, AMBER)):
        ribs = "".join(
            f'<path d="M{x - r * 1.0} {y} A{r} {abs(k) * r * 0.9:.0f} 0 0 {1 if k > 0 else 0} {x + r} {y}" stroke="{NIGHT}" stroke-opacity=".3" stroke-width="2.5" fill="none"/>'
            for k in (-0.82, -0.48, 0.48, 0.82)
        )
        hung.append(
            f'<path d="M{x} 0 V{y - r * 0.9}" stroke="{ICE}" stroke-width="2.5"/>'
            f'<ellipse cx="{x}" cy="{y}" rx="{r * 1.5}" ry="{r * 1.4}" fill="{colour}" opacity=".14"/>'
            f'<ellipse cx="{x}" cy="{y}" rx="{r}" ry="{r * 0.9}" fill="{colour}"/>{ribs}'
            f'<path d="M{x - r} {y} H{x + r}" stroke="{NIGHT}" stroke-opacity=".3" stroke-width="2.5"/>'
            f'<rect x="{x - r * 0.3}" y="{y - r * 0.97}" width="{r * 0.6}" height="{r * 0.14}" rx="4" fill="{AMBER if colour != AMBER else CORAL}"/>'
            f'<rect x="{x - r * 0.3}" y="{y + r * 0.83}" width="{r * 0.6}" height="{r * 0.14}" rx="4" fill="{AMBER if colour != AMBER else CORAL}"/>'
        )
    return picture(560, 560, f'<rect width="560" height="560" fill="#2b3474"/>', *hung)


def logo() -> str:
    """The museum's mark, a lake under a low sun, beside its name."""
    bars = "".join(
        f'<rect x="{40 - w}" y="{y}" width="{2 * w}" height="5" rx="2.5" fill="{NIGHT}"/>'
        for y, w in ((53, 40), (64, 32), (75, 20))
    )
    sun = f'<path d="M4 46 A36 36 0 0 1 76 46 Z" fill="{CORAL}"/>'
    words = f"""<text x="98" y="63" font-family="Noto Sans CJK TC" font-weight="700" font-size="42" letter-spacing="3" fill="{NIGHT}">澄湖美術館</text>"""
    return picture(332, 92, sun, bars, words)
