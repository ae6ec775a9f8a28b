"""Faults in what is said: claims, assertions, required and forbidden words, repeats, what was taken from an example."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corpora.planting._controls import SUPERSCRIPT, Message, files_of
from corpora.planting._kind import Document, Kind, kind, request
from corpora.planting.faults._parts import behind, said_instead

Json = Any
UNSPACED = {"ja"}
"""Languages that set no spaces between words."""


def cited(d: Document) -> list[Message]:
    """The messages that make a claim with a reference."""
    return [one for one in d.mail.messages if one.number]


def shown(d: Document, one: Message) -> str:
    """A message as it stands in the source, with its mark."""
    return one.marked(d.mail.way)


def mark(d: Document, number: int) -> str:
    """The mark of a reference, as this document sets it."""
    return str(number).translate(SUPERSCRIPT) if d.mail.way % 2 else f"<sup>{number}</sup>"


def given_in(d: Document) -> Json:
    """The request."""
    return json.loads(files_of(d.mail)["request.json"])


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
        whole = given_in(d)
        claims = [claim | changes if claim["id"] == one.claim else claim for claim in whole["claims"]]
        messages = [message | {"claims": []} for message in whole["brief"]["messaging"]["key_messages"]]
        return request({"claims": claims, "brief": {"messaging": {"key_messages": messages}}})

    return plant


def _without_disclosure(d: Document) -> Json:
    one = next(one for one in d.mail.messages if one.claim)
    whole = given_in(d)
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


def _required(d: Document) -> str:
    return d.escaped(d.theme["prominent" if sum(map(ord, d.name)) % 2 else "footer"])


def _text_of(d: Document, words: str) -> str:
    return d.first(rf"<mj-text[^>]*>{re.escape(words)}</mj-text>")


def _word_of_rule_changed(d: Document) -> Json:
    words = _required(d)
    if d.language in UNSPACED:
        return d.put(words, words[: len(words) // 2] + "少" + words[len(words) // 2 + 1 :])
    longest = max(re.findall(r"[^\W\d_]+", words), key=len)
    return d.put(words, words.replace(longest, longest[: len(longest) // 2], 1))


def _word_of_rule_gone(d: Document) -> Json:
    words = _required(d)
    parts = words.split()
    return d.put(words, " ".join(parts[:1] + parts[2:])) if len(parts) > 3 else None


def _halves_turned(d: Document) -> Json:
    words = _required(d)
    at = words.find(". ")
    return d.put(words, f"{words[at + 2 :]} {words[: at + 1]}") if at > 0 else None


def _styled(style: str) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        words = _required(d)
        return d.put(f">{words}<", f'><span style="{style}">{words}</span><')

    return plant


def _as_alt(d: Document) -> Json:
    words = _required(d)
    alt = d.first(r'alt="[^"]*" width="160px"')
    return [d.drop(words), d.put(alt, f'alt="{words}" width="160px"')]


DISCLOSURES: Sequence[Kind] = (
    kind("gone", "disclosure-missing", lambda d: d.drop(_text_of(d, _required(d)))),
    kind("word-changed", "disclosure-missing", _word_of_rule_changed),
    kind("word-gone", "disclosure-missing", _word_of_rule_gone),
    kind("halves-turned", "disclosure-missing", _halves_turned),
    kind("hidden", "disclosure-hidden disclosure-missing", _styled("display:none")),
    kind("no-height", "disclosure-hidden disclosure-missing", _styled("font-size:0;line-height:0")),
    kind("tiny", "disclosure-small", _styled("font-size:7px;line-height:9px")),
    kind("small", "disclosure-small", _styled("font-size:10px;line-height:13px")),
    kind("only-in-alt", "disclosure-missing", _as_alt),
    kind("in-small-print", "disclosure-not-prominent", lambda d: d.planned('"role": "notice"', '"role": "legal"')),
)


def forbidden(form: Callable[[str], str]) -> Callable[[Document], Json]:
    """Plants forbidden words, in a form, in one of several places."""

    def plant(d: Document) -> Json:
        words = d.theme["prohibited"][sum(map(ord, d.name)) % len(d.theme["prohibited"])]
        return said_instead(d.escaped(form(words)))(d)

    return plant


def _forbidden_in_alt(d: Document) -> Json:
    alt = d.first(r'alt="[^"]*" width="160px"')
    return d.put(alt, f'alt="{d.theme["prohibited"][0]}" width="160px"')


def _forbidden_in_preview(d: Document) -> Json:
    preview = d.first(r"<mj-preview>.*?</mj-preview>")
    return d.put(preview, f"<mj-preview>{d.theme['prohibited'][1]}. {d.escaped(d.mail.preheader)}</mj-preview>")


def _forbidden_in_body(d: Document) -> Json:
    one = next((one for one in d.mail.messages if not one.claim), None)
    return d.put(one.text, f"{one.text} {d.theme['prohibited'][0].capitalize()}!") if one else None


def _as_answer(prefix: str) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        subject = json.loads(d.plan)["header"]["subject"]
        return [
            d.planned(f'"subject": "{subject}"', f'"subject": "{prefix} {subject}"'),
            request({"delivery": {"subject": f"{prefix} {subject}"}}),
        ]

    return plant


PROHIBITED: Sequence[Kind] = (
    kind("as-given", "prohibited-words", forbidden(str)),
    kind("capitals", "prohibited-words", forbidden(str.upper)),
    kind("soft-hyphens", "prohibited-words", forbidden(lambda words: "\u00ad".join(words))),
    kind("other-spaces", "prohibited-words", forbidden(lambda words: f"… {words.replace(' ', chr(0xA0))} …")),
    kind("in-body", "prohibited-words", _forbidden_in_body),
    kind("in-alt", "prohibited-words", _forbidden_in_alt),
    kind("in-preview", "prohibited-words", _forbidden_in_preview),
    kind("as-answer", "honest-subject", _as_answer("Re:")),
    kind("as-forward", "honest-subject", _as_answer("FW:")),
)


def _other_market(d: Document) -> Json:
    """A market besides, in which the claims may be made, too."""
    claims = [claim | {"markets": [*claim["markets"], "BR"]} for claim in given_in(d)["claims"]]
    return request({"audience": {"territory": [d.theme["market"], "BR"]}, "claims": claims})


def _medicine(d: Document, **rules: Json) -> Json:
    return request({"rules": {"packs": ["us-rx-promotion"], **rules}})


def _small_safety(d: Document) -> Json:
    words = d.escaped(d.theme["prominent"])
    small = d.put(f">{words}<", f'><span style="font-size:11px;line-height:15px">{words}</span><')
    return [_medicine(d), small] if d.language == "en" else None


def _no_safety(d: Document) -> Json:
    kept = [one for one in given_in(d)["rules"]["required_disclosures"] if one["position"] == "footer"]
    return _medicine(d, required_disclosures=kept)


RULE_PACKS: Sequence[Kind] = (
    kind("no-address", "postal-address", lambda d: request({"delivery": {"postal_address": None}})),
    kind("no-way-out", "opt-out", lambda d: request({"delivery": {"unsubscribe": None}})),
    kind("no-sender", "sender", lambda d: request({"delivery": {"sender": None}})),
    kind("market-unknown", "no-rule-pack", _other_market),
    kind("pack-unknown", "unknown-rule-pack", lambda d: request({"rules": {"packs": ["us-toys"]}})),
    kind("no-safety", "safety-information", _no_safety),
    kind("small-safety", "safety-prominence", _small_safety),
    kind("no-report", "report-side-effects", _medicine),
)

OTHERS = {
    "en": "Read the story",
    "de": "Mehr lesen",
    "fr": "Lire la suite",
    "es": "Leer más",
    "ja": "もっと読む",
    "ar": "اقرأ المزيد",
}


def _second_action(d: Document) -> Json:
    button = d.first(r"<mj-button.*?</mj-button>")
    return d.put(button, button + button.replace(f">{d.escaped(d.theme['cta'])}<", f">{OTHERS[d.language]}<"))


def _no_action(d: Document) -> Json:
    button = d.first(r"<mj-button.*?</mj-button>")
    return d.drop(button)


def _action_as_text(d: Document) -> Json:
    button = d.first(r"<mj-button.*?</mj-button>")
    return d.put(button, f'<mj-text padding="8px 24px">{d.escaped(d.theme["cta"])}</mj-text>')


def _paragraph(d: Document) -> Message | None:
    return next((one for one in d.mail.messages if not one.claim and len(one.text.split()) >= 13), None)


def _again(change: Callable[[str], str]) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        one = _paragraph(d)
        motto = f">{d.escaped(d.theme['motto'])}</p>"
        return d.put(motto, f"{motto}<p>{change(one.text)}</p>") if one else None

    return plant


def _title_again(d: Document) -> Json:
    """A later title says what the first one says."""
    first, second = (f">{d.escaped(one.title)}</h2>" for one in d.mail.messages[:2])
    return d.put(second, first) if first in d.source and second in d.source else None


def _long_headline(d: Document) -> Json:
    title = f">{d.escaped(d.mail.messages[1].title)}</h2>"
    words = d.escaped(f"{d.mail.messages[1].title}: {d.mail.sub} {d.mail.preheader}")
    return d.put(title, f">{words}</h2>") if title in d.source and len(words) > 90 else None


def _larger_title(d: Document) -> Json:
    title = d.first(r'<h2 style="margin:0 0 8px;font-size:\d+px;line-height:\d+px">')
    return d.put(title, '<h2 style="margin:0 0 8px;font-size:44px;line-height:48px">') if title else None


def _name(form: Callable[[str], str]) -> Callable[[Document], Json]:
    """The name of the sender in another form, in a sentence of its own."""

    def plant(d: Document) -> Json:
        name = str(d.theme["name"])
        if not name.isascii() or form(name) == name:
            return None
        return behind(d.escaped(form(name)) + ".")(d)

    return plant


ADDRESSED = {
    "reise": "Das wird dein Sommer.",
    "schule": "Bitte melden Sie sich an.",
    "jardin": "Fais comme chez toi, tu verras.",
    "libreria": "Le esperamos, usted decide.",
}


def _otherwise_addressed(d: Document) -> Json:
    theme = d.name.rpartition("-")[0]
    if theme not in ADDRESSED:
        return None
    forms = {
        "reise": "Sie|Ihr",
        "schule": r"\b(?:du|dich|dein|dir|Setz|Bring)\b",
        "jardin": "vous|votre",
        "libreria": r"\b(?:[Tt]e|tu|[Vv]en)\b",
    }
    spoken_to = re.search(
        {**forms, "schule": r"\b(?:du|dich|dein\w*|dir)\b", "reise": r"[,;\w] (?:Sie|Ihnen|Ihr\w*)\b"}[theme],
        re.sub(r"<[^>]+>", " ", d.source),
    )
    return behind(ADDRESSED[theme])(d) if spoken_to else None


COHESION: Sequence[Kind] = (
    kind("second-action", "several-actions", _second_action),
    kind("no-action", "action-missing", _no_action),
    kind("action-as-text", "action-missing", _action_as_text),
    kind("paragraph-again", "repeated", _again(str)),
    kind("paragraph-nearly-again", "nearly-repeated", _again(lambda text: text.rsplit(" ", 1)[0] + ".")),
    kind("title-again", "repeated", _title_again),
    kind("long-headline", "headline-long", _long_headline),
    kind("larger-title", "headline-order", _larger_title),
    kind("name-joined", "name-otherwise", _name(lambda name: name.replace(" ", ""))),
    kind("name-with-odd-capital", "name-otherwise", _name(lambda name: name[:2] + name[2].upper() + name[3:])),
    kind("name-with-hyphen", "name-otherwise", _name(lambda name: name.replace(" ", "-"))),
    kind("other-address", "address-mixed", _otherwise_addressed, each=8),
)


def _sentences(d: Document) -> list[str]:
    """The sentences of the example that are long enough to be anybody's."""
    return [
        one
        for one in d.theme["example"].splitlines()
        if len(one.split()) >= 5 or (d.language in UNSPACED and len(one) > 10)
    ]


