"""Headlines: short enough to be read at a glance, and the first one leads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.capabilities import Finding, Section, View
from compositor.capabilities.cohesion._given import is_mandated, mandated
from compositor.verifiers.sentences import count, words

HEADLINE_WORDS = 12
"""A headline is taken in at a glance. A house value: half as much again as the eight words that are aimed at."""
HEADLINE_CHARACTERS = 90
"""About four lines of 28 px on a phone of 375 px. A house value; it also bounds scripts that set no spaces."""
LARGER = 1.1
"""A later headline is set larger than the first where its letters exceed these by more than a tenth. A house value:
below a quiet step of a type scale (the major second, 1.125), above what rounding does."""
FIGURE_WORDS = 3
"""A headline of so few words with a figure in it is a figure that is shown large, and no step in the order."""


def headline_findings(sections: Sequence[Section], view: View, thresholds: Mapping[str, Json]) -> Iterator[Finding]:
    """Headlines that are too long, and one that is set larger than the first."""
    fixed = mandated(view)
    headlines = [section for section in sections if section.role == "headline" and words(section.text)]
    for section in headlines:
        if not is_mandated(section, fixed):
            yield from _long(section, thresholds)
    yield from _order(headlines, view, thresholds["larger"])


def _long(section: Section, thresholds: Mapping[str, Json]) -> Iterator[Finding]:
    found = {"words": count(words(section.text)), "characters": len(section.text)}
    for unit, most in (("words", thresholds["headline_words"]), ("characters", thresholds["headline_characters"])):
        if found[unit] > most:
            message = f"the headline “{section.text[:120]}” has {found[unit]:g} {unit}"
            remedy = f"say it in at most {most} {unit}; move the rest into the text below"
            yield Finding.at(
                section, "headline-long", message, remedy, severity="warning", measured=found[unit], threshold=most
            )
            return


def _order(headlines: Sequence[Section], view: View, larger: float) -> Iterator[Finding]:
    """The copy does not tell levels; the size of letters does: the first headline is the largest."""
    brand = words(view.get("brand.name", ""))
    sized = [
        (section, section.size)
        for section in headlines
        if section.size and words(section.text) != brand and not _is_figure(section)
    ]
    if not sized:
        return
    (first, lead), *later = sized
    for section, size in later:
        if size > larger * lead:
            message = f"the headline “{section.text[:120]}” is set larger than the first, “{first.text[:120]}”"
            remedy = f"lead with it, or set it at most as large as the first ({lead:g} px)"
            yield Finding.at(
                section, "headline-order", message, remedy, severity="warning", measured=size, threshold=lead
            )
            return


def _is_figure(section: Section) -> bool:
    said = words(section.text)
    return len(said) <= FIGURE_WORDS and any(char.isdigit() for word in said for char in word)
