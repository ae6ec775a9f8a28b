"""Measurement of contrast: whether every text can be told from what lies behind it.

Pure: it reads the facts of a rendering (`compositor.verifiers.layout` describes them), where colours are resolved:
what is translucent stands with the colour that is seen. A text on a flat colour is measured by its style. A text on a
picture or a gradient has none behind it: it is given back, and judged by the share of its ring that cannot be read
(`Pictures.rings`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import floor
from types import MappingProxyType
from typing import Any

from compositor._values import Json
from compositor.verifiers._report import Finding, Where
from compositor.verifiers.layout import Text, texts

CONTRAST_THRESHOLDS: Mapping[str, float] = MappingProxyType(
    {
        # WCAG 2.2, 1.4.3: 4.5 to 1, and 3 to 1 for text of 18 pt, or 14 pt and bold; at 96 dpi 24 and 18.66 px.
        "ratio": 4.5,
        "large_ratio": 3.0,
        "large_px": 24.0,
        "bold_px": 18.66,
        "bold_weight": 700.0,
        # The part of a text's ring that may lack its ratio. Calibrated on 490 texts drawn on 14 grounds, see the
        # adapter: plain text on a ground that it does not stand out from has 0.93 and more (67 cases); on one that it
        # does, or on a plate, it has at most 0.28, but for one of 212 (14 px on a plate over noise: 0.47).
        "ring_share": 1 / 3,
    }
)
"""The limits of contrast. Nothing is rounded to reach them: 4.478 is below 4.5."""

_BLACK, _WHITE = "#000000", "#ffffff"
_HALVINGS = 12
"""Steps of the search for a lightness; finer than a colour of eight bits can show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastResult:
    """What was measured.

    Attributes:
        findings: `low-contrast`, one for each text that cannot be told from the flat colour behind it.
        faint: these texts, in the same order. An outline or a shadow can still make them stand out: their rings tell.
        on_pictures: texts without a flat colour behind them.
        examined: how many texts were looked at, with those on pictures. Texts without a letter or a digit are none:
            1.4.3 leaves out what only decorates, and emoji have colours of their own.
    """

    findings: tuple[Finding, ...]
    faint: tuple[Text, ...]
    on_pictures: tuple[Text, ...]
    examined: int


def measure_contrast(
    facts: Mapping[str, Json], *, label: str, thresholds: Mapping[str, Json] = CONTRAST_THRESHOLDS
) -> ContrastResult:
    """Compare each visible text with the flat colour behind it.

    Args:
        facts: of a rendering.
        label: the artifact that shows the page; each finding's place is in it.
        thresholds: `CONTRAST_THRESHOLDS`, or others with the same names.
    """
    read = [text for text in texts(facts) if any(map(str.isalnum, text.text))]
    faint = [(text, finding) for text in read for finding in _on_flat(text, label, thresholds)]
    return ContrastResult(
        findings=tuple(finding for _, finding in faint),
        faint=tuple(text for text, _ in faint),
        on_pictures=tuple(text for text in read if text.behind is None),
        examined=len(read),
    )


def ring_findings(
    on_pictures: Sequence[Text],
    shares: Sequence[float | None],
    *,
    label: str,
    thresholds: Mapping[str, Json] = CONTRAST_THRESHOLDS,
) -> tuple[Finding, ...]:
    """`low-contrast-on-picture`, one for each text too much of whose ring lacks the ratio that it needs.

    Args:
        on_pictures: the texts.
        shares: of each, as `Pictures.rings` gives them; None gives no finding, and is the caller's matter.
        label: the artifact that shows the page.
        thresholds: `CONTRAST_THRESHOLDS`, or others with the same names.
    """
    limit = thresholds["ring_share"]
    return tuple(
        Finding(
            code="low-contrast-on-picture",
            severity="blocking",
            message=f"“{_short(text.text)}” ({text.colour}) does not stand out from the picture that it lies on",
            where=Where(of=label, box=text.box),
            measured=round(share, 3),
            threshold=round(limit, 3),
            remedy=f"put a plain colour behind it that has {needed_ratio(text, thresholds):g}:1 with {text.colour},"
            f" such as {readable_colour(text.colour, text.colour, needed_ratio(text, thresholds))}, or set it beside"
            " the picture",
        )
        for text, share in zip(on_pictures, shares, strict=True)
        if share is not None and share > limit
    )


