"""Measurement `palette`: the colours of every picture of the deliverable are the brand's."""

from __future__ import annotations

from compositor._values import thaw
from compositor.capabilities import RENDER, CheckContext, Report, Scope, Verifier
from compositor.verifiers.palette import PALETTE_THRESHOLDS, measure_palette
from compositor.workspace.tokens import palette


async def _check(ctx: CheckContext) -> Report:
    brand = thaw(ctx.view.get("brand", {}))
    named = palette(brand)
    if not named:
        return Report.not_applicable(0, of="palette colours")
    labels = ctx.artifacts.labels(RENDER)
    renders = {label: artifact.facts.get("colours", ()) for label in labels if (artifact := ctx.artifacts.get(label))}
    if not renders:
        return Report.not_applicable(0, of="pictures of the deliverable")
    rule = brand.get("palette", {})
    result = measure_palette(
        renders,
        named,
        binding=rule.get("severity", "should"),
        tolerance=rule.get("tolerance"),
        thresholds=ctx.thresholds,
    )
    return Report(examined=result.examined, findings=result.findings, measures=result.measures)


palette_verifier = Verifier(
    name="palette",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=("brand",), labels=(RENDER,)),
    thresholds=PALETTE_THRESHOLDS,
)
