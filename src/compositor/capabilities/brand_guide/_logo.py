"""Measurement `logo`: the brand's logos are large enough and have room, in every picture of the deliverable."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compositor._values import Json, thaw
from compositor.capabilities import RENDER, CheckContext, Finding, Report, Scope, Verifier, Where
from compositor.verifiers import Severity
from compositor.workspace import Placement

THRESHOLDS: Mapping[str, Json] = {
    # Boxes are those of a browser, which may round to half a pixel. The limits themselves are the brand's.
    "rounding_px": 0.5,
}

Logo = Mapping[str, Json]


async def _check(ctx: CheckContext) -> Report:
    logos = [logo for logo in thaw(ctx.view.get("brand", {})).get("logos", ()) if _has_rules(logo)]
    if not logos:
        return Report.not_applicable(0, of="logos with rules")
    places = [(label, place) for label in ctx.artifacts.labels(RENDER) for place in _places(ctx, label)]
    shown = [(logo, label, place) for logo in logos for label, place in places if place.asset == logo["asset"]]
    if not shown:
        return Report.not_applicable(0, of="logos with rules in the pictures")
    findings = tuple(
        finding
        for logo, label, place in shown
        for finding in (*_too_narrow(logo, label, place, ctx.thresholds), *_crowded(logo, label, place, ctx.thresholds))
    )
    return Report(examined=len(shown), findings=findings, measures={"logos": len(logos), "places": len(shown)})


def _has_rules(logo: Logo) -> bool:
    return logo.get("min_width") is not None or logo.get("clear_space") is not None


def _places(ctx: CheckContext, label: str) -> Iterator[Placement]:
    artifact = ctx.artifacts.get(label)
    yield from (Placement.from_json(place) for place in (artifact.facts.get("images", ()) if artifact else ()))


def _too_narrow(logo: Logo, label: str, place: Placement, limits: Mapping[str, Json]) -> Iterator[Finding]:
    least, width = logo.get("min_width"), place.box[2]
    if least is not None and width < least - limits["rounding_px"]:
        yield Finding(
            code="small-logo",
            severity=_severity(logo),
            message=f"the logo {place.asset!r} is {width:g} px wide; the brand asks for {least:g}",
            where=Where(of=label, box=place.box),
            measured=width,
            threshold=least,
            remedy=f"draw it {least:g} px wide or wider",
        )


def _crowded(logo: Logo, label: str, place: Placement, limits: Mapping[str, Json]) -> Iterator[Finding]:
    part = logo.get("clear_space")
    least = round((part or 0) * place.box[3], 1)
    if place.clear < least - limits["rounding_px"]:
        yield Finding(
            code="crowded-logo",
            severity=_severity(logo),
            message=f"the logo {place.asset!r} has {place.clear:g} px to the next {place.nearest}; the brand asks for"
            f" {part:g} of its height, {least:g} px",
            where=Where(of=label, box=place.box),
            measured=place.clear,
            threshold=least,
            remedy=f"leave {least:g} px free on all sides of it, or draw it smaller",
        )


def _severity(logo: Logo) -> Severity:
    return "blocking" if logo.get("severity") == "must" else "warning"


logo_verifier = Verifier(
    name="logo",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=("brand",), labels=(RENDER,)),
    thresholds=THRESHOLDS,
)
