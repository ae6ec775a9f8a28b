"""Measurement of colours: what a render draws, against the palette of a brand.

Pure: it reads the facts of renders (`facts["colours"]`, see `ColourUse`), which hold flat colours only, no pictures.
It knows no format.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from compositor._values import Json
from compositor.verifiers._report import Finding, Severity, Where

PALETTE_THRESHOLDS: Mapping[str, Json] = {
    # CHECKS §3: delta E 2000 up to 3 passes, above 10 fails. A request may widen what passes (`palette.tolerance`).
    "passes": 3.0,
    "fails": 10.0,
    # House defaults. Greys, near-whites and near-blacks belong to every palette: OKLCH chroma up to that of slate grey.
    "neutral_chroma": 0.04,
    # A colour on less of the picture than this (a square of 30 px in 600 × 1,500) is a detail and is not judged.
    "smallest_share": 0.001,
}

Binding = Literal["must", "should"]
Colours = Sequence[tuple[str, str]]
"""Named colours: `(name, "#rrggbb")`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteResult:
    """What was measured.

    Attributes:
        findings: one for each colour that is too far from the palette, the most used first.
        examined: how many different colours were looked at.
        measures: how many of these were exempt: `neutral`, `small`; and the `judged` ones.
    """

    findings: tuple[Finding, ...]
    examined: int
    measures: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Use:
    """A colour over all renders: its largest share there, and the render that has it."""

    colour: str
    share: float
    label: str
    use: str


def measure_palette(
    renders: Mapping[str, Iterable[Mapping[str, Json]]],
    palette: Colours,
    *,
    binding: Binding = "should",
    tolerance: float | None = None,
    thresholds: Mapping[str, Json] = PALETTE_THRESHOLDS,
) -> PaletteResult:
    """Compare the colours of renders with a palette.

    A colour that is as near as `passes` is the brand's. Up to `fails` it drifts: a warning where the palette binds
    (`must`), else a note. Beyond, it is foreign: blocking where the palette binds, else a warning.

    Args:
        renders: label → its `facts["colours"]`.
        palette: named colours; at least one.
        binding: the request's `brand.palette.severity`.
        tolerance: the request's `brand.palette.tolerance`, in place of `passes`.
        thresholds: see `PALETTE_THRESHOLDS`.
    """
    used = _used(renders)
    visible = [use for use in used if use.share >= thresholds["smallest_share"]]
    judged = [use for use in visible if not is_neutral(use.colour, thresholds["neutral_chroma"])]
    passes = thresholds["passes"] if tolerance is None else tolerance
    findings = [
        finding
        for use in judged
        if (finding := _judged(use, palette, passes, max(passes, thresholds["fails"]), binding)) is not None
    ]
    counts = {"neutral": len(visible) - len(judged), "small": len(used) - len(visible), "judged": len(judged)}
    return PaletteResult(findings=tuple(findings), examined=len(used), measures=counts)


def is_neutral(colour: str, chroma: float) -> bool:
    """Whether a colour is a grey, or so near white or black that its hue is not seen.

    Args:
        colour: `#rrggbb`.
        chroma: the largest OKLCH chroma that still counts as grey.
    """
    return bool(_colour(colour).convert("oklch")["chroma"] <= chroma)


def nearest_in(palette: Colours, colour: str) -> tuple[str, str, float]:
    """The nearest colour of a palette by delta E 2000: its name, `#rrggbb`, and the distance."""
    exact = next(((name, known) for name, known in palette if known == colour), None)
    if exact:
        return *exact, 0.0
    wanted = _colour(colour)
    distances = ((name, known, float(wanted.delta_e(_colour(known), method="2000"))) for name, known in palette)
    return min(distances, key=lambda entry: entry[2])


def _used(renders: Mapping[str, Iterable[Mapping[str, Json]]]) -> list[_Use]:
    """Each colour once, the most used first; its shares as text, fill and line of one render count together."""
    most: dict[str, _Use] = {}
    for label, colours in sorted(renders.items()):
        shares: dict[str, float] = {}
        first: dict[str, str] = {}
        for use in colours:
            shares[use["colour"]] = shares.get(use["colour"], 0.0) + use["share"]
            first.setdefault(use["colour"], use["use"])
        for colour, share in shares.items():
            if colour not in most or share > most[colour].share:
                most[colour] = _Use(colour=colour, share=share, label=label, use=first[colour])
    return sorted(most.values(), key=lambda use: (-use.share, use.colour))


def _judged(use: _Use, palette: Colours, passes: float, fails: float, binding: Binding) -> Finding | None:
    name, known, distance = nearest_in(palette, use.colour)
    if distance <= passes:
        return None
    foreign = distance > fails
    return Finding(
        code="off-palette" if foreign else "near-palette",
        severity=_severity(binding, foreign=foreign),
        message=f"{use.colour} ({use.use}, {use.share:.1%} of the area) is not of the brand; nearest: {known} ({name})",
        where=Where(of=use.label),
        measured=round(distance, 1),
        threshold=fails if foreign else passes,
        remedy=f"replace {use.colour} with {known}",
    )


def _severity(binding: Binding, *, foreign: bool) -> Severity:
    if binding == "must":
        return "blocking" if foreign else "warning"
    return "warning" if foreign else "note"


def _colour(value: str) -> Any:
    from coloraide import Color  # slow to import, and not wanted by those who only compose

    return Color(value)
