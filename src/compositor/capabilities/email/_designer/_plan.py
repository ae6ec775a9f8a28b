"""From the request to a plan: which sections stand in the email, in which order, with which words and pictures.

A section is a role and its parts; a part is a few named words with at most one picture and one link. The plan holds every
word that the email will show, so that it can be inspected before anything is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from math import ceil
from typing import Literal

from compositor._values import Json
from compositor.capabilities.email._designer._material import Material, Link, Picture
from compositor.capabilities.email._designer._typography import ems, plain
from compositor.capabilities.email._designer._words import unsubscribe
from compositor.capabilities.email._plan import SCHEMA_VERSION

PREHEADER_LIMIT = 140
"""Characters; inboxes cut longer ones (the check `delivery`)."""

Role = Literal[
    "header", "hero", "lead", "notice", "strip", "details", "agenda", "statement", "list", "cards", "feature", "quote",
    "closing", "legal", "footer",
]  # fmt: skip

_SAID = "brief.messaging"
_TIME = re.compile(r"^(?:\d{1,2}[:.]\d{2}|\d{1,2}\s?[ap]\.?m\b)", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_FESTIVE = ("awareness", "engagement")
_CARD_ASPECT = 1.5
"""Pictures wider than this are too small in a third of the column and get a section of their own."""
_STRIP_EMS = 7.5
"""Values up to this width stand side by side, three in a row, at title size."""
_HERO_WIDTH = 300
"""Pixels below which a picture is too small to open an email."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing in a section.

    Attributes:
        words: name → words: `headline`, `text`, `label`, `value`, `attribution`, `name`, `address` …
        picture, link: what goes with them.
        evidence: request fields or claim ids that they rest on.
        language: where the words are in another language than the email.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    picture: Picture | None = None
    link: Link | None = None
    evidence: tuple[str, ...] = ()
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the email.

    Attributes:
        id: unique; stands in the MJML as the class `section-ID`.
        role: decides how it is drawn.
        parts: what is in it.
        turned: for a feature: whether its picture stands at the end of the line instead of its start.
    """

    id: str
    role: Role
    parts: tuple[Part, ...]
    turned: bool = False

    def as_json(self) -> Json:
        """The section as `plan.json` holds it."""
        numbered = len(self.parts) > 1
        microcopy: dict[str, str] = {}
        for number, part in enumerate(self.parts, start=1):
            words = {**part.words, **({"action": part.link.text} if part.link else {})}
            microcopy |= {f"{name}-{number}" if numbered else name: text for name, text in words.items() if text}
        return {
            "id": self.id,
            "role": self.role,
            "evidence": list(dict.fromkeys(source for part in self.parts for source in part.evidence)),
            "microcopy": microcopy,
            "assets": list(dict.fromkeys(part.picture.id for part in self.parts if part.picture)),
            "references": [],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The whole email before it is drawn.

    Attributes:
        subject, preheader: what the inbox shows.
        festive: an invitation or announcement, not an offer: the brand's colour opens it.
        sections: in order.
    """

    subject: str
    preheader: str
    festive: bool
    sections: tuple[Section, ...]

    def as_json(self) -> Json:
        """The plan as `plan.json` holds it."""
        return {
            "schema_version": SCHEMA_VERSION,
            "header": {"subject": self.subject, "preheader": self.preheader},
            "sections": [section.as_json() for section in self.sections],
        }


def plan_email(material: Material, kept: int = 100) -> Plan:
    """Arrange what the request gives.

    Args:
        material: the request.
        kept: the part of the key messages to show, in percent, the first ones first.
    """
    headline, rests_on = _headline(material)
    messages = _messages(material, kept)
    leads = messages[:1] if messages and not messages[0].picture and not messages[0].words["headline"] else []
    hero = _hero(material, headline, rests_on, messages)
    body = [*_details(material), *_arranged(messages[len(leads) :]), *_quote(material)]
    sections = [
        _header(material),
        hero,
        *(Section(id="lead", role="lead", parts=(part,)) for part in leads),
        *_notices(material),
        *body,
        *(_closing(material, headline, rests_on) if body else ()),
    ]
    sections += [*_legal(material, sections), _footer(material)]
    subject = plain(material.block("delivery").get("subject") or headline)
    return Plan(
        subject=subject,
        preheader=_preheader(material, messages, subject),
        festive=material.block("brief").get("objective") in _FESTIVE,
        sections=tuple(sections),
    )