def _lent(at: int, form: Callable[[str], str] = str) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        lines = _sentences(d)
        return behind(d.escaped(form(lines[at % len(lines)])))(d)

    return plant


def _lent_in_alt(d: Document) -> Json:
    alt = d.first(r'alt="[^"]*" width="160px"')
    return d.put(alt, f'alt="{d.escaped(_sentences(d)[-1])}" width="160px"')


def _lent_in_preview(d: Document) -> Json:
    preview = d.first(r"<mj-preview>.*?</mj-preview>")
    return d.put(preview, f"<mj-preview>{d.escaped(_sentences(d)[-1])}</mj-preview>")


def _lent_figure(d: Document) -> Json:
    """The figure of the example, in words of its own."""
    found = re.search(r"[£$€]?\d+ ?[^\W\d_]*", d.theme["example"])
    return behind(f"… {found[0]} …")(d) if found and " " in found[0] else None


BORROWED: Sequence[Kind] = (
    kind("sentence", "borrowed-sentence", _lent(1)),
    kind("last-sentence", "borrowed-sentence", _lent(-1)),
    kind("capitals", "borrowed-sentence", _lent(1, str.upper)),
    kind("other-point", "borrowed-sentence", _lent(-1, lambda line: f"“{line.rstrip('.')}!”")),
    kind("in-alt", "borrowed-sentence", _lent_in_alt),
    kind("in-preview", "borrowed-sentence", _lent_in_preview),
    kind("figure", "borrowed-number", _lent_figure),
)

WORDS: Mapping[str, Sequence[Kind]] = {
    "claims": CLAIMS,
    "assertions": ASSERTIONS,
    "disclosures": DISCLOSURES,
    "prohibited-words": PROHIBITED,
    "rule-packs": RULE_PACKS,
    "cohesion": COHESION,
    "borrowed-claims": BORROWED,
}
