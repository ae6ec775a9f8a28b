"""Clean documents by rule: twelve senders in six languages, each with nine ways to set a mail."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpora.planting._setting import BODIES, page

Json = Any
THEMES = Path(__file__).parent.parent / "themes"
UNSUBSCRIBE = {"handlebars": "{{unsubscribe_url}}", "mailchimp": "*|UNSUB|*", "salesforce": "%%unsub_center_url%%"}
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
WANTED = 4
"""Messages of each mail, of the six that a theme has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of a mail: its words, the claim that it makes, and the number of the reference behind it."""

    title: str
    text: str
    claim: str
    source: str
    number: int

    def marked(self, way: int) -> str:
        """The text with its mark: as raised digits, or as plain ones that are set raised."""
        if not self.number:
            return self.text
        return self.text + (str(self.number).translate(SUPERSCRIPT) if way % 2 else f"<sup>{self.number}</sup>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """Everything that a document is made from."""

    name: str
    theme: Mapping[str, Json]
    way: int
    messages: tuple[Message, ...]

    @property
    def site(self) -> str:
        """The address of the sender."""
        return f"https://{self.theme['host']}"

    @property
    def unsubscribe(self) -> str:
        """The address at which a reader leaves."""
        return UNSUBSCRIBE.get(self.theme["merge_tags"], f"{self.site}/leave")

    @property
    def headline(self) -> str:
        """One of three."""
        return str(self.theme["headlines"][self.way % 3])

    @property
    def sub(self) -> str:
        """What the headline promises, in a sentence."""
        return str(self.theme["subs"][self.way % 3])

    @property
    def preheader(self) -> str:
        """The first words beside the subject."""
        return str(self.theme["subs"][(self.way + 1) % 3])

    @property
    def references(self) -> list[str]:
        """The list of references, in the order in which they are cited."""
        cited = {message.number: message.source for message in self.messages if message.number}
        return [f"{number}. {self.theme['sources'][source]}" for number, source in sorted(cited.items())]


def mails() -> Iterator[Mail]:
    """Every clean document."""
    for path in sorted(THEMES.glob("*.json")):
        theme = json.loads(path.read_text())
        for way in range(len(BODIES)):
            yield Mail(name=f"{path.stem}-{way + 1}", theme=theme, way=way, messages=tuple(_messages(theme, way)))


def _messages(theme: Mapping[str, Json], way: int) -> Iterator[Message]:
    numbers: dict[str, int] = {}
    all_of_them = theme["messages"]
    for at in range(WANTED):
        title, text, claim, source = all_of_them[(way + at) % len(all_of_them)]
        number = numbers.setdefault(source, len(numbers) + 1) if source else 0
        yield Message(title=title, text=text, claim=claim, source=source, number=number)


def files_of(mail: Mail) -> Mapping[str, str]:
    """The files of a document."""
    sections, source = page(mail)
    plan = {
        "schema_version": "1",
        "header": {"subject": _subject(mail), "preheader": mail.preheader},
        "sections": sections,
    }
    return {"request.json": _written(_request(mail)), "email.mjml": source, "plan.json": _written(plan)}


def _written(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _subject(mail: Mail) -> str:
    return f"{mail.theme['name']}: {mail.headline}"


def _request(mail: Mail) -> Json:
    theme = mail.theme
    return {
        "schema_version": "1",
        "operation": "generate",
        "content": "email",
        "locale": theme["locale"],
        "document": mail.name,
        "brief": _brief(mail),
        "audience": {"description": "Readers of the newsletter.", "territory": [theme["market"]]},
        "brand": _brand(mail),
        "claims": list(_claims(theme)),
        "sources": [{"id": name, "title": name, "citation": words} for name, words in theme["sources"].items()],
        "rules": _rules(theme),
        "examples": [{"id": "earlier", "text": theme["example"], "note": "follow how it sounds"}],
        "assets": _assets(theme),
        "delivery": _delivery(mail),
    }


def _brief(mail: Mail) -> Json:
    theme = mail.theme
    messages = [
        {"headline": message.title, "text": message.text, "claims": [message.claim] if message.claim else []}
        for message in mail.messages
    ]
    title, words = theme["quote"][1], theme["quote"][0]
    return {
        "name": f"{theme['name']}, mail {mail.way + 1}",
        "objective": "consideration",
        "description": mail.sub,
        "messaging": {
            "headline": mail.headline,
            "tagline": mail.sub,
            "cta": {"text": theme["cta"], "url": mail.site + theme["path"]},
            "key_messages": messages,
            "details": [{"label": label, "value": value} for label, value in theme["details"]],
            "quote": {"text": words, "attribution": title},
        },
        "must_include": [mail.headline],
    }


def _brand(mail: Mail) -> Json:
    theme = mail.theme
    colors = {name: {"$type": "color", "$value": value} for name, value in theme["colors"].items()}
    return {
        "name": theme["name"],
        "url": mail.site,
        "tagline": theme["motto"],
        "tokens": {"color": {name: {"$type": "color", "$value": _srgb(one["$value"])} for name, one in colors.items()}},
        "colors": {name: f"{{color.{name}}}" for name in ("primary", "accent", "background", "text")},
        "palette": {"severity": "must", "never": [["text", "primary"]]},
        "logos": [{"asset": "logo", "min_width": 120, "clear_space": 0.3, "severity": "must"}],
    }


def _srgb(hexadecimal: str) -> Json:
    parts = [round(int(hexadecimal[at : at + 2], 16) / 255, 4) for at in (1, 3, 5)]
    return {"colorSpace": "srgb", "components": parts, "hex": hexadecimal}


def _claims(theme: Mapping[str, Json]) -> Iterator[Json]:
    for _, text, claim, source in theme["messages"]:
        if claim:
            cited = {"sources": [{"source": source}]} if source else {}
            yield {"id": claim, "text": text, "markets": [theme["market"]], "expires": "2030-12-31", **cited}


def _rules(theme: Mapping[str, Json]) -> Json:
    market = {"jurisdictions": [theme["market"]]}
    return {
        "required_disclosures": [
            {"id": "terms", "text": theme["prominent"], "position": "prominent", **market},
            {"id": "imprint", "text": theme["footer"], "position": "footer", **market},
        ],
        "prohibited_claims": [{"text": words, "reason": "not shown"} for words in theme["prohibited"]],
    }


def _assets(theme: Mapping[str, Json]) -> Sequence[Json]:
    first, second, third = (message[0] for message in theme["messages"][:3])
    told = [
        ("logo", "logo.png", "logo", theme["name"]),
        ("hero", "hero.jpg", "hero", theme["tagline"]),
        ("night", "night.jpg", "background", ""),
        ("one", "one.jpg", "product", first),
        ("two", "two.jpg", "product", second),
        ("three", "three.jpg", "product", third),
    ]
    return [{"id": name, "path": f"given/{file}", "role": role, "alt": alt} for name, file, role, alt in told]


def _delivery(mail: Mail) -> Json:
    theme = mail.theme
    return {
        "send_on": "2028-05-02",
        "subject": _subject(mail),
        "preheader": mail.preheader,
        "sender": {"name": theme["name"], "email": f"hello@{theme['host']}"},
        "postal_address": theme["address"],
        "unsubscribe": mail.unsubscribe,
        "merge_tags": theme["merge_tags"],
        "asset_base_url": f"{mail.site}/mail/",
    }
