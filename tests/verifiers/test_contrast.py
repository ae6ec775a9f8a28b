"""Contrast: the ratios of WCAG, their edges, the size of text, and a colour that would do."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor._values import Json
from compositor.adapters.browser import Chromium
from compositor.adapters.pictures import Pillow
from compositor.verifiers.contrast import (
    ContrastResult,
    contrast_ratio,
    measure_contrast,
    needed_ratio,
    readable_colour,
    ring_findings,
)
from compositor.verifiers.layout import texts
from compositor.workspace import Ink, Page, Rendering, Resource, Screen
from tests.email.bench import seen

Find = Callable[[str], Path]
COLOURS = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


def facts(*listed: Mapping[str, Json]) -> Mapping[str, Json]:
    return {"texts": list(listed)}


def measured(*listed: Mapping[str, Json]) -> ContrastResult:
    return measure_contrast(facts(*listed), label="render/window")


@pytest.mark.material
def test_ratios_are_those_of_the_definition_to_three_digits(material: Find) -> None:
    pairs = json.loads(material("accessibility/contrast_pairs.json").read_text())
    plain = [pair for pair in pairs if len(pair["fg"]) == 7 and len(pair["bg"]) == 7]
    assert len(plain) >= 10
    for pair in plain:
        ratio = contrast_ratio(pair["fg"].lower(), pair["bg"].lower())
        assert ratio == pytest.approx(pair["computed"], abs=0.0006), pair


@pytest.mark.parametrize(
    ("colour", "size", "weight", "blocks"),
    [
        ("#767676", 16, 400, False),  # 4.542
        ("#777777", 16, 400, True),  # 4.478: not rounded up
        ("#777777", 24, 400, False),
        ("#777777", 23.9, 400, True),
        ("#777777", 18.7, 700, False),
        ("#777777", 18.7, 600, True),
        ("#777777", 18.6, 700, True),
        ("#949494", 24, 400, False),  # 3.033
        ("#959595", 24, 400, True),  # 2.995: not rounded up
    ],
)
def test_a_text_needs_its_ratio_by_size_and_weight(colour: str, size: float, weight: int, *, blocks: bool) -> None:
    found = measured(seen("Lamps", colour=colour, size=size, weight=weight)).findings
    assert [(finding.code, finding.severity) for finding in found] == [("low-contrast", "blocking")] * blocks


def test_a_finding_says_what_was_measured_where_and_which_colour_would_do() -> None:
    (finding,) = measured(seen("Lamps", colour="#777777", box=[5, 6, 70, 20])).findings
    assert (finding.measured, finding.threshold) == (4.478, 4.5)
    assert (finding.where.of, finding.where.box) == ("render/window", (5, 6, 70, 20))
    assert "#767676" in finding.remedy


def test_each_text_is_one_finding_and_signs_that_only_decorate_are_none() -> None:
    faint = {"colour": "#cccccc"}
    result = measured(seen("One", **faint), seen("One", **faint), seen("·", **faint), seen("🎉 →", **faint))
    assert [len(result.findings), len(result.faint), result.examined] == [2, 2, 2]


def test_what_is_hidden_on_purpose_is_not_examined() -> None:
    assert measured(seen("Preheader", colour="#ffffff", visible=False)).examined == 0


def test_a_text_without_a_flat_colour_behind_it_is_given_back() -> None:
    result = measured(seen("On a picture", behind=None), seen("On paper"))
    assert [text.text for text in result.on_pictures] == ["On a picture"]
    assert (result.findings, result.examined) == ((), 2)


@pytest.mark.parametrize(("share", "blocks"), [(0.0, False), (1 / 3, False), (0.34, True), (1.0, True), (None, False)])
def test_a_text_on_a_picture_fails_when_more_than_a_third_of_its_ring_does(
    share: float | None, *, blocks: bool
) -> None:
    on_picture = texts(facts(seen("On a picture", behind=None, colour="#ffffff")))
    found = ring_findings(on_picture, [share], label="render/window")
    assert [finding.code for finding in found] == ["low-contrast-on-picture"] * blocks
    assert all("4.5:1 with #ffffff" in finding.remedy for finding in found)


@given(colour=COLOURS, ground=COLOURS, ratio=st.sampled_from([3.0, 4.5]))
def test_the_colour_of_a_remedy_always_does(colour: str, ground: str, ratio: float) -> None:
    better = readable_colour(colour, ground, ratio)
    assert contrast_ratio(better, ground) >= ratio


def test_the_colour_of_a_remedy_keeps_the_hue_and_is_the_nearest() -> None:
    assert readable_colour("#ffcc00", "#ffffff", 4.5) == "#957100"
    assert readable_colour("#777777", "#ffffff", 4.5) == "#767676"


def test_where_nothing_reaches_a_ratio_the_better_end_is_named() -> None:
    assert readable_colour("#808080", "#777777", 7.0) in {"#000000", "#ffffff"}


# ---- in a browser


@pytest.fixture(scope="module")
async def browser(anyio_backend: str) -> AsyncIterator[Chromium]:
    async with Chromium() as renderer:
        yield renderer


async def judged(browser: Chromium, html: str, folder: Path) -> tuple[list[str], ContrastResult]:
    """The codes of what is found by style, if the picture confirms it, and by ring."""

    async def fulfil(url: str) -> Resource | None:
        path = folder / urlsplit(url).path.lstrip("/")
        return Resource(data=path.read_bytes(), media_type="image/png") if path.is_file() else None

    (drawn,) = await browser.render(Page(html=html, fulfil=fulfil), [Screen(name="window", width=800)])
    result = measure_contrast(drawn.facts, label="render/window")
    asked = (*result.faint, *result.on_pictures)
    rings = await Pillow().rings(drawn.picture, [Ink(**ink_of(text, drawn)) for text in asked])
    count = len(result.faint)
    kept = [f.code for f, ring in zip(result.findings, rings[:count], strict=True) if ring is None or ring > 1 / 3]
    return kept + [f.code for f in ring_findings(result.on_pictures, rings[count:], label="render/window")], result


def ink_of(text: Json, drawn: Rendering) -> dict[str, Json]:
    x, y, width, height = text.box
    across, down = drawn.width, drawn.height
    box = (x / across, y / down, (x + width) / across, (y + height) / down)
    return {"box": box, "colour": text.colour, "ratio": needed_ratio(text)}


@pytest.mark.browser
@pytest.mark.material
@pytest.mark.anyio
async def test_the_approved_cases_of_the_w3c_rule_get_the_expected_answer(browser: Chromium, material: Find) -> None:
    """`afw4f7`: flat colours, translucent ones, gradients, pictures and shadows. Cases with scripts are left out."""
    folder = material("accessibility/act")
    cases = [
        case
        for case in json.loads((folder / "cases.json").read_text())["cases"]
        if case["rule"] == "afw4f7"
        and case["approved"]
        and not case["has_script"]
        and case["expected"] != "inapplicable"
    ]
    assert len(cases) >= 15
    for case in cases:
        found, result = await judged(browser, (folder / case["file"]).read_text(), folder)
        if result.examined:  # one shows its text in a shadow tree, which is not looked into
            assert bool(found) == (case["expected"] == "failed"), case["title"]


OUTLINE = ",".join(f"{x}px {y}px #111" for x in (-3, -1, 1, 3) for y in (-3, -1, 1, 3))
"""A dark outline of three pixels around the letters."""


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.parametrize(
    ("style", "found"),
    [
        ("color:#777;background:#fff", ["low-contrast"]),
        ("color:rgba(0,0,0,.3);background:#fff", ["low-contrast"]),
        ("color:#000;background:#fff;opacity:.4", ["low-contrast"]),
        ("color:#fff;background:#c8c8c8", ["low-contrast"]),
        ("color:#fff;background:rgba(0,0,0,.7)", []),
        ("color:#fff;background:linear-gradient(90deg,#102040,#304070)", []),
        ("color:#fff;background:linear-gradient(90deg,#e0e0e0,#ffffff)", ["low-contrast-on-picture"]),
        ("color:#fff;background:linear-gradient(90deg,#7c7c7c,#808080)", ["low-contrast-on-picture"]),
        ("color:#fff;background:linear-gradient(90deg,#7c7c7c,#808080);font-size:28px", []),
        (f"color:#fff;font-size:40px;text-shadow:{OUTLINE}", []),
    ],
)
async def test_a_text_is_judged_as_it_is_drawn(browser: Chromium, style: str, found: list[str]) -> None:
    html = (
        f"<!doctype html><html lang=en><body><p style='font:16px/1.4 sans-serif;{style}'>Lamps for evenings</p></html>"
    )
    codes, result = await judged(browser, html, Path("nowhere"))
    assert (codes, result.examined) == (found, 1)
