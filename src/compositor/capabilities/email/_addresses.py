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
    r"(?:^|\.)(?:example\.(?:com|net|org|edu)|example|localhost|invalid|local)$|^127\.|^0\.0\.0\.0$|^::1$"
)
"""Hosts that lead nowhere: RFC 2606, RFC 6761, and this machine."""
_DEAD_PICTURES = re.compile(
    r"(?:^|\.)(?:placehold\.(?:it|co)|placeholder\.com|placehold\.jp|dummyimage\.com|lorempixel\.com|placekitten\.com"
    r"|fakeimg\.pl|placeimg\.com|unsplash\.it|lorempixum\.com)$"
)
"""Services for pictures that stand in for others; several are gone (foundation-emails#1089, Cerberus#307)."""
_STAND_IN = re.compile(
    r"\b(?:your|insert)[-_ ]?(?:url|link|domain|website|here)\b|\b(?:enter|add)[-_ ]?(?:url|link)[-_ ]?here\b|\bTODO\b"
    r"|\bx{3,}\b|\blorem\b|\[[^\]]{0,80}\]|<[^>]{0,80}>|^(?:url|link|href)$",
    re.IGNORECASE,
)
_STYLE_ADDRESS = re.compile(r"url\(\s*([\"']?)(.{0,2000}?)\1\s*\)", re.IGNORECASE)
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")

_WRITE_OUT = "write the full https address, or make it plain text"


@dataclass(frozen=True, slots=True)
class AddressFault:
    """What is wrong with one address: a code, words, and the remedy."""

    code: str
    message: str
    remedy: str = _WRITE_OUT


def link_fault(address: str, *, syntax: str, allowed: str = "") -> AddressFault | None:
    """What is wrong with where a link leads, or None.

    Args:
        address: the decoded `href`.
        syntax: the request's merge-tag syntax.
        allowed: an address of the request that is taken as it is (unsubscribe).

    Source: react-email check-links.ts (absolute https, no placeholder), CHECKS §1.
    """
    address = address.strip()
    if not address:
        return AddressFault("link-without-href", "a link has an empty address")
    if address == allowed:
        return None
    if fault := _no_address(address, syntax):
        return fault
    if begins_with_tag(address, syntax):
        return None
    if _scheme(address) == "mailto":
        return _mail_fault(address)
    if _scheme(address) in {"tel", "sms"}:
        return None if re.search(r"\d", address) else AddressFault("malformed-link", f"{_shown(address)} has no number")
    return _web_fault(address, syntax) or _host_fault(_host(without_tags(address, syntax)), address)


def picture_fault(address: str, *, syntax: str) -> AddressFault | None:
    """What is wrong with where a picture comes from, or None; `data:` and assets are the caller's matter."""
    address = address.strip()
    if not address:
        return AddressFault(
            "picture-without-src", "a picture has no address", "use an asset, or do without the picture"
        )
    if _DEAD_PICTURES.search(_host(address)):
        message = f"{_shown(address)} is on a service for stand-in pictures"
        return AddressFault("placeholder-picture", message, "use one of the request's assets")
    if begins_with_tag(address, syntax):
        return None
    fault = _no_address(address, syntax) or _web_fault(address, syntax)
    return replace(fault, code=fault.code.replace("link", "picture")) if fault else None


def style_addresses(token: Token) -> Iterator[str]:
    """The addresses of pictures in the style of one tag."""
    return (found[2].strip() for found in _STYLE_ADDRESS.finditer(token.get("style") or ""))


def _no_address(address: str, syntax: str) -> AddressFault | None:
    """What only looks like an address."""
    if address.startswith("#"):
        return AddressFault("placeholder-link", f"{_shown(address)} leads nowhere")
    if runs_something(address):
        return AddressFault("active-address", f"{_shown(address)} runs a script")
    if tag := next(foreign_tags(address, syntax), ""):
        message = f"{tag!r} in {_shown(address)} is no merge tag that the request declares"
        return AddressFault("undeclared-merge-tag", message, "use the request's merge tags, or the address itself")
    if _STAND_IN.search(without_tags(address, syntax)):
        return AddressFault("placeholder-link", f"{_shown(address)} stands in for an address")
    return None


def _mail_fault(address: str) -> AddressFault | None:
    receiver, _, more = address.partition(":")[2].partition("?")
    if not receiver and more:  # a mail to whomever the reader chooses
        return None
    if "@" not in receiver:
        return AddressFault("malformed-link", f"{_shown(address)} names no receiver")
    return _host_fault(receiver.rpartition("@")[2], address)


def _web_fault(address: str, syntax: str) -> AddressFault | None:
    if _scheme(address) == "http":
        return AddressFault("insecure-link", f"{_shown(address)} is not encrypted", "write https://")
    if _scheme(address) != "https":
        return AddressFault("not-absolute-link", f"{_shown(address)} is not an absolute https address")
    fixed = without_tags(address, syntax)
    host = _host(fixed)
    if re.search(r"\s", fixed) or (fixed == address and "." not in host and ":" not in host and host != "localhost"):
        return AddressFault("malformed-link", f"{_shown(address)} is not a usable address")
    return None


def _host_fault(host: str, address: str) -> AddressFault | None:
    if _RESERVED.search(host.lower()):
        message = f"{_shown(address)} is on a host that is reserved and leads nowhere"
        return AddressFault("placeholder-host", message, "use the address that the request gives")
    return None


def _scheme(address: str) -> str:
    found = _SCHEME.match(address)
    return found[1].lower() if found else ""


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _shown(address: str) -> str:
    return repr(address if len(address) <= 80 else f"{address[:80]}…")
