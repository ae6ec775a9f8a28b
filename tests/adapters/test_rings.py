"""Rings: whether letters stand out from a picture, judged on cases that are good or bad by construction."""

from __future__ import annotations

import io
import random

import pytest
from PIL import Image, ImageDraw, ImageFont

from compositor.adapters.pictures import Pillow
from compositor.errors import PictureRefused
from compositor.workspace import Ink

pytestmark = pytest.mark.anyio

SIZE = (400, 160)
THIRD = 1 / 3


def flat(colour: str) -> Image.Image:
    return Image.new("RGB", SIZE, colour)


def photo(low: int, high: int) -> Image.Image:
    """Soft patches of all colours between two levels."""
    dice = random.Random(4)
    patches = Image.new("RGB", (12, 5))
    patches.putdata([tuple(dice.randint(low, high) for _ in range(3)) for _ in range(60)])
    return patches.resize(SIZE, Image.Resampling.BICUBIC)


def fade(left: int, right: int) -> Image.Image:
    ends = Image.new("L", (2, 1))
    ends.putdata([left, right])
    return ends.resize(SIZE, Image.Resampling.BILINEAR).convert("RGB")


GROUNDS = {
    "white": flat("#ffffff"),
    "paper": flat("#e4e4e4"),
    "dark": flat("#181818"),
    "bright photo": photo(160, 255),
    "dark photo": photo(0, 90),
    "bright fade": fade(190, 255),
    "dark fade": fade(10, 70),
}
BRIGHT = ("white", "paper", "bright photo", "bright fade")
DARK = ("dark", "dark photo", "dark fade")
SIZES = (16, 28, 44)


def lettered(
    ground: str, colour: str, size: int, *, outline: str = "", plate: str = ""
) -> tuple[bytes, tuple[float, float, float, float]]:
    """PNG bytes of words on a ground, and their box."""
    picture = GROUNDS[ground].copy()
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(size)
    words = "Five tips for\nevening light"
    left, top, right, bottom = draw.multiline_textbbox((40, 30), words, font)
    if plate:
        draw.rectangle((left - 6, top - 6, right + 6, bottom + 6), fill=plate)
    draw.multiline_text((40, 30), words, colour, font, stroke_width=4 if outline else 0, stroke_fill=outline or None)
    if outline:
        draw.multiline_text((40, 30), words, colour, font)
    out = io.BytesIO()
    picture.save(out, "PNG")
    width, height = SIZE
    return out.getvalue(), (left / width, top / height, right / width, bottom / height)


async def ring(data: bytes, box: tuple[float, float, float, float], colour: str, ratio: float = 3.0) -> float | None:
    (share,) = await Pillow().rings(data, [Ink(box=box, colour=colour, ratio=ratio)])
    return share


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("colour", "grounds"), [("#ffffff", BRIGHT), ("#101010", DARK)], ids=["white on bright", "black on dark"]
)
async def test_letters_that_do_not_stand_out_have_a_poor_ring(colour: str, grounds: tuple[str, ...], size: int) -> None:
    for ground in grounds:
        share = await ring(*lettered(ground, colour, size), colour)
        assert share is not None, ground
        assert share > 0.9, (ground, share)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("colour", "grounds"), [("#ffffff", DARK), ("#101010", BRIGHT)], ids=["white on dark", "black on bright"]
)
async def test_letters_that_stand_out_have_a_good_ring(colour: str, grounds: tuple[str, ...], size: int) -> None:
    for ground in grounds:
        share = await ring(*lettered(ground, colour, size), colour)
        assert share is not None, ground
        assert share < THIRD, (ground, share)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("aid", [{"outline": "#101010"}, {"plate": "#202020"}], ids=["outline", "plate"])
async def test_an_outline_or_a_plate_makes_letters_stand_out_anywhere(
    aid: dict[str, str], ground: str, size: int
) -> None:
    share = await ring(*lettered(ground, "#ffffff", size, **aid), "#ffffff")
    assert share is not None
    assert share <= THIRD


async def test_small_text_needs_more_than_large_text() -> None:
    data, box = lettered("white", "#8a8a8a", 44)  # 3.45:1
    assert await ring(data, box, "#8a8a8a", 3.0) == 0.0
    assert await ring(data, box, "#8a8a8a", 4.5) == 1.0


async def test_letters_of_another_colour_are_not_found() -> None:
    data, box = lettered("white", "#101010", 28)
    assert await ring(data, box, "#c8102e") is None


async def test_a_box_at_the_edge_sees_nothing_beyond_the_picture() -> None:
    data, _ = lettered("white", "#101010", 28)
    assert await ring(data, (-0.5, -0.5, 1.5, 1.5), "#101010") == 0.0
    assert await ring(data, (2.0, 2.0, 3.0, 3.0), "#000000") is None


async def test_each_text_has_its_own_share_and_no_text_has_none() -> None:
    data, box = lettered("white", "#8a8a8a", 44)
    inks = [Ink(box=box, colour="#8a8a8a", ratio=ratio) for ratio in (3.0, 4.5)]
    assert await Pillow().rings(data, inks) == (0.0, 1.0)
    assert await Pillow().rings(data, []) == ()


async def test_what_is_transparent_is_taken_for_white() -> None:
    data, box = lettered("white", "#101010", 28)
    clear = Image.open(io.BytesIO(data)).convert("RGBA")
    clear.putalpha(clear.convert("L").point([255 - level for level in range(256)]))
    out = io.BytesIO()
    clear.save(out, "PNG")
    assert await ring(out.getvalue(), box, "#101010") == 0.0


async def test_what_is_no_picture_is_refused() -> None:
    with pytest.raises(PictureRefused):
        await Pillow().rings(b"no picture", [])
