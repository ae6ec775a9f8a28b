"""What a picture looks like: its main colours, where the eye goes, how light it is, and whether words are in it.

All is measured on a copy of at most `SIDE` pixels, and by loops of Pillow wherever there is one. Numbers are taken as
sRGB: a colour profile that a stranger embedded is not run.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from math import dist
from typing import TYPE_CHECKING, NamedTuple

from compositor.adapters._lettering import words_likely
from compositor.workspace.ports import Looks

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageCms import ImageCmsTransform

SIDE = 256
"""Pixels of the longer side of the copy: letters of 1/50 of a picture have 5 there, which is what can be told apart."""

MOST_COLOURS = 6
SMALLEST_SHARE = 0.015
"""A colour on less of the picture than this is a detail: more than the mixed pixels along one straight edge have."""

_SAMPLED = 96
"""Pixels of the longer side of the sample for colours. It is taken without mixing: a flat colour stays what it is."""
_SHADES = 24
"""Shades that the sample is cut down to before those that look alike are put together."""
_ALIKE = 14.0
"""CIELAB distance (delta E 1976) up to which two shades are one colour. A house rule, by eye."""
_NAMING = 0.5
"""A colour is named by a value that at least so many of its pixels have, as in flat art; else by the mean of them."""

_OPAQUE = 128
"""From this alpha on, a pixel is drawn."""
_FLAT = 8
"""Levels of 255 by which the pixels of one flat colour may differ: the noise of JPEG."""


def looks_of(picture: Image) -> Looks:
    """The looks of a picture.

    Args:
        picture: upright, of mode `RGB` or `RGBA`, no larger than `SIDE`.
    """
    shown = _on_ground(picture)
    shades = _shades(_sample(picture))
    uniform = all(high - low <= _FLAT for low, high in _extrema(shown))
    return Looks(
        colours=tuple(_main_colours(shades)),
        focal_point=(0.5, 0.5) if uniform else _focal_point(shown),
        words_likely=0.0 if uniform else round(words_likely(shown.convert("L")), 2),
        lightness=_lightness(shades),
        uniform=uniform,
    )


def _drawn(picture: Image) -> Image:
    """The mask of what is not transparent: 255 there, else 0."""
    from PIL import Image

    if picture.mode == "RGB":
        return Image.new("L", picture.size, 255)
    return picture.getchannel("A").point([255 if level >= _OPAQUE else 0 for level in range(256)])


def _on_ground(picture: Image) -> Image:
    """What is transparent becomes black or white, whichever is farther from the rest: its shape is what one sees."""
    from PIL import Image, ImageStat

    if picture.mode == "RGB":
        return picture
    drawn, colours = _drawn(picture), picture.convert("RGB")
    dark = drawn.getbbox() is not None and ImageStat.Stat(colours.convert("L"), drawn).mean[0] < 128
    ground = Image.new("RGB", picture.size, "white" if dark else "black")
    ground.paste(colours, mask=picture.getchannel("A"))
    return ground


def _extrema(picture: Image) -> Iterator[tuple[int, int]]:
    """The least and the largest level of each channel."""
    for channel in picture.split():
        levels = [level for level, count in enumerate(channel.histogram()) if count]
        yield levels[0], levels[-1]


# ---- colours


class _Shade(NamedTuple):
    """Pixels that are nearly the same: where they are in CIELAB, and how many have which value."""

    lab: tuple[float, float, float]
    pixels: Counter[bytes]


def _sample(picture: Image) -> list[bytes]:
    """Pixels from all over the picture that are drawn, three bytes each."""
    from PIL.Image import Resampling

    share = min(1.0, _SAMPLED / max(picture.size))
    size = (max(1, round(picture.width * share)), max(1, round(picture.height * share)))
    data = picture.convert("RGB").resize(size, Resampling.NEAREST).tobytes()
    drawn = _drawn(picture).resize(size, Resampling.NEAREST).tobytes()
    return [data[3 * at : 3 * at + 3] for at, there in enumerate(drawn) if there]


def _shades(pixels: Sequence[bytes]) -> list[_Shade]:
    """The pixels by their shades, the most frequent first."""
    from PIL import Image

    if not pixels:
        return []
    strip = Image.frombytes("RGB", (len(pixels), 1), b"".join(pixels))
    cut = strip.quantize(_SHADES, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    by_shade: dict[int, Counter[bytes]] = defaultdict(Counter)
    for shade, pixel in zip(cut.tobytes(), pixels, strict=True):
        by_shade[shade][pixel] += 1
    ranked = sorted(by_shade.values(), key=lambda pixels: (-pixels.total(), min(pixels)))
    means = b"".join(map(_mean, ranked))
    channels = [channel.tobytes() for channel in _lab(Image.frombytes("RGB", (len(ranked), 1), means))]
    return [
        _Shade(lab=(light / 2.55, a - 128, b - 128), pixels=pixels)
        for light, a, b, pixels in zip(*channels, ranked, strict=True)
    ]


def _main_colours(shades: Sequence[_Shade]) -> Iterator[tuple[str, float]]:
    """Each main colour and its share. A shade that is near a more frequent one belongs to it."""
    colours: list[_Shade] = []
    for shade in shades:
        nearest = min(colours, key=lambda colour: dist(colour.lab, shade.lab), default=None)
        if nearest is not None and dist(nearest.lab, shade.lab) <= _ALIKE:
            nearest.pixels.update(shade.pixels)
        else:
            colours.append(_Shade(shade.lab, Counter(shade.pixels)))
    total = _count(shades)
    ranked = sorted(colours, key=lambda colour: -colour.pixels.total())
    for colour in ranked[:MOST_COLOURS]:
        share = colour.pixels.total() / total
        if share >= SMALLEST_SHARE:
            yield f"#{_name(colour.pixels).hex()}", round(share, 3)


def _lightness(shades: Sequence[_Shade]) -> float:
    """The mean L*, from 0 to 1; of a picture of nothing, that of paper."""
    if not shades:
        return 1.0
    return round(sum(shade.lab[0] * shade.pixels.total() for shade in shades) / _count(shades) / 100, 2)


def _count(shades: Sequence[_Shade]) -> int:
    return sum(shade.pixels.total() for shade in shades)


def _name(pixels: Counter[bytes]) -> bytes:
    ((most, count),) = pixels.most_common(1)
    return most if count >= _NAMING * pixels.total() else _mean(pixels)


def _mean(pixels: Counter[bytes]) -> bytes:
    total = pixels.total()
    return bytes(round(sum(pixel[at] * count for pixel, count in pixels.items()) / total) for at in range(3))


def _lab(picture: Image) -> tuple[Image, Image, Image]:
    """The channels of a picture in CIELAB: L* from 0 to 255, a* and b* with grey at 128."""
    light, a, b = _srgb_to_lab().apply(picture).split()
    unsigned = [level ^ 128 for level in range(256)]
    return light, a.point(unsigned), b.point(unsigned)


@cache
def _srgb_to_lab() -> ImageCmsTransform:
    from PIL import ImageCms

    return ImageCms.buildTransform(ImageCms.createProfile("sRGB"), ImageCms.createProfile("LAB"), "RGB", "LAB")


# ---- the focal point: each size is a part of the longer side; found by eye on some 45 photographs and drawings

_DETAIL = 1 / 40
"""What is smaller is blurred away before a place is compared with its surroundings."""
_SURROUNDINGS = 1 / 3
"""How far these reach to either side: a subject of a third of the picture still stands out as a whole."""
_GLANCE = 1 / 8
"""Over so much the eye takes in what is there."""
_GRID = 32
"""Places along the longer side that are compared."""
_HILL = 1 / 4
"""The point is the middle of what stands out this near to the place that stands out most."""
_PULL = 0.8
"""How much less a place counts at the edge: by a fifth in the middle of a side, by two fifths in a corner."""


def _focal_point(picture: Image) -> tuple[float, float]:
    """Where contrast with the surroundings and edges are strongest over a glance, with a mild pull to the middle."""
    from PIL import Image

    side = max(picture.size)
    size = (max(1, round(picture.width * _GRID / side)), max(1, round(picture.height * _GRID / side)))
    levels = _standing_out(picture).resize(size, Image.Resampling.BOX).tobytes()
    places = [
        ((index % size[0] + 0.5) / size[0], (index // size[0] + 0.5) / size[1], level)
        for index, level in enumerate(levels)
    ]
    pulled = [(x, y, level * (1 - _PULL * ((x - 0.5) ** 2 + (y - 0.5) ** 2))) for x, y, level in places]
    top_x, top_y, most = max(pulled, key=lambda place: place[2])
    if not most:
        return 0.5, 0.5
    reach_x, reach_y = _HILL * side / picture.width, _HILL * side / picture.height
    hill = [(x, y, weight**2) for x, y, weight in pulled if abs(x - top_x) <= reach_x and abs(y - top_y) <= reach_y]
    total = sum(weight for *_, weight in hill)
    return round(sum(x * w for x, _, w in hill) / total, 3), round(sum(y * w for _, y, w in hill) / total, 3)


def _standing_out(picture: Image) -> Image:
    """How much each place stands out, 0 to 255; at half the size, of which the blurs leave nothing."""
    from PIL import ImageChops, ImageFilter

    half = picture.reduce(2)
    side = max(half.size)
    light, *hues = _lab(half)
    contrast = _contrast(light, side)
    for hue in hues:
        contrast = ImageChops.add(contrast, _contrast(hue, side))
    edges = ImageChops.subtract(light.filter(ImageFilter.MaxFilter(3)), light.filter(ImageFilter.MinFilter(3)))
    both = ImageChops.add(contrast, edges.filter(ImageFilter.BoxBlur(side * _DETAIL)), scale=2)
    return both.filter(ImageFilter.GaussianBlur(side * _GLANCE))


def _contrast(channel: Image, side: int) -> Image:
    from PIL import ImageChops, ImageFilter

    here = channel.filter(ImageFilter.GaussianBlur(side * _DETAIL))
    return ImageChops.difference(here, channel.filter(ImageFilter.BoxBlur(side * _SURROUNDINGS)))
