"""What pictures look like: colours, focal point, lightness, words; and parts of them."""

from __future__ import annotations

import io
import math
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from compositor.adapters.pictures import MOST_PIXELS, Pillow
from compositor.errors import PictureRefused
from compositor.workspace import Looks

pytestmark = pytest.mark.anyio

CREAM, RUST, NAVY, OLIVE = (250, 240, 220), (199, 61, 31), (20, 30, 70), (128, 128, 0)


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


async def looks(image: Image.Image, kind: str = "PNG", **options: Any) -> Looks:
    return await Pillow().look(encoded(image, kind, **options))


def disc(
    x: float, y: float, *, size: tuple[int, int] = (600, 400), ground: Any = CREAM, ink: Any = RUST
) -> Image.Image:
    """A disc on a ground: its middle as parts of the width and height."""
    image = Image.new("RGB", size, ground)
    across, down, radius = x * size[0], y * size[1], min(size) / 8
    ImageDraw.Draw(image).ellipse((across - radius, down - radius, across + radius, down + radius), fill=ink)
    return image


# ---- colours


async def test_the_colours_of_flat_art_are_exact_and_have_their_shares() -> None:
    image = Image.new("RGB", (600, 400), CREAM)
    image.paste(RUST, (0, 0, 180, 400))
    image.paste(NAVY, (180, 0, 240, 400))
    found = dict((await looks(image)).colours)
    assert list(found) == ["#faf0dc", "#c73d1f", "#141e46"]
    assert found == pytest.approx({"#faf0dc": 0.6, "#c73d1f": 0.3, "#141e46": 0.1}, abs=0.02)


async def test_soft_edges_add_no_colours() -> None:
    assert [colour for colour, _ in (await looks(disc(0.5, 0.5).filter(ImageFilter.GaussianBlur(1)))).colours] == [
        "#faf0dc",
        "#c73d1f",
    ]


async def test_what_is_transparent_is_no_colour() -> None:
    image = Image.new("RGBA", (300, 300), (0, 255, 0, 0))
    ImageDraw.Draw(image).ellipse((100, 100, 200, 200), fill=(*RUST, 255))
    assert (await looks(image)).colours == (("#c73d1f", 1.0),)


async def test_a_picture_has_at_most_six_main_colours_and_details_are_none() -> None:
    image = Image.new("RGB", (400, 400), "white")
    for place, colour in enumerate(("red", "lime", "blue", "yellow", "cyan", "magenta", "black", "gray")):
        image.paste(colour, (0, place * 40, 40 * (10 - place), place * 40 + 40))
    found = (await looks(image)).colours
    assert [colour for colour, _ in found[:3]] == ["#ffffff", "#ff0000", "#00ff00"]
    assert len(found) == 6
    dotted = Image.new("RGB", (400, 400), "white")
    dotted.paste("red", (0, 0, 20, 20))
    assert [colour for colour, _ in (await looks(dotted)).colours] == ["#ffffff"]


# ---- the focal point


@pytest.mark.parametrize("size", [(600, 400), (400, 600), (1200, 300)])
@pytest.mark.parametrize(("x", "y"), [(0.25, 0.3), (0.75, 0.3), (0.5, 0.5), (0.3, 0.7), (0.8, 0.75)])
async def test_the_eye_goes_to_what_stands_alone(x: float, y: float, size: tuple[int, int]) -> None:
    across, down = (await looks(disc(x, y, size=size))).focal_point
    assert math.hypot((across - x) * size[0], (down - y) * size[1]) < 0.1 * max(size)


async def test_it_goes_to_a_colour_of_the_same_lightness_and_to_the_sharp_thing_before_a_blurred_one() -> None:
    among_greens = disc(0.3, 0.6, ground=(60, 130, 60), ink=(180, 90, 90))
    assert (await looks(among_greens)).focal_point == pytest.approx((0.3, 0.6), abs=0.1)
    blurred = disc(0.2, 0.5).filter(ImageFilter.GaussianBlur(25))
    sharp = disc(0.8, 0.5)
    blurred.paste(sharp.crop((300, 0, 600, 400)), (300, 0))
    assert (await looks(blurred)).focal_point == pytest.approx((0.8, 0.5), abs=0.1)


