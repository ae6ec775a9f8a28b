"""The claims of a request as this deliverable may use them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compositor._values import Json
from compositor.capabilities import View
from compositor.workspace.standing import claim_fault

FIELDS = ("audience", "claims", "delivery", "rules", "sources")
"""What decides whether and how a claim may be used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    """One claim.

    Attributes:
        id: in the request.
        wordings: its text and its variants.
        paraphrase: whether other words for the same are allowed.
        sources: of each source that is cited to readers: its id, and the words by which a list of references names it.
        disclosures: the required words that go with it, by id.
        fault: why it may not be used here, or empty.
    """

    id: str
    wordings: tuple[str, ...]
    paraphrase: bool
    sources: Mapping[str, tuple[str, ...]]
    disclosures: Mapping[str, str]
    fault: str = ""


def approved(view: View) -> tuple[Approved, ...]:
    """All claims of a request, those that may not be used here included."""
    return tuple(_approved(view))


def _approved(view: View) -> Iterator[Approved]:
    sources = {source["id"]: source for source in view.get("sources", ())}
    required = {one["id"]: one["text"] for one in view.get("rules.required_disclosures", ())}
    terms = {
        "territory": view.get("audience.territory", ()),
        "segments": view.get("audience.segments", ()),
        "on": view.get("delivery.send_on"),
    }
    for claim in view.get("claims", ()):
        rests_on = [sources.get(citation["source"], {}) for citation in claim.get("sources") or ()]
        yield Approved(
            id=claim["id"],
            wordings=(claim["text"], *(claim.get("variants") or ())),
            paraphrase=claim.get("use") == "paraphrase",
            sources={source["id"]: names(source) for source in rests_on if source.get("citation")},
            disclosures={one: required[one] for one in claim.get("disclosures") or () if one in required},
            fault=claim_fault(claim, **terms),
        )


def names(source: Mapping[str, Json]) -> tuple[str, ...]:
    """The words by which a list of references names a source: its citation, its title."""
    return tuple(words for key in ("citation", "title") if (words := source.get(key)))
