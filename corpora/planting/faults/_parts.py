"""Faults in what is written around the words: stand-ins, the plan, what a sender owes, the file for mail programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from corpora.planting._kind import Document, Kind, derived, kind, request
from corpora.planting._pictures import digests

Json = Any
EML = "email.eml"
PICTURE = r'<mj-image [^>]*width="(?:600|552|240|176)px"[^>]*/>'


def spots(d: Document) -> list[str]:
    """Places of short words: the line at the end, the title of a message, the button, the words of a picture."""
    one = d.mail.messages[0]
    found = [f">{d.escaped(d.theme['motto'])}<", f">{d.escaped(d.theme['cta'])}<"]
    if f">{d.escaped(one.title)}<" in d.source:
        found.append(f">{d.escaped(one.title)}<")
    return found


def said_instead(*words: str) -> Callable[[Document], Json]:
    """Plants one of the words in one of the spots, in another one in each document."""

    def plant(d: Document) -> Json:
        places = spots(d)
        at = sum(map(ord, d.name))
        return d.put(places[at % len(places)], f">{words[at % len(words)]}<")

    return plant


def behind(words: str) -> Callable[[Document], Json]:
    """Plants words behind the line at the end."""

    def plant(d: Document) -> Json:
        motto = f">{d.escaped(d.theme['motto'])}<"
        return d.put(motto, f"{motto[:-1]} {words}<")

    return plant


def _in_preview(words: str) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        return [as_preview(d, words), _header(d, preheader=words)]

    return plant


def _header(d: Document, **changes: str) -> Json:
    header = json.loads(d.plan)["header"] | changes
    old = d.plan[d.plan.index('"header"') : d.plan.index('"sections"')]
    return d.planned(old, f'"header": {json.dumps(header, ensure_ascii=False)},\n ')


def on_picture(change: Callable[[str], str]) -> Callable[[Document], Json]:
    """Changes the tag of the first picture that is no logo."""

    def plant(d: Document) -> Json:
        tag = d.first(PICTURE)
        return d.put(tag, change(tag)) if tag else None

    return plant


def as_alt(d: Document, words: str) -> Json:
    """The words in the place of those that stand for the logo."""
    alt = d.first(r'alt="[^"]*" width="160px"')
    return d.put(alt, f'alt="{words}" width="160px"')


def as_preview(d: Document, words: str) -> Json:
    """The words in the place of the preview."""
    return d.put(d.first(r"<mj-preview>.*?</mj-preview>"), f"<mj-preview>{words}</mj-preview>")


FOREIGN = {
    "handlebars": "*|FNAME|*",
    "mailchimp": "{{ first_name }}",
    "salesforce": "{{first_name}}",
    "none": "%%firstname%%",
}

PLACEHOLDERS: Sequence[Kind] = (
    kind("filler", "filler-text", said_instead("Lorem ipsum dolor sit amet", "Consectetur adipiscing elit")),
    kind("open-slot", "placeholder-text", behind("[Product name]")),
    kind("slot-in-angles", "placeholder-text", behind("&lt;your city&gt;")),
    kind("note-to-oneself", "placeholder-text", behind("TODO: price.")),
    kind("crosses", "placeholder-text", said_instead("Only XXXX left", "From xxx to xxx")),
    kind("goes-here", "placeholder-text", said_instead("Your headline here", "Text goes here", "Click to edit")),
    kind("in-preview", "placeholder-text", _in_preview("Insert copy here")),
    kind("foreign-tag", "undeclared-merge-tag", lambda d: behind(FOREIGN[d.theme["merge_tags"]])(d)),
)


def _sections(d: Document, change: Callable[[list[Json]], None]) -> Json:
    plan = json.loads(d.plan)
    change(plan["sections"])
    return d.planned("", json.dumps(plan, ensure_ascii=False, indent=1))


def _on_section(name: str, **changes: Json) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        def change(sections: list[Json]) -> None:
            next(section for section in sections if section["id"] == name).update(changes)

        return _sections(d, change)

    return plant


def _claim_of_a_section(d: Document) -> Json:
    claim = next((one.claim for one in d.mail.messages if one.claim), "")
    return d.planned(f'"{claim}"', f'"{claim}-2"') if claim else None


PLAN: Sequence[Kind] = (
    kind("cut", "plan-form", lambda d: d.planned("", d.plan[: len(d.plan) * 2 // 3])),
    kind("id-twice", "plan-form", lambda d: d.planned('"id": "closing"', '"id": "terms"')),
    kind("unknown-key", "plan-form", lambda d: d.planned('"role": "closing"', '"kind": "closing"')),
    kind("no-sections", "empty-plan", lambda d: _sections(d, lambda sections: sections.clear())),
    kind("unknown-field", "unknown-evidence", lambda d: d.planned('"brand.tagline"', '"brand.heritage"')),
    kind("unknown-claim", "unknown-evidence", _claim_of_a_section),
    kind("unknown-picture", "unknown-asset", _on_section("header", assets=["skyline"])),
    kind("unknown-reference", "unknown-reference", _on_section("hero", references=["last-year"])),
    kind("not-in-mail", "planned-section-missing", lambda d: d.drop(' css-class="section-closing"')),
    kind("not-in-plan", "unplanned-section", lambda d: d.put("section-closing", "section-farewell")),
    kind("other-subject", "subject-differs", lambda d: _header(d, subject=d.mail.sub)),
    kind("other-words", "planned-words-missing", _on_section("hero", microcopy={"action": "0800 / 555 / 01"})),
    kind("picture-not-shown", "planned-asset-missing", _on_section("closing", assets=["night"]), each=3),
)


def _silent(d: Document) -> Json:
    preview = d.first(r"<mj-preview>.*?</mj-preview>")
    return [d.drop(preview), _header(d, preheader=""), request({"delivery": {"preheader": None}})]


def _hidden_leave(d: Document) -> Json:
    link = d.first(
        r'<a href="[^"]*" style="color:[^"]*">(?=[^<]*</a></mj-text>\s*</mj-column>\s*</mj-section>\s*</mj-body>)'
    )
    return d.put(link, link.replace('style="', 'style="display:none;'))


def _other_house(d: Document) -> Json:
    address = str(d.theme["address"])
    digits = next(char for char in address if char.isdigit())
    other = address.replace(digits, str((int(digits) + 1) % 10), 1)
    return d.put(d.escaped(address), d.escaped(other))


def _shortened(d: Document) -> Json:
    cut = d.mail.headline[:-2]
    return d.put(f">{d.escaped(d.mail.headline)}</h1>", f">{d.escaped(cut)}</h1>")


DELIVERY: Sequence[Kind] = (
    kind(
        "no-subject",
        "missing-subject",
        lambda d: [_header(d, subject=""), request({"delivery": {"subject": None}})],
    ),
    kind("no-preheader", "missing-preheader", _silent),
    kind(
        "preheader-again",
        "preheader-repeats-subject",
        lambda d: _in_preview(f"{d.theme['name']}: {d.mail.headline}")(d),
    ),
    kind("long-preheader", "preheader-long", lambda d: _in_preview(" ".join([d.mail.preheader] * 5))(d)),
    kind("other-preheader", "preheader-differs", lambda d: _header(d, preheader=d.mail.headline)),
    kind(
        "leave-elsewhere",
        "unsubscribe-missing",
        lambda d: d.put(f'href="{d.escaped(d.mail.unsubscribe)}"', f'href="{d.mail.site}/preferences"'),
    ),
    kind("leave-hidden", "unsubscribe-missing", _hidden_leave),
    kind(
        "leave-is-no-link",
        "unsubscribe-missing",
        lambda d: d.put(f'<a href="{d.escaped(d.mail.unsubscribe)}"', "<span"),
    ),
    kind("no-address", "postal-address-missing", lambda d: d.drop(d.escaped(d.theme["address"]))),
    kind("other-house", "postal-address-missing", _other_house),
    kind("no-text", "empty-text-part", lambda d: derived("email.txt", "", " ")),
    kind("text-lacks-headline", "text-part-lacks", lambda d: derived("email.txt", d.mail.headline, "…")),
    kind("text-lacks-a-line", "text-part-lacks", lambda d: derived("email.txt", d.theme["motto"], "")),
    kind("words-changed", "required-words-missing", _shortened),
)


def _other_picture(d: Document) -> Json:
    return derived(EML, "iVBORw0KGgo", "iVBORw0KGgp")


def _remote(d: Document) -> Json:
    url = f"{d.mail.site}/mail/{digests()['logo.png']}.png"
    return derived(EML, 'src=3D"cid:', f'src=3D"{url}" lowsrc=3D"cid:')


def _other_text(d: Document) -> Json:
    """Two letters of the first line of a text part that is written plainly."""
    if d.language != "en":
        return None
    return derived(EML, "quoted-printable\r\n\r\n", "quoted-printable\r\n\r\nDraft. ")


MESSAGE_FILE: Sequence[Kind] = (
    kind("picture-without-id", "message-picture-missing", lambda d: derived(EML, "Content-ID: <", "X-Content-ID: <")),
    kind("other-picture", "message-picture-wrong", _other_picture),
    kind("remote-picture", "message-picture-remote", _remote),
    kind(
        "html-as-text",
        "message-differs",
        lambda d: derived(EML, "Content-Type: text/html", "Content-Type: text/x-html"),
    ),
    kind("text-changed", "message-differs", _other_text),
    kind(
        "long-line",
        "message-line-long",
        lambda d: derived(EML, "MIME-Version: 1.0\r\n", f"MIME-Version: 1.0\r\nX-Note: {'a' * 1_200}\r\n"),
    ),
    kind("raw-bytes", "message-not-ascii", lambda d: derived(EML, "Subject: ", "Subject: é ")),
    kind("broken-boundary", "message-malformed", lambda d: derived(EML, 'boundary="=_parts_', 'boundary="=_part_')),
)
