"""Whether a text says certain words, as a reader would see it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_FOLDED = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-"})


def says(text: str, words: str, apart_from: Sequence[str] = ()) -> bool:
    """Whether the words stand in the text as whole words; letter case, spacing and the style of quotes do not matter.

    Args:
        text: where to look.
        words: what to look for.
        apart_from: passages, such as required disclosures, inside which the words do not count.
    """
    wanted = _plain(words)
    if not wanted:
        return False
    seen = _plain(text)
    for passage in sorted(map(_plain, apart_from), key=len, reverse=True):
        seen = seen.replace(passage, "\n") if passage else seen
    return re.search(_edge(wanted[0], "(?<!{})") + re.escape(wanted) + _edge(wanted[-1], "(?!{})"), seen) is not None


def _plain(text: str) -> str:
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_FOLDED)
    return " ".join(unicodedata.normalize("NFKC", text.casefold()).split())


def _edge(char: str, guard: str) -> str:
    """A word boundary, except in scripts that are written without spaces, such as Chinese."""
    spaced = char.isalnum() and unicodedata.east_asian_width(char) not in {"W", "F"}
    return guard.format(r"\w") if spaced else ""
