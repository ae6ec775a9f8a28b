"""What the writer is given and told about claims."""

from __future__ import annotations

import json
from collections.abc import Mapping

from compositor._values import Json
from compositor.capabilities import Given, Instructions, View
from compositor.capabilities.claims._approved import Approved, approved

USABLE = "claims/usable.json"
UNUSABLE = "claims/unusable.json"


def given_files(view: View) -> Mapping[str, Given]:
    """The claims that may be made here, with their references; and those that may not, with the reason."""
    claims = approved(view)
    usable = [_usable(claim) for claim in claims if not claim.fault]
    refused = [{"id": claim.id, "text": claim.wordings[0], "why": claim.fault} for claim in claims if claim.fault]
    files = {}
    if usable:
        about = "the claims that may be made here, in their approved words, with references and disclosures"
        files[USABLE] = Given(content=_json(usable), voice="upstream", about=about)
    if refused:
        about = "claims that may not be made here, and why"
        files[UNUSABLE] = Given(content=_json(refused), voice="upstream", about=about)
    return files


def _usable(claim: Approved) -> Mapping[str, Json]:
    told: dict[str, Json] = {"id": claim.id, "text": claim.wordings[0]}
    if claim.wordings[1:]:
        told["or"] = list(claim.wordings[1:])
    if claim.paraphrase:
        told["wording"] = "may be put in other words that mean the same"
    if claim.sources:
        told["references"] = {source: words[0] for source, words in claim.sources.items() if words}
    if claim.disclosures:
        told["goes_with"] = dict(claim.disclosures)
    return told


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def instructions(view: View) -> Instructions:
    """How claims are made; one sentence where the request has none."""
    rule = (
        "Every number, superlative and comparison in the work stands in the claims, the brief or the rules of the"
        " request. Others are rejected, also where they are true."
    )
    if not view.get("claims"):
        return Instructions(f"## Claims\n\n{rule}")
    return Instructions(
        f"## Claims\n\n`{USABLE}` holds the statements that may be made, each in its approved words: copy them, change"
        f" no word, number or population, and put nothing together from two of them. {rule} What stands in"
        f" `{UNUSABLE}` may not be made here at all.",
        "Behind a claim that has references stand their numbers, as `<sup>1</sup>`; they count from 1 in the order in"
        " which they are first cited. At the end stands the list of references, one paragraph each: `1. ` and the words"
        " of the reference. Each is cited, and each mark has its entry. A claim's `goes_with` stands in the work, word"
        " for word. The plan names the ids of claims among the evidence of the section that makes them.",
    )
