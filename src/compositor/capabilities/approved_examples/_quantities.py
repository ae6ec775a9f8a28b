"""Numbers with their units, as texts in many languages set them: `30 %`, `€49`, `12 weeks`, `30日`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compositor.verifiers.assertions import assertions, function_words
from compositor.verifiers.citations import unmarked
from compositor.verifiers.sentences import words
from compositor.workspace.wording import folded

_SIGNS = "%‰€$£¥₹°"
_NUMBER = r"\d+(?:[.,' ]\d{3}(?!\d))*(?:[.,]\d+)?"
_QUANTITY = re.compile(
    rf"(?<![A-Za-z\d_.,])(?:(?P<before>[{_SIGNS}])\s?(?P<priced>{_NUMBER})"
    rf"|(?P<number>{_NUMBER})(?:\s?(?P<sign>[{_SIGNS}]|(?:per|pour) cent|por ciento)|[ -]?(?P<word>[^\W\d_]+)))"
)
"""A letter before it makes a number part of a name (`B12`); Chinese and Japanese set no space there."""
_SIGN_OF: Mapping[str, str] = {
    **dict.fromkeys(("percent", "per cent", "pour cent", "pourcent", "por ciento", "prozent", "procent"), "%"),
    **dict.fromkeys(("eur", "euro", "euros"), "€"),
    **dict.fromkeys(("usd", "dollar", "dollars"), "$"),
    **dict.fromkeys(("gbp", "pound", "pounds"), "£"),
    **dict.fromkeys(("jpy", "yen", "円", "元"), "¥"),
}
"""Words that are read as signs."""
_STEM = 4
"""Letters by which two forms of a unit are one: `week`, `weeks`, `weekly`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number with its unit: the words as they stand, its value in one form, and its unit, folded."""

    words: str
    value: str
    unit: str

    def is_one_with(self, other: Quantity) -> bool:
        """Whether both say the same, however it is set."""
        return self.value == other.value and _is_form(self.unit, other.unit)


def quantities(text: str, language: str) -> tuple[Quantity, ...]:
    """Every number with a unit in a text, in order.

    Args:
        text: as a reader sees it; marks of references do not count.
        language: its BCP 47 tag. In all but German a word with a capital after a number begins something new (“Step 2
            Open the box”) or is a month; it is no unit.
    """
    return tuple(_quantities(unicodedata.normalize("NFKC", unmarked(text)), language.partition("-")[0]))


def _quantities(text: str, language: str) -> Iterator[Quantity]:
    for found in _QUANTITY.finditer(text):
        word = found["word"] or ""
        if word and (word.lower() in function_words() or (_begins_new(word) and language != "de")):
            continue
        unit = folded(found["before"] or found["sign"] or words(word)[0])
        value = next(iter(_values(found["priced"] or found["number"])), "")
        yield Quantity(words=found[0], value=value, unit=_SIGN_OF.get(unit, unit))


def _begins_new(word: str) -> bool:
    """Whether a word begins with a capital and is no abbreviation, such as GB or USD."""
    return word[0].isupper() and not word.isupper()


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one text tells of quantities: those that it sets together, the values of all its numbers, all its words."""

    quantities: tuple[Quantity, ...]
    values: frozenset[str]
    words: frozenset[str]

    def sets(self, quantity: Quantity) -> bool:
        """Whether it has the quantity, number and unit together."""
        return any(quantity.is_one_with(one) for one in self.quantities)

    def gives(self, quantity: Quantity) -> bool:
        """Whether it gives the quantity, if only its number in one place and its unit in another."""
        apart = quantity.value in self.values and any(_is_form(quantity.unit, word) for word in self.words)
        return apart or self.sets(quantity)


def told(text: str, language: str) -> Told:
    """What a text tells; arguments as of `quantities`."""
    return Told(quantities=quantities(text, language), values=_values(text), words=frozenset(words(text)))


def _values(text: str) -> frozenset[str]:
    """The values of all numbers in a text, without their signs."""
    return frozenset(one.key.rstrip("%‰") for one in assertions(text, "") if one.kind == "number")


def _is_form(unit: str, word: str) -> bool:
    return unit == word or (len(unit) >= _STEM and unit[:_STEM] == word[:_STEM])