def needed_ratio(text: Text, thresholds: Mapping[str, Json] = CONTRAST_THRESHOLDS) -> float:
    """The contrast ratio that a text of this size and weight needs."""
    bold = text.weight >= thresholds["bold_weight"] and text.size >= thresholds["bold_px"]
    return float(thresholds["large_ratio" if bold or text.size >= thresholds["large_px"] else "ratio"])


def contrast_ratio(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2 of two colours `#rrggbb`, 1 to 21, not rounded."""
    dark, light = sorted(luminance(bytes.fromhex(colour[1:])) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def luminance(rgb: bytes) -> float:
    """The relative luminance of WCAG 2.2 of a colour of three bytes, 0 to 1.

    Written out, since libraries take finer weights: in one pair of colours of 7,000 these fall on the other side of a
    limit than the definition that auditors use.
    """
    red, green, blue = rgb
    return 0.2126 * _LIGHT[red] + 0.7152 * _LIGHT[green] + 0.0722 * _LIGHT[blue]


_LIGHT = tuple(
    part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
    for part in (level / 255 for level in range(256))
)
"""What each level of sRGB is in light."""


@lru_cache(maxsize=256)
def readable_colour(colour: str, ground: str, ratio: float) -> str:
    """The nearest colour that has the ratio with the ground: of the same hue, lighter or darker as far as it must be.

    Its OKLCH lightness moves towards black or white, whichever is the shorter way; chroma that a screen cannot show is
    dropped. Up to a ratio of 4.58 one of the two ends has it on any ground; where neither has, the better one is the
    answer.
    """
    reached = [moved for end in (_BLACK, _WHITE) if (moved := _moved(colour, ground, ratio, end))]
    if not reached:
        return max((_BLACK, _WHITE), key=lambda end: contrast_ratio(end, ground))
    return min(reached, key=lambda moved: abs(_lightness(moved) - _lightness(colour)))


def _moved(colour: str, ground: str, ratio: float, end: str) -> str | None:
    """The colour, moved towards an end until it has the ratio; None where even the end has not."""
    if contrast_ratio(end, ground) < ratio:
        return None
    near, far, found = _lightness(colour), _lightness(end), end
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        moved = _at(colour, middle)
        if contrast_ratio(moved, ground) >= ratio:
            far, found = middle, moved
        else:
            near = middle
    return found


def _on_flat(text: Text, label: str, thresholds: Mapping[str, Json]) -> Iterator[Finding]:
    if text.behind is None:
        return
    needed, measured = needed_ratio(text, thresholds), contrast_ratio(text.colour, text.behind)
    if measured < needed:
        better = readable_colour(text.colour, text.behind, needed)
        yield Finding(
            code="low-contrast",
            severity="blocking",
            message=f"“{_short(text.text)}” is hard to read: {text.colour} on {text.behind}",
            where=Where(of=label, box=text.box),
            measured=floor(measured * 1000) / 1000,  # rounded up, a figure below its limit could read as the limit
            threshold=needed,
            remedy=f"write it in {better}, which has {contrast_ratio(better, text.behind):.1f}:1 on {text.behind}",
        )


def _lightness(colour: str) -> float:
    return float(_colour(colour).convert("oklch")["lightness"])


def _at(colour: str, lightness: float) -> str:
    moved = _colour(colour).convert("oklch")
    moved["lightness"] = lightness
    return str(moved.convert("srgb").to_string(hex=True, fit="oklch-chroma"))


def _colour(value: str) -> Any:
    from coloraide import Color  # slow to import, and not wanted by those who only compose

    return Color(value)


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
