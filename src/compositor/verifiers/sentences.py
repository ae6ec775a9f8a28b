"""Texts, their sentences and their words, in scripts that set spaces between words and in those that do not."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.workspace.wording import folded

_END = re.compile(r"(?<=[.!?…؟।])[\"'”’»)\]]*\s+|(?<=[。！？])[」』”’）]*|\n+")
UNSPACED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters of Chinese and Japanese, as ranges of a pattern."""
_LOOSE = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_PARTS = re.compile(f"[{UNSPACED}]|[{_LOOSE}]|[^{UNSPACED}{_LOOSE}]+")
_IS_DENSE, _IS_LOOSE = re.compile(f"[{UNSPACED}]"), re.compile(f"[{_LOOSE}]")

DENSE, LOOSE = 2, 5
"""How many characters make a word where none are set apart: of Chinese and Japanese, and of Thai, Lao, Khmer and
Burmese. House values, about what a word of plain prose has, so that one limit in words serves all scripts."""


def texts(value: Json) -> Iterator[str]:
    """Every text in a JSON value, front to back."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text as they stand. A line ends one; a full stop before a small letter does not."""
    ends = [end for end in _END.finditer(text) if "\n" in end[0] or not text[end.end() : end.end() + 1].islower()]
    starts = [0, *(end.end() for end in ends)]
    parts = (text[at:to].strip() for at, to in zip(starts, [*starts[1:], len(text)], strict=True))
    return tuple(part for part in parts if part)


def words(text: str) -> tuple[str, ...]:
    """The folded words of a text, without marks around them; each character of a script without spaces is one."""
    return tuple(word for token in folded(text).split() for part in _PARTS.findall(token) if (word := _bare(part)))


def _bare(token: str) -> str:
    """The token from its first letter or digit to its last, and to the signs that are set on that."""
    kinds = [unicodedata.category(char)[0] for char in token]
    inner = [at for at, kind in enumerate(kinds) if kind in "LN"]
    if not inner:
        return ""
    end = inner[-1] + 1
    while end < len(token) and kinds[end] == "M":
        end += 1
    return token[inner[0] : end]


def count(said: Sequence[str]) -> float:
    """How many words these are; characters of scripts without spaces count as parts of words."""
    dense = sum(1 for word in said if _IS_DENSE.fullmatch(word))
    loose = sum(1 for word in said if _IS_LOOSE.fullmatch(word))
    return len(said) - dense - loose + dense / DENSE + loose / LOOSE


def within(said: Sequence[str], text: Sequence[str]) -> bool:
    """Whether words stand in a text, next to each other and in order; no words stand nowhere."""
    return bool(said) and f" {' '.join(said)} " in f" {' '.join(text)} "
