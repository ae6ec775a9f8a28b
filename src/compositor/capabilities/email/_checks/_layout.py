"""Measurement `layout`: nothing is clipped, covered, overlapping or off the page on any screen."""

from __future__ import annotations

from compositor.capabilities import CheckContext, Finding, Report, Scope, Verifier
from compositor.capabilities.email._deliverable import LAYOUT, SCREENS
from compositor.verifiers.layout import LAYOUT_THRESHOLDS, examined_texts, layout_findings


async def _check(ctx: CheckContext) -> Report:
    findings: list[Finding] = []
    texts: dict[str, int] = {}
    truncated: list[str] = []
    for screen in SCREENS:
        label = LAYOUT + screen.name
        facts = await ctx.artifacts.read_json(label)
        texts[screen.name] = examined_texts(facts)
        truncated += [screen.name] if facts.get("truncated") else []
        findings += layout_findings(facts, label=label, thresholds=ctx.thresholds)
    measures = {"texts": texts}
    if truncated:
        reason = f"the page is too tall to be seen whole on {', '.join(truncated)}"
        return Report.inconclusive(reason, examined=sum(texts.values()), findings=findings, measures=measures)
    if not all(texts.values()):
        unseen = ", ".join(name for name, count in texts.items() if not count)
        return Report.inconclusive(f"no text was seen on {unseen}", findings=findings, measures=measures)
    return Report(examined=sum(texts.values()), findings=tuple(findings), measures=measures)


layout = Verifier(
    name="layout",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(labels=(LAYOUT,)),
    thresholds=LAYOUT_THRESHOLDS,
    required=True,
)
