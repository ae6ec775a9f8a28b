"""The problems of one document, collected so that all of them are reported at once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field

from compositor.errors import Problem

Step = str | int


def json_path(steps: Iterable[Step], root: str = "$") -> str:
    """The path of a place: `$.assets[2].path`; a key that is no plain name is quoted: `$['a b']`."""
    parts = (
        f"[{step}]" if isinstance(step, int) else f".{step}" if step.isidentifier() else f"[{step!r}]" for step in steps
    )
    return root + "".join(parts)


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word that was probably meant, or the empty string."""
    found = difflib.get_close_matches(word, sorted(known), n=1)
    return found[0] if found else ""


@dataclass(slots=True, kw_only=True)
class ProblemList:
    """A growing list of problems, each at its place in one JSON document.

    Attributes:
        root: the JSON path of the document itself.
        found: the problems so far.
    """

    root: str = "$"
    found: list[Problem] = field(default_factory=list)

    def add(self, code: str, place: Iterable[Step], message: str, cure: str = "") -> None:
        """Add one problem at the steps that lead to its place."""
        where = json_path(place, self.root)
        self.found.append(Problem(code=code, message=_printable(message), where=where, cure=_printable(cure)))


def _printable(words: str) -> str:
    """The words with half surrogate pairs, which quoted input may hold and no stream can take, as escapes."""
    return words.encode("utf-8", "backslashreplace").decode("utf-8")
