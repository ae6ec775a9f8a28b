"""Measurement `prohibited-words`: what a request or a rule pack forbids stands only in words that are mandated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from compositor._values import Json
from compositor.capabilities import COPY, CheckContext, Finding, Report, Scope, Section, Verifier, copy_sections
from compositor.capabilities.domain_rules._packs import Rule, applying
from compositor.capabilities.domain_rules._required import FIELDS, required
from compositor.verifiers.citations import entries
from compositor.workspace.wording import folded, whole, without


async def _check(ctx: CheckContext) -> Report:
    rules = [one for pack in applying(ctx.view) for one in pack.rules if one.kind == "prohibits"]
    words = ctx.view.get("rules.prohibited_claims", ())
    if not rules and not words:
        return Report.not_applicable(0, of="prohibited words")
    sections = copy_sections(await ctx.artifacts.read_json(COPY))
    mandated = [one.text for one in required(ctx.view)]
    titles = [
        str(source[key]) for source in ctx.view.get("sources", ()) for key in ("citation", "title") if source.get(key)
    ]
    listed = {entry.section.id for entry in entries(sections, titles)}
    findings: list[Finding] = []
    for section in (section for section in sections if section.id not in listed):
        text = without(section.text, [*mandated, *titles])
        findings += [*_said(section, text, words), *_against(section, text, rules)]
    return Report(examined=len(sections), findings=tuple(findings))


def _said(section: Section, text: str, words: Sequence[Json]) -> Iterator[Finding]:
    for one in words:
        wanted = folded(one["text"])
        if wanted and re.search(whole(wanted), text):
            reason = f": {one['reason']}" if one.get("reason") else ""
            message = f"“{one['text'][:120]}” is prohibited{reason}"
            yield Finding.at(section, "prohibited-words", message, "leave it out", measured=one["text"])


def _against(section: Section, text: str, rules: Sequence[Rule]) -> Iterator[Finding]:
    for rule in rules:
        if rule.roles and section.role not in rule.roles:
            continue
        if found := rule.prohibited.search(text):
            message = f"“{found[0][:120]}”: {rule.message} ({rule.source})"
            yield Finding.at(section, rule.id, message, rule.cure, measured=found[0], severity=rule.severity)


prohibited_words = Verifier(
    name="prohibited-words",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=FIELDS, labels=(COPY,)),
)
