"""Measurement `plan`: the plan can be read, rests on what the request gives, and is what the mail became."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.capabilities import COPY, CheckContext, Finding, Report, Scope, Verifier, View, Where, copy_sections
from compositor.capabilities.email._assets import Asset, made_pictures, showable
from compositor.capabilities.email._deliverable import PICTURES, PLAN, SOURCE
from compositor.capabilities.email._plan import SECTION_CLASS, Plan, PlanFaulty, PlannedSection, read_plan
from compositor.verifiers import Severity
from compositor.verifiers.markup import tokens

_FIELDS = (
    "assets",
    "audience",
    "brand",
    "brief",
    "claims",
    "delivery",
    "edit",
    "examples",
    "references",
    "rules",
    "sources",
)
_NAMED = ("claims", "sources", "references", "examples", "rules.required_disclosures")


async def _check(ctx: CheckContext) -> Report:
    try:
        plan = read_plan(await ctx.files.read_text(PLAN))
    except PlanFaulty as error:
        faults = tuple(_finding("plan-form", f"{path} {fault}", "correct it") for path, fault in error.faults)
        return Report(examined=1, findings=faults)
    source = await ctx.files.read_text(SOURCE)
    said = " ".join(section.text for section in copy_sections(await ctx.artifacts.read_json(COPY)))
    addresses = {str(asset["id"]): url for asset, url in await showable(ctx.files, ctx.view)}
    findings = (
        *_empty(plan),
        *_drawn(plan, source),
        *_rests(plan, ctx.view, await made_pictures(ctx.files)),
        *_said(plan, said, source, addresses),
        *_subject(plan, ctx.view),
    )
    return Report(examined=len(plan.sections), findings=findings, measures={"sections": len(plan.sections)})


def _empty(plan: Plan) -> Iterator[Finding]:
    if not plan.sections:
        yield _finding(
            "empty-plan", "the plan has no sections", "list the sections of the mail, each with its evidence"
        )


def _drawn(plan: Plan, source: str) -> Iterator[Finding]:
    """Plan and mail have the same sections."""
    drawn = _sections_in(source)
    for section in plan.sections:
        if section.id not in drawn:
            remedy = (
                f'write css-class="{SECTION_CLASS}{section.id}" on its mj-section or mj-wrapper, or plan without it'
            )
            yield _finding("planned-section-missing", f"the planned section {section.id!r} is not in {SOURCE}", remedy)
    planned = {section.id for section in plan.sections}
    for identity, line in drawn.items():
        if identity not in planned:
            yield Finding(
                code="unplanned-section",
                severity="warning",
                message=f"the section {identity!r} is not in the plan",
                where=Where(of=SOURCE, line=line),
                remedy="add it to the plan with what it rests on, or remove it",
            )


def _sections_in(source: str) -> dict[str, int]:
    drawn: dict[str, int] = {}
    for token in tokens(source):
        for name in (token.get("css-class") or "").split() if token.kind == "open" else ():
            if name.startswith(SECTION_CLASS):
                drawn.setdefault(name.removeprefix(SECTION_CLASS), token.line)
    return drawn


def _rests(plan: Plan, view: View, made: Sequence[Asset]) -> Iterator[Finding]:
    """Evidence, assets and references are things that the request has."""
    named = {str(item["id"]) for field in _NAMED for item in view.get(field, ())}
    assets = {str(asset["id"]) for asset in (*view.get("assets", ()), *made)}
    references = {str(item["id"]) for field in ("references", "examples") for item in view.get(field, ())}
    for section in plan.sections:
        for evidence in section.evidence:
            if evidence not in named and not _is_given(evidence, view):
                remedy = "name a field of the request that has a value, or the id of a claim"
                yield _in_section(
                    "unknown-evidence", section, f"rests on {evidence!r}, which the request does not have", remedy
                )
        for asset in section.assets:
            if asset not in assets:
                remedy = "use an id from request/assets.json, or the name of a made picture"
                message = f"shows {asset!r}, which is no asset of the request and was not made"
                yield _in_section("unknown-asset", section, message, remedy)
        for reference in section.references:
            if reference not in references:
                remedy = "use the id of a reference or example that you can see, or leave it out"
                yield _in_section(
                    "unknown-reference", section, f"follows {reference!r}, which was not given", remedy, "warning"
                )


def _is_given(path: str, view: View) -> bool:
    """Whether a dotted path (`brief.messaging.key_messages.0.text`, or with `[0]`) has a value in the view."""
    parts = re.sub(r"\[(\d+)\]", r".\1", path).split(".")
    value: Json = view.data if parts[0] in _FIELDS else None
    for part in parts:
        if isinstance(value, Mapping):
            value = value.get(part)
        elif isinstance(value, tuple) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        else:
            return False
    return value not in (None, "", ())


def _said(plan: Plan, said: str, source: str, addresses: Mapping[str, str]) -> Iterator[Finding]:
    """What the plan promises stands in the mail: microcopy, and pictures by their addresses."""
    spoken = _key(said)
    for section in plan.sections:
        for name, words in section.microcopy.items():
            if _key(words) not in spoken:
                message = f"plans the words {words[:60]!r} ({name}), which the mail does not say"
                yield _in_section(
                    "planned-words-missing", section, message, "make the plan and the mail agree", "warning"
                )
        for asset in section.assets:
            if asset in addresses and addresses[asset] not in source:
                message = f"plans the picture {asset!r}, which the mail does not show"
                yield _in_section(
                    "planned-asset-missing", section, message, "show it, or drop it from the plan", "warning"
                )


def _subject(plan: Plan, view: View) -> Iterator[Finding]:
    wanted = str(view.get("delivery.subject", ""))
    if wanted and _key(wanted) != _key(plan.subject):
        remedy = "use the request's subject word for word"
        message = f"the plan's subject is not that of the request ({wanted[:80]!r})"
        yield _finding("subject-differs", message, remedy, "blocking")


def _key(text: str) -> str:
    return "".join(text.split()).casefold()


def _in_section(
    code: str, section: PlannedSection, message: str, remedy: str, severity: Severity = "blocking"
) -> Finding:
    return _finding(code, f"the section {section.id!r} {message}", remedy, severity)


def _finding(code: str, message: str, remedy: str, severity: Severity = "blocking") -> Finding:
    return Finding(code=code, severity=severity, message=message, where=Where(of=PLAN), remedy=remedy)


plan = Verifier(
    name="plan",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=_FIELDS, files=(PLAN, SOURCE, PICTURES), labels=(COPY,)),
)
