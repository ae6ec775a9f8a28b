"""Measurement `disclosures`: required words stand in the deliverable, word for word, where a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compositor._values import Json
from compositor.capabilities import COPY, CheckContext, Finding, Report, Scope, Section, Verifier, copy_sections
from compositor.capabilities.domain_rules._required import FIELDS, UNSEEN, Required, holding, required
from compositor.workspace.wording import folded

SMALLEST_PX = 11.0
"""Required words are readable: a house value, below the 12 px of footers and above what has to be zoomed."""


async def _check(ctx: CheckContext) -> Report:
    wanted = required(ctx.view)
    if not wanted:
        return Report.not_applicable(0, of="required disclosures")
    sections = copy_sections(await ctx.artifacts.read_json(COPY))
    drawn = any(section.box for section in sections)
    findings = [finding for one in wanted for finding in _shown(one, sections, ctx.thresholds, drawn=drawn)]
    return Report(examined=len(wanted), findings=tuple(findings))


def _shown(one: Required, sections: Sequence[Section], thresholds: Json, *, drawn: bool) -> Iterator[Finding]:
    """The words stand there verbatim, and a reader sees them at a size that can be read."""
    found = holding(sections, one.text)
    if not found:
        message = f"the required words {one.id} are not there word for word ({one.asked_by})"
        place = _nearest(sections, one.text)
        yield Finding.at(place, "disclosure-missing", message, f"write them: {one.text}", measured=one.text)
        return
    unseen = [section for section in found if drawn and section.box is None]
    if unseen:
        message = f"the required words {one.id} are in the text, and nobody sees them"
        yield Finding.at(unseen[0], "disclosure-hidden", message, "show them: no hidden part, no size or height of 0")
        return
    small = min((section.size for section in found if section.size), default=None)
    if small is not None and small < thresholds["smallest_px"]:
        message = f"the required words {one.id} are {small:g} px high"
        yield Finding.at(
            found[0],
            "disclosure-small",
            message,
            f"set them at {thresholds['smallest_px']:g} px at least",
            measured=small,
            threshold=thresholds["smallest_px"],
        )
    if one.position == "prominent" and all(section.role == "legal" for section in found):
        message = f"the required words {one.id} have to be prominent, and stand in the small print"
        yield Finding.at(found[0], "disclosure-not-prominent", message, "give them a section of their own above it")


def _nearest(sections: Sequence[Section], words: str) -> Section:
    """The section that most likely was meant to hold the words, else the last one."""
    wanted = set(folded(words).split())
    seen = [section for section in sections if section.role not in UNSEEN] or list(sections)
    if not seen:
        return Section(id="copy", role="body", text="", place=COPY)
    best = max(seen, key=lambda section: len(wanted & set(folded(section.text).split())))
    return best if len(wanted & set(folded(best.text).split())) * 2 >= len(wanted) else seen[-1]


disclosures = Verifier(
    name="disclosures",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=FIELDS, labels=(COPY,)),
    thresholds={"smallest_px": SMALLEST_PX},
)
