"""Words as a reader takes them: one form for texts that are set differently, and whether a text says certain words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_INVISIBLE = re.compile("[\u00ad\u034f\u200b-\u200f\u2060\ufeff]")
_QUOTES = {"‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "‟": '"', "«": '"', "»": '"'}
_FOLDED = str.maketrans({**_QUOTES, "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-"})


def folded(text: str) -> str:
    """One form of words: compatibility forms (NFKC), quotes, dashes, soft hyphens, white space and letter case."""
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_FOLDED)
    return " ".join(unicodedata.normalize("NFKC", text.casefold()).split())


def squeezed(text: str) -> str:
    """The folded words without white space, which lines and columns change."""
    return folded(text).replace(" ", "")


def says(text: str, words: str, apart_from: Sequence[str] = ()) -> bool:
    """Whether the words stand in the text as whole words, in whatever form they are set.

    Args:
        text: where to look.
        words: what to look for.
        apart_from: passages, such as required disclosures, inside which the words do not count.
    """
    wanted = folded(words)
    return bool(wanted) and re.search(whole(wanted), without(text, apart_from)) is not None


def without(text: str, passages: Sequence[str]) -> str:
    """The folded text, each of the passages cut out of it; a line break stands where one was."""
    seen = folded(text)
    for passage in sorted(map(folded, passages), key=len, reverse=True):
        seen = seen.replace(passage, "\n") if passage else seen
    return seen


def whole(words: str) -> str:
    """A pattern that finds folded words as whole words; scripts without spaces, such as Chinese, have no such edges."""
    return _edge(words[0], "(?<!{})") + re.escape(words) + _edge(words[-1], "(?!{})")


def _edge(char: str, guard: str) -> str:
    spaced = char.isalnum() and unicodedata.east_asian_width(char) not in {"W", "F"}
    return guard.format(r"\w") if spaced else ""