async def test_it_goes_to_what_is_drawn_on_a_transparent_ground_whatever_its_colour() -> None:
    for ink in ("black", "white"):
        image = Image.new("RGBA", (400, 400))
        ImageDraw.Draw(image).rectangle((60, 240, 160, 340), fill=ink)
        assert (await looks(image)).focal_point == pytest.approx((0.275, 0.725), abs=0.1)


async def test_the_point_is_that_of_the_picture_as_it_is_shown() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # shown turned by a quarter to the right: the left side is on top
    for kind in ("JPEG", "PNG", "WEBP"):
        turned = await looks(disc(0.2, 0.7), kind, exif=exif)
        assert turned.focal_point == pytest.approx((0.3, 0.2), abs=0.1)


# ---- lightness, and nothing to see


async def test_lightness_runs_from_black_to_white_as_the_eye_sees_it() -> None:
    scale = [(await looks(Image.new("RGB", (50, 50), colour))).lightness for colour in ("black", "#777777", "white")]
    assert scale == pytest.approx([0, 0.5, 1], abs=0.01)
    blue, yellow = [(await looks(Image.new("RGB", (50, 50), colour))).lightness for colour in ("blue", "yellow")]
    assert blue < 0.35 < 0.9 < yellow


async def test_a_flat_picture_is_uniform_and_has_its_point_in_the_middle() -> None:
    for kind in ("PNG", "JPEG"):
        flat = await looks(Image.new("RGB", (300, 200), RUST), kind)
        assert (flat.uniform, flat.focal_point, flat.words_likely, len(flat.colours)) == (True, (0.5, 0.5), 0.0, 1)
    assert not (await looks(disc(0.5, 0.5))).uniform


async def test_a_flat_shape_on_nothing_is_not_uniform_but_nothing_at_all_is() -> None:
    image = Image.new("RGBA", (100, 100))
    nothing = await looks(image)
    assert nothing == Looks(colours=(), focal_point=(0.5, 0.5), words_likely=0.0, lightness=1.0, uniform=True)
    image.paste((0, 0, 0, 255), (20, 20, 50, 80))
    assert not (await looks(image)).uniform


# ---- words

WORDS = (
    "Longer evenings, softer light",
    "Half price until Sunday",
    "New lamps for old rooms",
    "Free delivery to your door",
    "OPENING NIGHT TICKETS",
    "Terms apply, see our shop",
)


def ground(rng: random.Random, size: tuple[int, int]) -> Image.Image:
    """Flat, graded, or cloudy; dark, so that light words stand out."""
    flat = Image.new("RGB", size, tuple(rng.randrange(20, 90) for _ in range(3)))
    kind = rng.randrange(3)
    if kind == 0:
        return flat
    if kind == 1:
        return Image.composite(flat, Image.new("RGB", size, NAVY), Image.linear_gradient("L").resize(size))
    clouds = Image.new("L", (9, 6))
    clouds.putdata([rng.randrange(256) for _ in range(54)])
    return Image.composite(flat, Image.new("RGB", size, NAVY), clouds.resize(size, Image.Resampling.BICUBIC))


def lettered(seed: int) -> Image.Image:
    """One to three lines of words, from 1/40 to 1/12 of the width."""
    rng = random.Random(seed)
    image = ground(rng, rng.choice([(1200, 800), (1200, 600), (800, 800)]))
    size = image.width / math.exp(rng.uniform(math.log(12), math.log(40)))
    lines = "\n".join(rng.sample(WORDS, rng.randrange(1, 4)))
    place = (rng.uniform(0.02, 0.05) * image.width, rng.uniform(0.05, 0.6) * image.height)
    font = ImageFont.load_default(size)
    ImageDraw.Draw(image).multiline_text(place, lines, fill=(250, 245, 235), font=font, spacing=size / 4)
    return image


