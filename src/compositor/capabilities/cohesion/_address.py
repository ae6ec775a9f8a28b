"""Forms of address: a reader is spoken to in one way, where the language has two."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compositor.capabilities import Finding, Section, View, Where
from compositor.capabilities.cohesion._given import is_mandated, mandated

_UNADDRESSED = frozenset({"legal", "picture"})
"""Roles that speak for others, or to nobody: small print, alternative texts."""
_QUOTED = re.compile(r"„[^“”]{1,600}[“”]|“[^”]{1,600}”|«[^»]{1,600}»|»[^«]{1,600}«|‹[^›]{1,600}›|\"[^\"]{1,600}\"")
"""What others say, at most a long paragraph of it."""
_MID = r"(?<=[\w,;] )"
"""After a word or a comma. At the beginning of a sentence a German capital says nothing: `Sie` may be `they`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Forms:
    """The words of one language that show how it speaks to the reader."""

    familiar: re.Pattern[str]
    formal: re.Pattern[str]


def _any(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


FORMS: Mapping[str, _Forms] = {
    "de": _Forms(
        familiar=_any("du|dir|dich|dein(?:e[mnrs]?)?|euch|euer|eure[mnrs]?"),
        formal=re.compile(rf"{_MID}(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)(?!\w)"),
    ),
    "es": _Forms(familiar=_any("tú|ti|contigo|tus?|te|vos|vosotr[oa]s"), formal=_any(r"usted|ud\.(?=\s)|vd\.(?=\s)")),
    "fr": _Forms(
        familiar=_any(r"tu|toi|te|tes|t'[aeiouyhàâéèêëîïôù]\w*"),
        formal=_any("(?<!rendez-)vous|votre|vos"),
    ),
}
"""By language. Words that also mean something else are left out: `ton` (tone), `su` (her), `ustedes` (all of you)."""


def address_findings(sections: Sequence[Section], view: View) -> Iterator[Finding]:
    """A copy that says `du` in one place and `Sie` in another."""
    forms = FORMS.get(str(view.get("locale", "")).partition("-")[0])
    if forms is None:
        return
    fixed = mandated(view)
    said = [s for s in sections if s.role not in _UNADDRESSED and not is_mandated(s, fixed)]
    familiar, formal = (list(_uses(said, pattern)) for pattern in (forms.familiar, forms.formal))
    if not (familiar and formal):
        return
    rare, common = sorted((familiar, formal), key=len)
    (there, other), (here, word) = common[0], rare[0]
    message = f"the reader is addressed as “{word}” here and as “{other}” at {Where.at(there)}"
    remedy = f"keep to one form; “{other}” is said {len(common)} times, “{word}” {len(rare)}"
    yield Finding.at(here, "address-mixed", message, remedy, severity="warning", measured=word, threshold=other)


def _uses(sections: Sequence[Section], pattern: re.Pattern[str]) -> Iterator[tuple[Section, str]]:
    """Each use, apart from what is quoted: others may speak otherwise."""
    for section in sections:
        text = _QUOTED.sub(" ", " ".join(unicodedata.normalize("NFKC", section.text).replace("’", "'").split()))
        yield from ((section, found[0]) for found in pattern.finditer(text))
