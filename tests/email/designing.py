"""The designer at work: requests for it, and what it writes for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element, fromstring

from compositor._values import Json
from compositor.authoring import DesignedCall, Finding, View, Where
from compositor.capabilities.email import email

TOOLS = ("edit_file", "list_files", "read_file", "render", "write_file")
SHOP = "https://shop.lumen.test"


@dataclass(frozen=True, slots=True)
class Answer:
    """Implements `Answered`."""

    tool: str
    text: str = "done"
    failed: bool = False


def request(*, said: Mapping[str, Json] | None = None, **blocks: Json) -> dict[str, Json]:
    """A small request; `said` is its messaging, the blocks replace those of the request."""
    messaging = {"headline": "Spring is here", "cta": {"text": "See the lamps", "url": f"{SHOP}/lamps"}, **(said or {})}
    return {
        "locale": "en-GB",
        "brief": {"name": "Spring mailing", "objective": "conversion", "messaging": messaging},
        "brand": {"name": "Lumen", "url": SHOP},
        "delivery": {
            "subject": "Lamps for spring",
            "sender": {"name": "Lumen"},
            "postal_address": "Lumen, 1 Mill Lane, York",
            "unsubscribe": f"{SHOP}/unsubscribe",
        },
        **blocks,
    }


def message(text: str = "Light for the long table.", **fields: Json) -> dict[str, Json]:
    return {"text": text, **fields}


def asset(name: str, *, role: str = "picture", width: int = 1200, height: int = 900, **fields: Json) -> dict[str, Json]:
    """An opened asset; its digest is made of its name."""
    digest = name.encode().hex().ljust(64, "0")[:64]
    size = {"width": width, "height": height}
    return {
        "id": name,
        "role": role,
        "sha256": digest,
        "media_type": "image/png",
        "alt": f"The {name}",
        **size,
        **fields,
    }


def view_of(given: Mapping[str, Json]) -> View:
    return View.of(given, email.reads.all)


def called(
    given: Mapping[str, Json],
    *,
    files: Mapping[str, str] | None = None,
    findings: Sequence[Finding] = (),
    tools: Sequence[str] = TOOLS,
    results: Sequence[Answer] = (),
) -> Sequence[DesignedCall]:
    """What the email's designer would call now."""
    assert email.designer is not None
    standing = {path: content.encode() for path, content in (files or {}).items()}
    return email.designer(view_of(given), standing, findings, tools, results)


def written(
    given: Mapping[str, Json], *, after: Mapping[str, str] | None = None, findings: Sequence[Finding] = ()
) -> dict[str, str]:
    """The files as they stand when the designer has written, first or `after` a draft was rejected."""
    calls = called(given, files=after, findings=findings)
    changed = {call.arguments["path"]: call.arguments["content"] for call in calls if call.tool == "write_file"}
    return {**(after or {}), **changed}


def mail_of(given: Mapping[str, Json], **more: Any) -> Element:
    """The first draft's MJML, parsed."""
    return fromstring(written(given, **more)["email.mjml"])


def sections(mail: Element) -> dict[str, Element]:
    """Id → wrapper, in order."""
    found: dict[str, Element] = {}
    for wrapper in mail.iter("mj-wrapper"):
        names = wrapper.get("css-class", "").split()
        found |= {name.removeprefix("section-"): wrapper for name in names if name.startswith("section-")}
    return found


def words_of(element: Element) -> str:
    """All words in an element, white space collapsed."""
    return " ".join(" ".join(element.itertext()).split())


def columns_of(wrapper: Element) -> Iterator[int]:
    """How many columns each row of a section has."""
    return (len(row.findall(".//mj-column")) for row in wrapper.iter("mj-section"))


def finding(code: str, message: str = "it is so", *, measured: Json = None, threshold: Json = None) -> Finding:
    where = Where(of="render/desktop")
    return Finding(code=code, severity="blocking", message=message, where=where, measured=measured, threshold=threshold)
