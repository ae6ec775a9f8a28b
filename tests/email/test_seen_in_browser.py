"""Contrast, sizes and logos of whole mails, through the real compiler, browser and reader of pictures."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path

import pytest
from PIL import Image

from compositor._values import Json, sha256
from compositor.adapters.browser import Chromium
from compositor.adapters.pictures import Pillow
from compositor.capabilities.brand_guide import brand_guide
from compositor.workspace import Renderer
from tests.email.bench import REQUEST, Bench, clean_mail, codes, mail, plan_text, with_picture

pytestmark = [pytest.mark.anyio, pytest.mark.browser]

SEEN = ("contrast", "small-text", "taps")


@pytest.fixture(scope="module")
async def browser() -> AsyncIterator[Renderer]:
    async with Chromium() as chromium:
        yield chromium


def png(left: str, right: str) -> bytes:
    """A picture of 600 × 300 pixels that fades from one grey to another."""
    ends = Image.new("RGB", (2, 1), left)
    ends.paste(right, (1, 0, 2, 1))
    out = io.BytesIO()
    ends.resize((600, 300), Image.Resampling.BILINEAR).save(out, "PNG")
    return out.getvalue()


async def built(browser: Renderer, source: str, request: Mapping[str, Json] = REQUEST, *assets: bytes) -> Bench:
    bench = Bench(request, renderer=browser, pictures=Pillow())
    await bench.lay({f"assets/{sha256(data)}.png": data for data in assets}, by_writer=False)
    await bench.lay({"email.mjml": source, "plan.json": plan_text()})
    assert not (await bench.build()).findings
    return bench


def showing(*assets: bytes, **brand: Json) -> Mapping[str, Json]:
    listed = [
        {"id": f"asset-{number}", "sha256": sha256(data), "media_type": "image/png", "width": 600, "height": 300}
        for number, data in enumerate(assets)
    ]
    return {**with_picture(), "assets": listed, "brand": {"name": "Lumen", **brand}}


def address(data: bytes) -> str:
    return f"https://pictures.lumen.test/{sha256(data)}.png"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('<mj-text color="#222222" font-size="16px">Lamps for evenings</mj-text>', []),
        ('<mj-text color="#999999" font-size="16px">Lamps for evenings</mj-text>', ["low-contrast"]),
        ('<mj-text color="#949494" font-size="24px">Lamps for evenings</mj-text>', []),
        ('<mj-text font-size="16px"><span style="opacity:.4">Lamps for evenings</span></mj-text>', ["low-contrast"]),
        ('<mj-button background-color="#ffd400" color="#ffffff">See the lamps</mj-button>', ["low-contrast"]),
        ('<mj-button background-color="#7a5c00" color="#ffffff">See the lamps</mj-button>', []),
    ],
)
async def test_contrast_is_measured_where_the_words_stand(browser: Renderer, text: str, found: list[str]) -> None:
    bench = await built(browser, mail(text))
    assert codes((await bench.check("contrast")).findings) == found


@pytest.mark.parametrize(
    ("ground", "colour", "found"),
    [
        (("#101828", "#304060"), "#ffffff", []),
        (("#d8d8d8", "#ffffff"), "#ffffff", ["low-contrast-on-picture"]),
        (("#d8d8d8", "#ffffff"), "#101010", []),
        (("#101010", "#404040"), "#101010", ["low-contrast-on-picture"]),
    ],
)
async def test_words_on_a_picture_are_measured_in_the_picture(
    browser: Renderer, ground: tuple[str, str], colour: str, found: list[str]
) -> None:
    data = png(*ground)
    hero = (
        f'<mj-section background-url="{address(data)}" background-size="cover"><mj-column>'
        f'<mj-text color="{colour}" font-size="32px" font-weight="700">Lamps for evenings</mj-text>'
        "</mj-column></mj-section>"
    )
    source = clean_mail().replace("<mj-section", hero + "<mj-section", 1)
    verdict = await (await built(browser, source, showing(data), data)).check("contrast")
    assert codes(verdict.findings) == found
    assert verdict.measures["on_pictures"] == 2


async def test_sizes_of_text_and_targets_are_those_of_the_screen(browser: Renderer) -> None:
    small = '<mj-text font-size="12px" color="#222222">Lamps for light evenings.</mj-text>'
    bench = await built(browser, mail(f'{small}<mj-button href="https://shop.lumen.test/">See the lamps</mj-button>'))
    assert codes((await bench.check("small-text")).findings) == ["small-text"]
    assert codes((await bench.check("taps")).findings) == ["small-main-action"]
    roomy = 'font-size="16px" inner-padding="14px 24px"'
    tall = await built(browser, mail(f'<mj-button href="https://shop.lumen.test/" {roomy}>See the lamps</mj-button>'))
    assert codes((await tall.check("taps")).findings) == []


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ('width="160px" padding="64px"', []),
        ('width="80px" padding="64px"', ["small-logo"]),
        ('width="160px" padding="10px"', ["crowded-logo"]),
    ],
)
async def test_a_logo_keeps_the_rules_of_the_brand_as_it_is_drawn(
    browser: Renderer, attributes: str, found: list[str]
) -> None:
    data = png("#101828", "#304060")
    request = showing(data, logos=[{"asset": "asset-0", "min_width": 100, "clear_space": 0.5, "severity": "must"}])
    logo = f'<mj-text>Above</mj-text><mj-image src="{address(data)}" alt="Lumen" {attributes}/><mj-text>Below</mj-text>'
    bench = await built(browser, mail(logo), request, data)
    judged = Bench(request, capability=brand_guide)
    judged.blobs, judged.artifacts = bench.blobs, bench.artifacts
    verdict = await judged.check("logo")
    assert set(codes(verdict.findings)) == set(found)
    assert verdict.examined == 3


async def test_a_pair_that_the_brand_forbids_is_seen_on_a_button(browser: Renderer) -> None:
    brand = {"name": "Lumen", "colors": {"primary": "#7a5c00"}, "palette": {"never": [["primary", "#ffffff"]]}}
    button = '<mj-button background-color="#7a5c00" color="#ffffff">See the lamps</mj-button>'
    bench = await built(browser, mail(button))
    judged = Bench({"brand": brand}, capability=brand_guide)
    judged.blobs, judged.artifacts = bench.blobs, bench.artifacts
    assert codes((await judged.check("colour-pairs")).findings) == ["colours-never-together"]


@pytest.mark.material
async def test_no_real_mail_breaks_what_is_seen_and_axe_found_as_many_colours(
    browser: Renderer, material: Callable[[str], Path]
) -> None:
    """axe-core 4.14.1 names 131 pairs of colours in these 66 mails, 600 pixels wide, and ours are the same."""
    pairs: Counter[str] = Counter()
    files = sorted(material("email/html_real").rglob("*.html"))
    for path in files:
        bench = await Bench(renderer=browser, pictures=Pillow()).lay(
            {"outside.html": path.read_bytes()}, by_writer=False
        )
        await bench.build()
        verdicts = {check: await bench.check(check) for check in (*SEEN, "pictures", "hosts")}
        assert {verdict.status for verdict in verdicts.values()} <= {"passed", "failed", "not_applicable"}, path.name
        found = [f for f in verdicts["contrast"].findings if f.where.of == "layout/desktop"]
        pairs.update({f"{path.name}: {finding.message.rpartition(': ')[2]}" for finding in found})
    assert len(files) == 66
    assert len(pairs) == 131


async def test_the_facts_of_a_render_stay_small(browser: Renderer) -> None:
    bench = await built(browser, clean_mail())
    assert len(json.dumps(bench.artifacts["render/mobile"].as_json())) < 4_000
