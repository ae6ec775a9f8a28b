"""Measurement `links`: every link leads somewhere, every picture is ours and has its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compositor.capabilities import CheckContext, Finding, Report, Scope, Verifier
from compositor.capabilities.email._addresses import AddressFault, link_fault, picture_fault, style_addresses
from compositor.capabilities.email._assets import PLACEHOLDER_BASE, base_url, showable
from compositor.capabilities.email._checks._origin import Origin, origin_of, written_here
from compositor.capabilities.email._deliverable import HTML, ORIGIN, PICTURES
from compositor.capabilities.email._merge_tags import declared
from compositor.verifiers import Severity
from compositor.verifiers.markup import Token, tokens

_LINKS = frozenset({"a", "area"})


async def _check(ctx: CheckContext) -> Report:
    html = await ctx.files.read_text(HTML)
    tags = [token for token in tokens(html) if token.kind == "open"]
    links = [token for token in tags if token.name in _LINKS]
    pictures = [token for token in tags if token.name == "img"]
    rules = _Rules(
        syntax=declared(ctx.view),
        unsubscribe=str(ctx.view.get("delivery.unsubscribe", "")),
        base=base_url(ctx.view),
        assets=frozenset(url for _, url in await showable(ctx.files, ctx.view)),
        origin=await origin_of(ctx),
        written_here=written_here(ctx.record),
    )
    findings = (*rules.of_links(links), *rules.of_pictures(pictures), *rules.of_backgrounds(tags))
    measures = {"links": len(links), "pictures": len(pictures)}
    if not links and not pictures:
        return Report.not_applicable(0, of="links and pictures")
    return Report(examined=len(links) + len(pictures), findings=tuple(_once(findings)), measures=measures)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rules:
    """What the request allows.

    Attributes:
        syntax: of merge tags.
        unsubscribe: an address that is taken as the request gives it.
        base: in front of the file names of assets.
        assets: their addresses.
        origin: the source, for the places of findings.
        written_here: whether the writer made the mail.
    """

    syntax: str
    unsubscribe: str
    base: str
    assets: frozenset[str]
    origin: Origin
    written_here: bool

    def of_links(self, links: Iterable[Token]) -> Iterator[Finding]:
        for token in links:
            href = token.get("href")
            if href is not None:
                fault = link_fault(href, syntax=self.syntax, allowed=self.unsubscribe)
                yield from self._finding(fault, href, token) if fault else ()
            elif not (token.get("name") or token.get("id")):
                remedy = "give it an href, or make it plain text"
                fault = AddressFault("link-without-href", "a link has no address", remedy)
                yield from self._finding(fault, "", token)

    def of_pictures(self, pictures: Iterable[Token]) -> Iterator[Finding]:
        for token in pictures:
            src = (token.get("src") or "").strip()
            if token.get("alt") is None and not _is_pixel(token):
                remedy = 'describe it in alt="…", or write alt="" where it only decorates'
                fault = AddressFault("missing-alt", f"the picture {src[:80]!r} has no alt", remedy)
                yield from self._finding(fault, src, token)
            yield from self._source(src, token)

    def of_backgrounds(self, tags: Iterable[Token]) -> Iterator[Finding]:
        """Each address once: the compiler writes a background several times, for several mail programs."""
        first: dict[str, Token] = {}
        for token in tags:
            for address in (*style_addresses(token), (token.get("background") or "").strip()):
                first.setdefault(address, token)
        for address, token in first.items():
            yield from self._source(address, token) if address else ()

    def _source(self, src: str, token: Token) -> Iterator[Finding]:
        if src in self.assets:
            if src.startswith(PLACEHOLDER_BASE):
                yield from self._placeholder_base(src, token)
            return
        if src.lower().startswith("data:image/"):
            message, remedy = (
                "a picture stands in the mail as data:, which Gmail and Outlook do not show",
                "use an asset",
            )
            yield from self._finding(
                AddressFault(code="data-picture", message=message, remedy=remedy), src, token, "warning"
            )
            return
        if fault := picture_fault(src, syntax=self.syntax):
            yield from self._finding(fault, src, token)
            return
        yield from self._foreign(src, token)

    def _foreign(self, src: str, token: Token) -> Iterator[Finding]:
        """A picture that the request does not know was never looked at, and may change or vanish."""
        fault = AddressFault(
            code="foreign-picture",
            message=f"the picture {src[:80]!r} is no asset of the request, and was not made for this mail",
            remedy="use the address of an asset from request/assets.json or of a made picture, or do without it",
        )
        yield from self._finding(fault, src, token, "blocking" if self.written_here else "note")

    def _placeholder_base(self, src: str, token: Token) -> Iterator[Finding]:
        fault = AddressFault(
            code="placeholder-asset-base",
            message=f"pictures point to {PLACEHOLDER_BASE}, which is not reachable",
            remedy="the sender sets delivery.asset_base_url, or sends the pictures inside the mail",
        )
        yield from self._finding(fault, src, token, "warning")

    def _finding(
        self, fault: AddressFault, address: str, token: Token, severity: Severity = "blocking"
    ) -> Iterator[Finding]:
        yield Finding(
            code=fault.code,
            severity=severity,
            message=fault.message,
            where=self.origin.where(fault.code, address or '=""', token.line),
            measured=address[:200] or None,
            remedy=fault.remedy,
        )


def _is_pixel(token: Token) -> bool:
    """A tracking pixel: nobody sees it (CHECKS §1, trap)."""
    return all((token.get(side) or "").strip().removesuffix("px") in {"0", "1"} for side in ("width", "height"))


def _once(findings: Iterable[Finding]) -> Iterator[Finding]:
    """All findings, but one alone for the placeholder base, whatever the number of pictures."""
    told = False
    for finding in findings:
        if finding.code != "placeholder-asset-base":
            yield finding
        elif not told:
            told = True
            yield finding


links = Verifier(
    name="links",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=("assets", "delivery"), files=(HTML, PICTURES), labels=(ORIGIN,)),
)
