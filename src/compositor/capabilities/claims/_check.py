"""Measurement `claims`: every claim is made in approved words, where it may be made, and with its references."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compositor.capabilities import COPY, CheckContext, Finding, Report, Scope, Section, Verifier, copy_sections
from compositor.capabilities.claims._approved import FIELDS, approved, names
from compositor.capabilities.claims._matching import Use, matched
from compositor.verifiers.citations import Entry, entries, marks_in
from compositor.workspace.wording import says

UNMARKED = frozenset({"subject", "hidden", "picture", "action"})
"""Roles of copy that no mark of a reference can stand in: subject lines, previews, alternative texts, buttons."""


async def _check(ctx: CheckContext) -> Report:
    claims = approved(ctx.view)
    if not claims:
        return Report.not_applicable(0, of="claims")
    sections = copy_sections(await ctx.artifacts.read_json(COPY))
    listed = entries(sections, [words for source in ctx.view.get("sources", ()) for words in names(source)])
    in_list = {entry.section.id for entry in listed}
    said = [section for section in sections if section.id not in in_list]
    found = matched(said, claims)
    findings = (
        *(finding for use in found.uses for finding in _use(use, sections)),
        *(finding for use in found.uses for finding in _cited(use, listed)),
        *_order(said, listed),
    )
    measures = {"claims": len(claims), "uses": len(found.uses), "references": len(listed)}
    return Report(examined=len(said), findings=findings, measures=measures)


def _use(use: Use, sections: Sequence[Section]) -> Iterator[Finding]:
    """The words of a claim, whether it may be made here, and what has to go with it."""
    claim = use.claim
    if claim.fault:
        message = f"the claim {claim.id} may not be made: {claim.fault}"
        yield Finding.at(
            use.section, "claim-unusable", message, "leave it out, and what rests on it", measured=use.words
        )
    elif use.how == "altered":
        message = f"the claim {claim.id} is changed in what it says: {use.differs}"
        yield Finding.at(
            use.section, "claim-altered", message, f"write it as approved: {claim.wordings[0]}", measured=use.words
        )
    elif use.how == "near" and not claim.paraphrase:
        message = f"the claim {claim.id} is not in its approved words ({use.differs}); a person has to review it"
        remedy = f"write it as approved: {claim.wordings[0]}"
        yield Finding.at(use.section, "claim-near", message, remedy, measured=use.words, severity="warning")
    seen = " ".join(section.text for section in sections if section.role not in UNMARKED)
    for name, words in claim.disclosures.items():
        if not says(seen, words):
            message = f"the claim {claim.id} is made without its disclosure {name}"
            yield Finding.at(
                use.section, "claim-disclosure-missing", message, f"write word for word: {words}", measured=name
            )
    if use.section.evidence and claim.id not in use.section.evidence:
        message = f"the claim {claim.id} is not among the evidence of this section in the plan"
        remedy = "add its id to the section's evidence"
        yield Finding.at(use.section, "claim-not-planned", message, remedy, measured=claim.id, severity="warning")


def _cited(use: Use, listed: Sequence[Entry]) -> Iterator[Finding]:
    """The references that follow a claim are those that it rests on."""
    if not use.claim.sources or use.section.role in UNMARKED or use.claim.fault:
        return
    wanted = ", ".join(use.claim.sources)
    if not use.marks:
        message = f"the claim {use.claim.id} has no mark of a reference"
        remedy = f"write the number of its reference ({wanted}) behind it, as <sup>1</sup>"
        yield Finding.at(use.section, "marker-missing", message, remedy, measured=use.words)
        return
    known = {entry.number: entry for entry in listed}
    cited = [known[number] for number in use.marks if number in known]
    missing = [number for number in use.marks if number not in known]
    unsupported = [source for source, words in use.claim.sources.items() if not _names_any(cited, words)]
    if unsupported and not missing:
        message = f"the references of the claim {use.claim.id} do not lead to {', '.join(unsupported)}"
        yield Finding.at(
            use.section, "marker-wrong", message, f"mark it with the references of {wanted}", measured=use.words
        )


def _names_any(cited: Sequence[Entry], words: Sequence[str]) -> bool:
    return any(says(entry.text, one) for entry in cited for one in words)


def _order(said: Sequence[Section], listed: Sequence[Entry]) -> Iterator[Finding]:
    """Marks and list belong together: none leads nowhere, none is left over, and both count from 1 in one order."""
    known = {entry.number for entry in listed}
    first: dict[int, Section] = {}
    for section in said:
        for number in marks_in(section.text) if section.role not in UNMARKED else ():
            first.setdefault(number, section)
    for number, section in first.items():
        if number not in known:
            message = f"the mark {number} leads to no entry of the list of references"
            yield Finding.at(
                section, "reference-missing", message, "add the reference, with its number", measured=str(number)
            )
    for entry in listed:
        if entry.number not in first:
            message = f"the reference {entry.number} is not cited"
            yield Finding.at(
                entry.section, "reference-orphan", message, "cite it, or leave it out", measured=str(entry.number)
            )
    marked = [number for number in first if number in known]
    if marked != sorted(marked) or [entry.number for entry in listed] != sorted(known):
        message = f"references are not numbered in the order in which they are cited: {', '.join(map(str, first))}"
        place = first[marked[0]] if marked else listed[0].section
        yield Finding.at(place, "references-out-of-order", message, "number marks and list anew, from 1")


claims_verifier = Verifier(
    name="claims",
    version="2",
    kind="measurement",
    check=_check,
    reads=Scope(fields=FIELDS, labels=(COPY,)),
)
