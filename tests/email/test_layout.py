"""Measurement `layout` over all screens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from compositor._values import Json
from compositor.workspace import Page, Screen
from tests.email.bench import (
    Bench,
    PaperRenderer,
    clean_mail,
)

pytestmark = pytest.mark.anyio


def faulty(kind: str, on: str) -> PaperRenderer:
    def measure(page: Page, screen: Screen) -> Mapping[str, Json]:
        text = {"text": "Spring", "box": [0, 0, 90, 20], "size": 16, "visible": True}
        fault = {
            "kind": kind,
            "selector": "p",
            "text": "Spring",
            "box": [0, 0, 90, 20],
            "across": 9,
            "down": 0,
            "by": "td",
        }
        faults = [fault] if screen.name == on else []
        return {
            "screen": screen.name,
            "texts": [text],
            "colours": [],
            "images": [],
            "faults": faults,
            "truncated": False,
        }

    return PaperRenderer(measure)


@pytest.mark.parametrize("screen", ["desktop", "mobile", "narrow"])
async def test_a_layout_fault_on_any_screen_is_found_there(screen: str) -> None:
    bench = await Bench(renderer=faulty("clipped", screen)).lay({"email.mjml": clean_mail()})
    await bench.build()
    (finding,) = (await bench.check("layout")).findings
    assert (finding.code, finding.where.of) == ("clipped-text", f"layout/{screen}")


async def layout_status(texts: Sequence[Json], *, truncated: bool) -> tuple[str, str]:
    def measure(page: Page, screen: Screen) -> Mapping[str, Json]:
        return {"texts": list(texts), "colours": [], "images": [], "faults": [], "truncated": truncated}

    bench = await Bench(renderer=PaperRenderer(measure)).lay({"email.mjml": clean_mail()})
    await bench.build()
    verdict = await bench.check("layout")
    return verdict.status, verdict.reason


async def test_a_page_without_visible_text_is_no_pass() -> None:
    status, reason = await layout_status([], truncated=False)
    assert status == "inconclusive"
    assert "no text was seen" in reason


async def test_a_page_that_was_not_seen_whole_is_no_pass() -> None:
    status, reason = await layout_status(
        [{"text": "x", "size": 16, "visible": True, "box": [0, 0, 1, 1]}], truncated=True
    )
    assert status == "inconclusive"
    assert "too tall" in reason