def _headline(material: Material) -> tuple[str, str]:
    """The one headline, and the field that it comes from."""
    candidates = {
        f"{_SAID}.headline": material.line("brief", "messaging", "headline"),
        "brand.tagline": material.line("brand", "tagline"),
        "delivery.subject": material.line("delivery", "subject"),
        "brief.name": material.line("brief", "name"),
    }
    return next(((text, source) for source, text in candidates.items() if text), ("", "brief.name"))


def _preheader(material: Material, messages: list[Part], subject: str) -> str:
    """The first line of the request that says something beside the subject and fits the inbox."""
    tagline = material.block("brief", "messaging").get("tagline") or ""
    said = [part.words[name] for part in messages for name in ("headline", "text")]
    action = material.block("brief", "messaging", "cta").get("text") or ""
    whole = [
        material.block("delivery").get("preheader") or "",
        tagline,
        *said,
        action,
        material.block("brand").get("name") or "",
    ]
    lines = (plain(part) for text in whole for part in (text, _SENTENCE.split(text)[0]))
    return next((line for line in lines if line and line != subject and len(line) <= PREHEADER_LIMIT), "")


def _header(material: Material) -> Section:
    name = plain(material.block("brand").get("name") or material.block("delivery", "sender").get("name") or "")
    site = material.block("brand").get("url")
    part = Part(
        words={"name": name},
        picture=material.logo,
        link=Link(text="", url=site) if site else None,
        evidence=("brand.name",) if material.block("brand") else (),
    )
    return Section(id="header", role="header", parts=(part,))


def _hero(material: Material, headline: str, rests_on: str, messages: list[Part]) -> Section:
    said = material.block("brief", "messaging")
    part = Part(
        words={"headline": headline, "text": material.words(said.get("tagline"))},
        picture=_opening_picture(material, messages),
        link=_action(material),
        evidence=(rests_on, *(f"{_SAID}.{name}" for name in ("tagline", "cta") if said.get(name))),
    )
    return Section(id="hero", role="hero", parts=(part,))


def _opening_picture(material: Material, messages: list[Part]) -> Picture | None:
    taken = {part.picture.id for part in messages if part.picture}
    named = [picture for picture in material.pictures if picture.role == "hero"]
    spare = [p for p in material.pictures if p.role in ("picture", "background") and p.id not in taken]
    return next((picture for picture in (*named, *spare) if picture.width >= _HERO_WIDTH), None)


def _action(material: Material) -> Link | None:
    return material.link(material.block("brief", "messaging").get("cta"), material.block("brand").get("url"))


def _notices(material: Material) -> Iterator[Section]:
    parts = tuple(part for part, position in _disclosures(material) if position == "prominent")
    if parts:
        yield Section(id="notice", role="notice", parts=parts)


def _disclosures(material: Material) -> Iterator[tuple[Part, str]]:
    """Required words that apply to the audience, untouched, each with its position."""
    territory = {place.split("-")[0] for place in material.block("audience").get("territory") or ()}
    for rule in material.listed("rules", "required_disclosures"):
        ruled = {place.split("-")[0] for place in rule.get("jurisdictions") or ()}
        if not territory or not ruled or territory & ruled:
            words = {"text": plain(rule["text"])}
            part = Part(words=words, evidence=("rules.required_disclosures",), language=rule.get("language"))
            yield part, rule.get("position") or "footer"


def _details(material: Material) -> Iterator[Section]:
    """Facts, and the hours of a programme: labels that are times make an agenda."""
    said = material.listed("brief", "messaging", "details")
    evidence = (f"{_SAID}.details",)
    parts = [
        Part(words={"label": material.words(item["label"]), "value": material.words(item["value"])}, evidence=evidence)
        for item in said
    ]
    hours = tuple(part for part in parts if _TIME.match(part.words["label"]))
    facts = tuple(part for part in parts if not _TIME.match(part.words["label"]))
    if facts:
        short = len(facts) in (2, 3) and all(ems(part.words["value"]) <= _STRIP_EMS for part in facts)
        yield Section(id="details", role="strip" if short else "details", parts=facts)
    if hours:
        yield Section(id="agenda", role="agenda", parts=hours)


