"""Layout: planted faults are found, clean pages and real mails stay clean, and thresholds decide."""

from __future__ import annotations

import base64
import struct
import zlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor._values import Json
from compositor.adapters.browser import Chromium
from compositor.verifiers import Finding
from compositor.verifiers.layout import LAYOUT_THRESHOLDS, examined_texts, layout_findings, texts
from compositor.workspace.ports import Page, Resource, Screen
from tests.verifiers.layout_pages import CLEAN, PICTURE, PLANTED, pages


def png(width: int, height: int) -> bytes:
    """A grey PNG of this size, made by hand: the tests of a measurement need no picture library."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + b"\x80" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


GREY = Resource(data=png(200, 100), media_type="image/png")
SMALL = Resource(data=png(100, 100), media_type="image/png")


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


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.parametrize(("code", "body"), [(code, body) for code in PLANTED for body in pages(PLANTED[code])])
async def test_a_planted_fault_is_found_with_its_place_and_a_remedy(browser: Chromium, code: str, body: str) -> None:
    found = {finding.code: finding for finding in await findings_of(browser, body)}
    assert code in found
    assert found[code].where.of == "render/window"
    assert found[code].where.box is not None
    assert found[code].remedy


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.parametrize("body", pages(CLEAN))
async def test_a_clean_page_has_no_finding(browser: Chromium, body: str) -> None:
    facts = await facts_of(browser, body)
    assert layout_findings(facts, label="render/window") == ()


REAL_FAULTS = {
    # Looked at: each of these is what it says.
    ("mj-button-width.html", "sideways-scroll"): "a button 350 pixels wide, at 320",
    ("mj-raw.html", "broken-image"): "its address is `some_url`",
    ("mj-raw-conditional-comment.html", "broken-image"): "its address is `bananas`",
    ("cerberus-responsive.html", "text-off-page"): "a footer 600 pixels wide; the postal address is cut at 320",
    ("cerberus-responsive.html", "sideways-scroll"): "the same footer",
    ("dynamic-templates__special-sale__special_sale.html", "sideways-scroll"): "a button that is wider than its cell",
}


@pytest.mark.browser
@pytest.mark.material
@pytest.mark.anyio
async def test_real_mails_raise_no_false_alarm(browser: Chromium, material: Callable[[str], Path]) -> None:
    async def any_picture(url: str) -> Resource | None:
        return SMALL

    async def examine(mail: Path) -> None:
        page = Page(html=mail.read_text("utf-8", "replace"), fulfil=any_picture)
        for rendering in await browser.render(page, [Screen(name="wide", width=600), Screen(name="narrow", width=320)]):
            examined[mail.name] += examined_texts(rendering.facts)
            blocking = [f for f in layout_findings(rendering.facts, label=mail.name) if f.severity == "blocking"]
            found.update((mail.name, f.code) for f in blocking if not _is_unfilled(rendering.facts, f))

    mails = sorted(material("email").glob("mrml_pairs/*.html")) + sorted(material("email").glob("html_real/*/*.html"))
    found: set[tuple[str, str]] = set()
    examined: Counter[str] = Counter()
    async with anyio.create_task_group() as group:
        for mail in mails:
            group.start_soon(examine, mail)
    assert found == set(REAL_FAULTS)
    assert len(mails) > 200
    assert sum(1 for count in examined.values() if count) > 150


def _is_unfilled(facts: Mapping[str, Json], finding: Finding) -> bool:
    """A picture of a template whose address is filled in later, or that lies beside the template."""
    sources = {tuple(fault["box"]): fault["src"] for fault in facts["faults"] if fault["kind"] == "broken-image"}
    return finding.code == "broken-image" and sources[finding.where.box or ()].startswith(("{{", "./img/"))


@pytest.mark.browser
@pytest.mark.anyio
async def test_a_text_is_described_as_it_is_seen(browser: Chromium) -> None:
    facts = await facts_of(
        browser,
        "<div style='font-size:0;background:#102030'><p id=offer style='margin:0;padding:10px;width:130px;font:bold "
        "20px/25px serif;color:rgb(255 255 255 / 50%)'>Two lines of text</p></div>",
    )
    (text,) = texts(facts)
    assert (text.text, text.size, text.weight, text.family, text.lines) == ("Two lines of text", 20, 700, "serif", 2)
    assert (text.colour, text.behind, text.selector) == ("#889098", "#102030", "p#offer")
    x, y, width, height = text.box
    assert x == 10
    assert y == pytest.approx(11, abs=3)
    assert 0 < width <= 130
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
        "max-height:0",
    ]
    body = "".join(f"<div style='overflow:hidden;{style}'>hidden by {style}</div>" for style in hidden) + "<p>seen</p>"
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
        "<hr style='margin:0;border:0;border-top:2px solid color(srgb 0 0 1)'>",
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
        f"<a href='https://example.com/c'><img src={PICTURE} width=200 alt='A picture'></a>"
        f"<img src={PICTURE} width=20>",
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
@pytest.mark.parametrize("name", ["parentElement", "children", "id", "checkVisibility", "clientWidth", "contains"])
async def test_form_fields_named_like_properties_change_nothing(browser: Chromium, name: str) -> None:
    cut = (
        "<form style='height:9px;overflow:hidden'><input name='{}' hidden><p style='margin:0'>Cut in a form</p></form>"
    )
    named, plain = [await facts_of(browser, cut.format(field)) for field in (name, "plain")]
    assert named == plain
    assert [fault["kind"] for fault in named["faults"]] == ["clipped"]


@pytest.mark.browser
@pytest.mark.anyio
async def test_pictures_and_forms_named_like_parts_of_the_document_hide_nothing(browser: Chromium) -> None:
    names = ["body", "images", "fonts", "documentElement", "scrollingElement", "createTreeWalker", "querySelectorAll"]
    disguise = "".join(f"<img name={name} src='data:,'><form name={name}></form>" for name in names)
    facts = await facts_of(browser, f"<p>Seen</p>{disguise}<p>Seen too</p>")
    assert [text.text for text in texts(facts)] == ["Seen", "Seen too"]
    assert len(facts["images"]) == len(names)


@pytest.mark.browser
@pytest.mark.anyio
async def test_an_empty_document_has_nothing_to_examine(browser: Chromium) -> None:
    (rendering,) = await browser.render(Page(html="", fulfil=assets), [Screen(name="window", width=100, height=100)])
    assert examined_texts(rendering.facts) == 0
    assert layout_findings(rendering.facts, label="render/window") == ()


FIGURES: Mapping[str, tuple[str, str, Callable[[float], dict[str, Json]]]] = {
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
