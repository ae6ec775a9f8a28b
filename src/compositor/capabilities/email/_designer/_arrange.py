"""From the request to a plan: one function for each place in the email, in the order in which it is read.

    header · hero · lead · strip · notices · details · messages · quote · closing · legal · footer

A place for which the request gives nothing is left out; nothing is made up to fill it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import ceil

from compositor._values import Json
from compositor.capabilities.email._checks._delivery import THRESHOLDS
from compositor.capabilities.email._designer._citing import Citing
from compositor.capabilities.email._designer._layout import layout_of
from compositor.capabilities.email._designer._material import Link, Material, Picture
from compositor.capabilities.email._designer._plan import Part, Plan, Role, Section
from compositor.capabilities.email._designer._typography import ems, plain
from compositor.capabilities.email._designer._wish import Wish, wish_of
from compositor.capabilities.email._designer._words import unsubscribe
from compositor.workspace.wording import folded

_SAID = "brief.messaging"
_TIME = re.compile(r"^(?:\d{1,2}[:.]\d{2}|\d{1,2}\s?[ap]\.?m\b)", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_STRIP_EMS = 5.8
"""Values up to this width stand three in a row, on a phone too."""
_CARD_EMS, _CARD_ASPECT = 40, 1.5
"""A message stands in a third of the column if its text is not longer and its picture not wider."""
_HERO_WIDTH = 300
"""Pixels below which a picture is too small to open an email."""


def wished(material: Material) -> Wish | None:
    """The picture that should be made before the email is arranged, or None."""
    headline, _ = _headline(material)
    return wish_of(material, layout_of(material, _opening_picture(material), headline), headline)


def plan_email(material: Material, kept: int = 100) -> Plan:
    """Arrange what the request gives.

    Args:
        material: the request.
        kept: the part of the key messages to show, in percent, the first ones first.
    """
    headline, rests_on = _headline(material)
    opening = _opening_picture(material)
    layout = layout_of(material, opening, headline)
    said = _kept(material, kept)
    citing = Citing.of(material, said)
    messages = _messages(material, said, citing)
    leads = [] if not messages or messages[0].picture or messages[0].words["headline"] else messages[:1]
    body = [*_details(material), *_arranged(messages[len(leads) :]), *_quote(material)]
    opens = [
        *_header(material),
        _hero(material, headline, rests_on, opening),
        *(Section(id="lead", role="lead", parts=(part,)) for part in leads),
        *_strip(material),
        *_notices(material),
        *body,
    ]
    ends = [
        *(_closing(material, headline) if body or not layout.closes else ()),
        *_references(citing),
        *_legal(material),
        *_footer(material),
    ]
    sections = [*opens, *_unsaid(material, [*opens, *ends]), *ends]
    subject = plain(material.block("delivery").get("subject") or headline)
    return Plan(
        subject=subject,
        preheader=_preheader(material, messages, subject),
        layout=layout,
        sections=tuple(sections),
    )


def _headline(material: Material) -> tuple[str, str]:
    """The one headline, and the field that it comes from."""
    candidates = (("brief", "messaging", "headline"), ("brand", "tagline"), ("delivery", "subject"), ("brief", "name"))
    found = ((material.line(*path), ".".join(path)) for path in candidates)
    return next(((text, source) for text, source in found if text), ("", "brief.name"))


def _preheader(material: Material, messages: list[Part], subject: str) -> str:
    """The request's own, else its first line that says something beside the subject and fits the inbox."""
    if own := plain(material.block("delivery").get("preheader") or ""):
        return own
    limit = THRESHOLDS["preheader_characters"]
    said = [part.words[name] for part in messages for name in ("headline", "text")]
    others = [material.line("brief", "messaging", "cta", "text"), material.line("brand", "name")]
    texts = [material.line("brief", "messaging", "tagline"), *said, *others]
    lines = (line for text in texts for line in (text, _SENTENCE.split(text)[0]))
    flat = (" ".join(line.split()) for line in lines)
    return next((line for line in flat if line and line != subject and len(line) <= limit), "")


def _header(material: Material) -> Iterator[Section]:
    brand, sender = material.block("brand"), material.block("delivery", "sender")
    name, logo = plain(brand.get("name") or sender.get("name") or ""), material.logo
    if not name and not logo:
        return
    site = brand.get("url")
    part = Part(
        words={} if logo else {"name": name},
        picture=replace(logo, alt=logo.alt or name) if logo else None,
        link=Link(text="", url=site) if site and material.may_link(site) else None,
        evidence=("brand.name",) if brand else ("delivery.sender",) if sender else ("assets",),
    )
    yield Section(id="header", role="header", parts=(part,))


def _hero(material: Material, headline: str, rests_on: str, opening: Picture | None) -> Section:
    said = material.block("brief", "messaging")
    part = Part(
        words={"headline": headline, "text": material.words(said.get("tagline"))},
        picture=opening,
        link=_action(material),
        evidence=(rests_on, *(f"{_SAID}.{name}" for name in ("tagline", "cta") if said.get(name))),
    )
    return Section(id="hero", role="hero", parts=(part,))


def _opening_picture(material: Material) -> Picture | None:
    """The hero, else a picture that belongs to no message."""
    taken = {message.get("asset") for message in material.listed("brief", "messaging", "key_messages")}
    named = [picture for picture in material.pictures if picture.role == "hero"]
    spare = [p for p in material.pictures if p.role in ("product", "picture", "background") and p.id not in taken]
    return next((picture for picture in (*named, *spare) if picture.width >= _HERO_WIDTH), None)


def _action(material: Material) -> Link | None:
    return material.link(material.block("brief", "messaging").get("cta"), material.block("brand").get("url"))


