"""Measurement `contrast`: every text can be read on what lies behind it, a colour or a picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compositor._values import Json
from compositor.capabilities import RENDER, CheckContext, Finding, Report, Scope, Verifier
from compositor.capabilities.email._checks._screens import pages, told_once, unseen
from compositor.capabilities.email._deliverable import LAYOUT
from compositor.verifiers.contrast import CONTRAST_THRESHOLDS, measure_contrast, needed_ratio, ring_findings
from compositor.verifiers.layout import Text
from compositor.workspace import Ink


async def _check(ctx: CheckContext) -> Report:
    seen = await pages(ctx)
    screens = [await _on_screen(ctx, name, facts) for name, facts in seen.items()]
    findings = told_once(finding for screen in screens for finding in screen.findings)
    examined = sum(screen.examined for screen in screens)
    measures = {"texts": examined, "on_pictures": sum(screen.on_pictures for screen in screens)}
    if reason := unseen(seen) or next((screen.undecided for screen in screens if screen.undecided), ""):
        return Report.inconclusive(reason, examined=examined, findings=findings, measures=measures)
    return Report(examined=examined, findings=findings, measures=measures)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Screen:
    """What one screen shows; `undecided` says why a text could not be judged there."""

    findings: tuple[Finding, ...]
    examined: int
    on_pictures: int
    undecided: str


async def _on_screen(ctx: CheckContext, name: str, facts: Mapping[str, Json]) -> _Screen:
    label = LAYOUT + name
    measured = measure_contrast(facts, label=label, thresholds=ctx.thresholds)
    rings = await _rings(ctx, name, (*measured.faint, *measured.on_pictures))
    faint, on_pictures = rings[: len(measured.faint)], rings[len(measured.faint) :]
    unclear = [text for text, share in zip(measured.on_pictures, on_pictures, strict=True) if share is None]
    return _Screen(
        findings=(
            *_confirmed(measured.findings, faint, ctx.thresholds["ring_share"]),
            *ring_findings(measured.on_pictures, on_pictures, label=label, thresholds=ctx.thresholds),
        ),
        examined=measured.examined,
        on_pictures=len(measured.on_pictures),
        undecided=_undecided(name, unclear, _not_drawn(facts) if measured.on_pictures else []),
    )


def _confirmed(findings: Sequence[Finding], rings: Sequence[float | None], limit: float) -> Iterator[Finding]:
    """Those that hold in the picture too: an outline or a shadow of the letters is no part of their style's colours."""
    return (finding for finding, ring in zip(findings, rings, strict=True) if ring is None or ring > limit)


async def _rings(ctx: CheckContext, name: str, texts: Sequence[Text]) -> tuple[float | None, ...]:
    """The part of each text's ring that cannot be read, in the picture of the screen."""
    picture = ctx.artifacts.get(RENDER + name)
    if not texts or picture is None:
        return (None,) * len(texts)
    width, height = picture.facts["width"], picture.facts["height"]
    inks = []
    for text in texts:
        x, y, across, down = text.box
        box = (x / width, y / height, (x + across) / width, (y + down) / height)
        inks.append(Ink(box=box, colour=text.colour, ratio=needed_ratio(text, ctx.thresholds)))
    return await ctx.ports.pictures.rings(await ctx.artifacts.read(RENDER + name), inks)


def _not_drawn(facts: Mapping[str, Json]) -> list[str]:
    """Backgrounds that were not drawn: what the page asked for in vain, and no picture of its own shows."""
    return sorted(set(facts.get("refused", ())) - {image["src"] for image in facts.get("images", ())})


def _undecided(name: str, unclear: Sequence[Text], not_drawn: Sequence[str]) -> str:
    if not_drawn:
        return f"texts lie on pictures, and {not_drawn[0][:80]} was not drawn on {name}"
    if unclear:
        words = unclear[0].text[:60]
        return f"no letters in the colour of “{words}” were found on the picture behind it, on {name}"
    return ""


contrast = Verifier(
    name="contrast",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(labels=(LAYOUT, RENDER)),
    thresholds=CONTRAST_THRESHOLDS,
    required=True,
)
