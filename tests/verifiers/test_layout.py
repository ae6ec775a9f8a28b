"""Layout: planted faults are found, clean pages and real mails stay clean, and thresholds decide."""

from __future__ import annotations

import base64
import struct
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor._values import Json
from compositor.adapters.browser import Chromium
from compositor.verifiers import Finding
from compositor.verifiers.layout import LAYOUT_THRESHOLDS, examined_texts, layout_findings, texts
from compositor.workspace.ports import Page, Resource, Screen


def png(width: int, height: int) -> bytes:
    """A grey PNG of this size, made by hand: the tests of a measurement need no picture library."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + b"\x80" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


PICTURE = "https://assets.invalid/picture.png"
GREY = Resource(data=png(200, 100), media_type="image/png")


async def assets(url: str) -> Resource | None:
    if url == PICTURE:
        return GREY
    return Resource(data=b"not a picture", media_type="image/png") if url.endswith("damaged.png") else None


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with Chromium() as renderer:
        yield renderer


async def facts_of(browser: Chromium, body: str, *, width: int = 400) -> Mapping[str, Json]:
    html = f"<!doctype html><html lang=en><body style='margin:0;font:16px/1.4 sans-serif'>{body}</body></html>"
    (rendering,) = await browser.render(
        Page(html=html, fulfil=assets), [Screen(name="window", width=width, height=300)]
    )
    return rendering.facts


async def findings_of(browser: Chromium, body: str) -> tuple[Finding, ...]:
    return layout_findings(await facts_of(browser, body), label="render/window")


PLANTED = {
    "clipped-text": [
        "<div style='width:200px;height:24px;overflow:hidden;font-size:20px'>A headline far too long for its box</div>",
        "<div style='width:120px;overflow:hidden;white-space:nowrap'>One line that runs out of its box</div>",
        "<div style='height:30px;overflow:hidden'><p style='margin:0'>Kept</p><p style='margin:0'>Lost below</p></div>",
        "<table style='font-size:0'><tr><td style='font-size:0'><div style='font-size:16px;height:9px;overflow:hidden'>"
        "Cut in half inside a mail's table</div></td></tr></table>",
        "<div style='overflow:clip;height:14px'><span style='font-size:30px;line-height:1'>Tall letters</span></div>",
    ],
    "shortened-text": [
        "<div style='width:90px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis'>Too long for its place</div>",
        "<p style='max-width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis'>Order number 18273</p>",
        "<a href='#x' style='display:block;width:50px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis'>"
        "A button that says much</a>",
    ],
    "overlapping-text": [
        "<div style='position:absolute;left:10px;top:100px;font-size:30px'>First text</div>"
        "<div style='position:absolute;left:30px;top:110px;font-size:30px'>Second text</div>",
        "<h1 style='margin:0 0 -34px'>A headline</h1><p style='margin:0'>A paragraph pulled up over it</p>",
        "<div style='height:20px'>First line of three, second line of three, and then the third of them all, over the "
        "next</div><div>The next text</div>",
        "<p>Sum</p><p style='transform:translateY(-38px)'>Moved</p>",
    ],
    "covered-text": [
        "<p>Under a box</p><div style='position:absolute;left:0;top:0;width:300px;height:60px;background:#333'></div>",
        f"<p>Under a picture</p><img src={PICTURE} alt='' style='position:absolute;left:0;top:0;height:100px'>",
        "<div style='height:2000px'></div><p>Far below the window</p>"
        "<div style='position:absolute;left:0;top:2000px;width:300px;height:80px;background:#fff'></div>",
        "<style>.card{position:relative}.card::after{content:'';position:absolute;inset:0;background:#123}</style>"
        "<div class=card>Under the layer of its own card</div>",
        "<div style='background:#fff;position:relative;z-index:0'><div style='background:#fed;padding:9px'>"
        "<span style='position:relative;z-index:-1'>Behind its parent</span></div></div>",
        "<p>Under a layer that no pointer meets</p><div style='pointer-events:none;position:absolute;left:0;top:0;"
        "width:300px;height:60px;background:#333'></div>",
    ],
    "text-off-page": [
        "<div style='position:absolute;left:350px;white-space:nowrap'>Runs off the side</div>",
        "<p style='white-space:nowrap'>A single line that is so long that no window of four hundred pixels can show it</p>",
        "<p style='margin-left:-40px;width:300px'>Hangs out to the left of the page</p>",
        "<div style='overflow-x:hidden;width:600px'><p style='margin-left:390px;width:100px'>Half outside</p></div>",
    ],
    "sideways-scroll": [
        "<table width=600><tr><td>Wide</td></tr></table>",
        "<div style='width:401.9px;height:10px;background:#eee'></div>",
        f"<img src={PICTURE} alt='' width=500 height=250>",
        "<div style='margin-right:-30px;height:20px;background:#ddd'>Pulled out</div>",
    ],
    "broken-image": [
        "<img src='https://assets.invalid/damaged.png' alt='A chart'>",
        "<img src='photos/summer.jpg' alt='Summer' width=200 height=100>",
        "<img src='' alt='Nothing'>",
        "<img src='data:image/png;base64,AAAA' alt='Half a picture'>",
    ],
    "refused-image": [
        "<img src='https://elsewhere.example/photo.png' alt='Photo'>",
        "<img src='https://assets.invalid/unknown.png' alt='Unknown' width=100>",
        "<img srcset='https://elsewhere.example/double.png 2x' alt='Double'>",
    ],
    "distorted-image": [
        f"<img src={PICTURE} alt='' width=100 height=100>",
        f"<img src={PICTURE} alt='' style='width:180px;height:100px'>",
        f"<img src={PICTURE} alt='' height=50 width=150>",
    ],
    "upscaled-image": [
        f"<img src={PICTURE} alt='' width=380>",
        f"<img src={PICTURE} alt='' style='height:150px'>",
        f"<img src={PICTURE} alt='' style='width:240px;height:140px;object-fit:cover'>",
    ],
}

CLEAN = [
    "<h1 style='font:700 40px/0.9 sans-serif;letter-spacing:-1px;margin:0'>Tight leading<br>in a headline</h1>"
    "<p style='margin:0'>directly followed by text</p>",
    "<div style='line-height:0.8;overflow:hidden;font-size:30px'>no ink is cut here</div>",
    "<div style='display:none;font-size:1px'>A preheader</div><p>Shown</p>",
    "<div style='max-height:0;overflow:hidden'>A preheader of another mail</div><p>Shown</p>",
    "<div style='max-height:0;max-width:0;opacity:0;overflow:hidden;font-size:1px;color:#fff'>And one more</div><p>Shown</p>",
    "<div style='position:absolute;left:-9999px'>For screen readers</div><p>Shown</p>",
    "<span style='position:absolute;clip:rect(0,0,0,0);width:1px;height:1px;overflow:hidden'>For screen readers</span><p>Shown",
    "<div style='height:60px;overflow:auto'><p>One</p><p>Two</p><p>Three, which can be scrolled to</p></div>",
    "<p>A word<sup>1</sup> with a <a href='https://example.com/'>link</a>,<br>a break, and <b>bold</b><i> text</i></p>",
    "<div style='position:relative'><p>Under a link that spans the card</p><a href='#a' style='position:absolute;inset:0'></a></div>",
    "<p>Below a veil</p><div style='position:absolute;inset:0;background:#0002;height:60px'></div>",
    f"<div style='width:300px;overflow:hidden'><img src={PICTURE} alt='' width=200><p>Words</p></div>",
    f"<p>Small copies are sharp</p><img src={PICTURE} alt='' width=100 height=50>",
    f"<img src={PICTURE} alt='' width=133 height=66><img src={PICTURE} alt='' width=6 height=6>",
    "<div style='overflow:hidden;width:300px;white-space:nowrap'><div style='display:inline-block;width:300px'>First slide"
    "</div><div style='display:inline-block;width:300px'>Second slide</div></div>",
    "<div style='position:fixed;top:0;left:0;right:0;background:#eee'>A bar</div><p style='margin-top:40px'>Text</p>"
    "<div style='height:1500px'></div><p>Text below</p>",
    "<div style='height:4000px'></div><p>Far down, and in the open</p><p style='pointer-events:none'>Not to be pressed</p>",
    "<div style='transform:rotate(-8deg);width:200px'>A sticker</div><p>Its neighbour</p>",
    "<div style='overflow:hidden;height:20px;position:static'><p style='position:absolute;top:90px'>Not cut by it</p></div>",
    "<p style='text-transform:uppercase;line-height:1;overflow:hidden;height:16px;margin:0'>Capitals</p>",
]


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.parametrize(("code", "body"), [(code, body) for code, bodies in PLANTED.items() for body in bodies])
async def test_a_planted_fault_is_found_with_its_place_and_a_remedy(browser: Chromium, code: str, body: str) -> None:
    found = {finding.code: finding for finding in await findings_of(browser, body)}
    assert code in found
    assert found[code].where.of == "render/window"
    assert found[code].where.box is not None
    assert found[code].remedy


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.parametrize("body", CLEAN)
async def test_a_clean_page_has_no_finding(browser: Chromium, body: str) -> None:
    facts = await facts_of(browser, body)
    assert layout_findings(facts, label="render/window") == ()


REAL_FAULTS = {
    # Looked at: each of these is what it says.
    ("mj-button-width.html", "sideways-scroll"): "a button 350 pixels wide, at 320",
    ("mj-raw.html", "broken-image"): "its address is `some_url`",
    ("mj-raw-conditional-comment.html", "broken-image"): "its address is `bananas`",
    ("cerberus-responsive.html", "text-off-page"): "a footer 600 pixels wide; the postal address is cut at 375",
    ("cerberus-responsive.html", "sideways-scroll"): "the same footer",
    ("dynamic-templates__special-sale__special_sale.html", "sideways-scroll"): "a button that is wider than its cell",
}


@pytest.mark.browser
@pytest.mark.material
@pytest.mark.anyio
async def test_real_mails_raise_no_false_alarm_at_three_widths(
    browser: Chromium, material: Callable[[str], Path]
) -> None:
    async def any_picture(url: str) -> Resource | None:
        return GREY

    mails = sorted(material("email").glob("mrml_pairs/*.html")) + sorted(material("email").glob("html_real/*/*.html"))
    screens = [Screen(name=str(width), width=width) for width in (600, 375, 320)]
    found: set[tuple[str, str]] = set()
    examined: Counter[str] = Counter()
    for mail in mails:
        page = Page(html=mail.read_text("utf-8", "replace"), fulfil=any_picture)
        for rendering in await browser.render(page, screens):
            examined[mail.name] += examined_texts(rendering.facts)
            blocking = [f for f in layout_findings(rendering.facts, label=mail.name) if f.severity == "blocking"]
            found |= {(mail.name, f.code) for f in blocking if not _is_unfilled(rendering.facts, f)}
    assert found == set(REAL_FAULTS)
    assert len(mails) == 222
    assert sum(1 for count in examined.values() if count) > 150


def _is_unfilled(facts: Mapping[str, Json], finding: Finding) -> bool:
    """A picture of a template whose address is filled in later, or that lies beside the template."""
    source = next(
        (fault["src"] for fault in facts["faults"] if tuple(fault["box"]) == finding.where.box and "src" in fault), ""
    )
    return finding.code == "broken-image" and source.startswith(("{{", "./img/"))


@pytest.mark.browser
@pytest.mark.anyio
async def test_a_text_is_described_as_it_is_seen(browser: Chromium) -> None:
    facts = await facts_of(
        browser,
        "<div style='font-size:0;background:#102030'><p id=offer style='margin:0;padding:10px;width:100px;font:bold "
        "20px/25px serif;color:rgb(255 255 255 / 50%)'>Two lines of text</p></div>",
    )
    (text,) = texts(facts)
    assert (text.text, text.size, text.weight, text.family, text.lines) == ("Two lines of text", 20, 700, "serif", 2)
    assert (text.colour, text.behind, text.selector) == ("#889098", "#102030", "p#offer")
    x, y, width, height = text.box
    assert (x, y) == (10, pytest.approx(11, abs=3))
    assert 0 < width <= 100
    assert height == pytest.approx(50, abs=6)


@pytest.mark.browser
@pytest.mark.anyio
async def test_hidden_text_is_listed_but_not_counted(browser: Chromium) -> None:
    hidden = [
        "display:none",
        "visibility:hidden",
        "opacity:0",
        "font-size:1px",
        "color:transparent",
        "max-height:0;overflow:hidden",
    ]
    body = "".join(f"<div style='{style}'>hidden by {style}</div>" for style in hidden) + "<p>seen</p>"
    facts = await facts_of(browser, body)
    assert [text.text for text in texts(facts)] == ["seen"]
    assert len(texts(facts, visible=False)) == len(hidden) + 1
    assert examined_texts(facts) == 1


@pytest.mark.browser
@pytest.mark.anyio
async def test_blank_and_invisible_characters_are_no_text(browser: Chromium) -> None:
    facts = await facts_of(
        browser, "<p>&nbsp;&zwnj;&#847;&#8203;&shy;\n</p><script>not text</script><style>p{}</style>"
    )
    assert facts["texts"] == []


@pytest.mark.browser
@pytest.mark.anyio
async def test_colours_are_shares_of_the_page_without_its_pictures(browser: Chromium) -> None:
    facts = await facts_of(
        browser,
        "<div style='background:#ff0000;height:150px'></div><div style='background:rgb(0 0 0 / 50%);height:75px'></div>"
        f"<img src={PICTURE} alt='' style='display:block;width:400px;height:75px;background:#00ff00'>"
        "<hr style='margin:0;border:0;border-top:2px solid oklch(0.452 0.313 264.05)'>",
    )
    shares = {(use["colour"], use["use"]): use["share"] for use in facts["colours"]}
    page = facts["document"]["height"]
    assert shares["#ff0000", "background"] == pytest.approx(150 / page, abs=0.02)
    assert shares["#808080", "background"] == pytest.approx(75 / page, abs=0.02)
    assert shares["#0000ff", "border"] == pytest.approx(2 / page, abs=0.01)
    assert ("#00ff00", "background") not in shares


@pytest.mark.browser
@pytest.mark.anyio
async def test_targets_and_pictures_are_listed_with_what_checks_need(browser: Chromium) -> None:
    facts = await facts_of(
        browser,
        "<p>Words around a <a href='https://example.com/a'>short link</a> and more</p>"
        "<a href='https://example.com/b' style='display:inline-block;padding:14px 30px'>Buy</a>"
        f"<a href='https://example.com/c'><img src={PICTURE} width=200 alt='A picture'></a><img src={PICTURE} width=20>",
    )
    inline, button, picture = facts["targets"]
    assert [inline["inline"], button["inline"], picture["inline"]] == [True, False, False]
    assert button["box"][3] >= 44
    assert picture["box"][2:] == [200, pytest.approx(100, abs=8)]
    assert [image["alt"] for image in facts["images"]] == ["A picture", None]
    assert facts["images"][0]["natural"] == [200, 100]
    assert all(image["loaded"] and not image["refused"] for image in facts["images"])


@pytest.mark.browser
@pytest.mark.anyio
async def test_an_empty_document_has_nothing_to_examine(browser: Chromium) -> None:
    (rendering,) = await browser.render(Page(html="", fulfil=assets), [Screen(name="window", width=100, height=100)])
    assert examined_texts(rendering.facts) == 0
    assert layout_findings(rendering.facts, label="render/window") == ()


FIGURES = {
    "clipped": ("clipped-text", "clip_px", lambda value: {"across": 0, "down": value, "by": "div"}),
    "overlap": ("overlapping-text", "overlap_share", lambda value: {"share": value, "other": "other"}),
    "covered": ("covered-text", "cover_share", lambda value: {"share": value, "by": "div"}),
    "off-page": ("text-off-page", "off_page_px", lambda value: {"beyond": value}),
    "sideways": ("sideways-scroll", "sideways_px", lambda value: {"beyond": value}),
    "distorted-image": ("distorted-image", "stretch", lambda value: {"stretch": value, "src": PICTURE}),
    "upscaled-image": ("upscaled-image", "upscale", lambda value: {"factor": value, "src": PICTURE}),
}


def page_with(kind: str, figures: Mapping[str, Any]) -> Mapping[str, Json]:
    return {"faults": [{"kind": kind, "selector": "div", "text": "words", "box": [1, 2, 3, 4], **figures}]}


@given(kind=st.sampled_from(sorted(FIGURES)), measured=st.floats(0.02, 900), limit=st.floats(0.02, 900))
def test_a_fault_counts_only_above_its_limit_and_names_both_figures(kind: str, measured: float, limit: float) -> None:
    code, threshold, figures = FIGURES[kind]
    thresholds = {**LAYOUT_THRESHOLDS, threshold: limit}
    found = layout_findings(page_with(kind, figures(measured)), label="render/x", thresholds=thresholds)
    assert [finding.code for finding in found] == ([code] if measured > limit else [])
    assert all(finding.threshold == limit for finding in found)
    assert all(finding.measured == pytest.approx(measured, abs=0.001) for finding in found)


def test_long_texts_and_inline_pictures_are_shortened_in_messages() -> None:
    inline = "data:image/png;base64," + base64.b64encode(png(20, 20)).decode()
    (finding,) = layout_findings(page_with("broken-image", {"src": inline, "refused": False}), label="render/x")
    assert len(finding.message) < 120
