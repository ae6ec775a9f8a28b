"""Measurement `compiled-size`: what Gmail shows of the mail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compositor._values import Json
from compositor.capabilities import CheckContext, Finding, Report, Scope, Verifier, Where
from compositor.capabilities.email._deliverable import HTML
from compositor.capabilities.email._size import size_of, style_sheets

THRESHOLDS: Mapping[str, Json] = {
    # A house default: room for what sending systems add (tracked links, a pixel).
    "warn_bytes": 80_000,
    # hteumeuleu/email-bugs#41: cut at 99,507, 99,906 and 100,217 bytes, before Gmail's own rewriting; not at 102,400.
    "fail_bytes": 99_500,
    # hteumeuleu/email-bugs#90 and caniemail#144: style elements are dropped when their rules reach 16 KB together.
    "style_bytes": 16_384,
}


async def _check(ctx: CheckContext) -> Report:
    html = await ctx.files.read_text(HTML)
    size = size_of(html)
    rules = sum(size_of(sheet) for sheet, _ in style_sheets(html))
    findings = (*_too_large(size, ctx.thresholds), *_too_many_rules(rules, ctx.thresholds))
    return Report(examined=1 if html.strip() else 0, findings=findings, measures={"bytes": size, "style_bytes": rules})


def _too_large(size: int, limits: Mapping[str, Json]) -> Iterator[Finding]:
    shorten = "write fewer or shorter sections, and put repeated attributes into mj-attributes"
    if size >= limits["fail_bytes"]:
        yield Finding(
            code="html-too-heavy",
            severity="blocking",
            message=f"{size} bytes, Gmail cuts from about 99.5 kB",
            where=Where(of=HTML),
            measured=size,
            threshold=limits["fail_bytes"],
            remedy=shorten,
        )
    elif size >= limits["warn_bytes"]:
        yield Finding(
            code="html-heavy",
            severity="warning",
            message=f"{size} bytes leave little room for what a sending system adds; Gmail cuts from about 99.5 kB",
            where=Where(of=HTML),
            measured=size,
            threshold=limits["warn_bytes"],
            remedy=shorten,
        )


def _too_many_rules(rules: int, limits: Mapping[str, Json]) -> Iterator[Finding]:
    if rules >= limits["style_bytes"]:
        yield Finding(
            code="style-rules-dropped",
            severity="warning",
            message=f"{rules} bytes of style rules; Gmail drops those that reach 16 KB, mobile rules included",
            where=Where(of=HTML),
            measured=rules,
            threshold=limits["style_bytes"],
            remedy="write fewer rules in mj-style, or use attributes",
        )


compiled_size = Verifier(
    name="compiled-size",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(files=(HTML,)),
    thresholds=THRESHOLDS,
    required=True,
)
