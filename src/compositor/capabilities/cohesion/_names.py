"""Names: the brand and its products are written as the request writes them, and in no second way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

from compositor.capabilities import Finding, Section, View
from compositor.capabilities.cohesion._given import given_texts
from compositor.workspace.wording import folded

FEWEST_LETTERS = 4
"""Shorter brand names are found within common words put together."""

_ELSEWHERE = re.compile(
    r"\{\{[^{}]{0,200}\}\}|\*\|[^|]{0,200}\|\*|%%[^%]{0,200}%%"  # merge tags
    r"|(?<!\S)\S*@\S*|(?<!\w)\w+://\S+|(?<!\w)#\w+|(?<![\w-])(?:[\w-]+\.)+[a-z]{2,}(?:/\S*)?"  # addresses
)
_DASHES = str.maketrans({"‐": "-", "‑": "-", "\u00ad": "", "\u200b": "", "\u2060": ""})
_TOKEN = re.compile(r"[^\W\d_][^\W_]*(?:-[^\W_]+)*")
_CODE = re.compile(r"[A-Z]{1,6}-\d{1,5}")
_BREAK = re.compile(r"[\s-]+")


def name_findings(sections: Sequence[Section], view: View) -> Iterator[Finding]:
    """Each name that a section writes otherwise than the request does, in capitals, hyphens or spaces."""
    given = [_plain(text) for text in given_texts(view)]
    letters = _letters(" ".join(section.text for section in sections))
    for name in (name for name in _names(view, given) if _letters(name) in letters):
        pattern = _any_form(name)
        forms = {_spaced(found[0]) for text in given for found in pattern.finditer(text)} | {_spaced(name)}
        for section in sections:
            found = (_spaced(match[0]) for match in pattern.finditer(_plain(section.text)))
            other = next((form for form in found if form not in forms and _differs(form, name)), None)
            if other is not None:
                message = f"“{other}” is written “{name}” in the request"
                yield Finding.at(
                    section, "name-otherwise", message, f"write {name}", severity="warning", measured=other
                )


def _plain(text: str) -> str:
    """The text with its capitals, without addresses, which have a spelling of their own."""
    return _ELSEWHERE.sub(" ", unicodedata.normalize("NFKC", text).translate(_DASHES))


def _names(view: View, given: Sequence[str]) -> tuple[str, ...]:
    """The brand's name, and words of the request whose form is their own: SleepWell, iPhone, MX-5."""
    brand = _plain(view.get("brand.name", "")).strip()
    letters = [char for char in brand if char.isalnum()]
    plain = all(char.isalnum() or char in " -" for char in brand)
    names = [brand] if plain and len(letters) >= FEWEST_LETTERS else []
    names += [token for text in given for token in _TOKEN.findall(text) if _has_own_form(token)]
    return tuple(dict.fromkeys(names))


def _letters(text: str) -> str:
    """Letters and digits alone: a name that is not among them is written nowhere, in no form."""
    return "".join(char for char in folded(text) if char.isalnum())


def _has_own_form(token: str) -> bool:
    return len(token) > 2 and (_mixed(token) or _CODE.fullmatch(token) is not None)


def _mixed(name: str) -> bool:
    """Whether a capital follows a small letter within a word."""
    return any(before.islower() and after.isupper() for before, after in pairwise(name))


def _any_form(name: str) -> re.Pattern[str]:
    """The letters of a name as a word of its own, whatever stands between them: one space or hyphen, or nothing."""
    letters = r"[\s-]?".join(re.escape(char) for char in name if char.isalnum())
    return re.compile(rf"(?<![\w-]){letters}(?![\w-])", re.IGNORECASE)


def _spaced(form: str) -> str:
    return " ".join(form.split())


def _differs(form: str, name: str) -> bool:
    """Whether another form is a slip: capitals throughout are a style, and small letters may be a common word."""
    if _shape(form) == _shape(name):
        return (_mixed(name) or _mixed(form)) and not form.isupper() and form[1:] != name[1:]
    parts = _BREAK.split(form)
    spelled_out = len(parts) > 2 and all(len(part) == 1 for part in parts)
    as_name = all(part[0].isupper() or part[0].isdigit() or not name[0].isupper() for part in form.split())
    return as_name and not spelled_out


def _shape(form: str) -> str:
    """A name without its letters: where it has spaces and hyphens."""
    return re.sub(r"[^\s-]", "x", form)
