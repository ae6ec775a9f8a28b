"""Rings: whether letters stand out from what is drawn around them, read from the pixels of a render.

What counts on a picture is not the ground of a text but the pixels next to its letters: white letters with a dark
outline are read on white paper. So each text is cut out, the pixels of its own colour are taken for its letters, and
those that lie 1 to 3 pixels beside them are compared with that colour.

A ground of the colour of the letters hides them: they cannot be told apart, by us no more than by a reader. Letters
leave much of their box free, so colour that fills more of it than they can, where the ring that they would have is
missing, counts as a ring that cannot be read.
"""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

from compositor.verifiers.contrast import luminance
from compositor.workspace.ports import Box

if TYPE_CHECKING:
    from PIL.Image import Image

INNER, OUTER = 1, 3
"""Pixels beside a letter that are left out, since they are its own soft edge, and that the ring reaches to."""

NEAR = 32
"""Levels of 255, in the channel that differs most, by which a pixel of a letter may miss the colour of its text: the
thin strokes of 14 px text are nowhere full ink."""

MOST_INK = 0.5
LEAST_RING = 0.3
"""The part of their box that letters cover at most (bold ones of 40 px: 0.3), and that their ring has where nothing is
hidden (from 0.2, of large and bold ones, to 0.3). Only where both are crossed the ground has swallowed letters: white
paper around white letters is ink by its colour, but an outline gives them a whole ring.

These and `NEAR` were chosen on 490 texts drawn by Chromium: 14 grounds (flat, photographic, fine noise, gradients,
halves, stripes), 7 styles (plain, outlined, on a plate, with a shadow) and 5 sizes from 14 to 40 px. Against the ring
of the exact letters, known from a drawing of them alone, the share differs by 0.04 on average and lies on the same side
of one third for 468. Of 273 with an exact share below a fifth, one is above a third; of 160 above a half, five are
below, all of them on stripes of black and white. An outline counts when it is as wide as the ring, 3 pixels.
"""

LEAST_INK = 4
"""Pixels of ink from which on there is something to measure."""


def ring_share(picture: Image, box: Box, colour: str, ratio: float) -> float | None:
    """The part of a text's ring that has less contrast with it than it needs, 0 to 1; None where no ink is found.

    Args:
        picture: of mode `RGB`.
        box: of the text, as parts of the picture's width and height.
        colour: of its letters, `#rrggbb`.
        ratio: the contrast ratio of WCAG 2.2 that they need.
    """
    from PIL import Image, ImageChops

    left, top, right, bottom = _pixels(box, picture)
    cut = picture.crop((left - OUTER, top - OUTER, right + OUTER, bottom + OUTER))
    drawn = Image.new("L", cut.size)  # where the cut reaches beyond the picture there is nothing
    drawn.paste(255, (OUTER - left, OUTER - top, OUTER - left + picture.width, OUTER - top + picture.height))
    own = Image.new("L", cut.size)
    own.paste(drawn.crop((OUTER, OUTER, cut.width - OUTER, cut.height - OUTER)), (OUTER, OUTER))
    ink = ImageChops.multiply(_like(cut, colour), own)
    covered = ink.histogram()[255]
    if covered < LEAST_INK:
        return None
    ring = ImageChops.multiply(ImageChops.subtract(_grown(ink, OUTER), _grown(ink, INNER)), drawn)
    poor, counted = _compared(cut, ring, luminance(bytes.fromhex(colour[1:])), ratio)
    area = (right - left) * (bottom - top)
    hidden = max(0, min(covered - floor(MOST_INK * area), floor(LEAST_RING * area) - counted))
    return (poor + hidden) / (counted + hidden) if counted + hidden else 1.0


def _pixels(box: Box, picture: Image) -> tuple[int, int, int, int]:
    """The whole pixels that a box touches."""
    left, top = floor(box[0] * picture.width), floor(box[1] * picture.height)
    return left, top, max(ceil(box[2] * picture.width), left + 1), max(ceil(box[3] * picture.height), top + 1)


def _like(cut: Image, colour: str) -> Image:
    """255 where a pixel has nearly that colour, else 0."""
    from PIL import Image, ImageChops

    red, green, blue = ImageChops.difference(cut, Image.new("RGB", cut.size, colour)).split()
    farthest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return farthest.point([255 if level <= NEAR else 0 for level in range(256)])


def _grown(ink: Image, reach: int) -> Image:
    """The ink and all within so many pixels of it. A mean that is not 0 has ink in it: a 49th of 255 is 5."""
    from PIL import ImageFilter

    return ink.filter(ImageFilter.BoxBlur(reach)).point([0] + [255] * 255)


def _compared(cut: Image, ring: Image, ink: float, ratio: float) -> tuple[int, int]:
    """How many pixels of the ring have too little contrast with the ink, and how many there are."""
    masked = cut.convert("RGBA")
    masked.putalpha(ring)
    poor = counted = 0
    for count, pixel in masked.getcolors(cut.width * cut.height) or ():
        if isinstance(pixel, tuple) and pixel[3]:
            counted += count
            dark, light = sorted((luminance(bytes(pixel[:3])), ink))
            poor += count if light + 0.05 < ratio * (dark + 0.05) else 0
    return poor, counted
