"""Addresses in a mail: what is wrong with where a link leads, or where a picture comes from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from compositor.capabilities.email._danger import runs_something
from compositor.capabilities.email._merge_tags import begins_with_tag, foreign_tags, without_tags
from compositor.verifiers.markup import Token

_RESERVED = re.compile(
    r"(?:^|\.)(?:example\.(?:com|net|org|edu)|example|localhost|invalid|local)$|^127\.|^0\.0\.0\.0$|^\[?::1\]?$"
)
"""Hosts that lead nowhere: RFC 2606, RFC 6761, and this machine."""
_DEAD_PICTURES = re.compile(
    r"(?:^|\.)(?:placehold\.(?:it|co)|placeholder\.com|placehold\.jp|dummyimage\.com|lorempixel\.com|placekitten\.com"
    r"|fakeimg\.pl|placeimg\.com|unsplash\.it|lorempixum\.com)$"
)
"""Services for pictures that stand in for others; several are gone (foundation-emails#1089, Cerberus#307)."""
_STAND_IN = re.compile(
    r"\b(?:your|insert|enter|add)[-_ ]?(?:url|link|domain|website|address|here)|\bTODO\b|\bx{3,}\b|\[[^\]]{0,80}\]"
    r"|<[^>]{0,80}>|^(?:url|link|href)$|lorem",
    re.IGNORECASE,
)
_SPEAKING = ("mailto:", "tel:", "sms:")


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressFault:
    """What is wrong with one address: a code, words, and the remedy."""

    code: str
    message: str
    remedy: str


def link_fault(address: str, *, syntax: str, allowed: str = "") -> AddressFault | None:
    """What is wrong with where a link leads.

    Args:
        address: the decoded `href`.
        syntax: the request's merge-tag syntax.
        allowed: an address of the request that is taken as it is (unsubscribe).

    Source: react-email check-links.ts (absolute https, no placeholder), CHECKS §1.
    """
    address = address.strip()
    if allowed and address == allowed:
        return None
    if fault := _no_address(address, syntax):
        return fault
    if begins_with_tag(address, syntax):
        return None
    if address.lower().startswith(_SPEAKING):
        return _speaking_fault(address)
    return _web_fault(address, syntax) or _host_fault(address, syntax)


def picture_fault(address: str, *, syntax: str) -> AddressFault | None:
    """What is wrong with where a picture comes from; `data:` and assets are the caller's matter."""
    address = address.strip()
    if not address:
        remedy = "give it the address of an asset, or do without it"
        return AddressFault(code="picture-without-src", message="a picture has no address", remedy=remedy)
    if fault := _no_address(address, syntax):
        return _of_picture(fault)
    if begins_with_tag(address, syntax):
        return None
    if _DEAD_PICTURES.search(_host(address)):
        message = f"{_shown(address)} is on a service for stand-in pictures"
        return AddressFault(code="placeholder-picture", message=message, remedy="use one of the request's assets")
    fault = _web_fault(address, syntax)
    return _of_picture(fault) if fault else None


def _of_picture(fault: AddressFault) -> AddressFault:
    return replace(fault, code=fault.code.replace("link", "picture"))


def style_addresses(token: Token) -> Iterator[str]:
    """The addresses of pictures in the style of one tag."""
    for found in re.finditer(r"url\(\s*([\"']?)(.{0,2000}?)\1\s*\)", token.get("style") or "", re.IGNORECASE):
        if found[2].strip():
            yield found[2].strip()


def _no_address(address: str, syntax: str) -> AddressFault | None:
    lead_somewhere = "write the full https address, or make it plain text"
    if not address:
        return AddressFault(code="link-without-href", message="a link has an empty address", remedy=lead_somewhere)
    if address.startswith("#"):
        message = f"{_shown(address)} leads nowhere"
        return AddressFault(code="placeholder-link", message=message, remedy=lead_somewhere)
    if runs_something(address):
        return AddressFault(code="active-address", message=f"{_shown(address)} runs a script", remedy=lead_somewhere)
    if tag := next(foreign_tags(address, syntax), ""):
        message = f"{tag!r} in {_shown(address)} is no merge tag that the request declares"
        remedy = "use the request's merge tags, or the address itself"
        return AddressFault(code="undeclared-merge-tag", message=message, remedy=remedy)
    if _STAND_IN.search(without_tags(address, syntax)):
        message = f"{_shown(address)} stands in for an address"
        return AddressFault(code="placeholder-link", message=message, remedy=lead_somewhere)
    return None


def _speaking_fault(address: str) -> AddressFault | None:
    scheme, _, rest = address.partition(":")
    right = (
        "@" in rest.partition("?")[0] or rest.startswith("?")
        if scheme.lower() == "mailto"
        else any(map(str.isdigit, rest))
    )
    if right:
        return (
            _host_fault("https://" + rest.partition("?")[0].rpartition("@")[2], "none") if scheme == "mailto" else None
        )
    return AddressFault(
        code="malformed-link", message=f"{_shown(address)} is incomplete", remedy="complete the address"
    )


def _web_fault(address: str, syntax: str) -> AddressFault | None:
    scheme = _scheme(address)
    if scheme == "http":
        message = f"{_shown(address)} is not encrypted"
        return AddressFault(code="insecure-link", message=message, remedy="write https://")
    if scheme != "https":
        message = f"{_shown(address)} is not an absolute https address"
        return AddressFault(code="not-absolute-link", message=message, remedy="write the full https address")
    rest = without_tags(address, syntax)
    host = _host(rest)
    if re.search(r"\s", rest) or (rest == address and "." not in host and host != "localhost"):
        message = f"{_shown(address)} is not a usable address"
        return AddressFault(
            code="malformed-link", message=message, remedy="write the full https address, without spaces"
        )
    return None


def _host_fault(address: str, syntax: str) -> AddressFault | None:
    if _RESERVED.search(_host(without_tags(address, syntax))):
        message = f"{_shown(address)} is on a host that is reserved and leads nowhere"
        return AddressFault(code="placeholder-host", message=message, remedy="use the address that the request gives")
    return None


def _scheme(address: str) -> str:
    found = re.match(r"([a-zA-Z][a-zA-Z0-9+.-]*):", address)
    return found[1].lower() if found else ""


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _shown(address: str) -> str:
    return repr(address if len(address) <= 80 else f"{address[:80]}…")
