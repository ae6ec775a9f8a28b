"""Measurement `cohesion`: the words of a deliverable are of one piece."""

from __future__ import annotations

from compositor.capabilities import COPY, CheckContext, Report, Scope, Verifier, copy_sections
from compositor.capabilities.cohesion._actions import EQUAL_RANK, action_findings
from compositor.capabilities.cohesion._address import address_findings
from compositor.capabilities.cohesion._given import FIELDS
from compositor.capabilities.cohesion._headlines import (
    HEADLINE_CHARACTERS,
    HEADLINE_WORDS,
    LARGER,
    headline_findings,
)
from compositor.capabilities.cohesion._names import name_findings
from compositor.capabilities.cohesion._repeats import NEAR, PARAGRAPH_WORDS, REPEAT_WORDS, repeat_findings


async def _check(ctx: CheckContext) -> Report:
    sections = copy_sections(await ctx.artifacts.read_json(COPY))
    findings = (
        *action_findings(sections, ctx.view, ctx.thresholds),
        *repeat_findings(sections, ctx.view, ctx.thresholds),
        *headline_findings(sections, ctx.view, ctx.thresholds),
        *name_findings(sections, ctx.view),
        *address_findings(sections, ctx.view),
    )
    return Report(examined=len(sections), findings=findings)


cohesion_verifier = Verifier(
    name="cohesion",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=FIELDS, labels=(COPY,)),
    thresholds={
        "equal_rank": EQUAL_RANK,
        "headline_characters": HEADLINE_CHARACTERS,
        "headline_words": HEADLINE_WORDS,
        "larger": LARGER,
        "near": NEAR,
        "paragraph_words": PARAGRAPH_WORDS,
        "repeat_words": REPEAT_WORDS,
    },
)
