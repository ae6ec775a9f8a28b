"""Measurements `small-text` and `taps`: they warn, and know small print, buttons and marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from compositor._values import Json
from compositor.verifiers import Verdict
from compositor.workspace import Page, Screen
from tests.email.bench import REQUEST, Bench, PaperRenderer, clean_mail, nothing_measured, plan_text, seen

pytestmark = pytest.mark.anyio

ADDRESS = "Lumen, 1 Mill Lane, York"


async def verdict(
    check: str,
    texts: Sequence[Mapping[str, Json]] = (),
    targets: Json = (),
    request: Mapping[str, Json] = REQUEST,
    **facts: Json,
) -> Verdict:
    def measure(page: Page, screen: Screen) -> Mapping[str, Json]:
        return {**nothing_measured(page, screen), "texts": list(texts), "targets": list(targets), **facts}

    bench = await Bench(request, renderer=PaperRenderer(measure)).lay(
        {"email.mjml": clean_mail(), "plan.json": plan_text()}
    )
    await bench.build()
    return await bench.check(check)


@pytest.mark.parametrize(
    ("text", "size", "found"),
    [
        ("Lamps for light evenings.", 14, []),
        ("Lamps for light evenings.", 13.9, ["small-text"]),
        ("Lamps for light evenings.", 10, ["tiny-text"]),
        (ADDRESS, 11, []),
        (ADDRESS, 10.9, ["tiny-text"]),
        ("Unsubscribe", 12, []),
        ("See the lamps", 13, []),
        ("See the lamps", 9, ["tiny-text"]),
        ("12", 9, []),
        ("†", 9, []),
    ],
    ids=str,
)
async def test_body_text_has_14_pixels_and_small_print_11(text: str, size: float, found: list[str]) -> None:
    result = await verdict("small-text", [seen(text, size=size), seen("A headline")])
    assert [finding.code for finding in result.findings] == found
    assert {finding.severity for finding in result.findings} <= {"warning"}
    assert result.status == "passed"


async def test_small_text_on_a_page_that_was_not_seen_whole_is_no_pass() -> None:
    assert (await verdict("small-text", [seen("Lamps")], truncated=True)).status == "inconclusive"
    assert (await verdict("small-text", [])).status == "inconclusive"


def target(box: Json, href: str = "https://shop.lumen.test/lamps") -> Json:
    return {"selector": "a", "href": href, "box": box, "inline": False}


BUTTON = seen("See the lamps", box=[40, 210, 120, 20])


@pytest.mark.parametrize(("height", "found"), [(44, []), (43, ["small-main-action"])])
async def test_the_main_button_is_44_pixels_high_on_a_phone(height: float, found: list[str]) -> None:
    picture = target([0, 0, 300, 150])
    result = await verdict("taps", [BUTTON], [picture, target([20, 200, 200, height])])
    assert [(finding.code, finding.where.of) for finding in result.findings] == [
        (code, "layout/mobile") for code in found
    ]


async def test_the_button_that_the_brief_asks_for_is_the_main_one() -> None:
    asked = {**REQUEST, "brief": {"name": "x", "messaging": {"cta": {"text": "see  the LAMPS"}}}}
    result = await verdict("taps", [BUTTON], [target([20, 200, 200, 30])], asked)
    assert [finding.code for finding in result.findings] == ["small-main-action"]


async def test_small_targets_close_together_warn_once_for_both_screens() -> None:
    close = [target([0, 0, 60, 16], "https://a.test/1"), target([0, 18, 60, 16], "https://a.test/2")]
    result = await verdict("taps", [seen("Lamps")], close)
    assert [finding.where.of for finding in result.findings] == ["layout/desktop"] * 2
    assert result.status == "passed"


async def test_a_mail_without_links_has_nothing_to_press() -> None:
    assert (await verdict("taps", [seen("Lamps")])).status == "not_applicable"
    assert (await verdict("taps", [seen("Lamps")], truncated=True)).status == "inconclusive"
