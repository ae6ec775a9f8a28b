"""References: which sources are cited, in which order, and the marks that lead to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compositor._values import Json
from compositor.capabilities.email._designer._material import Material
from compositor.capabilities.email._designer._typography import plain
from compositor.workspace.wording import folded

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citing:
    """The references of an email.

    Attributes:
        numbers: source id → its number, from 1 in the order in which sources are first cited.
        citations: source id → its words in the list.
        sources: claim id → the ids of its sources that are cited.
        wordings: claim id → its approved words.
    """

    numbers: Mapping[str, int]
    citations: Mapping[str, str]
    sources: Mapping[str, tuple[str, ...]]
    wordings: Mapping[str, tuple[str, ...]]

    @staticmethod
    def of(material: Material, messages: Sequence[Mapping[str, Json]]) -> Citing:
        """What the messages that are shown cite."""
        cited = {one["id"]: plain(one["citation"]) for one in material.listed("sources") if one.get("citation")}
        claims = {claim["id"]: claim for claim in material.listed("claims")}
        sources = {
            name: tuple(place["source"] for place in claim.get("sources") or () if place["source"] in cited)
            for name, claim in claims.items()
        }
        used = [name for message in messages for name in message.get("claims") or () if name in claims]
        order = dict.fromkeys(source for name in used for source in sources[name])
        return Citing(
            numbers={source: number for number, source in enumerate(order, 1)},
            citations=cited,
            sources=sources,
            wordings={name: (claim["text"], *(claim.get("variants") or ())) for name, claim in claims.items()},
        )

    def marked(self, words: str, claims: Sequence[str]) -> str:
        """The words with the marks of their claims: behind a claim that stands there word for word, else at the end."""
        rest: list[int] = []
        for claim in claims:
            numbers = [self.numbers[source] for source in self.sources.get(claim, ())]
            end = self._end_of(claim, words) if numbers else None
            if end is None:
                rest += numbers
            else:
                words = words[:end] + _mark(numbers) + words[end:]
        return words + _mark(rest)

    def _end_of(self, claim: str, words: str) -> int | None:
        """The position behind a claim in the words, with the full stop that ends it."""
        for wording in self.wordings[claim]:
            begin = folded(words).find(folded(wording))
            if begin >= 0 and len(folded(words)) == len(words):
                end = begin + len(folded(wording))
                return end + 1 if words[end : end + 1] in (".", "。") else end
        return None

    @property
    def listed(self) -> tuple[str, ...]:
        """The entries of the list of references, each with its number."""
        return tuple(f"{number}. {self.citations[source]}" for source, number in self.numbers.items())


def _mark(numbers: Sequence[int]) -> str:
    return ",".join(str(number).translate(_RAISED) for number in sorted(set(numbers)))
