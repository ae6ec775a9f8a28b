"""The words that must stand in a deliverable, and whether a reader sees them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compositor.capabilities import Section, View
from compositor.workspace.wording import squeezed

FIELDS = ("audience", "brand", "content", "delivery", "locale", "rules", "sources")
"""What decides which words are required and which rules apply."""
UNSEEN = frozenset({"hidden", "subject", "picture"})
"""Roles of copy that are not read in the deliverable itself: a preview, a subject line, words for a picture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Required:
    """Words that are required verbatim: an id, the words, how prominent, and who asks for them."""

    id: str
    text: str
    position: str
    asked_by: str


def required(view: View) -> tuple[Required, ...]:
    """What the request's rules and its brand require, as far as market and language concern it."""
    return (*_disclosures(view), *_disclaimers(view))


def _disclosures(view: View) -> Iterator[Required]:
    markets, language = view.get("audience.territory", ()), str(view.get("locale", "en"))
    for one in view.get("rules.required_disclosures", ()):
        where, written_in = one.get("jurisdictions") or (), one.get("language") or language
        elsewhere = where and markets and not any(_meets(place, market) for place in where for market in markets)
        if not elsewhere and _primary(written_in) == _primary(language):
            asked_by = one.get("regulation") or "the rules of the request"
            yield Required(id=one["id"], text=one["text"], position=one.get("position") or "footer", asked_by=asked_by)


def _disclaimers(view: View) -> Iterator[Required]:
    for number, one in enumerate(view.get("brand.disclaimers", ()), 1):
        if one.get("required"):
            yield Required(id=f"disclaimer-{number}", text=one["text"], position="footer", asked_by="the brand")


def _meets(place: str, market: str) -> bool:
    """Whether a jurisdiction and a market have ground in common: one is the other or a part of it."""
    return place == market or place.startswith(f"{market}-") or market.startswith(f"{place}-")


def _primary(language: str) -> str:
    return language.partition("-")[0].lower()


def holding(sections: Sequence[Section], words: str) -> tuple[Section, ...]:
    """The neighbouring visible sections that hold the words together, the fewest; none where they are not all there.

    Long words are set in several paragraphs; then they are one text with nothing else between them.
    """
    wanted = squeezed(words)
    seen = [section for section in sections if section.role not in UNSEEN]
    texts = [squeezed(section.text) for section in seen]
    for count in range(1, len(seen) + 1):
        for at in range(len(seen) - count + 1):
            if wanted in "".join(texts[at : at + count]):
                return tuple(seen[at : at + count])
        if count > _MOST_PARTS:
            break
    return ()


_MOST_PARTS = 40
"""Paragraphs that required words may be set in: the longest safety information of a filed label has fewer."""
