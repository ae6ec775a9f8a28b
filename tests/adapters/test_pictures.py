"""Pictures: what is accepted, what is refused and why, and copies that fit."""

from __future__ import annotations

import io
import json
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from compositor.adapters.pictures import KINDS, MOST_FRAMES, MOST_PIXELS, Pillow
from compositor.errors import PictureRefused

MATERIAL = Path(os.environ.get("COMPOSITOR_MATERIAL") or Path(__file__).parents[3] / "shared" / "material")
EXPECTED = MATERIAL / "images" / "expected.json"

STRICTER = {
    # Two files on which the expectations were measured with a second attempt at decoding, which Pillow lets pass.
    "broken_data_stream.png": "a third of the picture is missing",
    "truncated_end_chunk.png": "the file was cut",
    # The expectation leaves the choice: the first frame alone, or refuse.
    "decompression_bomb_extents.gif": "its second frame is a bomb",
}

ONE_SOUND_FRAME = "apng__chunk_no_fdat.png"
"""An animation whose second frame has no data."""


def expectations() -> list[dict[str, Any]]:
    return list(json.loads(EXPECTED.read_text())["files"]) if EXPECTED.exists() else []


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


async def refusal(data: bytes) -> PictureRefused:
    with pytest.raises(PictureRefused) as raised:
        await Pillow().inspect(data)
    return raised.value


@pytest.mark.material
@pytest.mark.anyio
@pytest.mark.parametrize("expected", expectations(), ids=lambda expected: str(expected["file"]))
async def test_odd_and_hostile_pictures_get_the_right_answer(
    expected: dict[str, Any], material: Callable[[str], Path]
) -> None:
    data = (material("images/pillow") / expected["file"]).read_bytes()
    right = str(expected["right"])
    sound = expected["file"] not in STRICTER and not right.startswith("reject") and expected["format"] in KINDS
    if not sound:
        assert (await refusal(data)).cure
        return
    picture = await Pillow().inspect(data)
    turned = (expected["exif_orientation"] or 1) >= 5
    assert [picture.width, picture.height] == (expected["size"][::-1] if turned else expected["size"])
    assert (picture.media_type, picture.suffix) == KINDS[expected["format"]]
    assert (picture.frames > 1) == (right.startswith("still output") and expected["file"] != ONE_SOUND_FRAME)
    copy = opened(await Pillow().fit(data, 64, 64))
    assert copy.mode in {"RGB", "RGBA"}
    assert max(copy.size) <= 64


@pytest.mark.anyio
@pytest.mark.parametrize("kind", sorted(KINDS))
async def test_every_kind_for_the_web_is_accepted(kind: str) -> None:
    picture = await Pillow().inspect(encoded(Image.new("RGB", (30, 20), "red"), kind))
    assert (picture.media_type, picture.suffix) == KINDS[kind]
    assert (picture.width, picture.height, picture.frames, picture.transparent) == (30, 20, 1, False)


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("data", "name"),
    [
        (encoded(Image.new("RGB", (3, 3)), "BMP"), "BMP"),
        (encoded(Image.new("RGB", (3, 3)), "TIFF"), "TIFF"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "SVG"),
        (b"  <?xml version='1.0'?><svg/>", "SVG"),
        (b"%PDF-1.7", "PDF"),
        (b"just words", "not a picture"),
        (b"", "empty"),
    ],
)
async def test_other_kinds_are_refused_by_name(data: bytes, name: str) -> None:
    assert name in (await refusal(data)).reason


@pytest.mark.anyio
async def test_a_bomb_is_refused_by_its_header_alone() -> None:
    side = int(MOST_PIXELS**0.5) + 1
    header = encoded(Image.new("1", (1, 1)), "PNG")
    bomb = header[:16] + side.to_bytes(4, "big") * 2 + header[24:29]
    checksum = zlib.crc32(bomb[12:29]).to_bytes(4, "big")
    assert "too large" in (await refusal(bomb + checksum + header[33:])).reason


@pytest.mark.anyio
async def test_an_animation_with_too_many_frames_is_refused() -> None:
    frames = [Image.new("1", (1, 1), index % 2) for index in range(MOST_FRAMES + 1)]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=20)
    assert f"more than {MOST_FRAMES:,} frames" in (await refusal(data)).reason


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
async def test_a_picture_that_was_cut_is_refused(kind: str) -> None:
    noise = Image.effect_noise((64, 64), 80).convert("RGB")
    data = encoded(noise, kind)
    assert "damaged or truncated" in (await refusal(data[: len(data) // 2])).reason


@pytest.mark.anyio
async def test_transparency_means_that_something_shows_through() -> None:
    opaque = Image.new("RGBA", (4, 4), (1, 2, 3, 255))
    holed = opaque.copy()
    holed.putpixel((0, 0), (0, 0, 0, 0))
    assert not (await Pillow().inspect(encoded(opaque, "PNG"))).transparent
    assert (await Pillow().inspect(encoded(holed, "PNG"))).transparent


@pytest.mark.anyio
async def test_a_copy_is_upright_scaled_down_in_proportion_and_never_up() -> None:
    image = Image.new("RGB", (80, 40), "blue")
    image.paste("red", (0, 0, 40, 40))
    exif = Image.Exif()
    exif[0x0112] = 6  # shown turned by a quarter: its left side is on top
    data = encoded(image, "PNG", exif=exif)
    copy = opened(await Pillow().fit(data, 100, 40)).convert("RGB")
    assert copy.size == (20, 40)
    assert (copy.getpixel((10, 5)), copy.getpixel((10, 35))) == ((255, 0, 0), (0, 0, 255))
    assert opened(await Pillow().fit(encoded(image, "PNG"), 500, 500)).size == (80, 40)


@pytest.mark.anyio
async def test_a_copy_has_eight_bits_and_colours_for_a_screen() -> None:
    grey = Image.new("I;16", (4, 4), 0x8000)
    ink = Image.new("CMYK", (4, 4), (0, 255, 255, 0))
    assert opened(await Pillow().fit(encoded(grey, "PNG"), 9, 9)).convert("RGB").getpixel((0, 0)) == (128, 128, 128)
    copy = opened(await Pillow().fit(encoded(ink, "JPEG"), 9, 9))
    assert copy.mode == "RGB"
    red = copy.getpixel((0, 0))
    assert isinstance(red, tuple)
    assert red[0] > 200
    assert red[1] < 60
