"""What a renderer measures on a page, and which of it is too much.

`Rendering.facts` is one JSON object. Boxes are `[x, y, width, height]` in CSS pixels from the page's top left corner;
colours are `#rrggbb`; shares are parts of one.

    screen       name of the screen
    document     {width, height, viewport}: what the page fills, and the width of its window
    truncated    whether the page is taller than the picture, or has more texts than are listed
    texts        one for each text node: {text, box, size (px), weight, colour, behind (the flat colour under it, or
                 null on a picture), family, selector, visible, lines}. Text hidden on purpose, as a preheader is, is
                 listed with `visible: false` and is never a fault
    colours      flat colours that are drawn: {colour, use: background|border|text, share of the page}; a text's share
                 is that of the boxes of its lines; pictures and gradients are left out
    images       {selector, src, alt (null without one), box, natural: [width, height], loaded, refused}
    targets      what can be pressed: {selector, href, box, inline: a link among the words of its line}
    faults       {kind, selector, text, box} and the figures of the kind:
                   clipped (across, down: pixels of ink that are cut; by: selector) · ellipsis (beyond: pixels)
                   overlap (other: its text; share of the smaller) · covered (share of the points probed; by: selector)
                   off-page (beyond: pixels) · sideways (beyond: pixels)
                   broken-image (refused) · distorted-image (stretch: ratio of ratios) · upscaled-image (factor); all
                   three with src
    fonts        web fonts that the page declares: {family, status}

A fault is listed from half a pixel on; the thresholds here decide what of it matters. Frames, shadow trees and texts in
form fields are not looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from compositor._values import Json
from compositor.verifiers._report import Box, Finding, Severity, Where

LAYOUT_THRESHOLDS: Mapping[str, float] = MappingProxyType(
    {
        # Cut ink, in CSS pixels. Measured on planted faults and real mails: rounding stays below 1, a lost stroke not.
        "clip_px": 1.5,
        # Overlap of ink, as a share of the smaller line: rule G2 of the slide-examiner linter.
        "overlap_share": 0.10,
        # Covered probe points of a text, as a share: a fifth of a line hidden is a word lost. House default.
        "cover_share": 0.20,
        # Beyond the window, in CSS pixels: WCAG 2.2, 1.4.10 (no scrolling in two directions), less rounding.
        "off_page_px": 1.0,
        "sideways_px": 1.0,
        # Ratio of a picture's drawn to its own proportions: 2 % (AeSlides), and 1 % for sizes given in whole pixels.
        "stretch": 1.03,
        # Drawn size to own size of a picture: sharp up to 1, and 5 % for sizes given in whole pixels.
        "upscale": 1.05,
    }
)
"""The limits of `layout_findings`; a fault counts when its figure is above its limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One text node as it was drawn. `box` is in page pixels; see the module's text for the rest."""

    text: str
    box: Box
    size: float
    weight: int
    colour: str
    behind: str | None
    family: str
    selector: str
    visible: bool
    lines: int


def texts(facts: Mapping[str, Json], *, visible: bool = True) -> tuple[Text, ...]:
    """The texts of a page in document order: those that can be seen, or all."""
    listed = (Text(**{**text, "box": _box(text["box"])}) for text in facts["texts"])
    return tuple(text for text in listed if text.visible or not visible)


def examined_texts(facts: Mapping[str, Json]) -> int:
    """How many texts were seen and examined: what a layout check reports as `examined`."""
    return sum(1 for text in facts["texts"] if text["visible"])


def layout_findings(
    facts: Mapping[str, Json], *, label: str, thresholds: Mapping[str, Json] = LAYOUT_THRESHOLDS
) -> tuple[Finding, ...]:
    """The layout faults of one rendering that are above their limits.

    Codes: `clipped-text`, `overlapping-text`, `covered-text`, `text-off-page`, `sideways-scroll` and `broken-image`
    block; `shortened-text`, `refused-image`, `distorted-image` and `upscaled-image` warn.

    Args:
        facts: of a rendering.
        label: the artifact that shows the page; each finding's place is in it.
        thresholds: `LAYOUT_THRESHOLDS`, or others with the same names.
    """
    found = (_finding(fault, label, thresholds) for fault in facts["faults"])
    return tuple(finding for finding in found if finding is not None)