def unlettered(seed: int) -> Iterator[tuple[str, Image.Image]]:
    """Things that have much of what words have."""
    rng = random.Random(seed)
    size, step = (900, 600), rng.randrange(8, 60)
    image = Image.new("RGB", size, CREAM)
    draw = ImageDraw.Draw(image)
    for x in range(0, 900, 2 * step):
        draw.rectangle((x, 200, x + step, 200 + 4 * step), fill=NAVY)
    yield "fence", image
    yield "leaning fence", image.rotate(rng.randrange(5, 40), fillcolor=CREAM)
    image = Image.new("RGB", size, CREAM)
    draw = ImageDraw.Draw(image)
    for row, y in enumerate(range(0, 600, step)):
        for x in range(-2 * step + row % 2 * step, 900, 2 * step):
            draw.rectangle((x, y, x + 1.9 * step, y + 0.9 * step), fill=(150, 70, 50))
    yield "bricks", image
    image = Image.new("RGB", size, NAVY)
    draw = ImageDraw.Draw(image)
    for _ in range(200):
        x, y, radius = rng.randrange(900), rng.randrange(600), rng.randrange(3, 60)
        draw.ellipse((x - radius, y - radius / 2, x + radius, y + radius / 2), fill=rng.choice([CREAM, RUST, OLIVE]))
    yield "leaves", image
    image = Image.new("RGB", size, CREAM)
    draw = ImageDraw.Draw(image)
    for place in range(rng.randrange(4, 9)):
        draw.rectangle((60 + 90 * place, rng.randrange(100, 500), 120 + 90 * place, 560), fill=NAVY)
    yield "chart", image
    yield "disc", disc(rng.random(), rng.random())
    yield "cloud", ground(rng, size)


async def test_words_are_found_in_19_pictures_of_20_that_have_some() -> None:
    found = [(await looks(lettered(seed), "JPEG")).words_likely >= 0.5 for seed in range(60)]
    assert sum(found) >= 0.95 * len(found)


async def test_words_are_found_in_at_most_one_of_fifty_pictures_that_have_none() -> None:
    drawn = [named for seed in range(15) for named in unlettered(seed)]
    found = [name for name, image in drawn if (await looks(image, "JPEG")).words_likely >= 0.5]
    assert len(found) <= len(drawn) / 50, found


async def test_dark_words_are_found_as_light_ones_are_also_on_a_transparent_ground() -> None:
    font = ImageFont.load_default(40)
    for ink in ((0, 0, 0, 255), (255, 255, 255, 255)):
        image = Image.new("RGBA", (800, 300))
        ImageDraw.Draw(image).text((20, 100), WORDS[0], fill=ink, font=font)
        assert (await looks(image)).words_likely >= 0.5


# ---- odd and hostile pictures


@pytest.mark.parametrize("size", [(1, 1), (1, 400), (400, 1), (2, 2), (20_000, 3), (3, 20_000)])
async def test_a_picture_of_any_shape_can_be_looked_at(size: tuple[int, int]) -> None:
    found = await looks(Image.new("RGB", size, RUST))
    assert (found.colours, found.uniform) == ((("#c73d1f", 1.0),), True)


async def test_a_picture_of_20000_pixels_is_looked_at_as_a_small_one_is() -> None:
    wide = await looks(disc(0.5, 0.5, size=(20_000, 400)))
    assert wide.focal_point == pytest.approx((0.5, 0.5), abs=0.02)
    assert wide.colours[0][0] == "#faf0dc"


@pytest.mark.parametrize(
    ("image", "kind", "options", "colour"),
    [
        (Image.new("CMYK", (40, 40), (0, 255, 255, 0)), "JPEG", {}, "#ff0000"),
        (Image.new("I;16", (40, 40), 0x8000), "PNG", {}, "#808080"),
        (Image.new("1", (40, 40), 1), "PNG", {}, "#ffffff"),
        (Image.new("LA", (40, 40), (7, 200)), "PNG", {}, "#070707"),
        (Image.new("P", (40, 40), 1), "PNG", {"transparency": 0}, "#010101"),
    ],
    ids=["inks", "16 bits", "one bit", "grey with alpha", "palette"],
)
async def test_every_way_to_write_colours_is_understood(
    image: Image.Image, kind: str, options: dict[str, Any], colour: str
) -> None:
    if image.mode == "P":
        image.putpalette([level for grey in range(256) for level in (grey, grey, grey)])
    assert (await looks(image, kind, **options)).colours == ((colour, 1.0),)


async def test_of_a_palette_the_transparent_colour_does_not_count() -> None:
    image = Image.new("P", (60, 60), 0)
    image.putpalette([0, 255, 0, *RUST])
    image.paste(1, (0, 0, 30, 60))
    assert (await looks(image, transparency=0)).colours == (("#c73d1f", 1.0),)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
