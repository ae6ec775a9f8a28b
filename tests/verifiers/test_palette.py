"""Measurement of colours against a palette."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor._values import Json
from compositor.verifiers.palette import (
    PALETTE_THRESHOLDS,
    Binding,
    PaletteResult,
    is_neutral,
    measure_palette,
    nearest_in,
)

BRAND = (("flame", "#c73d1f"), ("night", "#14213d"), ("paper", "#ffffff"))


def use(colour: str, share: float = 0.1, kind: str = "background") -> dict[str, Json]:
    return {"colour": colour, "use": kind, "share": share}


def measured(*uses: dict[str, Json], binding: Binding = "must", tolerance: float | None = None) -> PaletteResult:
    return measure_palette({"render/desktop": uses}, BRAND, binding=binding, tolerance=tolerance)


def test_colours_of_the_palette_give_no_finding() -> None:
    assert measured(use("#c73d1f"), use("#14213d"), use("#ffffff")).findings == ()


def test_one_foreign_colour_gives_exactly_one_finding_with_its_figures() -> None:
    (finding,) = measured(use("#c73d1f"), use("#2e8b57", 0.2)).findings
    assert (finding.code, finding.severity, finding.threshold) == ("off-palette", "blocking", 10.0)
    assert isinstance(finding.measured, float)
    assert finding.measured > 10
    assert "#2e8b57" in finding.message
    assert str(finding.where) == "render/desktop"


def test_a_colour_on_several_renders_and_in_several_uses_is_one_finding_at_its_largest() -> None:
    renders = {
        "render/a": [use("#2e8b57", 0.1)],
        "render/b": [use("#2e8b57", 0.1), use("#2e8b57", 0.15, "text")],
        "render/c": [use("#2e8b57", 0.2)],
    }
    (finding,) = measure_palette(renders, BRAND, binding="must").findings
    assert finding.where.of == "render/b"
    assert "25.0%" in finding.message


@pytest.mark.parametrize(
    ("colour", "binding", "expected"),
    [
        ("#c83e20", "must", []),
        ("#d4502f", "must", [("near-palette", "warning")]),
        ("#d4502f", "should", [("near-palette", "note")]),
        ("#2e8b57", "must", [("off-palette", "blocking")]),
        ("#2e8b57", "should", [("off-palette", "warning")]),
    ],
)
def test_severity_follows_the_distance_and_what_the_brand_says(
    colour: str, binding: Binding, expected: list[tuple[str, str]]
) -> None:
    found = measured(use(colour), binding=binding).findings
    assert [(finding.code, finding.severity) for finding in found] == expected


def test_a_wider_tolerance_of_the_request_lets_more_pass() -> None:
    assert measured(use("#d4502f"), tolerance=12).findings == ()
    assert measured(use("#2e8b57"), tolerance=100).findings == ()


@pytest.mark.parametrize(
    "colour", ["#ffffff", "#fdfcfa", "#f4f1ec", "#808080", "#5c6670", "#222222", "#000000", "#0b0d10"]
)
def test_greys_and_what_is_near_white_or_black_are_free_and_counted(colour: str) -> None:
    result = measure_palette({"render/x": [use(colour)]}, (("flame", "#c73d1f"),), binding="must")
    assert result.findings == ()
    assert result.measures == {"neutral": 1, "small": 0, "judged": 0}


@pytest.mark.parametrize("colour", ["#ffd6cc", "#b5ddd3", "#003366", "#330000", "#8a6d3b", "#6f8faf"])
def test_a_visible_hue_is_no_grey(colour: str) -> None:
    assert not is_neutral(colour, PALETTE_THRESHOLDS["neutral_chroma"])


def test_a_speck_is_not_judged_and_counted() -> None:
    result = measured(use("#2e8b57", 0.0005))
    assert result.findings == ()
    assert result.measures["small"] == 1
    assert result.examined == 1


def test_the_remedy_names_the_nearest_colour_of_the_brand() -> None:
    (finding,) = measured(use("#e0703a")).findings
    assert finding.remedy == "replace #e0703a with #c73d1f"


@given(st.integers(0, 0xFFFFFF).map("#{:06x}".format))
def test_a_colour_is_at_no_distance_from_itself(colour: str) -> None:
    assert nearest_in((("it", colour), ("other", "#123456")), colour) == ("it", colour, 0.0)
