"""Pictures of the request that the writer cuts: what is kept of them, what they become, and what is never cut."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms, ImageDraw

from compositor._values import Json, sha256
from compositor.adapters.pictures import Pillow
from compositor.authoring import ToolError
from compositor.capabilities.email._assets import made_pictures, showable
from compositor.capabilities.email._cuts import cut_of, ratio_of
from compositor.workspace import Files
from tests.email.bench import REQUEST, Bench, codes, mail, plan_text, with_picture

pytestmark = pytest.mark.anyio

BASE = "https://pictures.lumen.test/"
RED = (220, 20, 30)
CARD: Mapping[str, Json] = {"name": "card", "asset": "lamp", "ratio": "4:5"}


def photograph(width: int, height: int, *, x: float = 0.5, y: float = 0.5) -> Image.Image:
    """Noise, as a photograph has, and in it a red disc at a point."""
    image = Image.effect_noise((width, height), 60).convert("RGB")
    across, down, radius = x * width, y * height, min(width, height) / 20
    ImageDraw.Draw(image).ellipse((across - radius, down - radius, across + radius, down + radius), fill=RED)
    return image


def encoded(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


async def laid(
    image: Image.Image, *, kind: str = "JPEG", asset: Mapping[str, Json] | None = None, **options: Any
) -> Bench:
    """A bench whose request has a picture `lamp`."""
    data = encoded(image, kind, **options)
    given = {"id": "lamp", "role": "product", "sha256": sha256(data), "media_type": f"image/{kind.lower()}"}
    size = {"width": image.width, "height": image.height}
    assets = [{**given, **size, **(asset or {})}]
    place = Bench({**with_picture(BASE), "assets": assets}, pictures=Pillow())
    suffix = {"JPEG": "jpg", "PNG": "png", "GIF": "gif"}[kind]
    return await place.lay({f"assets/{sha256(data)}.{suffix}": data}, by_writer=False)


async def cut(place: Bench, path: str = "pictures/cut-card.jpg") -> Image.Image:
    return Image.open(io.BytesIO(await place.blobs.get(place.snapshot.files[path].sha256)))


def pixel(image: Image.Image, x: int, y: int) -> tuple[int, ...]:
    found = image.getpixel((x, y))
    assert isinstance(found, tuple)
    return found


def is_red(found: tuple[int, ...]) -> bool:
    return found[0] > 150 and max(found[1:]) < 90


def files_of(place: Bench) -> Files:
    return Files(place.snapshot, place.blobs)


# ---- what is cut


async def test_a_picture_is_cut_kept_and_shown_and_the_answer_says_where_to_write_it() -> None:
    place = await laid(photograph(1000, 500))
    answer = await place.call("crop_picture", **CARD)
    data = await place.blobs.get(place.snapshot.files["pictures/cut-card.jpg"].sha256)
    assert answer.images == ("picture/cut-card",)
    assert answer.artifacts["picture/cut-card"].facts == {"width": 400, "height": 500, "asset": "lamp", "ratio": "4:5"}
    for words in ("pictures/cut-card.jpg: 400×500 pixels", f'src="{BASE}{sha256(data)}.jpg"', '"cut-card"', "400px"):
        assert words in answer.text


@pytest.mark.parametrize("ratio", ["4:5", "1:1", "3/2", " 5 : 2 "])
@pytest.mark.parametrize(("x", "y"), [(0.5, 0.5), (0.1, 0.9), (0.93, 0.07), (0.7, 0.35)])
async def test_the_focal_point_is_in_the_picture(ratio: str, x: float, y: float) -> None:
    place = await laid(photograph(360, 280, x=x, y=y), asset={"focal_point": {"x": x, "y": y}})
    await place.call("crop_picture", **{**CARD, "ratio": ratio})
    image = await cut(place)
    wanted = ratio_of(ratio)
    assert wanted is not None
    assert image.width / image.height == pytest.approx(float(wanted), rel=0.01)
    red = sum(is_red(pixel(image, x, y)) for x in range(image.width) for y in range(image.height))
    assert red >= 0.85 * 3.1416 * 14**2  # the whole disc


async def test_without_a_focal_point_the_middle_stays() -> None:
    place = await laid(photograph(900, 300))
    await place.call("crop_picture", **{**CARD, "ratio": "1:1"})
    assert is_red(pixel(await cut(place), 150, 150))


@given(
    st.integers(1, 5_000), st.integers(1, 5_000), st.integers(1, 99), st.integers(1, 99),
    st.floats(0, 1), st.floats(0, 1),
)  # fmt: skip
@settings(max_examples=300)
def test_every_part_lies_in_its_picture_around_its_point(
    width: int, height: int, across: int, down: int, x: float, y: float
) -> None:
    ratio = ratio_of(f"{across}:{down}")
    assert ratio is not None
    part = cut_of(width, height, ratio, (x, y))
    assert 0 <= part.left <= part.left + part.width <= width
    assert 0 <= part.top <= part.top + part.height <= height
    assert part.width == width or part.height == height
    assert part.left - 1 <= x * width <= part.left + part.width + 1
    assert part.top - 1 <= y * height <= part.top + part.height + 1
    assert part.shown[0] <= min(1200, width)


async def test_a_large_picture_is_scaled_down_to_1200_pixels_and_a_small_one_is_never_enlarged() -> None:
    large = await laid(photograph(3000, 1500))
    await large.call("crop_picture", **{**CARD, "ratio": "3:2"})
    assert (await cut(large)).size == (1200, 800)
    small = await laid(photograph(150, 90))
    await small.call("crop_picture", **{**CARD, "ratio": "1:1"})
    assert (await cut(small)).size == (90, 90)


async def test_a_photograph_becomes_a_jpeg_in_srgb_that_says_nothing_of_where_it_was_taken() -> None:
    exif = Image.Exif()
    exif[0x010F] = "A camera"
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    place = await laid(photograph(600, 600), kind="PNG", exif=exif, icc_profile=profile)
    await place.call("crop_picture", **CARD)
    image = await cut(place)
    assert (image.format, image.mode) == ("JPEG", "RGB")
    assert "icc_profile" not in image.info
    assert not image.getexif()


async def test_a_picture_that_is_transparent_stays_so() -> None:
    image = photograph(600, 600).convert("RGBA")
    image.paste((0, 0, 0, 0), (0, 0, 600, 200))
    place = await laid(image, kind="PNG")
    await place.call("crop_picture", **CARD)
    made = await cut(place, "pictures/cut-card.png")
    assert (made.format, made.mode, pixel(made, 10, 10)[3], pixel(made, 10, 500)[3]) == ("PNG", "RGBA", 0, 255)


async def test_flat_art_keeps_its_edges() -> None:
    place = await laid(Image.new("RGB", (600, 600), RED), kind="PNG")
    await place.call("crop_picture", **CARD)
    assert (await cut(place, "pictures/cut-card.png")).convert("RGB").getcolors() == [(480 * 600, RED)]


async def test_a_picture_is_cut_as_it_is_shown() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter: its left is shown at the top
    turned = photograph(800, 400, x=0.1, y=0.5)
    place = await laid(turned, exif=exif, asset={"width": 400, "height": 800, "focal_point": {"x": 0.5, "y": 0.1}})
    await place.call("crop_picture", **{**CARD, "ratio": "1:1"})
    assert is_red(pixel(await cut(place), 200, 80))


# ---- its name


async def test_the_same_name_again_replaces_and_the_name_that_was_told_is_the_same_one() -> None:
    place = await laid(photograph(600, 600))
    await place.call("crop_picture", **CARD)
    await place.call("crop_picture", **{**CARD, "name": "cut-card", "ratio": "1:1"})
    assert files_of(place).list("pictures/") == ("pictures/cut-card.jpg",)
    assert (await cut(place)).size == (600, 600)


async def test_cut_pictures_leave_room_for_made_ones_and_neither_replaces_the_other() -> None:
    place = await laid(photograph(100, 100))
    for number in range(12):
        await place.call("crop_picture", **{**CARD, "name": f"n{number}"})
    with pytest.raises(ToolError, match=r"at most 12 cut pictures.*cut-n0"):
        await place.call("crop_picture", **CARD)
    await place.call("make_picture", name="hero", about="a lake", width=600, height=400)
    with pytest.raises(ToolError, match="names of cut pictures begin with cut-"):
        await place.call("make_picture", name="cut-n0", about="a lake", width=600, height=400)
    assert len(files_of(place).list("pictures/")) == 13


@pytest.mark.parametrize("name", ["", "Hero", "../hero", "hero.png", "x" * 41])
async def test_a_name_that_is_no_plain_id_is_refused(name: str) -> None:
    with pytest.raises(ToolError, match="cannot be the name"):
        await (await laid(photograph(600, 600))).call("crop_picture", **{**CARD, "name": name})


# ---- what is refused


async def test_an_unknown_picture_is_refused_with_those_that_there_are() -> None:
    place = await laid(photograph(600, 600))
    with pytest.raises(ToolError, match=r"no picture 'vase'; there is: lamp$"):
        await place.call("crop_picture", **{**CARD, "asset": "vase"})
    with pytest.raises(ToolError, match="none that can be cut"):
        await Bench(REQUEST).call("crop_picture", **CARD)


@pytest.mark.parametrize("ruled", [True, False], ids=["the brand says so", "the asset says so"])
async def test_a_logo_is_never_cut(ruled: bool) -> None:
    place = await laid(photograph(600, 600), asset={} if ruled else {"role": "logo"})
    if ruled:
        place.request = {**place.request, "brand": {"name": "Lumen", "logos": [{"asset": "lamp"}]}}
    with pytest.raises(ToolError, match="'lamp' is a logo, and a logo is never cut"):
        await place.call("crop_picture", **CARD)


async def test_an_approved_example_is_no_picture_of_the_mail() -> None:
    place = await laid(photograph(600, 600))
    place.request = {**place.request, "examples": [{"id": "spring", "asset": "lamp"}]}
    with pytest.raises(ToolError, match="'lamp' is an approved example"):
        await place.call("crop_picture", **CARD)


@pytest.mark.parametrize("ratio", ["", "wide", "4", "0:1", "4:0", "-4:3", "4:3:2", "1e3:1", "99999:1", "NaN:1"])
async def test_what_is_no_ratio_is_refused(ratio: str) -> None:
    with pytest.raises(ToolError, match="is no ratio"):
        await (await laid(photograph(600, 600))).call("crop_picture", **{**CARD, "ratio": ratio})


@pytest.mark.parametrize("ratio", ["1:100", "100:1"])
async def test_a_part_in_which_nothing_could_be_seen_is_refused(ratio: str) -> None:
    place = await laid(photograph(600, 600))
    with pytest.raises(ToolError, match=r"of 600×600: less than 64 a side is too small"):
        await place.call("crop_picture", **{**CARD, "ratio": ratio})
    assert files_of(place).list("pictures/") == ()


async def test_what_moves_is_not_cut_to_a_still() -> None:
    frames = [Image.new("RGB", (200, 200), colour) for colour in ("red", "blue")]
    place = await laid(frames[0], kind="GIF", save_all=True, append_images=frames[1:])
    with pytest.raises(ToolError, match="'lamp' moves"):
        await place.call("crop_picture", **CARD)


# ---- in the mail


async def test_a_cut_picture_may_be_shown_and_planned_beside_the_whole_one() -> None:
    place = await laid(photograph(1000, 500))
    await place.call("crop_picture", **CARD)
    (made,) = await made_pictures(files_of(place))
    assert [asset["id"] for asset, _ in await showable(files_of(place), place.view)] == ["lamp", "cut-card"]
    sections = [
        {"id": "hero", "role": "hero", "evidence": ["brief.messaging.headline"], "assets": ["cut-card"]},
        {"id": "footer", "role": "footer", "evidence": ["delivery.postal_address"]},
    ]
    shown = f'<mj-image src="{BASE}{made["sha256"]}.jpg" alt="A lamp" width="400px" />'
    await place.lay({"email.mjml": mail(shown), "plan.json": plan_text(sections=sections)})
    await place.build()
    for check in ("plan", "links", "pictures"):
        assert codes((await place.check(check)).findings) == []


async def test_a_cut_picture_travels_in_the_message_and_stands_in_the_manifest() -> None:
    place = await laid(photograph(1000, 500))
    await place.call("crop_picture", **CARD)
    (made,) = await made_pictures(files_of(place))
    url = f"{BASE}{made['sha256']}.jpg"
    await place.lay(
        {"email.mjml": mail(f'<mj-image src="{url}" alt="A lamp" width="400px" />'), "plan.json": plan_text()}
    )
    await place.build()
    (listed,) = json.loads(await place.text("delivery.json"))["assets"]
    assert (listed["id"], listed["path"], listed["url"]) == ("cut-card", "pictures/cut-card.jpg", url)
    message = await place.blobs.get(place.snapshot.files["email.eml"].sha256)
    assert f"cid:{listed['cid']}".encode() in message.replace(b"=\r\n", b"")
    assert codes((await place.check("message-file")).findings) == []
