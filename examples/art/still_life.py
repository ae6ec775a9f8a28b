"""The pictures of the retail example: one evening still life and its objects, drawn as SVG.

Every object stands on the point (0, 0) and grows upwards; light comes from the right unless a picture says otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

PINE, PINE_DEEP, CLAY, OAT, PAPER, OCHRE, SAGE = (
    "#1f3d36",
    "#142a25",
    "#b4532f",
    "#f4ede2",
    "#fffdf9",
    "#d9a24a",
    "#a9b7a0",
)
"""The colours of the brand in `request.json`."""


def picture(width: int, height: int, *layers: str, grain: float = 0.5) -> str:
    """An SVG document of layers, with film grain over all."""
    return f"""<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<defs>{_DEFS}</defs>{"".join(layers)}
<rect width="{width}" height="{height}" filter="url(#grain)" opacity="{grain}" style="mix-blend-mode:soft-light"/></svg>"""


_DEFS = """
<filter id="grain" x="0" y="0" width="100%" height="100%"><feTurbulence type="fractalNoise" baseFrequency="0.8" numOctaves="2" seed="7"/>
<feColorMatrix type="saturate" values="0"/></filter>
<filter id="soft" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="14"/></filter>
<filter id="softer" x="-80%" y="-80%" width="260%" height="260%"><feGaussianBlur stdDeviation="34"/></filter>
<filter id="edge" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="5"/></filter>
<linearGradient id="round" x1="0" x2="1" y1="0" y2="0">
<stop offset="0" stop-color="#000" stop-opacity=".50"/><stop offset=".32" stop-color="#000" stop-opacity=".20"/>
<stop offset=".66" stop-color="#fff" stop-opacity=".10"/><stop offset=".82" stop-color="#fff" stop-opacity=".26"/>
<stop offset=".95" stop-color="#fff" stop-opacity=".05"/><stop offset="1" stop-color="#000" stop-opacity=".16"/></linearGradient>
<linearGradient id="sink" x1="0" x2="0" y1="0" y2="1"><stop offset=".55" stop-color="#000" stop-opacity="0"/>
<stop offset="1" stop-color="#000" stop-opacity=".28"/></linearGradient>
<linearGradient id="dome" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#d98f3e"/><stop offset=".45" stop-color="#f4bd6c"/>
<stop offset="1" stop-color="#fff0cc"/></linearGradient>
<radialGradient id="glow"><stop offset="0" stop-color="#ffd591" stop-opacity=".95"/><stop offset=".22" stop-color="#f6b765" stop-opacity=".62"/>
<stop offset=".55" stop-color="#c9823f" stop-opacity=".24"/><stop offset="1" stop-color="#c9823f" stop-opacity="0"/></radialGradient>
<radialGradient id="pool"><stop offset="0" stop-color="#ffe2ad" stop-opacity=".95"/><stop offset=".5" stop-color="#f0b264" stop-opacity=".4"/>
<stop offset="1" stop-color="#f0b264" stop-opacity="0"/></radialGradient>
"""


def at(x: float, y: float, *layers: str, scale: float = 1.0, mirrored: bool = False) -> str:
    """Layers moved to a place."""
    across = -scale if mirrored else scale
    return f'<g transform="translate({x} {y}) scale({across} {scale})">{"".join(layers)}</g>'


def solid(path: str, colour: str) -> str:
    """A turned body: flat colour, cylinder shading, and darker towards its foot."""
    return "".join(f'<path d="{path}" fill="{fill}"/>' for fill in (colour, "url(#round)", "url(#sink)"))


def shadow(width: float, reach: float, *, strength: float = 0.5) -> str:
    """What an object casts: a tight dark contact and a soft reach to one side."""
    return (
        f'<ellipse cx="{reach}" cy="2" rx="{width + abs(reach)}" ry="{width * 0.16}" fill="#0b0f0d" opacity="{strength * 0.7}" '
        f'filter="url(#soft)"/><ellipse cx="0" cy="0" rx="{width}" ry="{width * 0.09}" fill="#0b0f0d" opacity="{strength}" '
        f'filter="url(#edge)"/>'
    )


def lamp(*, lit: bool = True, body: str = OAT) -> str:
    """A mushroom lamp: turned foot, glowing dome."""
    foot = "M-62 0 C-70 -6 -70 -22 -58 -26 C-30 -36 -26 -60 -25 -120 L-22 -190 L22 -190 L25 -120 C26 -60 30 -36 58 -26 C70 -22 70 -6 62 0 Z"
    dome = "M-170 -178 C-172 -300 -96 -352 0 -352 C96 -352 172 -300 170 -178 C120 -166 -120 -166 -170 -178 Z"
    glow = '<ellipse cx="0" cy="-190" rx="300" ry="240" fill="url(#glow)" filter="url(#softer)"/>' if lit else ""
    light = '<ellipse cx="0" cy="-120" rx="120" ry="84" fill="url(#pool)" opacity=".5"/>' if lit else ""
    rim = '<ellipse cx="0" cy="-178" rx="168" ry="9" fill="#fff6e0"/>' if lit else ""
    shade = f'<path d="{dome}" fill="url(#dome)"/>' if lit else solid(dome, OCHRE)
    sheen = '<path d="M-120 -206 C-118 -284 -70 -322 -14 -330" stroke="#fff" stroke-width="7" stroke-linecap="round" fill="none" opacity=".32" filter="url(#edge)"/>'
    lit_side = (
        '<path d="M-24 -190 L24 -190 L25 -120 L-25 -120 Z" fill="#ffedc6" opacity=".5" filter="url(#edge)"/>'
        if lit
        else ""
    )
    return glow + shadow(80, 0) + solid(foot, body) + lit_side + light + shade + sheen + rim


def vase(colour: str = CLAY) -> str:
    """A bottle with a long neck."""
    path = "M-58 0 C-104 -34 -118 -112 -84 -176 C-60 -218 -30 -232 -26 -280 L-25 -318 C-25 -330 -34 -334 -34 -342 L34 -342 C34 -334 25 -330 25 -318 L26 -280 C30 -232 60 -218 84 -176 C118 -112 104 -34 58 0 Z"
    lip = '<ellipse cx="0" cy="-342" rx="34" ry="7" fill="#3b1a0f"/>'
    return shadow(86, -70) + solid(path, colour) + lip


def branch(colours: Iterable[str], *, seed: int = 3, tall: float = 330, lean: float = 60) -> str:
    """Two stems with leaves, standing in the mouth of a vase."""
    tints, rng, drawn = list(colours), random.Random(seed), []
    for stem in range(3):
        bend, height = lean * (stem - 0.6), tall * (1 - 0.16 * abs(stem - 1))
        drawn.append(
            f'<path d="M0 0 Q{bend * 0.2:.0f} {-height * 0.6:.0f} {bend * 2:.0f} {-height:.0f}" stroke="#5a3b26" stroke-width="4" fill="none" stroke-linecap="round"/>'
        )
        for step in range(9):
            t = 0.28 + 0.72 * step / 8
            x = 2 * (1 - t) * t * bend * 0.2 + t * t * bend * 2
            y = -2 * (1 - t) * t * height * 0.6 - t * t * height
            side = -1 if step % 2 else 1
            angle = side * rng.uniform(28, 62) + bend * 0.25
            size = rng.uniform(0.8, 1.15) * (1.1 - 0.35 * t)
            drawn.append(
                f'<g transform="translate({x:.0f} {y:.0f}) rotate({angle:.0f}) scale({size:.2f})">'
                f'<path d="M0 0 C-22 -22 -20 -58 0 -82 C20 -58 22 -22 0 0 Z" fill="{rng.choice(tints)}"/>'
                f'<path d="M0 0 C10 -26 10 -54 0 -82 C20 -58 22 -22 0 0 Z" fill="#000" opacity=".14"/>'
                f'<path d="M0 -4 L0 -70" stroke="#000" stroke-opacity=".18" stroke-width="1.6"/></g>'
            )
    return "".join(drawn)


def bowl(colour: str, *, width: float = 120, inside: str = "#00000055") -> str:
    """A round bowl with a visible inside."""
    w, h = width, width * 0.78
    path = f"M{-w} {-h} C{-w * 0.96} {-h * 0.3} {-w * 0.52} {-h * 0.06} {-w * 0.34} -6 L{-w * 0.34} 0 L{w * 0.34} 0 L{w * 0.34} -6 C{w * 0.52} {-h * 0.06} {w * 0.96} {-h * 0.3} {w} {-h} Z"
    return (
        solid(path, colour)
        + f'<ellipse cx="0" cy="{-h}" rx="{w}" ry="{w * 0.13}" fill="{colour}"/><ellipse cx="0" cy="{-h}" rx="{w * 0.95}" ry="{w * 0.105}" fill="{inside}"/>'
    )


def cup(colour: str) -> str:
    """A straight cup."""
    path = "M-50 -104 L-44 -8 C-43 0 -36 0 -30 0 L30 0 C36 0 43 0 44 -8 L50 -104 Z"
    return (
        solid(path, colour)
        + f'<ellipse cx="0" cy="-104" rx="50" ry="9" fill="{colour}"/><ellipse cx="0" cy="-104" rx="46" ry="7" fill="#0007"/>'
    )


def jug(colour: str) -> str:
    """A jug with a handle."""
    path = "M-46 0 C-78 -40 -74 -100 -46 -132 C-36 -146 -36 -166 -40 -186 L44 -196 C40 -170 38 -148 48 -132 C76 -100 78 -40 46 0 Z"
    handle = f'<path d="M-40 -168 C-104 -176 -112 -84 -66 -66" stroke="{colour}" stroke-width="15" fill="none" stroke-linecap="round"/><path d="M-40 -168 C-104 -176 -112 -84 -66 -66" stroke="#000" stroke-opacity=".22" stroke-width="15" fill="none" stroke-linecap="round"/>'
    return handle + solid(path, colour)


def linen(colours: Iterable[str], *, width: float = 186) -> str:
    """Folded throws, one on the other: each is three soft layers, rounded at the fold, with a fringe at its end."""
    drawn, y, rng = [shadow(width * 0.98, -30, strength=0.45)], 0.0, random.Random(5)
    for number, colour in enumerate(colours):
        shift, w = (-6, 7, -2)[number % 3], width - number * 5
        for layer in range(3):
            left, right, h = -w + shift + rng.uniform(-3, 3), w + shift + rng.uniform(-5, 5), 27.0
            fold = f"M{left} {y} C{left - 19} {y} {left - 19} {y - h} {left} {y - h} Q{shift} {y - h - 3} {right} {y - h} Q{right + 5} {y - h / 2} {right} {y} Q{shift} {y - 2} {left} {y} Z"
            fringe = "".join(
                f'<path d="M{right} {y - 4 - thread * 2.6} q10 {rng.uniform(0, 5):.1f} {rng.uniform(16, 24):.1f} {rng.uniform(3, 13):.1f}" stroke="{colour}" stroke-width="2" fill="none"/>'
                for thread in range(8)
            )
            shade = f'<path d="{fold}" fill="url(#sink)"/><path d="{fold}" fill="url(#round)" opacity=".4"/>'
            crest = f'<path d="M{left - 4} {y - h + 5} Q{shift} {y - h + 1} {right - 6} {y - h + 4}" stroke="#fff" stroke-opacity=".22" stroke-width="4" fill="none" filter="url(#edge)"/>'
            drawn.append((fringe if layer == 1 else "") + f'<path d="{fold}" fill="{colour}"/>' + shade + crest)
            y -= h - 1
    return "".join(drawn)


def evening() -> str:
    """The hero: a lamp lights a table."""
    wall = f'<rect width="1200" height="900" fill="{PINE}"/><rect width="1200" height="900" fill="url(#glowwall)"/>'
    niche = '<path d="M470 690 L470 360 C470 190 590 90 740 90 C890 90 1010 190 1010 360 L1010 690 Z" fill="#b4532f" opacity=".42"/>'
    light = '<defs><radialGradient id="glowwall" gradientUnits="userSpaceOnUse" cx="740" cy="420" r="720"><stop offset="0" stop-color="#ffcf87" stop-opacity=".85"/><stop offset=".25" stop-color="#e79d50" stop-opacity=".5"/><stop offset=".6" stop-color="#7d5a3a" stop-opacity=".2"/><stop offset="1" stop-color="#0c1c18" stop-opacity=".55"/></radialGradient><linearGradient id="board" x1="0" x2="0" y1="0" y2="1"><stop offset="0" stop-color="#8c5c3a"/><stop offset="1" stop-color="#4c2f1f"/></linearGradient></defs>'
    table = (
        '<rect y="690" width="1200" height="210" fill="url(#board)"/><rect y="690" width="1200" height="5" fill="#ffdca6" opacity=".35"/>'
        + "".join(
            f'<path d="M0 {722 + n * 26} C300 {716 + n * 27} 800 {730 + n * 25} 1200 {720 + n * 27}" stroke="#2c190f" stroke-opacity=".16" stroke-width="{2 + n % 2}" fill="none"/>'
            for n in range(7)
        )
    )
    pool = '<ellipse cx="740" cy="770" rx="560" ry="120" fill="url(#pool)" opacity=".75"/>'
    dim = '<defs><linearGradient id="dim" x1="0" x2="1" y1="0" y2="0"><stop offset="0" stop-color="#07110e" stop-opacity=".62"/><stop offset=".42" stop-color="#07110e" stop-opacity="0"/></linearGradient></defs><rect width="1200" height="900" fill="url(#dim)"/>'
    things = (
        at(
            352,
            770,
            at(0, -338, branch((OCHRE, "#c9772f", "#a9552c", "#8d8a4a"), tall=330, lean=66)),
            vase(CLAY),
            scale=1.12,
        ),
        at(740, 772, lamp(), scale=1.42),
        at(1022, 780, shadow(70, 60), bowl(SAGE, width=112), at(0, -42, bowl("#e9dcc6", width=98, inside="#6b4a2b66"))),
        at(560, 812, shadow(60, -50), cup("#e6d8c2"), scale=0.92),
    )
    return picture(1200, 900, light, wall, niche, table, pool, *things, dim, grain=0.55)


def room(wall: str, floor: str, *things: str, light: float = 0.5, lit_from: str = "70%") -> str:
    """A product picture: an object before a calm wall."""
    backdrop = (
        f'<defs><radialGradient id="day" cx="{lit_from}" cy="30%" r="95%"><stop offset="0" stop-color="#fff" stop-opacity="{light}"/>'
        f'<stop offset="1" stop-color="#000" stop-opacity=".10"/></radialGradient></defs>'
        f'<rect width="560" height="672" fill="{wall}"/><rect y="520" width="560" height="152" fill="{floor}"/>'
        f'<rect width="560" height="672" fill="url(#day)"/>'
    )
    return picture(560, 672, backdrop, *things, grain=0.4)


def product_lamp() -> str:
    """The lamp, lit, at night."""
    glow = '<ellipse cx="280" cy="330" rx="330" ry="330" fill="url(#glow)" opacity=".8"/>'
    pool = '<ellipse cx="280" cy="586" rx="250" ry="56" fill="url(#pool)" opacity=".6"/>'
    return room("#2b4d44", "#203a33", glow, pool, at(280, 590, lamp(), scale=1.22), light=0.04, lit_from="50%")


def product_vase() -> str:
    """The vase with a branch."""
    stems = at(0, -338, branch((OCHRE, "#c9772f", "#9a5a2c"), seed=11, tall=210, lean=52))
    return room("#e7cdb4", "#d8b797", at(270, 596, stems, vase(CLAY), scale=1.0))


def product_linen() -> str:
    """Three folded throws."""
    return room("#b9c4b0", "#a2af98", at(274, 590, linen(("#efe6d6", CLAY, "#e3cfae", PINE)), scale=1.0))


def shelf() -> str:
    """Pots on shelves: the workshop."""
    backdrop = '<defs><linearGradient id="w" x1="0" x2="1" y1="0" y2="1"><stop offset="0" stop-color="#e2d3ba"/><stop offset="1" stop-color="#efe5d3"/></linearGradient></defs><rect width="720" height="720" fill="url(#w)"/>'
    window = '<g opacity=".5" filter="url(#soft)"><path d="M330 -40 L720 120 L720 360 L250 160 Z" fill="#fffaf0"/><path d="M200 250 L720 470 L720 640 L150 390 Z" fill="#fffaf0"/></g>'
    boards = "".join(
        f'<rect y="{y}" width="720" height="20" fill="#8a5b39"/><rect y="{y}" width="720" height="4" fill="#c08a5c"/><rect y="{y + 20}" width="720" height="26" fill="#000" opacity=".13" filter="url(#edge)"/>'
        for y in (258, 486, 690)
    )
    rows = (
        (
            258,
            (
                (110, jug("#efe6d6"), 0.9),
                (268, bowl(CLAY, width=84), 1),
                (412, cup(SAGE), 0.95),
                (520, cup("#efe6d6"), 0.95),
                (640, vase(PINE), 0.56),
            ),
        ),
        (
            486,
            (
                (96, cup(OCHRE), 0.95),
                (206, cup("#efe6d6"), 0.95),
                (370, bowl(PINE, width=104), 1),
                (552, jug(CLAY), 0.94),
                (680, cup(SAGE), 0.9),
            ),
        ),
        (
            690,
            (
                (120, bowl(SAGE, width=96), 1),
                (300, vase("#efe6d6"), 0.54),
                (420, jug(OCHRE), 0.84),
                (600, bowl("#efe6d6", width=104), 1),
            ),
        ),
    )
    things = "".join(
        at(x, y, shadow(60, -34, strength=0.32), thing, scale=scale) for y, row in rows for x, thing, scale in row
    )
    return picture(720, 720, backdrop, window, boards, things, grain=0.4)


def logo() -> str:
    """The shop's name, over a line of tide."""
    words = f"""<text x="160" y="60" text-anchor="middle" font-family="Noto Serif CJK JP" font-weight="600" font-size="58" letter-spacing="1" fill="{PINE}">Tidewood</text>"""
    wave = f'<path d="M128 84 q8 -9 16 0 t16 0 t16 0 t16 0" stroke="{CLAY}" stroke-width="3.5" fill="none" stroke-linecap="round"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="320" height="96" viewBox="0 0 320 96">{words}{wave}</svg>'
