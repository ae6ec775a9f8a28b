"""Whole mails through the real compiler and the real browser."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import pytest

from compositor._values import Json, sha256
from compositor.adapters.browser import Chromium
from compositor.authoring import copy_sections
from compositor.capabilities.brand_guide import brand_guide
from compositor.workspace import Renderer
from tests.email.bench import PICTURE, REQUEST, Bench, clean_mail, codes, mail, plan_text, with_picture

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

CHECKS = (
    *("mjml-structure", "compiled-size", "html-document", "links"),
    *("placeholders", "layout", "plan", "delivery", "message-file"),
)


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Renderer]:
    async with Chromium() as chromium:
        yield chromium


async def built(browser: Renderer, source: str, request: Mapping[str, Json] = REQUEST) -> Bench:
    bench = await Bench(request, renderer=browser).lay({"email.mjml": source, "plan.json": plan_text()})
    result = await bench.build()
    assert not result.findings
    return bench


async def test_a_clean_mail_is_built_and_passes_every_measurement(browser: Renderer) -> None:
    bench = await built(browser, clean_mail())
    verdicts = {check: await bench.check(check) for check in CHECKS}
    assert {check: (verdict.status, verdict.findings) for check, verdict in verdicts.items()} == dict.fromkeys(
        CHECKS, ("passed", ())
    )
    widths = [bench.artifacts[f"render/{name}"].facts["width"] for name in ("desktop", "mobile", "narrow")]
    assert widths == [600, 375, 320]
    assert (await bench.blobs.get(bench.artifacts["render/mobile"].sha256)).startswith(b"\x89PNG")


async def test_every_visible_passage_has_its_box_on_the_first_screen(browser: Renderer) -> None:
    bench = await built(browser, clean_mail())
    copy = copy_sections(json.loads(await bench.blobs.get(bench.artifacts["copy"].sha256)))
    boxes = {section.id: section.box for section in copy}
    assert {identity for identity, box in boxes.items() if box is None} == {"header-subject", "text-1"}
    tops = [box[1] for box in boxes.values() if box]
    assert tops == sorted(tops)
    assert all(box[2] > 20 and box[3] > 10 for box in boxes.values() if box)


@pytest.mark.parametrize(
    ("hero", "code"),
    [
        ('<mj-text><div style="height:20px;overflow:hidden">One<br/>Two<br/>Three</div></mj-text>', "clipped-text"),
        ('<mj-text><p style="width:900px">A line that is much wider than its window</p></mj-text>', "sideways-scroll"),
        (
            '<mj-text line-height="1.5"><p>One line of words</p><p style="margin-top:-34px">Another line</p></mj-text>',
            "overlapping-text",
        ),
    ],
)
async def test_a_planted_layout_fault_is_seen(hero: str, code: str, browser: Renderer) -> None:
    bench = await built(browser, mail(hero))
    assert code in codes((await bench.check("layout")).findings)


async def test_an_asset_is_drawn_from_the_workspace(browser: Renderer) -> None:
    import io

    from PIL import Image

    kept = io.BytesIO()
    Image.new("RGB", (600, 300), "#c73d1f").save(kept, "PNG")
    data = kept.getvalue()
    asset = {"id": "lamp", "sha256": sha256(data), "media_type": "image/png", "width": 600, "height": 300}
    request = {**with_picture(), "assets": [asset]}
    url = f"https://pictures.lumen.test/{sha256(data)}.png"
    bench = Bench(request, renderer=browser)
    await bench.lay({f"assets/{sha256(data)}.png": data}, by_writer=False)
    await bench.lay({"email.mjml": mail(f'<mj-image src="{url}" alt="A lamp"/>'), "plan.json": plan_text()})
    await bench.build()
    facts = json.loads(await bench.blobs.get(bench.artifacts["layout/desktop"].sha256))
    assert [image["loaded"] for image in facts["images"]] == [True]
    assert (await bench.check("layout")).findings == ()
    assert ("lamp", url) in [(a["id"], a["url"]) for a in json.loads(await bench.text("delivery.json"))["assets"]]


async def test_a_picture_whose_bytes_are_none_is_broken(browser: Renderer) -> None:
    url = f"https://pictures.lumen.test/{sha256(PICTURE)}.jpg"
    bench = Bench(with_picture(), renderer=browser)
    await bench.lay({f"assets/{sha256(PICTURE)}.jpg": PICTURE}, by_writer=False)
    await bench.lay({"email.mjml": mail(f'<mj-image src="{url}" alt="A lamp"/>')})
    await bench.build()
    assert "broken-image" in codes((await bench.check("layout")).findings)


async def test_a_foreign_colour_of_a_button_is_measured_against_the_brand(browser: Renderer) -> None:
    brand = {"name": "Lumen", "colors": {"primary": "#c73d1f"}, "palette": {"severity": "must"}}
    button = '<mj-button href="https://shop.lumen.test/" background-color="{}">See the lamps</mj-button>'
    for colour, expected in (("#c73d1f", []), ("#1f8a4c", ["off-palette"])):
        footer = '<mj-head><mj-attributes><mj-all color="#222222"/></mj-attributes></mj-head>'
        bench = await built(browser, mail(button.format(colour), head=footer).replace("<a ", '<a style="color:#222" '))
        judged = Bench({"brand": brand}, capability=brand_guide)
        judged.blobs, judged.artifacts = bench.blobs, bench.artifacts
        assert codes((await judged.check("palette")).findings) == expected, colour


async def test_the_preview_that_the_writer_sees_is_a_picture_with_what_was_measured(browser: Renderer) -> None:
    bench = await Bench(renderer=browser).lay({"email.mjml": mail('<mj-text><p style="width:900px">x</p></mj-text>')})
    answer = await bench.call("render", screen="mobile")
    assert "375×" in answer.text
    assert "preview/mobile" in answer.images
    assert "wider than its window" in answer.text


@pytest.mark.material
@pytest.mark.parametrize("name", ["air-astana", "amario"])
async def test_real_templates_are_built_and_their_layout_is_clean(
    name: str, browser: Renderer, material: Callable[[str], Path]
) -> None:
    source = material(f"email/mrml_other/mrml-core__template__{name}.mjml").read_text()
    bench = await Bench(renderer=browser).lay({"email.mjml": source}, by_writer=False)
    await bench.build()
    verdict = await bench.check("layout")
    assert [finding for finding in verdict.findings if finding.severity == "blocking"] == []
    assert verdict.examined >= 6
