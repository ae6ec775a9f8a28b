"""Measurement `rule-packs`: what the packs of the request's markets and fields ask for is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from compositor._values import Json
from compositor.capabilities import (
    COPY,
    CheckContext,
    Finding,
    Report,
    Scope,
    Section,
    Verifier,
    View,
    Where,
    copy_sections,
)
from compositor.capabilities.domain_rules._packs import Pack, Rule, applying, uncovered, unknown
from compositor.capabilities.domain_rules._required import FIELDS, UNSEEN, holding, required
from compositor.workspace.wording import folded


async def _check(ctx: CheckContext) -> Report:
    """What the packs ask for. Where only the request could give it, no writer can mend that: nothing is decided."""
    applied = applying(ctx.view)
    open_matters = [*_unknown(ctx.view)]
    if not applied:
        return Report(examined=0, absent=True, findings=tuple(open_matters), measures={"packs": []})
    sections = copy_sections(await ctx.artifacts.read_json(COPY))
    examined, findings, owed = 0, open_matters, []
    for pack in applied:
        for rule in pack.rules:
            examined += 1
            if rule.kind == "says":
                findings += _unsaid(rule, sections)
            elif rule.kind == "prominent":
                findings += _too_small(rule, sections, ctx.view)
            elif rule.kind in {"given", "disclosed"} and not _is_given(rule, ctx.view):
                findings.append(_owed(rule, pack))
                owed.append(f"{rule.message} ({pack.title})")
    measures: dict[str, Json] = {"packs": [pack.id for pack in applied]}
    if owed:
        return Report.inconclusive("; ".join(owed), examined=examined, findings=findings, measures=measures)
    return Report(examined=examined, findings=tuple(findings), measures=measures)


def _unknown(view: View) -> Iterator[Finding]:
    for country in uncovered(view):
        message = f"there is no rule pack for the market {country}; nobody has checked what its law asks for"
        yield _of_request("no-rule-pack", message, "have a person check it", country)
    for name in unknown(view):
        yield _of_request("unknown-rule-pack", f"there is no rule pack {name!r}", "correct $.rules.packs", name)


def _is_given(rule: Rule, view: View) -> bool:
    if rule.kind == "given":
        return bool(view.get(rule.field))
    return any((one.get("position") or "footer") == rule.position for one in view.get("rules.required_disclosures", ()))


def _owed(rule: Rule, pack: Pack) -> Finding:
    message = f"{rule.message} ({pack.title}: {rule.source})"
    return _of_request(rule.id, message, rule.cure, rule.field)


def _unsaid(rule: Rule, sections: Sequence[Section]) -> Iterator[Finding]:
    seen = folded(" ".join(section.text for section in sections if section.role not in UNSEEN))
    if sections and not any(folded(phrase) in seen for phrase in rule.phrases):
        yield Finding.at(sections[-1], rule.id, f"{rule.message} ({rule.source})", rule.cure, severity=rule.severity)


def _too_small(rule: Rule, sections: Sequence[Section], view: View) -> Iterator[Finding]:
    body = [section.size for section in sections if section.role == "body" and section.size]
    least = max(rule.smallest, rule.of_body * median(body)) if body else rule.smallest
    for one in required(view):
        if one.position != rule.position:
            continue
        for section in holding(sections, one.text):
            if section.size and section.size < least:
                message = f"{rule.message} ({rule.source})"
                yield Finding.at(section, rule.id, message, rule.cure, measured=section.size, threshold=round(least, 1))
                break


def _of_request(code: str, message: str, remedy: str, measured: str) -> Finding:
    """A matter of the request, which no writer can mend."""
    return Finding(
        code=code, severity="warning", message=message, where=Where(of="request"), measured=measured, remedy=remedy
    )


rule_packs = Verifier(
    name="rule-packs",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=FIELDS, labels=(COPY,)),
)
