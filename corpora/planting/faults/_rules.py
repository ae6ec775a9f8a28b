"""Faults against rules: required words that are not as they must be, forbidden ones, what the law asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from corpora.planting._kind import UNSPACED, Document, Kind, kind, request
from corpora.planting.faults._parts import as_alt, as_preview, said_instead

Json = Any


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
    return [d.drop(words), as_alt(d, words)]


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
    return as_alt(d, d.theme["prohibited"][0])


def _forbidden_in_preview(d: Document) -> Json:
    return as_preview(d, f"{d.theme['prohibited'][1]}. {d.escaped(d.mail.preheader)}")


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
    kind("soft-hyphens", "prohibited-words", forbidden("\u00ad".join)),
    kind("other-spaces", "prohibited-words", forbidden(lambda words: f"… {words.replace(' ', chr(0xA0))} …")),
    kind("in-body", "prohibited-words", _forbidden_in_body),
    kind("in-alt", "prohibited-words", _forbidden_in_alt),
    kind("in-preview", "prohibited-words", _forbidden_in_preview),
    kind("as-answer", "honest-subject", _as_answer("Re:")),
    kind("as-forward", "honest-subject", _as_answer("FW:")),
)


def _other_market(d: Document) -> Json:
    """A market besides, in which the claims may be made, too."""
    claims = [claim | {"markets": [*claim["markets"], "BR"]} for claim in d.request["claims"]]
    return request({"audience": {"territory": [d.theme["market"], "BR"]}, "claims": claims})


def _medicine(d: Document, **rules: Json) -> Json:
    return request({"rules": {"packs": ["us-rx-promotion"], **rules}})


def _small_safety(d: Document) -> Json:
    words = d.escaped(d.theme["prominent"])
    small = d.put(f">{words}<", f'><span style="font-size:11px;line-height:15px">{words}</span><')
    return [_medicine(d), small] if d.language == "en" else None


def _no_safety(d: Document) -> Json:
    kept = [one for one in d.request["rules"]["required_disclosures"] if one["position"] == "footer"]
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
