"""Measurement `layout`: nothing is clipped, covered, overlapping or off the page on any screen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from compositor._values import Json
from compositor.capabilities import CheckContext, Finding, Report, Scope, Verifier, Where
from compositor.capabilities.email._deliverable import LAYOUT, SCREENS
from compositor.verifiers.layout import LAYOUT_THRESHOLDS, examined_texts, layout_findings


async def _check(ctx: CheckContext) -> Report:
    findings: list[Finding] = []
    texts = {}
    for screen in SCREENS:
        label = LAYOUT + screen.name
        facts = await ctx.artifacts.read_json(label)
        texts[screen.name] = examined_texts(facts)
        findings += layout_findings(without_refused(facts), label=label, thresholds=ctx.thresholds)
        findings += _not_shown(facts, label)
    return Report(examined=sum(texts.values()), findings=tuple(findings), measures={"texts": texts})


def without_refused(facts: Mapping[str, Json]) -> Mapping[str, Json]:
    """The facts without broken pictures that were refused here: they may be whole where the mail is read."""
    refused = set(facts.get("refused", ()))
    absent = {image["selector"] for image in facts.get("images", ()) if image.get("src") in refused}

    def kept(fault: Mapping[str, Any]) -> bool:
        return not (fault["kind"] == "broken-image" and fault.get("selector") in absent)

    return {**facts, "faults": [fault for fault in facts.get("faults", ()) if kept(fault)]}


def _not_shown(facts: Mapping[str, Json], label: str) -> Iterator[Finding]:
    refused = [image for image in facts.get("images", ()) if image.get("src") in set(facts.get("refused", ()))]
    if refused:
        yield Finding(
            code="pictures-not-shown",
            severity="note",
            message=f"{len(refused)} pictures from other hosts were not fetched, so nothing is said about them",
            where=Where(of=label),
            measured=len(refused),
        )


layout = Verifier(
    name="layout",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(labels=(LAYOUT,)),
    thresholds=LAYOUT_THRESHOLDS,
    required=True,
)
