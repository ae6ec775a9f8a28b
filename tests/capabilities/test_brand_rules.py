"""Rules of a brand that are measured in pictures of the deliverable: its logos, and colours never set on each other."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from compositor._values import Json
from compositor.authoring import Artifact
from compositor.capabilities.brand_guide import brand_guide
from compositor.verifiers import Verdict
from compositor.workspace import ColourPair, Placement
from tests.email.bench import Bench

pytestmark = pytest.mark.anyio

LOGO: Mapping[str, Json] = {"asset": "logo", "min_width": 96, "clear_space": 0.5}


async def verdict(check: str, brand: Json, renders: Mapping[str, Mapping[str, Json]]) -> Verdict:
    work = Bench({"brand": {"name": "Lumen", **brand}} if brand is not None else {}, capability=brand_guide)
    for name, facts in renders.items():
        work.artifacts[f"render/{name}"] = Artifact(media_type="image/png", sha256="0" * 64, size=1, facts=facts)
    return await work.check(check)


def shown(width: float = 120, height: float = 40, clear: float = 24, asset: str = "logo") -> Mapping[str, Json]:
    place = Placement(asset=asset, box=(24, 24, width, height), clear=clear, nearest="text")
    return {"images": [place.as_json()]}


@pytest.mark.parametrize(
    ("place", "found"),
    [
        (shown(), []),
        (shown(width=96), []),
        (shown(width=95.6), []),
        (shown(width=95), ["small-logo"]),
        (shown(clear=20), []),
        (shown(clear=19), ["crowded-logo"]),
        (shown(height=80, width=240), ["crowded-logo"]),
        (shown(width=60, clear=0), ["small-logo", "crowded-logo"]),
        (shown(width=10, clear=0, asset="photo"), []),
    ],
)
async def test_a_logo_is_large_enough_and_has_room_by_its_own_height(
    place: Mapping[str, Json], found: list[str]
) -> None:
    result = await verdict("logo", {"logos": [LOGO]}, {"desktop": place})
    assert [finding.code for finding in result.findings] == found


async def test_a_logo_is_measured_in_every_picture() -> None:
    result = await verdict("logo", {"logos": [LOGO]}, {"desktop": shown(), "mobile": shown(width=60)})
    (finding,) = result.findings
    assert (finding.where.of, finding.where.box) == ("render/mobile", (24, 24, 60, 40))
    assert (finding.measured, finding.threshold, result.examined) == (60, 96, 2)


@pytest.mark.parametrize(("severity", "expected"), [("must", "blocking"), ("should", "warning"), (None, "warning")])
async def test_a_rule_of_a_logo_is_as_grave_as_the_brand_says(severity: str | None, expected: str) -> None:
    logo = {**LOGO, **({"severity": severity} if severity else {})}
    result = await verdict("logo", {"logos": [logo]}, {"desktop": shown(width=60, clear=0)})
    assert {finding.severity for finding in result.findings} == {expected}


async def test_without_rules_or_where_no_picture_shows_the_logo_there_is_nothing_to_measure() -> None:
    for brand, renders in (
        (None, {"desktop": shown()}),
        ({}, {"desktop": shown()}),
        ({"logos": [{"asset": "logo"}]}, {"desktop": shown()}),
        ({"logos": [LOGO]}, {"desktop": shown(asset="photo")}),
        ({"logos": [LOGO]}, {"desktop": {}}),
        ({"logos": [LOGO]}, {}),
    ):
        assert (await verdict("logo", brand, renders)).status == "not_applicable"


RED_AND_GREEN: Mapping[str, Json] = {
    "tokens": {"leaf": {"$type": "color", "$value": {"colorSpace": "srgb", "components": [0.1, 0.5, 0.3]}}},
    "colors": {"primary": "#c73d1f"},
    "palette": {"never": [["primary", "{leaf}"], ["#ffffff", "#ffe680"]]},
}


def set_in(*pairs: tuple[str, str]) -> Mapping[str, Json]:
    return {"pairs": [ColourPair(colour=a, behind=b, text="Lamps", box=(1, 2, 3, 4)).as_json() for a, b in pairs]}


@pytest.mark.parametrize(
    ("pair", "found"),
    [
        (("#c73d1f", "#1a804c"), 1),
        (("#1a804c", "#c73d1f"), 1),
        (("#c63e20", "#1a804c"), 1),  # as good as the same
        (("#ffffff", "#ffe680"), 1),
        (("#c73d1f", "#ffffff"), 0),
        (("#c73d1f", "#c73d1f"), 0),
        (("#222222", "#1a804c"), 0),
    ],
)
async def test_colours_that_never_meet_are_found_whichever_is_behind(pair: tuple[str, str], found: int) -> None:
    result = await verdict("colour-pairs", RED_AND_GREEN, {"desktop": set_in(pair)})
    assert [finding.code for finding in result.findings] == ["colours-never-together"] * found


async def test_a_pair_is_told_once_with_its_place_for_all_pictures() -> None:
    red_on_green = set_in(("#c73d1f", "#1a804c"), ("#222222", "#ffffff"))
    result = await verdict("colour-pairs", RED_AND_GREEN, {"desktop": red_on_green, "mobile": red_on_green})
    (finding,) = result.findings
    assert (finding.where.of, finding.where.box, result.examined) == ("render/desktop", (1, 2, 3, 4), 4)
    assert "primary and {leaf}" in finding.message


@pytest.mark.parametrize(("severity", "expected"), [("must", "blocking"), ("should", "warning")])
async def test_a_pair_is_as_grave_as_the_palette(severity: str, expected: str) -> None:
    brand = {**RED_AND_GREEN, "palette": {**RED_AND_GREEN["palette"], "severity": severity}}
    result = await verdict("colour-pairs", brand, {"desktop": set_in(("#c73d1f", "#1a804c"))})
    assert [finding.severity for finding in result.findings] == [expected]


async def test_without_pairs_or_without_text_on_flat_colours_there_is_nothing_to_measure() -> None:
    for brand, renders in (
        (None, {"desktop": set_in(("#c73d1f", "#1a804c"))}),
        ({"palette": {}}, {"desktop": set_in(("#c73d1f", "#1a804c"))}),
        (RED_AND_GREEN, {"desktop": set_in()}),
        (RED_AND_GREEN, {}),
    ):
        assert (await verdict("colour-pairs", brand, renders)).status == "not_applicable"


def test_the_guide_tells_which_colours_never_meet_and_what_must_be() -> None:
    brand = {"name": "Lumen", **RED_AND_GREEN, "logos": [{**LOGO, "severity": "must"}]}
    guide = str(brand_guide.files(Bench({"brand": brand}, capability=brand_guide).view)["brand/guide.md"].content)
    assert "## Never on each other\n\n- primary (#c73d1f) and {leaf} (#1a804c)\n- #ffffff and #ffe680" in guide
    assert "clear space of 0.5 × its height on all sides (must)" in guide