def _messages(material: Material, kept: int) -> list[Part]:
    said = material.listed("brief", "messaging", "key_messages")
    return [
        Part(
            words={"headline": material.words(message.get("headline")), "text": material.words(message["text"])},
            picture=material.picture(message.get("asset")),
            link=material.link(message.get("cta")),
            evidence=(f"{_SAID}.key_messages", *(message.get("claims") or ())),
        )
        for message in said[: ceil(len(said) * kept / 100)]
    ]


def _arranged(messages: list[Part]) -> Iterator[Section]:
    """Messages in their order, set in a rhythm: pictures in cards and features, words alone in lists and statements."""
    number, features = 0, 0
    for pictured, run in groupby(messages, key=lambda part: part.picture is not None):
        for parts in _rows(list(run)) if pictured else [list(run)]:
            number += 1
            role: Role = (
                ("cards" if len(parts) > 1 else "feature") if pictured else ("list" if len(parts) > 1 else "statement")
            )
            features += role == "feature"
            yield Section(
                id=f"message-{number}", role=role, parts=tuple(parts), turned=role == "feature" and features % 2 == 0
            )


def _rows(parts: list[Part]) -> list[list[Part]]:
    """Threes, led by what is left over; wide pictures one by one."""
    if any(part.picture and part.picture.aspect > _CARD_ASPECT for part in parts):
        return [[part] for part in parts]
    first = len(parts) % 3
    rows = [parts[:first]] if first else []
    return rows + [parts[start : start + 3] for start in range(first, len(parts), 3)]


def _quote(material: Material) -> Iterator[Section]:
    quote = material.block("brief", "messaging", "quote")
    if quote:
        words = {"text": material.words(quote["text"]), "attribution": material.words(quote.get("attribution"))}
        yield Section(id="quote", role="quote", parts=(Part(words=words, evidence=(f"{_SAID}.quote",)),))


def _closing(material: Material, headline: str, rests_on: str) -> Iterator[Section]:
    action, motto = _action(material), material.line("brand", "tagline")
    if action and action.url:
        words, source = (motto, "brand.tagline") if motto and motto != headline else (headline, rests_on)
        part = Part(words={"headline": words}, link=action, evidence=(source, f"{_SAID}.cta"))
        yield Section(id="closing", role="closing", parts=(part,))


def _legal(material: Material, before: list[Section]) -> Iterator[Section]:
    """Required words for the end, and what must be included and was not said yet."""
    standing = [
        Part(words={"text": plain(disclaimer["text"])}, evidence=("brand.disclaimers",))
        for disclaimer in material.listed("brand", "disclaimers")
        if disclaimer.get("required")
    ]
    required = [part for part, position in _disclosures(material) if position != "prominent"]
    shown = _folded(" ".join(text for section in before for part in section.parts for text in part.words.values()))
    must = [
        Part(words={"text": plain(text)}, evidence=("brief.must_include",))
        for text in material.block("brief").get("must_include") or ()
        if _folded(text) not in shown
    ]
    if must:
        yield Section(id="notes", role="statement", parts=tuple(must))
    if required or standing:
        yield Section(id="legal", role="legal", parts=(*required, *standing))


def _folded(text: str) -> str:
    quotes = str.maketrans("‘’“”\N{NO-BREAK SPACE}", "''\"\" ")
    return " ".join(text.translate(quotes).casefold().split())


def _footer(material: Material) -> Section:
    delivery = material.block("delivery")
    sender = delivery.get("sender") or {}
    address = delivery.get("unsubscribe")
    part = Part(
        words={
            "name": plain(sender.get("name") or material.block("brand").get("name") or ""),
            "address": plain(delivery.get("postal_address") or ""),
        },
        link=Link(text=unsubscribe(material.locale), url=address) if address else None,
        evidence=tuple(
            f"delivery.{name}" for name in ("sender", "postal_address", "unsubscribe") if delivery.get(name)
        ),
    )
    return Section(id="footer", role="footer", parts=(part,))
