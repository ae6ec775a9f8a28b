"""What a text asserts that somebody must be able to prove: numbers, superlatives and comparisons.

Each has a key, which is the same however it is set (`1,200 mg` and `1200 mg`, `50 %` and `50%`), so that it can be
traced to where it was given. Numbers are known in every language, words in those of `assertion_words.json`, whose lists
are our own and stand for kinds: they find what is said in common words, and not every way to say it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from compositor.verifiers.citations import unmarked
from compositor.workspace.wording import folded

Kind = Literal["number", "superlative", "comparison"]

_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Characters of scripts that put no space between a word and a number."""
_NUMBER = re.compile(
    rf"(?<![^\W{_UNSPACED}])(?<![.,])"
    r"\d+(?:[.,\u00a0\u202f' ](?=\d{3}(?!\d))\d{3})*(?:[.,]\d+)?(?:\s?[%‰])?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """One thing that a text asserts: its kind, the words as they stand, and the key by which it is traced."""

    kind: Kind
    words: str
    key: str


def assertions(text: str, language: str) -> tuple[Assertion, ...]:
    """Everything in a text that has to be traced; marks of references are none of it.

    Args:
        text: as a reader sees it.
        language: its BCP 47 tag; only the language of it counts.
    """
    plain = unmarked(text)
    return (*_numbers(plain), *_said(folded(plain), language.partition("-")[0]))


def keys(texts: Sequence[str], language: str) -> frozenset[str]:
    """The keys of all that the texts assert: what may be said by those who may rely on them."""
    return frozenset(assertion.key for text in texts for assertion in assertions(text, language))


def _numbers(text: str) -> Iterator[Assertion]:
    for found in _NUMBER.finditer(unicodedata.normalize("NFKC", text)):
        yield Assertion(kind="number", words=found[0].strip(), key=_value(found[0]))


def _value(words: str) -> str:
    """The value, with its percent sign. The last mark is the point of decimals, unless three digits follow it."""
    sign = next((sign for sign in "%‰" if sign in words), "")
    digits = re.sub(r"[\s'%‰]", "", words)
    last = max(digits.rfind("."), digits.rfind(","))
    grouped = last >= 0 and len(digits) - last == 4 and digits[:last] != "0"
    whole, fraction = (digits, "") if last < 0 or grouped else (digits[:last], digits[last + 1 :].rstrip("0"))
    value = re.sub(r"[.,]", "", whole).lstrip("0") or "0"
    return f"{value}.{fraction}{sign}" if fraction else f"{value}{sign}"


def _said(text: str, language: str) -> Iterator[Assertion]:
    words = _words().get(language)
    if words is None:
        return
    rest = words.harmless.sub(" ", text)
    for kind, pattern in words.kinds:
        for found in pattern.finditer(rest):
            yield Assertion(kind=kind, words=found[0], key=found[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """The words of one language: set phrases that assert nothing, and patterns of those that do."""

    harmless: re.Pattern[str]
    kinds: tuple[tuple[Kind, re.Pattern[str]], ...]


@cache
def function_words() -> frozenset[str]:
    """Words that carry no weight of their own (articles, prepositions …), of all languages that are known."""
    return frozenset(word for words in _listed().values() for word in words["function"])


@cache
def _words() -> Mapping[str, _Words]:
    kinds: tuple[Kind, ...] = ("superlative", "comparison")
    return {
        language: _Words(
            harmless=_any_of(words["harmless"]), kinds=tuple((kind, _any_of(words[kind])) for kind in kinds)
        )
        for language, words in _listed().items()
    }


@cache
def _listed() -> Mapping[str, Mapping[str, Sequence[str]]]:
    text = files(__package__).joinpath("assertion_words.json").read_text(encoding="utf-8")
    listed: Mapping[str, Mapping[str, Sequence[str]]] = json.loads(text)
    return listed


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    folded_as_texts_are = (
        pattern.casefold() for pattern in patterns
    )  # ß has become ss there; no pattern has a class in capitals
    longest_first = sorted(folded_as_texts_are, key=len, reverse=True)  # so that a phrase is not taken for its one word
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")