Fault: TypeAlias = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """How a kind of fault is judged: `measure` gives its figure, `limit` names its threshold (none: always a fault)."""

    code: str
    severity: Severity
    message: Callable[[Fault], str]
    remedy: str
    measure: Callable[[Fault], float | None]
    limit: str | None = None


def _finding(fault: Fault, label: str, thresholds: Mapping[str, Json]) -> Finding | None:
    rule = _rule(fault)
    measured = rule.measure(fault)
    limit = thresholds[rule.limit] if rule.limit else None
    if measured is not None and limit is not None and measured <= limit:
        return None
    return Finding(
        code=rule.code,
        severity=rule.severity,
        message=rule.message(fault),
        where=Where(of=label, box=_box(fault["box"])),
        measured=round(measured, 3) if measured is not None else None,
        threshold=limit,
        remedy=rule.remedy,
    )


def _rule(fault: Fault) -> _Rule:
    refused = fault["kind"] == "broken-image" and fault["refused"]
    return _REFUSED if refused else _RULES[fault["kind"]]


_RULES = {
    "clipped": _Rule(
        code="clipped-text",
        severity="blocking",
        message=lambda fault: f"{_said(fault)} is cut by {fault['by']}",
        measure=lambda fault: max(fault["across"], fault["down"]),
        limit="clip_px",
        remedy="let the box grow with its text: no fixed height, no overflow: hidden; or shorten the text",
    ),
    "ellipsis": _Rule(
        code="shortened-text",
        severity="warning",
        message=lambda fault: f"{_said(fault)} does not fit and ends in an ellipsis",
        measure=lambda fault: fault["beyond"],
        remedy="let the text wrap, or shorten it",
    ),
    "overlap": _Rule(
        code="overlapping-text",
        severity="blocking",
        message=lambda fault: f"{_said(fault)} and “{_short(fault['other'])}” are drawn over each other",
        measure=lambda fault: fault["share"],
        limit="overlap_share",
        remedy="give each its own place: no negative margins, no absolute positions, no fixed heights",
    ),
    "covered": _Rule(
        code="covered-text",
        severity="blocking",
        message=lambda fault: f"{_said(fault)} lies under {fault['by']}",
        measure=lambda fault: fault["share"],
        limit="cover_share",
        remedy="move what covers it away, or put the text above it",
    ),
    "off-page": _Rule(
        code="text-off-page",
        severity="blocking",
        message=lambda fault: f"{_said(fault)} runs off the side of the page",
        measure=lambda fault: fault["beyond"],
        limit="off_page_px",
        remedy="let the text wrap and its box be as wide as the window at most; break or shorten long words",
    ),
    "sideways": _Rule(
        code="sideways-scroll",
        severity="blocking",
        message=lambda fault: f"the page is wider than its window, because of {fault['selector']}",
        measure=lambda fault: fault["beyond"],
        limit="sideways_px",
        remedy="use widths in percent or a max-width of 100% instead of fixed widths",
    ),
    "broken-image": _Rule(
        code="broken-image",
        severity="blocking",
        message=lambda fault: f"the picture {_source(fault)} cannot be drawn",
        measure=lambda _: None,
        remedy="use the whole address of a picture that is among the assets",
    ),
    "distorted-image": _Rule(
        code="distorted-image",
        severity="warning",
        message=lambda fault: f"the picture {_source(fault)} is stretched",
        measure=lambda fault: fault["stretch"],
        limit="stretch",
        remedy="give its width alone, or both in the picture's own proportions",
    ),
    "upscaled-image": _Rule(
        code="upscaled-image",
        severity="warning",
        message=lambda fault: f"the picture {_source(fault)} is drawn larger than it is, and looks soft",
        measure=lambda fault: fault["factor"],
        limit="upscale",
        remedy="draw it smaller, or use a larger picture",
    ),
}

_REFUSED = _Rule(
    code="refused-image",
    severity="warning",
    message=lambda fault: f"the picture {_source(fault)} is not among the assets, so it was not drawn or checked",
    measure=lambda _: None,
    remedy="use the address of an asset",
)


def _said(fault: Fault) -> str:
    return f"“{_short(fault['text'])}”"


def _source(fault: Fault) -> str:
    return _short(fault["src"]) or "without an address"


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _box(value: Json) -> Box:
    x, y, width, height = (float(part) for part in value)
    return (x, y, width, height)
