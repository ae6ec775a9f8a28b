"""Targets: large enough, far enough apart, or excepted by the rule."""

from __future__ import annotations

import pytest

from compositor._values import Json
from compositor.verifiers.targets import small_targets


def target(x: float, y: float, width: float, height: float, href: str = "", *, inline: bool = False) -> Json:
    return {
        "selector": f"a#{x:g}-{y:g}",
        "href": href or f"https://a.test/{x}/{y}",
        "box": [x, y, width, height],
        "inline": inline,
    }


def missed(*listed: Json) -> list[str]:
    found = small_targets({"targets": list(listed)}, label="render/window")
    assert {(finding.code, finding.severity) for finding in found} <= {("small-target", "warning")}
    return [finding.message.partition(" ")[0] for finding in found]


def test_two_small_links_close_to_each_other_are_both_missed() -> None:
    assert missed(target(0, 0, 60, 16), target(0, 18, 60, 16)) == ["a#0-0", "a#0-18"]


@pytest.mark.parametrize(("height", "found"), [(24, []), (23.9, ["a#0-0"])])
def test_a_target_of_24_pixels_is_large_enough(height: float, found: list[str]) -> None:
    assert missed(target(0, 0, 24, height), target(0, height, 90, 30)) == found


def test_a_small_target_with_room_around_it_is_fine() -> None:
    assert missed(target(0, 0, 60, 16), target(0, 40, 60, 16)) == []


def test_a_small_target_whose_circle_meets_a_large_one_is_missed() -> None:
    assert missed(target(0, 0, 20, 20), target(21, 0, 100, 48)) == ["a#0-0"]


def test_a_link_among_the_words_of_its_line_is_excepted() -> None:
    assert missed(target(0, 0, 60, 16, inline=True), target(0, 18, 60, 16, inline=True)) == []


def test_a_small_link_to_where_a_large_one_leads_is_excepted() -> None:
    close = target(0, 18, 60, 16, inline=True)
    assert missed(target(0, 0, 60, 16, "https://a.test/"), close, target(0, 90, 200, 100, "https://a.test/")) == []
    assert missed(target(0, 0, 60, 16, "#"), close, target(0, 90, 200, 100, "#")) == ["a#0-0"]


def test_what_has_no_area_is_no_target() -> None:
    assert missed(target(0, 0, 0, 16), target(0, 5, 60, 0), target(0, 9, 60, 30)) == []


def test_a_finding_says_how_large_the_target_is_and_where() -> None:
    (finding, _) = small_targets({"targets": [target(0, 0, 60, 16), target(0, 18, 60, 16)]}, label="render/window")
    assert (finding.measured, finding.threshold) == (16, 24)
    assert (finding.where.of, finding.where.box) == ("render/window", (0, 0, 60, 16))
