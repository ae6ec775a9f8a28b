"""Which of the approved examples come closest to a request, by its audience and its purpose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from compositor._values import Json
from compositor.capabilities import View
from compositor.verifiers.assertions import function_words
from compositor.verifiers.sentences import texts, words
from compositor.workspace.wording import says

MOST_SHOWN = 3
"""Examples that are shown. A house value: enough to see what they have in common, few enough to be looked at."""

_PURPOSE = ("brief.name", "brief.objective", "brief.description")
_AUDIENCE = ("audience.description", "audience.segments")


def closest(view: View) -> Sequence[Mapping[str, Json]]:
    """At most `MOST_SHOWN` examples, the closest first; those that are equally close in the order of the request."""
    wanted = _weighty(texts([view.get(field) for field in (*_PURPOSE, *_AUDIENCE)]))
    segments = tuple(view.get("audience.segments", ()))
    ranked = sorted(view.get("examples", ()), key=lambda example: _closeness(example, segments, wanted), reverse=True)
    return tuple(ranked[:MOST_SHOWN])


def _closeness(example: Mapping[str, Json], segments: Sequence[str], wanted: frozenset[str]) -> tuple[int, float]:
    """How many of the audience's segments it names; and which part of the words that are wanted it has."""
    said = " ".join(str(example.get(part) or "") for part in ("note", "text"))
    named = sum(says(said, segment) for segment in segments)
    shared = len(wanted & _weighty([said]))
    return named, shared / len(wanted) if wanted else 0.0


def _weighty(said: Iterable[str]) -> frozenset[str]:
    return frozenset(word for text in said for word in words(text)) - function_words()
