"""The pictures of the product announcement: a kettle for pouring, on a blue morning.

As in the still life, every object stands on the point (0, 0) and grows upwards; the light comes from the right.
"""

from __future__ import annotations

from still_life import scene, shadow, turned
from svg import at, circle, document, down, ellipse, group, path, rect, stroke, tag

NIGHT, COPPER, MIST, CHALK, STEEL = "#16233a", "#c26a3a", "#dfe6ec", "#f5f2ec", "#2b3a52"
"""Colours of the brand in `request.json`."""

_METAL = tag(
    "defs",
    down("wall", (0, "#c9d5df", 1), (1, "#e9edf0", 1)),
    down("table", (0, "#b98a66", 1), (1, "#8d6246", 1)),
    down("steam", (0, "#ffffff", 0), (0.5, "#ffffff", 0.5), (1, "#ffffff", 0)),
)


def kettle(scale: float = 1.0) -> str:
    """A gooseneck kettle: a body that widens to its foot, a thin spout, a handle that keeps clear of the steam."""
    body = """M-112 0 C-122 -6 -124 -20 -120 -34 L-84 -196 C-82 -206 -74 -212 -64 -212 L64 -212
        C74 -212 82 -206 84 -196 L120 -34 C124 -20 122 -6 112 0 Z"""
    spout = "M108 -44 C176 -52 150 -170 196 -226 C204 -236 216 -240 232 -238"
    handle = "M-70 -206 C-150 -250 -236 -212 -232 -130 C-230 -84 -180 -62 -112 -58"
    return group(
        shadow(128, -96, strength=0.42),
        stroke(handle, "#20160f", 26, stroke_linecap="round"),
        stroke(handle, "#5c3a24", 12, stroke_linecap="round", opacity=0.55),
        stroke(spout, "#101a2c", 24, stroke_linecap="round"),
        stroke("M112 -50 C172 -60 154 -172 198 -226", "#8fa3bd", 5, stroke_linecap="round", opacity=0.6),
        turned(body, NIGHT),
        rect(-121, -38, 242, 12, fill=COPPER, opacity=0.95),
        ellipse(0, -212, 66, 10, fill="#0d1626"),
        path("M-58 -214 C-50 -240 50 -240 58 -214 Z", fill=STEEL),
        path("M-58 -214 C-50 -240 50 -240 58 -214 Z", fill="url(#round)"),
        circle(0, -246, 13, fill=COPPER),
        circle(4, -250, 4, fill="#fff", opacity=0.5),
        transform=f"scale({scale})",
    )


def cup(colour: str) -> str:
    """A small cup without a handle, half full."""
    outline = "M-44 0 C-54 -6 -58 -30 -60 -84 L60 -84 C58 -30 54 -6 44 0 Z"
    return (
        shadow(50, -44, strength=0.36)
        + turned(outline, colour)
        + ellipse(0, -84, 60, 12, fill="#efe7da")
        + ellipse(0, -81, 52, 9, fill="#4a2a18")
    )


def _steam(x: float, y: float) -> str:
    lines = (
        "M0 0 C-18 -34 20 -58 2 -96 C-14 -128 16 -150 4 -184",
        "M26 6 C12 -24 44 -44 30 -78 C18 -106 42 -122 34 -150",
    )
    soft = {"stroke_linecap": "round", "opacity": 0.4, "filter": "url(#soft)"}
    return at(x, y, *(stroke(line, "#ffffff", 11, **soft) for line in lines))


def morning() -> str:
    """The kettle, two cups and the window's light: the wide picture that opens the mail."""
    width, height, floor = 1200, 780, 590
    light = path("M620 0 L980 0 L760 590 L300 590 Z", fill="#fff", opacity=0.42, filter="url(#softer)")
    return scene(
        width,
        height,
        _METAL,
        rect(0, 0, width, floor, fill="url(#wall)"),
        light,
        rect(0, floor, width, height - floor, fill="url(#table)"),
        rect(0, floor, width, 5, fill="#fff", opacity=0.28),
        ellipse(600, 690, 560, 70, fill="#000", opacity=0.1, filter="url(#softer)"),
        at(520, 676, kettle(1.5)),
        at(948, 690, cup(CHALK), scale=1.2),
        at(1084, 664, cup(MIST), scale=0.98),
        _steam(940, 560),
        grain=0.26,
    )


def pour() -> str:
    """The spout alone, and the thread of water that it gives."""
    return scene(
        800,
        800,
        _METAL,
        rect(0, 0, 800, 800, fill="#20304a"),
        ellipse(520, 300, 420, 360, fill="#3c5272", opacity=0.7, filter="url(#softer)"),
        stroke("M-60 760 C180 720 120 340 300 190 C340 156 400 140 470 152", "#0d1626", 104, stroke_linecap="round"),
        stroke("M-30 720 C190 690 140 330 312 184", "#8fa3bd", 14, stroke_linecap="round", opacity=0.5),
        stroke("M486 168 C520 178 534 260 536 420 L538 800", "#cfe0ee", 12, stroke_linecap="round", opacity=0.85),
        stroke("M490 170 C524 180 538 262 540 420 L542 800", "#ffffff", 4, stroke_linecap="round", opacity=0.8),
        grain=0.24,
    )


def base() -> str:
    """The foot with its ring of copper and the dial that sets the heat."""
    dial = group(
        circle(0, 0, 92, fill="#0d1626"),
        circle(0, 0, 92, fill="none", stroke=COPPER, stroke_width=10),
        *(rect(-2, -78, 4, 16, fill="#cfd8e3", transform=f"rotate({turn})") for turn in range(-120, 121, 30)),
        rect(-4, -70, 8, 46, rx=4, fill=COPPER, transform="rotate(34)"),
    )
    return scene(
        800,
        800,
        _METAL,
        rect(0, 0, 800, 800, fill="#e6e2da"),
        ellipse(400, 700, 420, 60, fill="#000", opacity=0.2, filter="url(#softer)"),
        at(400, 520, turned("M-250 160 L-250 60 C-250 20 -210 0 -170 0 L170 0 C210 0 250 20 250 60 L250 160 Z", STEEL)),
        rect(150, 664, 500, 16, fill=COPPER),
        at(400, 330, turned("M-210 190 L-170 -330 L170 -330 L210 190 Z", NIGHT)),
        at(400, 604, dial, scale=0.62),
        grain=0.22,
    )


def logo() -> str:
    """The name of the house, and the drop that stands for it."""
    drop = path("M34 14 C34 14 12 46 12 62 A22 22 0 0 0 56 62 C56 46 34 14 34 14 Z", fill=COPPER)
    return document(
        420,
        100,
        drop,
        tag(
            "text",
            "Steady Pour",
            x=76,
            y=66,
            fill=NIGHT,
            font_family="Noto Sans CJK JP",
            font_size=44,
            font_weight=700,
            letter_spacing=-0.5,
        ),
    )
