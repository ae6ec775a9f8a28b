"""Whether words are drawn in a picture: a rule on rows of strokes, without reading a letter.

A line of writing is a band of many narrow strokes of one height. They stand close, their gaps are irregular, the
pattern changes between the top and the middle of the letters, and above and below it is quiet. Fences, windows and
bars are too regular, leaves and gravel have no quiet edge, branches are too sparse.

The limits below told 500 generated pictures with words (22 Latin and 4 East Asian fonts on flat, graded, noisy and
photographed grounds, letters of 1/28 to 1/8 of the width) from 224 without (photographs, posters, drawn stripes,
checks, bricks, windows, fences, foliage, branches, charts): 445 were found, and 4 others taken for them. Of 400 and 567
that the limits were not made on, these were 345 and 8. Lit windows at night are what it mistakes most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, prod, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

SHRUNK = (1, 2)
"""The picture is read as it is and at half its size: letters are found that are 3 to 14 pixels high there."""

_AROUND = 5
"""Pixels around a stroke that it must stand out from."""
_CONTRAST = 24
"""By how many levels of 255: dark grey on black does, and the grain of a photograph does not."""
_REACH = 9
"""Pixels to either side in which a stroke of a band has its neighbours."""
_DENSE = 56
"""Levels of 255: where at least 22 % of the pixels within reach are ink, there may be writing."""
_HEIGHTS = range(3, 15)
_SHAPE = 2.5
"""How many times as wide as high a band is at least."""
_MARGIN = 3
"""Rows above and below a band in which it must become quiet."""

_RUN = re.compile(rb"\xff+")
_GAP = re.compile(rb"\xff(\x00+)(?=\xff)")
_LONG_RUN = re.compile(rb"\xff{20,}")

_Run = tuple[int, int, int]
"""Row, and the columns from and to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Limits:
    """How far a measure speaks for writing: fully from `low` to `high`, and not at all outside of `nil`."""

    low: float = -inf
    high: float = inf
    nil: tuple[float, float] = (-inf, inf)

    def met(self, value: float) -> float:
        """0 to 1."""
        if value < self.low:
            return max(0.0, (value - self.nil[0]) / (self.low - self.nil[0]))
        if value > self.high:
            return max(0.0, (self.nil[1] - value) / (self.nil[1] - self.high))
        return 1.0


_STROKES = _Limits(low=12, nil=(4, inf))
"""Strokes in a row of the band, on average: 8 count half, which is some four letters."""
_PITCH = _Limits(low=0.25, high=1.4, nil=(0.1, 2.0))
"""From stroke to stroke, in heights of the band."""
_CHANGE = _Limits(low=0.16, high=0.3, nil=(0.1, 0.7))
"""The part of the pixels that are another half a height further down: a fence has none, a zigzag many."""
_INK = _Limits(high=0.46, nil=(-inf, 0.77))
"""The part of the band that is ink."""
_UNQUIET = _Limits(high=0.05, nil=(-inf, 0.2))
"""The part of the quietest near row that is ink: above or below the band, whichever has more."""
_IRREGULAR = _Limits(low=0.5, nil=(0.2, inf))
"""The standard deviation of the gaps between strokes, in parts of their mean."""


def words_likely(grey: Image) -> float:
    """How likely words are drawn in a picture, 0 to 1: the best that a band of it comes to. From 0.5 on, it is likely.

    It sees level lines (up to some 4 degrees) of about four letters and more, set between 1/50 and 1/8 of the picture's
    longer side, which stand out by their lightness. It misses single letters, smaller, larger, slanted and curved
    writing, handwriting, and words that differ from their ground by hue alone. It reads nothing: which words there are,
    and whether they are words, it cannot say.

    Args:
        grey: a picture of mode `L` whose longer side has some 256 pixels.
    """
    return max((_likelihood(band) for ink in _inks(grey) for band in _bands(ink)), default=0.0)


def _inks(grey: Image) -> Iterator[Image]:
    """What is lighter than its surroundings, and what is darker, in each size: 255 where there is such ink, else 0."""
    from PIL import ImageChops, ImageFilter

    for shrunk in SHRUNK:
        here = grey if shrunk == 1 else grey.reduce(shrunk)
        around = here.filter(ImageFilter.BoxBlur(_AROUND))
        for difference in (ImageChops.subtract(here, around), ImageChops.subtract(around, here)):
            yield difference.point(_levels(_CONTRAST))


def _levels(above: int) -> list[int]:
    """A table that makes 255 of what is above a level, and 0 of the rest."""
    return [255 if level > above else 0 for level in range(256)]


def _bands(ink: Image) -> Iterator[Image]:
    """The ink of each band that has the shape of a line of writing, with the margins above and below."""
    from PIL import ImageFilter

    dense = ink.filter(ImageFilter.BoxBlur((_REACH, 0))).point(_levels(_DENSE))
    for runs in _connected(dense):
        left, right = min(start for _, start, _ in runs), max(end for _, _, end in runs)
        top, height = runs[0][0], len(runs)
        if height in _HEIGHTS and right - left >= _SHAPE * height:
            yield ink.crop((left, top - _MARGIN, right, top + height + _MARGIN))


def _connected(dense: Image) -> Iterator[Sequence[_Run]]:
    """Long runs that lie on one another, row by row: each of them goes on in the longest overlap below."""
    data, width = dense.tobytes(), dense.width
    growing: list[list[_Run]] = []
    for row in range(dense.height):
        found = [(row, *match.span()) for match in _LONG_RUN.finditer(data[row * width : (row + 1) * width])]
        grown: list[list[_Run]] = []
        for run in found:
            above = [band for band in growing if _overlap(band[-1], run) > 0]
            band = max(above, key=lambda band: _overlap(band[-1], run), default=[])
            if band:
                growing.remove(band)
            grown.append([*band, run])
        yield from growing
        growing = grown
    yield from growing


def _overlap(one: _Run, other: _Run) -> int:
    return min(one[2], other[2]) - max(one[1], other[1])


def _likelihood(band: Image) -> float:
    """How much a band, with its margins, looks like a line of writing, 0 to 1."""
    from PIL import ImageChops

    width, height = band.width, band.height - 2 * _MARGIN
    data = band.tobytes()
    rows = [data[start : start + width] for start in range(0, len(data), width)]
    letters = rows[_MARGIN:-_MARGIN]
    strokes = sum(len(_RUN.findall(row)) for row in letters) / height
    half = max(1, height // 2)
    upper = band.crop((0, _MARGIN, width, _MARGIN + height - half))
    lower = band.crop((0, _MARGIN + half, width, _MARGIN + height))
    unquiet = max(min(row.count(255) for row in margin) for margin in (rows[:_MARGIN], rows[-_MARGIN:])) / width
    met = (
        _STROKES.met(strokes),
        _PITCH.met(width / max(strokes, 1) / height),
        _CHANGE.met(_share_of_ink(ImageChops.difference(upper, lower))),
        _INK.met(sum(row.count(255) for row in letters) / (width * height)),
        _UNQUIET.met(unquiet),
        _IRREGULAR.met(_deviation([len(gap) for row in letters for gap in _GAP.findall(row)])),
    )
    return prod(met)


def _share_of_ink(mask: Image) -> float:
    return mask.histogram()[255] / (mask.width * mask.height)


def _deviation(lengths: Sequence[int]) -> float:
    """The standard deviation in parts of the mean; 0 where there is nothing."""
    if not lengths:
        return 0.0
    mean = sum(lengths) / len(lengths)
    return sqrt(sum((length - mean) ** 2 for length in lengths) / len(lengths)) / mean
