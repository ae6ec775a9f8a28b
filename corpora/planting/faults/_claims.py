"""Faults in what is claimed and asserted: changed words, lost references, figures that nobody gave."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corpora.planting._controls import SUPERSCRIPT, Message
from corpora.planting._kind import UNSPACED, Document, Kind, kind, request
from corpora.planting.faults._parts import behind

Json = Any


def cited(d: Document) -> list[Message]:
    """The messages that make a claim with a reference."""
    return [one for one in d.mail.messages if one.number]


def shown(d: Document, one: Message) -> str:
    """A message as it stands in the source, with its mark."""
    return one.marked(d.mail.way)


def mark(d: Document, number: int) -> str:
    """The mark of a reference, as this document sets it."""
    return str(number).translate(SUPERSCRIPT) if d.mail.way % 2 else f"<sup>{number}</sup>"


def _number_changed(d: Document) -> Json:
    one = next((one for one in d.mail.messages if one.claim and re.search(r"\d", one.text)), None)
    if one is None:
        return None
    changed = re.sub(r"\d", lambda digit: str((int(digit[0]) + 3) % 10), one.text, count=1)
    return d.put(one.text, changed)


def _word_changed(d: Document) -> Json:
    """Another word in the place of the longest one: a population, a substance, a thing."""
    if d.language in UNSPACED:
        return None
    one = next(one for one in d.mail.messages if one.claim)
    longest = max(re.findall(r"[^\W\d_]+", one.text), key=len)
    other = max(re.findall(r"[^\W\d_]+", d.theme["quote"][0]), key=len)
    return d.put(one.text, one.text.replace(longest, other, 1))


WIDENED = {"en": ("All ", "in everybody"), "de": ("", "bei allen"), "fr": ("", "pour tous"), "es": ("", "para todos")}


def _widened(d: Document) -> Json:
    """Who or what it holds for is made wider."""
    wider = WIDENED.get(d.language)
    one = next((one for one in cited(d) if one.text.endswith(".")), None)
    if wider is None or one is None:
        return None
    return d.put(one.text, f"{one.text[:-1]} {wider[1]}.")


def _unmarked(d: Document) -> Json:
    one = cited(d)[0] if cited(d) else None
    return d.put(shown(d, one), one.text) if one else None


def _wrongly_marked(d: Document) -> Json:
    numbers = sorted({one.number for one in cited(d)})
    if len(numbers) < 2:
        return None
    one = cited(d)[-1]
    other = next(number for number in numbers if number != one.number)
    return d.put(shown(d, one), one.text + mark(d, other))


def _entry(d: Document, at: int) -> str:
    return d.first(rf"<mj-text[^>]*>{re.escape(d.escaped(d.mail.references[at]))}</mj-text>")


def _unlisted(d: Document) -> Json:
    return d.drop(_entry(d, -1)) if d.mail.references else None


def _uncited(d: Document) -> Json:
    """An entry that nothing leads to: of the source of a claim that this mail does not make."""
    unused = [words for name, words in d.theme["sources"].items() if name not in {one.source for one in cited(d)}]
    if not unused or not d.mail.references:
        return None
    last = _entry(d, -1)
    new = f"{len(d.mail.references) + 1}. {unused[0]}"
    return d.put(last, last + last.replace(d.escaped(d.mail.references[-1]), d.escaped(new)))


def _swapped(d: Document) -> Json:
    """The list counts otherwise than the text."""
    if len(d.mail.references) < 2:
        return None
    first, second = (_entry(d, 0), _entry(d, 1))
    return d.put(first + second, second + first)


def _claims_otherwise(**changes: Json) -> Callable[[Document], Json]:
    """One claim that the mail makes is on other terms; the brief does not ask for it, or the request is refused."""

    def plant(d: Document) -> Json:
        one = next(one for one in d.mail.messages if one.claim)
        whole = d.request
        claims = [claim | changes if claim["id"] == one.claim else claim for claim in whole["claims"]]
        messages = [message | {"claims": []} for message in whole["brief"]["messaging"]["key_messages"]]
        return request({"claims": claims, "brief": {"messaging": {"key_messages": messages}}})

    return plant


def _without_disclosure(d: Document) -> Json:
    one = next(one for one in d.mail.messages if one.claim)
    whole = d.request
    claims = [claim | {"disclosures": ["care"]} if claim["id"] == one.claim else claim for claim in whole["claims"]]
    care = {"id": "care", "text": f"{d.theme['quote'][0]} {d.theme['subs'][2]}", "position": "footer"}
    return request(
        {"claims": claims, "rules": {"required_disclosures": [*whole["rules"]["required_disclosures"], care]}}
    )


CLAIMS: Sequence[Kind] = (
    kind("number-changed", "claim-altered", _number_changed, each=8),
    kind("word-changed", "claim-altered", _word_changed),
    kind("widened", "claim-altered", _widened),
    kind("no-mark", "marker-missing", _unmarked),
    kind("wrong-mark", "marker-wrong", _wrongly_marked),
    kind("not-listed", "reference-missing", _unlisted),
    kind("not-cited", "reference-orphan", _uncited),
    kind("list-out-of-order", "references-out-of-order", _swapped),
    kind("retired", "claim-unusable", _claims_otherwise(status="retired")),
    kind("expired", "claim-unusable", _claims_otherwise(expires="2028-05-01")),
    kind("other-market", "claim-unusable", _claims_otherwise(markets=["BR"])),
    kind("no-disclosure", "claim-disclosure-missing", _without_disclosure),
)

NUMBERS = {
    "en": "Only 37 left.",
    "de": "Nur noch 37 Stück.",
    "fr": "Plus que 37 pièces.",
    "es": "Quedan 37.",
    "ja": "残り37個です。",
    "ar": "بقي 37 فقط.",
}
SHARES = {
    "en": "Loved by 87% of readers.",
    "de": "87 % sind begeistert.",
    "fr": "87 % des clients reviennent.",
    "es": "El 87 % repite.",
    "ja": "満足度87%。",
    "ar": "رضا 87% من الزوار.",
}
YEARS = {
    "en": "Since 1874.",
    "de": "Seit 1874.",
    "fr": "Depuis 1874.",
    "es": "Desde 1874.",
    "ja": "1874年創業。",
    "ar": "منذ 1874.",
}
SUPERLATIVES = {
    "en": "The best of the year.",
    "de": "Unschlagbar im ganzen Land.",
    "fr": "Un choix imbattable.",
    "es": "Una calidad insuperable.",
}
MOST = {
    "en": "Our finest work.",
    "de": "Der größte Spaß des Jahres.",
    "fr": "Le plus beau choix.",
    "es": "La más bonita.",
}
COMPARISONS = {
    "en": "Better every year.",
    "de": "Schneller als gedacht.",
    "fr": "Supérieur en tout.",
    "es": "Más fuerte que nunca.",
}
FIRSTS = {"en": "Your number one.", "de": "Die Nummer 1 im Ort.", "fr": "Le numéro 1 du pays.", "es": "El número uno."}
PROOFS = {
    "en": "Clinically proven.",
    "de": "Wissenschaftlich belegt.",
    "fr": "Scientifiquement prouvé.",
    "es": "Científicamente probado.",
}


def spoken(words: Mapping[str, str]) -> Callable[[Document], Json]:
    """Plants the words of the document's language behind its last line."""

    def plant(d: Document) -> Json:
        return behind(words[d.language])(d) if d.language in words else None

    return plant


