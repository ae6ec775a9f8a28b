"""The painter: exact sizes, the brand's hues, calm pictures without words, and the same picture for the same wish."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import combinations

import pytest
from coloraide import Color
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageFilter, ImageStat

from compositor.adapters.painter import Painter
from compositor.adapters.pictures import Pillow
from compositor.testing import PlainImages, PlainPictures
from compositor.testing.conformance import check_image_model
from compositor.workspace import ImageWish

pytestmark = pytest.mark.anyio

PINE = ("#1f3d36", "#b4532f", "#f4ede2")
CORAL = ("#171d4b", "#ee5a3c", "#f7b24a", "#c9d6f2")
TEAL = ("#0f766e",)
BRANDS = (PINE, CORAL, TEAL)

ABOUT = (
    "a museum hotel with an arch",
    "community goals in sport",
    "a design conference",
    "a birthday party with confetti",
    "medical research on the heart",
    "the launch of a silk collection",
    "a hike in the mountains",
    "a botanical garden in leaf",
    "a podcast with live music",
    "new software, released today",
    "textured wallpaper",
    "a week by the ocean",
    "the night sky full of stars",
    "handmade ceramic bowls",
    "a calm room in morning light",
)
"""One subject for each motif."""


async def painted(about: str, colours: Sequence[str] = PINE, *, size: tuple[int, int] = (480, 320)) -> Image.Image:
    wish = ImageWish(about=about, width=size[0], height=size[1], colours=tuple(colours))
    return Image.open(io.BytesIO(await Painter().make(wish))).convert("RGB")


def shrunk(picture: Image.Image, width: int, height: int) -> Image.Image:
    return picture.resize((width, height), Image.Resampling.BOX)


def pixels(picture: Image.Image) -> list[tuple[int, int, int]]:
    data = picture.tobytes()
    return [(data[at], data[at + 1], data[at + 2]) for at in range(0, len(data), 3)]


async def test_it_keeps_the_contract_of_image_models() -> None:
    await check_image_model(Painter(), Pillow())


async def test_the_stand_in_of_the_test_kit_keeps_it_too() -> None:
    await check_image_model(PlainImages(), PlainPictures())


async def test_a_model_that_makes_another_size_does_not_keep_it() -> None:
    with pytest.raises(AssertionError, match="600×400 pixels were wished"):
        await check_image_model(PlainImages(size=(512, 512)), PlainPictures())


async def test_the_same_wish_gives_the_same_picture_and_another_one_another() -> None:
    wish = ImageWish(about="a lamp at dusk", width=300, height=200, colours=PINE, mood="warm")
    one, again = await Painter().make(wish), await Painter().make(wish)
    assert one == again
    for other in (
        ImageWish(about="two lamps at dusk", width=300, height=200, colours=PINE, mood="warm"),
        ImageWish(about="a lamp at dusk", width=300, height=200, colours=TEAL, mood="warm"),
        ImageWish(about="a lamp at dusk", width=300, height=200, colours=PINE, mood="bright"),
    ):
        assert await Painter().make(other) != one


async def test_in_another_size_a_picture_is_a_near_relative() -> None:
    small, large = await painted(ABOUT[5], size=(300, 200)), await painted(ABOUT[5], size=(900, 600))
    unlike = ImageStat.Stat(ImageChops.difference(shrunk(small, 30, 20), shrunk(large, 30, 20))).mean
    assert sum(unlike) / 3 < 10


async def test_no_two_motifs_are_alike() -> None:
    shown = [shrunk(await painted(about), 48, 32) for about in ABOUT]
    for (one, first), (other, second) in combinations(zip(ABOUT, shown, strict=True), 2):
        unlike = ImageStat.Stat(ImageChops.difference(first, second)).mean
        assert sum(unlike) / 3 > 12, (one, other)


def degrees_apart(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)


@pytest.mark.parametrize("colours", BRANDS)
async def test_hues_are_those_of_the_brand_or_near_them(colours: Sequence[str]) -> None:
    """A brand of one hue gets a neighbour of it, and deep and pale tones lean a little."""
    near = 55 if len(colours) == 1 else 32
    own = [Color(colour).convert("oklch")["hue"] for colour in colours]
    for about in ABOUT:
        strange = coloured = 0
        for red, green, blue in pixels(shrunk(await painted(about, colours), 48, 32)):
            colour = Color("srgb", [red / 255, green / 255, blue / 255]).convert("oklch")
            if colour["chroma"] > 0.04:
                coloured += 1
                strange += min(degrees_apart(colour["hue"], hue) for hue in own) > near
        assert strange <= 0.1 * max(coloured, 100), (about, colours, strange, coloured)


@pytest.mark.parametrize("colours", [("#111111", "#777777", "#ffffff"), (), ("#000000",), ("#ffffff",), ("#ffd400",)])
async def test_a_brand_with_few_colours_or_none_gets_a_picture_with_depth(colours: Sequence[str]) -> None:
    for about in (ABOUT[6], ABOUT[13], "quarterly figures"):
        levels = shrunk(await painted(about, colours), 12, 8).convert("L").tobytes()
        assert max(levels) - min(levels) > 25, (about, colours)


@pytest.mark.parametrize("colours", BRANDS)
async def test_nothing_is_black_or_white(colours: Sequence[str]) -> None:
    for about in ABOUT:
        shown = pixels(shrunk(await painted(about, colours), 240, 160))
        lost = sum(max(pixel) < 6 or min(pixel) > 252 for pixel in shown)
        assert lost <= 0.002 * len(shown), (about, colours, lost)


async def test_a_part_of_every_picture_is_calm() -> None:
    """At least a quarter of it has no edges: what is there is flat, or changes slowly."""
    for about in ABOUT:
        grey = shrunk(await painted(about, size=(960, 640)), 240, 160).convert("L")
        edges = grey.filter(ImageFilter.FIND_EDGES).crop((1, 1, 239, 159))
        cells = sorted(edges.resize((6, 4), Image.Resampling.BOX).tobytes())
        assert cells[len(cells) // 4] < 12, (about, cells)


@pytest.mark.parametrize("colours", BRANDS)
async def test_no_words_are_drawn(colours: Sequence[str]) -> None:
    for about in ABOUT:
        wish = ImageWish(about=about, width=900, height=600, colours=tuple(colours))
        looks = await Pillow().look(await Painter().make(wish))
        assert looks.words_likely < 0.5, (about, colours)
        assert not looks.uniform


async def test_a_picture_of_the_night_is_darker_than_one_of_the_morning() -> None:
    for about in ("hills", "the sea", "a room", "leaves", "a party", "software"):
        night, morning = [
            ImageStat.Stat((await painted(f"{about} {hour}")).convert("L")).mean[0]
            for hour in ("at night", "in the morning")
        ]
        assert night < 128 < morning, (about, night, morning)


async def test_the_mood_says_sooner_than_the_subject_whether_it_is_night() -> None:
    wish = ImageWish(about="hills at night", width=300, height=200, colours=PINE, mood="bright, airy")
    picture = Image.open(io.BytesIO(await Painter().make(wish))).convert("L")
    assert ImageStat.Stat(picture).mean[0] > 110


async def test_words_that_it_does_not_know_still_give_a_picture() -> None:
    for about in ("Квартальный отчёт", "四半期報告", "", "zzz", "x" * 2_000):
        assert len(set(shrunk(await painted(about), 12, 8).convert("L").tobytes())) > 4, about


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    about=st.sampled_from(ABOUT),
    size=st.tuples(st.integers(64, 420), st.integers(64, 420)),
    colours=st.lists(st.from_regex(r"\A#[0-9a-f]{6}\Z"), max_size=6),
)
async def test_any_shape_and_any_brand_can_be_painted(about: str, size: tuple[int, int], colours: list[str]) -> None:
    assert (await painted(about, colours, size=size)).size == size