async def test_an_animation_is_its_first_frame(kind: str) -> None:
    frames = [Image.new("RGB", (40, 40), colour) for colour in ("white", "black", "red")]
    found = await looks(frames[0], kind, save_all=True, append_images=frames[1:], duration=100)
    assert (found.lightness, found.uniform) == (1.0, True)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
async def test_a_picture_that_was_cut_is_refused(kind: str) -> None:
    data = encoded(Image.effect_noise((600, 600), 80).convert("RGB"), kind)
    with pytest.raises(PictureRefused):
        await Pillow().look(data[: len(data) // 2])


async def test_a_bomb_is_refused_before_it_is_decoded() -> None:
    side = int(MOST_PIXELS**0.5) + 1
    with pytest.raises(PictureRefused, match="too large"):
        await Pillow().look(encoded(Image.new("1", (side, side))))


SIDES = st.integers(1, 40)


@settings(max_examples=60, deadline=None)
@given(data=st.data(), size=st.tuples(SIDES, SIDES), mode=st.sampled_from(["1", "L", "LA", "RGB", "RGBA", "P"]))
def test_whatever_is_drawn_its_looks_are_within_bounds(data: st.DataObject, size: tuple[int, int], mode: str) -> None:
    seed = data.draw(st.integers(0, 2**16))
    pixels = random.Random(seed).randbytes(size[0] * size[1] * len(Image.new(mode, (1, 1)).getbands()))
    image = Image.frombytes("L", size, pixels).convert("1") if mode == "1" else Image.frombytes(mode, size, pixels)
    if mode == "P":
        image.putpalette(random.Random(seed).randbytes(768))

    within_bounds(anyio.run(Pillow().look, encoded(image)))


def within_bounds(found: Looks) -> None:
    shares = [share for _, share in found.colours]
    assert len(shares) <= 6
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) <= 1.01
    assert len({colour for colour, _ in found.colours}) == len(shares)
    assert all(0 <= value <= 1 for value in (*found.focal_point, found.words_likely, found.lightness))


# ---- parts


async def test_a_part_is_cut_from_the_picture_as_it_is_shown() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    image = Image.new("RGB", (80, 40), "blue")
    image.paste("red", (0, 0, 40, 40))
    part = Image.open(io.BytesIO(await Pillow().crop(encoded(image, exif=exif), (0, 0.5, 1, 1), 100, 100)))
    assert (part.size, part.convert("RGB").getcolors()) == ((40, 40), [(1600, (0, 0, 255))])


async def test_a_part_is_scaled_down_in_proportion_and_never_up() -> None:
    data = encoded(Image.new("RGB", (400, 200)))
    for frame, size in ((50, (50, 50)), (900, (100, 100))):
        part = await Pillow().crop(data, (0.25, 0.25, 0.5, 0.75), frame, frame)
        assert Image.open(io.BytesIO(part)).size == size


@pytest.mark.parametrize("box", [(0.5, 0.5, 0.5, 0.5), (1, 1, 1, 1), (0, 0, 0, 0), (0.999, 0, 1, 0.001)])
async def test_the_smallest_part_is_a_pixel(box: tuple[float, float, float, float]) -> None:
    part = await Pillow().crop(encoded(Image.new("RGB", (30, 20))), box, 9, 9)
    assert Image.open(io.BytesIO(part)).size == (1, 1)


# ---- outside pictures


@pytest.mark.material
async def test_odd_outside_pictures_are_looked_at_or_refused(material: Callable[[str], Path]) -> None:
    seen = 0
    for path in sorted(material("images/pillow").iterdir()):
        try:
            found = await Pillow().look(path.read_bytes())
        except PictureRefused:
            continue
        within_bounds(found)
        seen += 1
    assert seen > 40


@pytest.mark.material
@pytest.mark.parametrize(
    ("name", "likely"),
    [
        ("transparent_background_text.png", True),
        ("hopper.png", False),
        ("flower.jpg", False),
        ("itxt_chunks.png", False),
        ("avif__exif.avif", False),
        ("test-card.png", False),
    ],
)
async def test_words_in_outside_pictures(name: str, likely: bool, material: Callable[[str], Path]) -> None:
    data = (material("images/pillow") / name).read_bytes()
    assert ((await Pillow().look(data)).words_likely >= 0.5) == likely
