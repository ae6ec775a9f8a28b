"""Measurement `colour-pairs`: colours that the brand never sets on each other are not set on each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compositor._values import Json, thaw
from compositor.capabilities import RENDER, CheckContext, Finding, Report, Scope, Verifier, Where
from compositor.verifiers import Severity
from compositor.verifiers.palette import PALETTE_THRESHOLDS, nearest_in
from compositor.workspace import ColourPair
from compositor.workspace.tokens import NamedColour, never_together

THRESHOLDS: Mapping[str, Json] = {
    # How near a drawn colour is to the brand's to be taken for it: what passes as a colour of the palette.
    "same": PALETTE_THRESHOLDS["passes"],
}


async def _check(ctx: CheckContext) -> Report:
    brand = thaw(ctx.view.get("brand", {}))
    never = never_together(brand)
    if not never:
        return Report.not_applicable(0, of="pairs of colours that are never used")
    seen = [(label, pair) for label in ctx.artifacts.labels(RENDER) for pair in _pairs(ctx, label)]
    if not seen:
        return Report.not_applicable(0, of="texts on flat colours")
    severity: Severity = "blocking" if brand["palette"].get("severity") == "must" else "warning"
    findings: dict[tuple[str, str], Finding] = {}
    for label, pair in seen:
        for one, other in never:
            if _is(pair, one, other, ctx.thresholds["same"]) or _is(pair, other, one, ctx.thresholds["same"]):
                findings.setdefault((pair.colour, pair.behind), _finding(pair, one, other, label, severity))
    return Report(examined=len(seen), findings=tuple(findings.values()), measures={"pairs": len(seen)})


def _pairs(ctx: CheckContext, label: str) -> Iterator[ColourPair]:
    artifact = ctx.artifacts.get(label)
    yield from (ColourPair.from_json(pair) for pair in (artifact.facts.get("pairs", ()) if artifact else ()))


def _is(pair: ColourPair, ink: NamedColour, ground: NamedColour, same: float) -> bool:
    return nearest_in([ink], pair.colour)[2] <= same and nearest_in([ground], pair.behind)[2] <= same


def _finding(pair: ColourPair, one: NamedColour, other: NamedColour, label: str, severity: Severity) -> Finding:
    return Finding(
        code="colours-never-together",
        severity=severity,
        message=f"“{pair.text}” stands in {pair.colour} on {pair.behind}; the brand never sets {one[0]} and {other[0]}"
        " on each other",
        where=Where(of=label, box=pair.box),
        measured=f"{pair.colour} on {pair.behind}",
        threshold=f"{one[1]} and {other[1]}",
        remedy=f"wherever {pair.colour} stands on {pair.behind}, change one of the two",
    )


pairs_verifier = Verifier(
    name="colour-pairs",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=("brand",), labels=(RENDER,)),
    thresholds=THRESHOLDS,
)
