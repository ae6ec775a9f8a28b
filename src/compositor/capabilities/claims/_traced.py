"""Measurement `assertions`: every number, superlative and comparison was given by a claim, the brief or a rule."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.capabilities import (
    COPY,
    Artifact,
    CheckContext,
    Finding,
    Report,
    Scope,
    Section,
    ToolRun,
    Verifier,
    View,
    copy_sections,
)
from compositor.capabilities.claims._approved import approved, names
from compositor.capabilities.claims._matching import matched
from compositor.verifiers.assertions import Assertion, Kind, assertions, keys
from compositor.verifiers.citations import entries
from compositor.verifiers.sentences import texts

FIELDS = ("assets", "audience", "brand", "brief", "claims", "delivery", "locale", "rules", "sources")
"""What may be relied on: what a person or a system gave."""

_CODES: Mapping[Kind, str] = {
    "number": "unsupported-number",
    "superlative": "unsupported-superlative",
    "comparison": "unsupported-comparison",
}

_COUNT = re.compile(r"(\d{1,2})[.)]\s+(?=\S)")
"""A number in front of a step or an item that its writer counted by hand."""


async def _check(ctx: CheckContext) -> Report:
    view, language = ctx.view, str(ctx.view.get("locale", "en"))
    sections = copy_sections(await ctx.artifacts.read_json(COPY))
    listed = {
        entry.section.id for entry in entries(sections, [one for s in view.get("sources", ()) for one in names(s)])
    }
    given = keys(tuple(texts(_given(view))), language)
    said = matched([section for section in sections if section.id not in listed], approved(view)).rest
    counted = _counted(sections)
    found = [(section, one) for section, text in said for one in assertions(_uncounted(text, counted), language)]
    findings = tuple(_finding(section, one) for section, one in _first(found) if one.key not in given)
    return Report(examined=len(sections), findings=findings, measures={"assertions": len(found)})


def _given(view: View) -> Sequence[Json]:
    return tuple(view.get(field) for field in FIELDS if field not in {"locale", "assets"}) + tuple(
        asset.get("alt") for asset in view.get("assets", ())
    )


def _counted(sections: Sequence[Section]) -> int:
    """How far the sections are counted, as steps and items are: `1. …`, `2. …`; 0 where they are not."""
    begins = {int(found[1]) for section in sections if (found := _COUNT.match(section.text))}
    last = 0
    while last + 1 in begins:
        last += 1
    return last if last > 1 else 0


def _uncounted(text: str, counted: int) -> str:
    """The text without the number that counts it."""
    begin = _COUNT.match(text)
    return text[begin.end() :] if begin and 0 < int(begin[1]) <= counted else text


def _first(found: Sequence[tuple[Section, Assertion]]) -> Iterator[tuple[Section, Assertion]]:
    """Each assertion of a section once: the same words said twice there are one matter."""
    seen: set[tuple[str, str]] = set()
    for section, assertion in found:
        if (section.id, assertion.key) not in seen:
            seen.add((section.id, assertion.key))
            yield section, assertion


def _finding(section: Section, assertion: Assertion) -> Finding:
    return Finding.at(
        section,
        _CODES[assertion.kind],
        f"“{assertion.words}” stands in no claim, brief or rule of the request",
        "leave it out, or use words that the request gives",
        measured=assertion.words,
    )


def _written(view: View, artifacts: Mapping[str, Artifact], record: Sequence[ToolRun]) -> bool:
    """Only who writes for a request can be held to it; a file from outside has none."""
    return any(run.changed for run in record)


assertions_verifier = Verifier(
    name="assertions",
    version="2",
    kind="measurement",
    check=_check,
    reads=Scope(fields=FIELDS, labels=(COPY,)),
    applies=_written,
)