def _facts(material: Material) -> tuple[list[Part], list[Part]]:
    """The details: facts, and hours, which are those whose label is a time."""
    parts = [
        Part(
            words={"label": material.words(item["label"]), "value": material.words(item["value"])},
            evidence=(f"{_SAID}.details",),
        )
        for item in material.listed("brief", "messaging", "details")
    ]
    hours = [part for part in parts if _TIME.match(part.words["label"])]
    return [part for part in parts if part not in hours], hours


def _fit_a_strip(facts: list[Part]) -> bool:
    return len(facts) in (2, 3) and all(ems(part.words["value"]) <= _STRIP_EMS for part in facts)


def _strip(material: Material) -> Iterator[Section]:
    facts, _ = _facts(material)
    if _fit_a_strip(facts):
        yield Section(id="details", role="strip", parts=tuple(facts))


def _details(material: Material) -> Iterator[Section]:
    facts, hours = _facts(material)
    if facts and not _fit_a_strip(facts):
        yield Section(id="details", role="details", parts=tuple(facts))
    if hours:
        yield Section(id="agenda", role="agenda", parts=tuple(hours))


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
            part = Part(
                words={"text": plain(rule["text"])},
                evidence=("rules.required_disclosures",),
                language=rule.get("language") if rule.get("language") != material.locale else None,
            )
            yield part, rule.get("position") or "footer"


def _kept(material: Material, percent: int) -> tuple[Mapping[str, Json], ...]:
    said = material.listed("brief", "messaging", "key_messages")
    return said[: ceil(len(said) * percent / 100)]


def _messages(material: Material, said: Sequence[Mapping[str, Json]], citing: Citing) -> list[Part]:
    return [
        Part(
            words={
                "headline": material.words(message.get("headline")),
                "text": citing.marked(material.words(message["text"]), message.get("claims") or ()),
            },
            picture=material.picture(message.get("asset")),
            link=material.link(message.get("cta")),
            evidence=(f"{_SAID}.key_messages", *(message.get("claims") or ())),
        )
        for message in said
    ]


def _arranged(messages: list[Part]) -> Iterator[Section]:
    """Messages in order and in a rhythm: short ones with pictures in rows, long ones beside theirs, words in a list."""
    number, features = 0, 0
    for kind, run in groupby(messages, key=_kind):
        for parts in _rows(kind, list(run)):
            role: Role = kind if len(parts) > 1 else _ALONE[kind]
            number, features = number + 1, features + (role == "feature")
            turned = role == "feature" and features % 2 == 0
            yield Section(id=f"message-{number}", role=role, parts=tuple(parts), turned=turned)


_ALONE: dict[Role, Role] = {"cards": "feature", "feature": "feature", "list": "statement"}
"""What a message becomes that has no neighbour of its kind."""


def _kind(part: Part) -> Role:
    if part.picture is None:
        return "list"
    return "cards" if ems(part.words["text"]) <= _CARD_EMS and part.picture.aspect <= _CARD_ASPECT else "feature"


def _rows(kind: Role, parts: list[Part]) -> list[list[Part]]:
    """Cards three by three, led by what is left over; features one by one; a list whole."""
    if kind != "cards":
        return [parts] if kind == "list" else [[part] for part in parts]
    first = len(parts) % 3
    led = [parts[:first]] if first else []
    return led + [parts[start : start + 3] for start in range(first, len(parts), 3)]


def _quote(material: Material) -> Iterator[Section]:
    quote = material.block("brief", "messaging", "quote")
    if quote:
        words = {"text": material.words(quote["text"]), "attribution": material.words(quote.get("attribution"))}
        yield Section(id="quote", role="quote", parts=(Part(words=words, evidence=(f"{_SAID}.quote",)),))


def _closing(material: Material, headline: str) -> Iterator[Section]:
    """The action at the end, under the brand's own line where it has one: nothing is said twice."""
    action, motto = _action(material), material.line("brand", "tagline")
    if action is None or not action.url:
        return
    words = {"headline": motto} if motto and motto != headline else {}
    evidence = ("brand.tagline",) if words else ()
    part = Part(words=words, link=action, evidence=(*evidence, f"{_SAID}.cta"))
    yield Section(id="closing", role="closing", parts=(part,))


def _references(citing: Citing) -> Iterator[Section]:
    parts = tuple(Part(words={"text": entry}, evidence=("sources",)) for entry in citing.listed)
    if parts:
        yield Section(id="references", role="references", parts=parts)


def _legal(material: Material) -> Iterator[Section]:
    """The required words for the end."""
    required = [part for part, position in _disclosures(material) if position != "prominent"]
    standing = [
        Part(words={"text": plain(disclaimer["text"])}, evidence=("brand.disclaimers",))
        for disclaimer in material.listed("brand", "disclaimers")
        if disclaimer.get("required")
    ]
    if required or standing:
        yield Section(id="legal", role="legal", parts=(*required, *standing))


def _unsaid(material: Material, sections: list[Section]) -> Iterator[Section]:
    """What the brief wants included and no section says."""
    said = folded(" ".join(text for section in sections for part in section.parts for text in part.words.values()))
    must = [
        Part(words={"text": plain(text)}, evidence=("brief.must_include",))
        for text in material.block("brief").get("must_include") or ()
        if folded(text) not in said
    ]
    if must:
        yield Section(id="notes", role="statement", parts=tuple(must))


def _footer(material: Material) -> Iterator[Section]:
    delivery = material.block("delivery")
    sender, address = material.block("delivery", "sender"), delivery.get("unsubscribe")
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
    if part.evidence:
        yield Section(id="footer", role="footer", parts=(part,))