def _in_alt(d: Document) -> Json:
    alt = d.first(r'alt="[^"]+" width="(?:600|552|240|176)px"')
    return d.put(alt, alt.replace('"', '"46 × ', 1)) if alt else None


def _fact_changed(d: Document) -> Json:
    value = next((value for _, value in d.theme["details"] if re.search(r"\d", value)), "")
    spelled = next((s for s in (f">{d.escaped(value)}</td>", f">{d.escaped(value)}</strong>") if s in d.source), "")
    if not spelled or not value:
        return None
    changed = re.sub(r"\d+", lambda number: str(int(number[0]) + 1_111), value, count=1)
    return d.put(spelled, spelled.replace(d.escaped(value), d.escaped(changed)))


ASSERTIONS: Sequence[Kind] = (
    kind("number", "unsupported-number", spoken(NUMBERS), each=6),
    kind("share", "unsupported-number", spoken(SHARES)),
    kind("year", "unsupported-number", spoken(YEARS)),
    kind("number-in-alt", "unsupported-number", _in_alt),
    kind("fact-changed", "unsupported-number", _fact_changed),
    kind(
        "number-on-button",
        "unsupported-number",
        lambda d: d.put(f">{d.escaped(d.theme['cta'])}<", f">{d.escaped(d.theme['cta'])} (7777)<"),
    ),
    kind("superlative", "unsupported-superlative", spoken(SUPERLATIVES)),
    kind("most", "unsupported-superlative", spoken(MOST)),
    kind("first-place", "unsupported-superlative unsupported-number", spoken(FIRSTS)),
    kind("proof", "unsupported-superlative", spoken(PROOFS)),
    kind("comparison", "unsupported-comparison", spoken(COMPARISONS)),
)
