"""Measurement `contrast` of a mail: by style, confirmed by the picture; by ring where text lies on a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from compositor._values import Json
from compositor.testing import PlainPictures
from compositor.verifiers import Verdict
from compositor.workspace import Ink, Page, Screen
from tests.email.bench import Bench, PaperRenderer, clean_mail, nothing_measured, seen

pytestmark = pytest.mark.anyio


class Rings(PlainPictures):
    """Implements `Pictures`: every ring has the same share; remembers what was asked."""

    def __init__(self, share: float | None) -> None:
        super().__init__()
        self.share = share
        self.asked: list[Ink] = []

    async def rings(self, data: bytes, inks: Sequence[Ink]) -> tuple[float | None, ...]:
        assert data.startswith(b"picture ")
        self.asked += inks
        return (self.share,) * len(inks)


async def verdict(
    *texts: Mapping[str, Json], rings: Rings | None = None, on: Sequence[str] = ("desktop", "mobile"), **facts: Json
) -> Verdict:
    def measure(page: Page, screen: Screen) -> Mapping[str, Json]:
        drawn = texts if screen.name in on else [seen("Lamps")]
        return {**nothing_measured(page, screen), "texts": list(drawn), **facts}

    bench = Bench(renderer=PaperRenderer(measure), pictures=rings or Rings(1.0))
    await bench.lay({"email.mjml": clean_mail()})
    await bench.build()
    return await bench.check("contrast")


def places(verdict: Verdict) -> list[tuple[str, str]]:
    return [(finding.code, finding.where.of) for finding in verdict.findings]


async def test_dark_words_on_white_pass() -> None:
    found = await verdict(seen("Lamps"))
    assert (found.status, found.findings, found.examined) == ("passed", (), 2)


async def test_what_is_faint_on_both_screens_is_told_once() -> None:
    assert places(await verdict(seen("Lamps", colour="#cccccc"))) == [("low-contrast", "layout/desktop")]


async def test_what_is_faint_on_a_phone_alone_is_told_there() -> None:
    assert places(await verdict(seen("Lamps", colour="#cccccc"), on=["mobile"])) == [("low-contrast", "layout/mobile")]


async def test_two_faint_texts_with_the_same_words_are_two_findings() -> None:
    texts = (seen("More", colour="#cccccc"), seen("More", colour="#cccccc", box=[20, 90, 200, 20]))
    assert len((await verdict(*texts)).findings) == 2


@pytest.mark.parametrize(("share", "status"), [(0.1, "passed"), (0.9, "failed"), (None, "failed")])
async def test_a_faint_style_is_no_fault_where_the_picture_shows_an_outline(share: float | None, status: str) -> None:
    assert (await verdict(seen("Lamps", colour="#ffffff"), rings=Rings(share))).status == status


@pytest.mark.parametrize(("share", "status"), [(0.1, "passed"), (0.9, "failed")])
async def test_words_on_a_picture_are_judged_by_their_ring(share: float, status: str) -> None:
    rings = Rings(share)
    found = await verdict(seen("Lamps", behind=None, box=[60, 90, 300, 45]), rings=rings, on=["desktop"])
    assert found.status == status
    assert set(places(found)) <= {("low-contrast-on-picture", "layout/desktop")}
    assert rings.asked == [Ink(box=(0.1, 0.1, 0.6, 0.15), colour="#222222", ratio=4.5)]


async def test_words_on_a_picture_that_cannot_be_found_there_are_no_pass() -> None:
    found = await verdict(seen("Lamps", behind=None), rings=Rings(None))
    assert found.status == "inconclusive"
    assert "“Lamps”" in found.reason


async def test_words_on_a_background_that_was_not_drawn_are_no_pass() -> None:
    def measure(page: Page, screen: Screen) -> Mapping[str, Json]:
        return {**nothing_measured(page, screen), "texts": [seen("Lamps", behind=None)]}

    renderer = PaperRenderer(measure, asks=["https://other.test/background.jpg"])
    bench = await Bench(renderer=renderer, pictures=Rings(0.0)).lay({"email.mjml": clean_mail()})
    await bench.build()
    found = await bench.check("contrast")
    assert found.status == "inconclusive"
    assert "https://other.test/background.jpg" in found.reason


async def test_a_page_without_words_or_not_seen_whole_is_no_pass() -> None:
    assert (await verdict()).status == "inconclusive"
    assert (await verdict(seen("Lamps"), truncated=True)).status == "inconclusive"
