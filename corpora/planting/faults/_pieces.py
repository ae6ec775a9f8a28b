"""Faults in how the words hold together, and sentences that were taken from somebody else's mail."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from corpora.planting._controls import Message
from corpora.planting._kind import UNSPACED, Document, Kind, kind
from corpora.planting.faults._parts import as_alt, as_preview, behind

Json = Any

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
    return as_alt(d, d.escaped(_sentences(d)[-1]))


def _lent_in_preview(d: Document) -> Json:
    return as_preview(d, d.escaped(_sentences(d)[-1]))


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
