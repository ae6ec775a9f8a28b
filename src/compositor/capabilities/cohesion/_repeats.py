"""Repeats: a paragraph or a headline that is said twice."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compositor._values import Json
from compositor.capabilities import Finding, Section, View, Where
from compositor.capabilities.cohesion._given import given_texts, is_mandated, mandated
from compositor.verifiers.sentences import count, words

MAY_REPEAT = frozenset({"action", "hidden", "legal", "picture", "subject"})
"""Roles that repeat others by their nature: buttons, previews, small print, alternative texts, subject lines."""
REPEAT_WORDS = 5
"""Shorter body text recurs rightly: prices, labels, days. A house value."""
PARAGRAPH_WORDS = 12
"""From here on body text is a paragraph, which nobody says twice on purpose. A shorter line may be the refrain of
several cards, and a headline may be taken up at the end: these are told and do not block. A house value."""
NEAR = 0.9
"""How alike two passages are (difflib, over words) to be one that was written twice: one word in ten may differ. A
house value."""
MOST_COMPARED, LONGEST_COMPARED = 300, 300
"""Passages that are compared for near-repeats, and the most words of each: the effort grows with the squares of both.
More and longer ones than a mail or a page has are compared for exact repeats alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A passage, its words, and how many these are."""

    section: Section
    words: tuple[str, ...]
    count: float


def repeat_findings(sections: Sequence[Section], view: View, thresholds: Mapping[str, Json]) -> Iterator[Finding]:
    """Each passage that says again what an earlier one said."""
    given = Counter(words(text) for text in given_texts(view))
    first: dict[tuple[str, ...], _Said] = {}
    seen: Counter[tuple[str, ...]] = Counter()
    for said in _passages(sections, view):
        seen[said.words] += 1
        earlier = first.setdefault(said.words, said)
        if earlier is not said and seen[said.words] > given[said.words] and _counts(said, earlier, thresholds):
            yield _again(said, earlier, thresholds)
    yield from _near_repeats(tuple(first.values()), thresholds)


def _passages(sections: Sequence[Section], view: View) -> Iterator[_Said]:
    fixed = mandated(view)
    for section in sections:
        if section.role not in MAY_REPEAT and (said := words(section.text)) and not is_mandated(section, fixed):
            yield _Said(section=section, words=said, count=count(said))


def _counts(said: _Said, earlier: _Said, thresholds: Mapping[str, Json]) -> bool:
    """Whether a repeat is one: a paragraph, a line of some length, or two headlines.

    A short line with figures in it may stand twice: a price, a day, the address that a parcel and its bill go to.
    """
    if said.count >= thresholds["paragraph_words"]:
        return True
    long_enough = said.count >= thresholds["repeat_words"] or _headlines(said, earlier) == 2
    return long_enough and not _figures(said)


def _headlines(said: _Said, earlier: _Said) -> int:
    return sum(one.section.role == "headline" for one in (said, earlier))


def _again(said: _Said, earlier: _Said, thresholds: Mapping[str, Json]) -> Finding:
    paragraph = said.count >= thresholds["paragraph_words"] and not _headlines(said, earlier)
    return Finding.at(
        said.section,
        "repeated",
        f"“{said.section.text[:120]}” stands already at {Where.at(earlier.section)}",
        "say it once; leave this one out, or say here what is new",
        severity="blocking" if paragraph else "warning",
        measured=said.section.text,
    )


def _near_repeats(passages: Sequence[_Said], thresholds: Mapping[str, Json]) -> Iterator[Finding]:
    """Passages that differ in few words from an earlier one, and in no figure: parallel lines differ in these."""
    fit = (said for said in passages if len(said.words) <= LONGEST_COMPARED)
    long = [said for said in fit if said.count >= thresholds["repeat_words"]][:MOST_COMPARED]
    for at, said in enumerate(long):
        compared = difflib.SequenceMatcher(b=said.words, autojunk=False)
        for earlier in long[:at]:
            compared.set_seq1(earlier.words)
            if _alike(compared, thresholds["near"]) and _figures(said) == _figures(earlier):
                yield Finding.at(
                    said.section,
                    "nearly-repeated",
                    f"“{said.section.text[:120]}” says nearly what stands at {Where.at(earlier.section)}",
                    "say it once",
                    severity="warning",
                    measured=round(compared.ratio(), 3),
                    threshold=thresholds["near"],
                )
                break


def _alike(compared: difflib.SequenceMatcher[str], near: float) -> bool:
    return compared.real_quick_ratio() >= near and compared.quick_ratio() >= near and compared.ratio() >= near


def _figures(said: _Said) -> list[str]:
    return [word for word in said.words if any(char.isdigit() for char in word)]
