"""What a result says, in plain words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Literal

from compositor._values import Json, thaw

Tone = Literal["good", "fair", "bad"]

LONGEST = 600
"""Longest text of one value that the page shows; the result document has the whole."""

_HEADLINES: Mapping[tuple[str, str], tuple[str, Tone]] = {
    ("succeeded", "passed"): ("Made and verified", "good"),
    ("succeeded", "unresolved"): ("Made and measured, not yet judged", "fair"),
    ("incomplete", "failed"): ("Made, but it fails its checks", "bad"),
    ("incomplete", "errored"): ("Made, but a check broke down", "bad"),
    ("incomplete", "unresolved"): ("Made, but not verified", "fair"),
}
_BY_STATUS: Mapping[str, tuple[str, Tone]] = {
    "failed": ("Not completed", "bad"),
    "cancelled": ("Cancelled", "fair"),
}
_BY_VERIFICATION: Mapping[str, tuple[str, Tone]] = {
    "passed": ("It passes its checks", "good"),
    "failed": ("It fails its checks", "bad"),
    "errored": ("A check broke down", "bad"),
}

_ENDINGS = {
    "passed": "Every check that applies has run and passed.",
    "overridden": "Soft objections of the judge were set aside, because the measurements are clean.",
    "unjudged": "Every measurement passed. No judge has looked at it, so its words and its taste are unproven.",
    "exhausted": "The budget ended before every finding was cured. This is the last draft.",
    "no-progress": "The writer repeated itself without changing the work, so the operation was ended.",
    "errored": "A check or a judge broke down, so nothing can be concluded. Resuming checks the same draft again.",
    "cancelled": "It was cancelled before it was finished.",
}

_REASONS = {
    "budget": "the budget was used up",
    "no-judge": "no judge is configured",
    "not-requested": "it was not requested",
    "measurements-failed": "a measurement had failed",
    "measurements-errored": "a measurement had broken down",
}


def headline(result: Mapping[str, Json]) -> tuple[str, Tone]:
    """The verdict in a few words, and its tone."""
    status, verification = str(result.get("status", "")), str(result.get("verification", ""))
    return (
        _HEADLINES.get((status, verification))
        or _BY_STATUS.get(status)
        or _BY_VERIFICATION.get(verification)
        or ("Not verified", "fair")
    )


def how_it_ended(result: Mapping[str, Json]) -> str:
    """One sentence on the ending, or the empty string."""
    ending = str(result.get("ending") or "")
    return _ENDINGS.get(ending, f"It ended: {ending}." if ending else "")


def maker(result: Mapping[str, Json]) -> str:
    """Who wrote it."""
    adapter, calls = str(result.get("adapter") or "nobody"), (result.get("usage") or {}).get("model_calls") or 0
    if adapter == "offline":
        return "The offline designer, by rules. No model was called."
    return f"The adapter {adapter}, with {count(calls, 'model call')}." if calls else f"The adapter {adapter}."


def review(result: Mapping[str, Json]) -> str:
    """Whether a person has looked at it."""
    verdict = str(result.get("human_review") or "none")
    return "Nobody yet. A person should look before it is sent." if verdict == "none" else verdict


def reason(given: str) -> str:
    """Why a check was not run or could not tell; `skipped: no-judge` is said like `no-judge`."""
    code = given.removeprefix("skipped: ")
    return _REASONS.get(code, code)


def count(number: int, noun: str) -> str:
    """`1 check`, `2 checks`, `1,024 checks`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def shown(value: Json) -> str:
    """A JSON value as a person reads it: thousands set apart, no more decimals than tell something, not too long."""
    if value is None:
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**15 else f"{value:.3e}" if abs(value) < 10**300 else "very large"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}" if abs(value) < 10**15 else f"{value:.3e}"
    words = value if isinstance(value, str) else json.dumps(thaw(value), ensure_ascii=False)
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}…"


def seconds(value: Json) -> str:
    """A duration."""
    if not isinstance(value, int | float):
        return "—"
    return f"{value:.1f} s" if value < 60 else f"{value / 60:.0f} min {value % 60:02.0f} s"


def money(value: Json) -> str:
    """A cost in US dollars."""
    return f"${value:,.4f}" if isinstance(value, int | float) and value else "none" if value == 0 else "not known"
