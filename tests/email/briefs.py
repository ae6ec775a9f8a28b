"""Design briefs from outside as requests for an email: read by rule, so that no word is ours but the labels.

A brief is two texts: what somebody asked for, and a longer description of how it may look. What stands in quotation
marks is what the piece is to say; dates and addresses are facts; the rest is the description.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from compositor._values import Json

OBJECTIVES = {
    "Advertising": "conversion",
    "Events": "awareness",
    "MarketingMaterials": "consideration",
    "Posts": "engagement",
    "Covers_Headers": "retention",
}
BRANDS: tuple[Mapping[str, Json], ...] = (
    {"name": "Fjordlight", "colors": {"primary": "#175747", "accent": "#c8552b"}, "fonts": {"heading": "Georgia"}},
    {"name": "Northside", "colors": {"primary": "#1b2a49", "accent": "#ff6b35", "text": "#14181f"}},
    {"name": "Atelier Prune", "colors": {"primary": "#6b2d5c", "background": "#fbf7f4", "text": "#2a1e27"}},
    {"name": "Klar", "colors": {"primary": "#0057d9"}},
    {"name": "Plain & Co"},
    {"name": "Zest", "colors": {"primary": "#f5c400", "accent": "#d12f2f"}},
    {"name": "Kiln", "colors": {"primary": "#b5533c", "background": "#fdf6ee", "text": "#3a2a20"}},
    {"name": "Grey House", "colors": {"primary": "#444b52", "accent": "#8a9299"}},
)
_QUOTED = re.compile(r"[\"“]([^\"”]{3,120})[\"”]|(?<!\w)'([^']{3,120})'(?!\w)")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DATE = re.compile(rf"\b(?:{_MONTHS})\s+\d{{1,2}}(?:st|nd|rd|th)?\b")
_SITE = re.compile(r"\bwww\.[a-z0-9-]+\.[a-z]{2,}|\b[a-z0-9-]{4,}\.com\b", re.IGNORECASE)
_VERBS = "book|shop|order|read|learn|visit|join|buy|watch|get|see|call|subscribe|register|adopt"
_ACTION = re.compile(rf"^(?:{_VERBS})\b[^.!]{{0,24}}$", re.IGNORECASE)
_ASKED = re.compile(
    r"^(?:create|design|promote|make)\b(?:.{0,60}?\b(?:for|to promote|promoting|about|of|showcasing)\b)?\s*",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_LONGEST_HEADLINE = 70


def briefs(path: Path, every: int = 10) -> Iterator[Mapping[str, str]]:
    """The briefs whose number can be divided by `every`."""
    with path.open(newline="", encoding="utf-8") as file:
        yield from (row for row in csv.DictReader(file) if int(row["id"]) % every == 0)


def request_of(brief: Mapping[str, str]) -> dict[str, Any]:
    """The request for an email that a brief makes."""
    asked, described = brief["Intension"].strip(), brief["Augmented Intension with GPT4"].strip()
    number = int(brief["id"])
    said = list(dict.fromkeys(_said(asked) + _said(described)))
    actions = [words for words in said if _ACTION.match(words)]
    lines = [words for words in said if words not in actions and len(words) <= _LONGEST_HEADLINE]
    subject = _ASKED.sub("", _SENTENCE.split(asked)[0]).strip(" .")
    headline = lines[0] if lines else _short(subject)
    site = _SITE.search(asked)
    address = f"https://{site[0].lower()}/" if site else "https://brand.test/"
    messaging: dict[str, Any] = {
        "headline": headline,
        "cta": {"text": (actions or ["See more"])[0].strip(" .!"), "url": address},
        "key_messages": [{"text": text} for text in (lines[1:3] or _SENTENCE.split(asked)[1:3])],
    }
    if dates := _DATE.findall(asked):
        messaging["details"] = [{"label": "When", "value": dates[0]}]
    brand = BRANDS[(number // 10) % len(BRANDS)]
    return {
        "operation": "generate",
        "content": "email",
        "brief": {
            "name": f"Brief {number}",
            "objective": OBJECTIVES[brief["Category"]],
            "description": f"{asked} {described}",
            "messaging": messaging,
        },
        "audience": {"territory": ["GB"]},
        "brand": {**brand, "url": "https://brand.test/"},
        "delivery": {
            "sender": {"name": brand["name"]},
            "postal_address": "1 Mill Lane, York",
            "unsubscribe": "https://brand.test/unsubscribe",
        },
    }


def _said(text: str) -> list[str]:
    return [(first or second).strip(" ,") for first, second in _QUOTED.findall(text)]


def _short(text: str) -> str:
    words = text[:1].upper() + text[1:]
    if len(words) <= _LONGEST_HEADLINE:
        return words
    return words[:_LONGEST_HEADLINE].rsplit(" ", 1)[0].rstrip(",; ")
