"""Measurement `hosts`: what the mail loads by itself comes from the host of its pictures.

Each address that a mail program loads tells its host who reads, and lets it change the mail after it was checked. The
addresses of `img`, backgrounds and style attributes are the matter of `links`; here are all others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from compositor.capabilities import CheckContext, Finding, Report, Scope, Verifier
from compositor.capabilities.email._assets import base_url
from compositor.capabilities.email._checks._origin import Origin, origin_of, written_here
from compositor.capabilities.email._deliverable import HTML, ORIGIN
from compositor.capabilities.email._merge_tags import begins_with_tag, declared
from compositor.capabilities.email._size import style_sheets
from compositor.verifiers import Severity
from compositor.verifiers.markup import Token, tokens

_LOADED = {
    "audio": ("src",),
    "image": ("href", "xlink:href"),
    "img": ("srcset",),
    "input": ("src",),
    "link": ("href",),
    "source": ("src", "srcset"),
    "track": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("poster", "src"),
}
"""Element → attributes whose address is loaded when the mail is opened."""

_IN_SHEET = re.compile(r"url\(\s*([\"']?)(.{0,2000}?)\1\s*\)|@import\s+([\"'])(.{0,2000}?)\3", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_INSIDE = ("#", "cid:", "data:")
"""Addresses of something that the mail itself holds."""


async def _check(ctx: CheckContext) -> Report:
    html = await ctx.files.read_text(HTML)
    first: dict[str, int] = {}
    for address, line in _loaded(html):
        first.setdefault(address, line)
    if not first:
        return Report.not_applicable(0, of="addresses that are loaded")
    own, origin, syntax = _host(base_url(ctx.view)), await origin_of(ctx), declared(ctx.view)
    foreign = {a: line for a, line in first.items() if _host(a) != own and not begins_with_tag(a, syntax)}
    findings = tuple(_finding(a, line, origin, here=written_here(ctx.record)) for a, line in foreign.items())
    return Report(examined=len(first), findings=findings, measures={"addresses": len(first)})


def _loaded(html: str) -> Iterator[tuple[str, int]]:
    """Each address and its line."""
    for token in tokens(html):
        if token.kind == "open":
            yield from ((address, token.line) for address in _of_tag(token) if _leads_out(address))
    for sheet, line in style_sheets(html):
        for found in _IN_SHEET.finditer(_COMMENT.sub("", sheet)):
            address = (found[2] or found[4] or "").strip()
            if _leads_out(address):
                yield address, line


def _of_tag(token: Token) -> Iterator[str]:
    for name in _LOADED.get(token.name, ()):
        value = (token.get(name) or "").strip()
        if name == "srcset":
            yield from (part.split()[0] for part in value.split(",") if part.strip())
        else:
            yield value


def _leads_out(address: str) -> bool:
    return bool(address) and not address.lower().startswith(_INSIDE)


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _finding(address: str, line: int, origin: Origin, *, here: bool) -> Finding:
    """What the writer wrote blocks; what the compiler added for a font of its own list warns; the rest is noted."""
    where = origin.where("foreign-host", address, line)
    severity: Severity = "note" if not here else "warning" if where.of == HTML else "blocking"
    added = "; the compiler adds it for a font family that is named, or for its own where none is"
    return Finding(
        code="foreign-host",
        severity=severity,
        message=f"the mail loads {address[:120]!r} from a host that is not that of its pictures"
        + (added if severity == "warning" else ""),
        where=where,
        measured=_host(address),
        remedy="remove it; name font families that readers have, in <mj-attributes>, with common fallbacks",
    )


hosts = Verifier(
    name="hosts",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=("assets", "delivery"), files=(HTML,), labels=(ORIGIN,)),
)
