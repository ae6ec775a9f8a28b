"""Measurement `placeholders`: nothing stands in for words that were never written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compositor._values import Json
from compositor.capabilities import COPY, CheckContext, Finding, Report, Scope, Section, Verifier, Where, copy_sections
from compositor.capabilities.email._deliverable import DELIVERY, PLAN, TEXT
from compositor.capabilities.email._merge_tags import declared, foreign_tags, without_tags

_SLOTS = (
    "name|first ?name|last ?name|full ?name|user|customer|company|brand|product|price|amount|date|time|day|month|year"
    "|city|address|location|venue|link|url|cta|button|headline|title|subject|text|copy|image|logo|picture|number|phone|email"
    "|code|placeholder|insert|add|enter|describe|tbd|tbc"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """One kind of stand-in, and how it looks."""

    code: str
    words: str
    looks: re.Pattern[str]


_RULES = (
    _Rule(
        code="filler-text",
        words="is filler text",
        looks=re.compile(r"\blorem\s+ipsum\b|\bdolor\s+sit\s+amet\b|\bconsectetur\s+adipi\w+", re.IGNORECASE),
    ),
    _Rule(
        code="placeholder-text", words="stands in for something", looks=re.compile(r"\bx{3,}\b|\bX{4,}\b|\?\?\?+|_{4,}")
    ),
    _Rule(
        code="placeholder-text",
        words="is a note to oneself",
        looks=re.compile(r"\b(?:TODO|FIXME|TBD|TBC)\b(?=\s*[:)\]}.,;-]|\s*$)"),
    ),
    _Rule(
        code="placeholder-text",
        words="is a slot that nobody filled",
        looks=re.compile(
            rf"\[\s*(?:your\s+|the\s+)?(?:{_SLOTS})\b[^\]]{{0,40}}\]|<\s*(?:your\s+)?(?:{_SLOTS})\s*>", re.IGNORECASE
        ),
    ),
    _Rule(
        code="placeholder-text",
        words="stands in for something",
        looks=re.compile(
            r"\b(?:your|insert|add)\s+(?:headline|title|text|copy|tagline|logo|image|content|message)\s+(?:goes\s+)?here\b"
            r"|\b(?:headline|text|copy|content)\s+goes\s+here\b|\bsample\s+(?:text|headline|copy)\b|\bplaceholder\b"
            r"|\bclick\s+to\s+(?:add|edit)\b",
            re.IGNORECASE,
        ),
    ),
)
"""React-email check-links.ts and the public deck skill look for fewer; the list is ours, after CHECKS §1 and §4."""


async def _check(ctx: CheckContext) -> Report:
    artifact = await ctx.artifacts.read_json(COPY)
    sections = [*copy_sections(artifact), *_header(await ctx.files.read_json(DELIVERY))]
    syntax = declared(ctx.view)
    findings = [finding for section in sections for finding in _found(section, syntax)]
    text = await ctx.files.read_text(TEXT)
    told = {finding.measured for finding in findings}
    rest = Section(id="text", role="body", text=text, place=TEXT)
    findings += [finding for finding in _found(rest, syntax) if finding.measured not in told]
    return Report(examined=len(sections), findings=tuple(findings), measures={"passages": len(sections)})


def _header(manifest: Mapping[str, Json]) -> Iterator[Section]:
    """The words that stand beside the mail in an inbox; the subject of a plan is copy already."""
    if manifest["preheader"]:
        yield Section(id="header-preheader", role="hidden", text=str(manifest["preheader"]), place=PLAN)


def _found(section: Section, syntax: str) -> Iterator[Finding]:
    words = without_tags(section.text, syntax)
    for rule in _RULES:
        for match in rule.looks.finditer(words):
            yield _finding(
                rule.code, f"{match[0]!r} {rule.words}", match[0], section, "write the real words, or leave it out"
            )
    for tag in foreign_tags(section.text, syntax):
        remedy = (
            "use the request's merge tags, or write the words" if syntax != "none" else "write the words themselves"
        )
        yield _finding("undeclared-merge-tag", f"{tag!r} would reach the reader as it stands", tag, section, remedy)


def _finding(code: str, message: str, measured: str, section: Section, remedy: str) -> Finding:
    where = Where.at(section)
    return Finding(code=code, severity="blocking", message=message, where=where, measured=measured, remedy=remedy)


placeholders = Verifier(
    name="placeholders",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=("delivery",), files=(DELIVERY, TEXT), labels=(COPY,)),
    required=True,
)
