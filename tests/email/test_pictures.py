"""Pictures that the writer has made for an email: how they come to be, where they may be shown, and who is told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from compositor._values import Json, sha256
from compositor.adapters.compiler import MjmlCompiler
from compositor.adapters.painter import Painter
from compositor.adapters.pictures import Pillow
from compositor.authoring import ToolError
from compositor.capabilities.email._assets import file_of, fulfilment, made_pictures, showable
from compositor.errors import PictureRefused, PortError
from compositor.operations import Environment, Result, generate
from compositor.testing import MemoryBlobs, MemoryStore, PlainImages, PlainRenderer, Scripted, calls, flat_png
from compositor.workspace import Files, ImageModel, ImageWish
from tests.email.bench import (
    FOOTER,
    HEAD,
    PICTURE,
    REQUEST,
    Bench,
    PaperRenderer,
    codes,
    mail,
    plan_text,
    with_picture,
)

pytestmark = pytest.mark.anyio

BASE = "https://pictures.lumen.test/"
BRAND: Json = {"colors": {"accent": "#b4532f", "primary": "#1f3d36", "text": "#111111"}}
HERO: Mapping[str, Json] = {"name": "hero", "about": "a quiet lake at dawn", "width": 1200, "height": 800}
GREY = flat_png(1200, 800)
URL = f"{BASE}{sha256(GREY)}.png"


def bench(*, images: ImageModel | None = None, renderer: PaperRenderer | None = None, **blocks: Json) -> Bench:
    request = {**with_picture(BASE), **blocks}
    return Bench(request, images=images or PlainImages(), pictures=Pillow(), renderer=renderer)


def files_of(place: Bench) -> Files:
    return Files(place.snapshot, place.blobs)


def hero(url: str = URL) -> str:
    return mail(f'<mj-image src="{url}" alt="A lake" />')


# ---- making one


async def test_a_picture_is_made_kept_and_shown_and_the_answer_says_where_to_write_it() -> None:
    place = bench()
    answer = await place.call("make_picture", **HERO)
    assert await place.blobs.get(place.snapshot.files["pictures/hero.png"].sha256) == GREY
    assert answer.images == ("picture/hero",)
    assert answer.artifacts["picture/hero"].facts == {
        "width": 1200, "height": 800, "made_by": "plain", "disclosure": "Pictures are grey stand-ins.",
    }  # fmt: skip
    for words in ("pictures/hero.png: 1200×800 pixels", f'src="{URL}"', '"hero"', "Pictures are grey stand-ins."):
        assert words in answer.text


async def test_the_model_is_told_the_subject_the_size_the_brand_and_the_tone() -> None:
    images = PlainImages()
    brief = {**REQUEST["brief"], "tone": "calm and warm"}
    await bench(images=images, brand=BRAND, brief=brief).call("make_picture", **HERO)
    assert images.wishes == [
        ImageWish(
            about="a quiet lake at dawn",
            width=1200,
            height=800,
            colours=("#1f3d36", "#b4532f"),
            mood="calm and warm",
        )
    ]


async def test_a_brand_without_roles_gives_its_first_tokens_and_no_brand_gives_no_colours() -> None:
    images = PlainImages()
    tokens = {f"c{n}": {"$type": "color", "$value": f"#00{n}{n}aa"} for n in range(6)}
    await bench(images=images, brand={"tokens": tokens}).call("make_picture", **HERO)
    await bench(images=images).call("make_picture", **HERO)
    assert [wish.colours for wish in images.wishes] == [("#0000aa", "#0011aa", "#0022aa", "#0033aa"), ()]


async def test_the_same_name_again_replaces_a_picture_of_another_kind_too() -> None:
    place = bench()
    await place.call("make_picture", **HERO)
    place.ports = bench(images=Painter()).ports
    await place.call("make_picture", **HERO)
    assert files_of(place).list("pictures/") == ("pictures/hero.jpg",)


async def test_a_mail_has_four_made_pictures_at_most_and_each_of_them_may_be_replaced() -> None:
    place = bench()
    for name in ("hero", "one", "two", "three"):
        await place.call("make_picture", **{**HERO, "name": name})
    with pytest.raises(ToolError, match=r"at most 4 made pictures.*hero, one, three, two"):
        await place.call("make_picture", **{**HERO, "name": "four"})
    await place.call("make_picture", **{**HERO, "name": "two"})
    assert len(files_of(place).list("pictures/")) == 4


@pytest.mark.parametrize("name", ["", "Hero", "a b", "../hero", "hero.png", "-hero", "a--b", "x" * 41, "héros"])
async def test_a_name_that_is_no_plain_id_is_refused(name: str) -> None:
    with pytest.raises(ToolError, match="cannot be the name"):
        await bench().call("make_picture", **{**HERO, "name": name})


async def test_the_name_of_an_asset_is_refused() -> None:
    with pytest.raises(ToolError, match="'lamp' is an asset of the request"):
        await bench().call("make_picture", **{**HERO, "name": "lamp"})


@pytest.mark.parametrize("about", ["", "  \n", "x" * 601])
async def test_nothing_and_an_essay_are_no_subject(about: str) -> None:
    with pytest.raises(ToolError, match="say what the picture shows"):
        await bench().call("make_picture", **{**HERO, "about": about})


@pytest.mark.parametrize(("width", "height"), [(63, 800), (1200, 2049), (2048, 2048), (0, 0), (-5, 100)])
async def test_absurd_sizes_are_refused_before_anybody_is_asked(width: int, height: int) -> None:
    images = PlainImages()
    with pytest.raises(PictureRefused, match=f"{width}×{height} pixels cannot be made"):
        await bench(images=images).call("make_picture", **{**HERO, "width": width, "height": height})
    assert images.wishes == []


async def test_a_picture_of_another_size_than_was_wished_is_not_kept() -> None:
    place = bench(images=PlainImages(size=(1024, 1024)))
    with pytest.raises(PortError, match="1024×1024 pixels for 1200×800"):
        await place.call("make_picture", **HERO)
    assert files_of(place).list("pictures/") == ()


async def test_what_is_no_picture_is_not_kept() -> None:
    class Chatty(PlainImages):
        async def make(self, wish: ImageWish) -> bytes:
            return b"I cannot draw that."

    place = bench(images=Chatty())
    with pytest.raises(PictureRefused):
        await place.call("make_picture", **HERO)
    assert files_of(place).list("pictures/") == ()


# ---- showing it


async def test_made_pictures_stand_beside_the_assets_of_the_request() -> None:
    place = bench()
    await place.call("make_picture", **HERO)
    shown = await showable(files_of(place), place.view)
    assert [(asset["id"], url, file_of(asset)) for asset, url in shown] == [
        ("lamp", f"{BASE}{sha256(PICTURE)}.jpg", f"assets/{sha256(PICTURE)}.jpg"),
        ("hero", URL, "pictures/hero.png"),
    ]


async def test_only_what_was_made_or_given_is_fulfilled() -> None:
    place = bench()
    await place.lay({f"assets/{sha256(PICTURE)}.jpg": PICTURE}, by_writer=False)
    await place.call("make_picture", **HERO)
    fulfil = fulfilment(files_of(place), place.view, place.ports)
    made, given = await fulfil(URL), await fulfil(f"{BASE}{sha256(PICTURE)}.jpg")
    assert made is not None
    assert given is not None
    assert (made.data, made.media_type) == (GREY, "image/png")
    assert (given.data, given.media_type) == (PICTURE, "image/jpeg")
    for url in (f"{BASE}hero.png", f"https://other.test/{sha256(GREY)}.png", f"{BASE}{'0' * 64}.png"):
        assert await fulfil(url) is None


async def test_looking_at_the_mail_shows_a_made_picture() -> None:
    place = bench(renderer=PaperRenderer(asks=[URL]))
    await place.lay({"email.mjml": hero()})
    assert "Not shown" in (await place.call("render", screen="desktop")).text
    await place.call("make_picture", **HERO)
    assert "Not shown" not in (await place.call("render", screen="desktop")).text


async def test_who_may_not_read_the_folder_sees_no_made_pictures() -> None:
    place = bench()
    await place.call("make_picture", **HERO)
    assert await made_pictures(Files(place.snapshot, place.blobs, reads=("email.mjml",))) == ()


async def test_a_made_picture_is_no_foreign_one_and_one_that_was_not_made_is() -> None:
    place = bench()
    await place.lay({"email.mjml": hero(), "plan.json": plan_text()})
    await place.build()
    assert codes((await place.check("links")).findings) == ["foreign-picture"]
    await place.call("make_picture", **HERO)
    assert (await place.check("links")).findings == ()


async def test_a_plan_may_name_a_made_picture_and_must_show_it_then() -> None:
    sections = [
        {"id": "hero", "role": "hero", "evidence": ["brief.messaging.headline"], "assets": ["hero"]},
        {"id": "footer", "role": "footer", "evidence": ["delivery.postal_address"]},
    ]
    place = bench()
    await place.lay({"email.mjml": hero(), "plan.json": plan_text(sections=sections)})
    await place.build()
    assert codes((await place.check("plan")).findings) == ["unknown-asset"]
    await place.call("make_picture", **HERO)
    assert (await place.check("plan")).findings == ()
    await place.call("make_picture", **{**HERO, "height": 700})  # another picture has another address
    assert codes((await place.check("plan")).findings) == ["planned-asset-missing"]


# ---- a whole operation


async def written(*, picture: bool) -> tuple[Result, bytes]:
    """An operation whose writer has a picture made and shows it, or does neither; and the picture's bytes."""
    request = {**REQUEST, "operation": "generate", "content": "email", "brand": {"name": "Lumen", **BRAND}}
    wish = ImageWish(about=HERO["about"], width=1200, height=800, colours=("#1f3d36", "#b4532f"))
    data = await Painter().make(wish)
    shown = f'<mj-image src="https://assets.invalid/{sha256(data)}.jpg" alt="A lake at dawn" />' if picture else ""
    column = f"<mj-column>{shown}<mj-text>Spring is here</mj-text></mj-column>"
    body = f'<mj-section css-class="section-hero">{column}</mj-section>'
    source = f'<mjml lang="en-GB">{HEAD}<mj-body>{body}{FOOTER}</mj-body></mjml>'
    writes = (
        ("write_file", {"path": "plan.json", "content": plan_text()}),
        ("write_file", {"path": "email.mjml", "content": source}),
    )
    made = (("make_picture", dict(HERO)),) if picture else ()
    environment = Environment(
        Path("never-used"),
        store=MemoryStore(),
        blobs=MemoryBlobs(),
        renderer=PlainRenderer(),
        compiler=MjmlCompiler(),
        pictures=Pillow(),
    )
    async with environment:
        result = await generate(
            request, models={"writer": Scripted({(1, 1): calls(*made, *writes)})}, environment=environment
        )
    return result, data


async def test_the_painter_is_there_for_every_operation_and_its_pictures_are_delivered_and_disclosed() -> None:
    result, data = await written(picture=True)
    outputs = {artifact.path: artifact for artifact in result.artifacts}
    assert outputs["pictures/hero.jpg"].media_type == "image/jpeg"
    assert outputs["pictures/hero.jpg"].sha256 == sha256(data)
    assert Painter.disclosure in result.warnings
    assert any("set delivery.asset_base_url" in warning for warning in result.warnings)
    links = next(report for report in result.reports if report["verifier"] == "links")
    assert codes_of(links) == ["placeholder-asset-base"]


async def test_where_no_picture_was_made_nothing_is_disclosed() -> None:
    result, _ = await written(picture=False)
    assert Painter.disclosure not in result.warnings
    assert not any("asset_base_url" in warning for warning in result.warnings)


def codes_of(report: Mapping[str, Json]) -> list[str]:
    return [finding["code"] for finding in json.loads(json.dumps(report["findings"]))]
