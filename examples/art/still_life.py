"""The pictures of the retail example: one evening still life and its objects.

Every object stands on the point (0, 0) and grows upwards; the light comes from the right.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from svg import across, around, at, blur, document, down, ellipse, group, path, rect, stroke, tag

PINE, CLAY, OAT, OCHRE, SAGE = "#1f3d36", "#b4532f", "#f4ede2", "#d9a24a", "#a9b7a0"
"""Colours of the brand in `request.json`."""
CREAM, RUST, LEAF, OLIVE, TWIG = "#efe6d6", "#a9552c", "#c9772f", "#8d8a4a", "#5a3b26"

_LIGHT_AND_SHADE = tag(
    "defs",
    blur("edge", 5),
    blur("soft", 14),
    blur("softer", 34),
    across(
        "round",
        (0, "#000", 0.5),
        (0.32, "#000", 0.2),
        (0.66, "#fff", 0.1),
        (0.82, "#fff", 0.26),
        (0.95, "#fff", 0.05),
        (1, "#000", 0.16),
    ),
    down("sink", (0.55, "#000", 0), (1, "#000", 0.28)),
    down("dome", (0, "#d98f3e", 1), (0.45, "#f4bd6c", 1), (1, "#fff0cc", 1)),
    around("glow", (0, "#ffd591", 0.95), (0.22, "#f6b765", 0.62), (0.55, "#c9823f", 0.24), (1, "#c9823f", 0)),
    around("pool", (0, "#ffe2ad", 0.95), (0.5, "#f0b264", 0.4), (1, "#f0b264", 0)),
    tag(
        "filter",
        tag("feTurbulence", type="fractalNoise", baseFrequency=0.8, numOctaves=2, seed=7),
        tag("feColorMatrix", type="saturate", values=0),
        id="grain",
    ),
)


def scene(width: int, height: int, *layers: str, grain: float) -> str:
    """A picture with film grain over all."""
    film = rect(0, 0, width, height, filter="url(#grain)", opacity=grain, style="mix-blend-mode:soft-light")
    return document(width, height, _LIGHT_AND_SHADE, *layers, film)


def turned(outline: str, colour: str) -> str:
    """A body from the wheel: flat colour, the shading of a cylinder, darker towards its foot."""
    return "".join(path(outline, fill=fill) for fill in (colour, "url(#round)", "url(#sink)"))


def shadow(width: float, reach: float, *, strength: float = 0.5) -> str:
    """What an object casts: a tight dark contact, and a soft reach to one side."""
    dark = "#0b0f0d"
    reaching = ellipse(
        reach, 2, width + abs(reach), width * 0.16, fill=dark, opacity=strength * 0.7, filter="url(#soft)"
    )
    return reaching + ellipse(0, 0, width, width * 0.09, fill=dark, opacity=strength, filter="url(#edge)")


def lamp() -> str:
    """A mushroom lamp that is lit: turned foot, glowing dome."""
    foot = """M-62 0 C-70 -6 -70 -22 -58 -26 C-30 -36 -26 -60 -25 -120 L-22 -190 L22 -190 L25 -120
        C26 -60 30 -36 58 -26 C70 -22 70 -6 62 0 Z"""
    dome = "M-170 -178 C-172 -300 -96 -352 0 -352 C96 -352 172 -300 170 -178 C120 -166 -120 -166 -170 -178 Z"
    sheen = "M-120 -206 C-118 -284 -70 -322 -14 -330"
    return "".join(
        (
            ellipse(0, -190, 300, 240, fill="url(#glow)", filter="url(#softer)"),
            shadow(80, 0),
            turned(foot, OAT),
            path("M-24 -190 L24 -190 L25 -120 L-25 -120 Z", fill="#ffedc6", opacity=0.5, filter="url(#edge)"),
            ellipse(0, -120, 120, 84, fill="url(#pool)", opacity=0.5),
            path(dome, fill="url(#dome)"),
            stroke(sheen, "#fff", 7, stroke_linecap="round", opacity=0.32, filter="url(#edge)"),
            ellipse(0, -178, 168, 9, fill="#fff6e0"),
        )
    )


def vase(colour: str) -> str:
    """A bottle with a long neck."""
    outline = """M-58 0 C-104 -34 -118 -112 -84 -176 C-60 -218 -30 -232 -26 -280 L-25 -318
        C-25 -330 -34 -334 -34 -342 L34 -342 C34 -334 25 -330 25 -318 L26 -280
        C30 -232 60 -218 84 -176 C118 -112 104 -34 58 0 Z"""
    return shadow(86, -70) + turned(outline, colour) + ellipse(0, -342, 34, 7, fill="#3b1a0f")


def branch(colours: Sequence[str], *, seed: int, tall: float, lean: float) -> str:
    """Three stems with leaves, to stand in the mouth of a vase."""
    chance, drawn = random.Random(seed), []
    for stem in range(3):
        bend, height = lean * (stem - 0.6), tall * (1 - 0.16 * abs(stem - 1))
        bow = f"M0 0 Q{bend * 0.2:.0f} {-height * 0.6:.0f} {bend * 2:.0f} {-height:.0f}"
        drawn.append(stroke(bow, TWIG, 4, stroke_linecap="round"))
        for step in range(9):
            t = 0.28 + 0.72 * step / 8
            x = 2 * (1 - t) * t * bend * 0.2 + t * t * bend * 2
            y = -2 * (1 - t) * t * height * 0.6 - t * t * height
            side = -1 if step % 2 else 1
            angle = side * chance.uniform(28, 62) + bend * 0.25
            size = chance.uniform(0.8, 1.15) * (1.1 - 0.35 * t)
            place = f"translate({x:.0f} {y:.0f}) rotate({angle:.0f}) scale({size:.2f})"
            drawn.append(group(leaf(chance.choice(colours)), transform=place))
    return "".join(drawn)


def leaf(colour: str) -> str:
    """A beech leaf, one half in shade."""
    half = path("M0 0 C10 -26 10 -54 0 -82 C20 -58 22 -22 0 0 Z", fill="#000", opacity=0.14)
    vein = stroke("M0 -4 L0 -70", "#000", 1.6, stroke_opacity=0.18)
    return path("M0 0 C-22 -22 -20 -58 0 -82 C20 -58 22 -22 0 0 Z", fill=colour) + half + vein


def bowl(colour: str, *, width: float, inside: str = "#00000055") -> str:
    """A round bowl that one looks into."""
    w, h = width, width * 0.78
    outline = f"""M{-w} {-h} C{-w * 0.96} {-h * 0.3} {-w * 0.52} {-h * 0.06} {-w * 0.34} -6 L{-w * 0.34} 0
        L{w * 0.34} 0 L{w * 0.34} -6 C{w * 0.52} {-h * 0.06} {w * 0.96} {-h * 0.3} {w} {-h} Z"""
    rim = ellipse(0, -h, w, w * 0.13, fill=colour) + ellipse(0, -h, w * 0.95, w * 0.105, fill=inside)
    return turned(outline, colour) + rim


def cup(colour: str) -> str:
    """A straight cup."""
    outline = "M-50 -104 L-44 -8 C-43 0 -36 0 -30 0 L30 0 C36 0 43 0 44 -8 L50 -104 Z"
    return turned(outline, colour) + ellipse(0, -104, 50, 9, fill=colour) + ellipse(0, -104, 46, 7, fill="#0007")


def jug(colour: str) -> str:
    """A jug with a handle."""
    outline = """M-46 0 C-78 -40 -74 -100 -46 -132 C-36 -146 -36 -166 -40 -186 L44 -196
        C40 -170 38 -148 48 -132 C76 -100 78 -40 46 0 Z"""
    bow = "M-40 -168 C-104 -176 -112 -84 -66 -66"
    handle = stroke(bow, colour, 15, stroke_linecap="round")
    return handle + stroke(bow, "#000", 15, stroke_linecap="round", stroke_opacity=0.22) + turned(outline, colour)


def linen(colours: Sequence[str], *, width: float = 186) -> str:
    """Folded throws, one on the other: each is three soft layers, with a fringe at its end."""
    drawn, y, chance = [shadow(width * 0.98, -30, strength=0.45)], 0.0, random.Random(5)
    for number, colour in enumerate(colours):
        shift, half = (-6, 7, -2)[number % 3], width - number * 5
        for layer in range(3):
            left, right = -half + shift + chance.uniform(-3, 3), half + shift + chance.uniform(-5, 5)
            threads = fringe(colour, right, y, chance)
            drawn += [threads if layer == 1 else "", fold(colour, left, right, shift, y)]
            y -= _FOLD - 1
    return "".join(drawn)


_FOLD = 27.0


def fold(colour: str, left: float, right: float, middle: float, y: float) -> str:
    """One layer of cloth, rounded where it was folded, with light along its crest."""
    top = y - _FOLD
    outline = f"""M{left} {y} C{left - 19} {y} {left - 19} {top} {left} {top} Q{middle} {top - 3} {right} {top}
        Q{right + 5} {y - _FOLD / 2} {right} {y} Q{middle} {y - 2} {left} {y} Z"""
    crest = f"M{left - 4} {top + 5} Q{middle} {top + 1} {right - 6} {top + 4}"
    return "".join(
        (
            path(outline, fill=colour),
            path(outline, fill="url(#sink)"),
            path(outline, fill="url(#round)", opacity=0.4),
            stroke(crest, "#fff", 4, stroke_opacity=0.22, filter="url(#edge)"),
        )
    )


def fringe(colour: str, x: float, y: float, chance: random.Random) -> str:
    """Loose threads at the end of a layer."""

    def thread(number: int) -> str:
        bend, reach, drop = chance.uniform(0, 5), chance.uniform(16, 24), chance.uniform(3, 13)
        return f"M{x} {y - 4 - number * 2.6} q10 {bend:.1f} {reach:.1f} {drop:.1f}"

    return "".join(stroke(thread(number), colour, 2) for number in range(8))


def evening() -> str:
    """The hero: a lamp lights a table."""
    light = tag(
        "defs",
        around(
            "lit",
            (0, "#ffcf87", 0.85),
            (0.25, "#e79d50", 0.5),
            (0.6, "#7d5a3a", 0.2),
            (1, "#0c1c18", 0.55),
            gradientUnits="userSpaceOnUse",
            cx=740,
            cy=420,
            r=720,
        ),
        down("board", (0, "#8c5c3a", 1), (1, "#4c2f1f", 1)),
        across("dusk", (0, "#07110e", 0.62), (0.42, "#07110e", 0)),
    )
    niche = "M470 690 L470 360 C470 190 590 90 740 90 C890 90 1010 190 1010 360 L1010 690 Z"
    leaves = branch((OCHRE, LEAF, RUST, OLIVE), seed=3, tall=330, lean=66)
    bowls = (bowl(SAGE, width=112), at(0, -42, bowl("#e9dcc6", width=98, inside="#6b4a2b66")))
    return scene(
        1200,
        900,
        light,
        rect(0, 0, 1200, 900, fill=PINE) + rect(0, 0, 1200, 900, fill="url(#lit)"),
        path(niche, fill=CLAY, opacity=0.42),
        table(),
        ellipse(740, 770, 560, 120, fill="url(#pool)", opacity=0.75),
        at(352, 770, at(0, -338, leaves), vase(CLAY), scale=1.12),
        at(740, 772, lamp(), scale=1.42),
        at(1022, 780, shadow(70, 60), *bowls),
        at(560, 812, shadow(60, -50), cup("#e6d8c2"), scale=0.92),
        rect(0, 0, 1200, 900, fill="url(#dusk)"),
        grain=0.55,
    )


def table() -> str:
    """A board with its grain, and light along its edge."""
    lines = (
        stroke(
            f"M0 {722 + n * 26} C300 {716 + n * 27} 800 {730 + n * 25} 1200 {720 + n * 27}",
            "#2c190f",
            2 + n % 2,
            stroke_opacity=0.16,
        )
        for n in range(7)
    )
    edge = rect(0, 690, 1200, 5, fill="#ffdca6", opacity=0.35)
    return rect(0, 690, 1200, 210, fill="url(#board)") + edge + "".join(lines)


def room(wall: str, floor: str, *things: str, light: float = 0.5, lit_from: str = "70%") -> str:
    """A product picture: an object before a calm wall."""
    day = around("day", (0, "#fff", light), (1, "#000", 0.1), cx=lit_from, cy="30%", r="95%")
    backdrop = rect(0, 0, 560, 672, fill=wall) + rect(0, 520, 560, 152, fill=floor)
    return scene(560, 672, tag("defs", day), backdrop, rect(0, 0, 560, 672, fill="url(#day)"), *things, grain=0.4)


def product_lamp() -> str:
    """The lamp at night."""
    glow = ellipse(280, 330, 330, 330, fill="url(#glow)", opacity=0.8)
    pool = ellipse(280, 586, 250, 56, fill="url(#pool)", opacity=0.6)
    return room("#2b4d44", "#203a33", glow, pool, at(280, 590, lamp(), scale=1.22), light=0.04, lit_from="50%")


def product_vase() -> str:
    """The vase with a branch."""
    stems = at(0, -338, branch((OCHRE, LEAF, "#9a5a2c"), seed=11, tall=210, lean=52))
    return room("#e7cdb4", "#d8b797", at(270, 596, stems, vase(CLAY)))


def product_linen() -> str:
    """Four folded throws."""
    return room("#b9c4b0", "#a2af98", at(274, 590, linen((CREAM, CLAY, "#e3cfae", PINE))))


def shelf() -> str:
    """Pots on the shelves of the workshop."""
    wall = across("wall", (0, "#e2d3ba", 1), (1, "#efe5d3", 1))
    window = group(
        path("M330 -40 L720 120 L720 360 L250 160 Z", fill="#fffaf0"),
        path("M200 250 L720 470 L720 640 L150 390 Z", fill="#fffaf0"),
        opacity=0.5,
        filter="url(#soft)",
    )
    rows = {
        258: (
            (110, jug(CREAM), 0.9),
            (268, bowl(CLAY, width=84), 1.0),
            (412, cup(SAGE), 0.95),
            (520, cup(CREAM), 0.95),
            (640, vase(PINE), 0.56),
        ),
        486: (
            (96, cup(OCHRE), 0.95),
            (206, cup(CREAM), 0.95),
            (370, bowl(PINE, width=104), 1.0),
            (552, jug(CLAY), 0.94),
            (680, cup(SAGE), 0.9),
        ),
        690: (
            (120, bowl(SAGE, width=96), 1.0),
            (300, vase(CREAM), 0.54),
            (420, jug(OCHRE), 0.84),
            (600, bowl(CREAM, width=104), 1.0),
        ),
    }
    things = (
        at(x, y, shadow(60, -34, strength=0.32), thing, scale=scale)
        for y, row in rows.items()
        for x, thing, scale in row
    )
    backdrop = rect(0, 0, 720, 720, fill="url(#wall)")
    return scene(720, 720, tag("defs", wall), backdrop, window, *map(board, rows), *things, grain=0.4)


def board(y: float) -> str:
    """One shelf and the shade under it."""
    front = rect(0, y, 720, 20, fill="#8a5b39") + rect(0, y, 720, 4, fill="#c08a5c")
    return front + rect(0, y + 20, 720, 26, fill="#000", opacity=0.13, filter="url(#edge)")


def logo() -> str:
    """The shop's name over a line of tide."""
    type_ = {"font-family": "Noto Serif CJK JP", "font-weight": "600", "font-size": "58", "letter-spacing": "1"}
    name = tag("text", "Tidewood", x=160, y=60, text_anchor="middle", fill=PINE, **type_)
    tide = stroke("M128 84 q8 -9 16 0 t16 0 t16 0 t16 0", CLAY, 3.5, stroke_linecap="round")
    return document(320, 96, name, tide)
