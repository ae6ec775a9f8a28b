"""Measurement `pictures`: they load fast, keep their size in every mail program, and say their words.

Whether a picture has an alt and is one of ours is the matter of `links`; whether it is broken, distorted or upscaled
that of `layout`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape

from compositor._values import Json
from compositor.capabilities import CheckContext, Finding, Report, Scope, Verifier, Where
from compositor.capabilities.email._assets import Asset, file_of, showable
from compositor.capabilities.email._checks._origin import Origin, origin_of
from compositor.capabilities.email._deliverable import HTML, ORIGIN, PICTURES
from compositor.verifiers.markup import Token, tokens
from compositor.workspace.assets import FOLDER

THRESHOLDS: Mapping[str, Json] = {
    # react-email check-images.ts: a picture is below 1,048,576 bytes.
    "picture_bytes": 1_048_576,
    # A house default: two of the heaviest; some ten seconds on a slow phone connection (1.6 Mbit/s).
    "total_bytes": 2_097_152,
    # How likely words are drawn in a picture, where the request's assets say it: from a half on they are.
    "words_likely": 0.5,
}

_WIDTH = re.compile(r"\s*\d+(?:\.\d+)?\s*(?:%|px)?\s*")


async def _check(ctx: CheckContext) -> Report:
    html = await ctx.files.read_text(HTML)
    document = unescape(html)
    pictures = [token for token in tokens(html) if token.kind == "open" and token.name == "img"]
    shown = {url: asset for asset, url in await showable(ctx.files, ctx.view) if url in document}
    if not pictures and not shown:
        return Report.not_applicable(0, of="pictures")
    weights = await _weights(ctx, shown)
    origin = await origin_of(ctx)
    findings = (
        *_heavy(shown, weights, ctx.thresholds, origin),
        *_total(sum(weights.values()), ctx.thresholds["total_bytes"]),
        *(finding for token in pictures for finding in _without_width(token, origin)),
        *(finding for token in pictures for finding in _wordless(token, shown, ctx.thresholds, origin)),
    )
    measures = {"pictures": len(pictures), "assets": len(shown), "bytes": sum(weights.values())}
    return Report(examined=max(len(pictures), len(shown)), findings=findings, measures=measures)


async def _weights(ctx: CheckContext, shown: Mapping[str, Asset]) -> dict[str, int]:
    """Address → bytes of each picture that is at hand; a file that is verified alone comes without them."""
    paths = {url: file_of(asset) for url, asset in shown.items()}
    return {url: len(await ctx.files.read(path)) for url, path in paths.items() if ctx.files.exists(path)}


def _heavy(
    shown: Mapping[str, Asset], weights: Mapping[str, int], limits: Mapping[str, Json], origin: Origin
) -> Iterator[Finding]:
    for url, asset in shown.items():
        weight = weights.get(url, 0)
        if weight >= limits["picture_bytes"]:
            yield Finding(
                code="heavy-picture",
                severity="blocking",
                message=f"the picture {asset['id']!r} ({url}) takes {weight:,} bytes, and loads too slowly",
                where=origin.where("heavy-picture", url, 1),
                measured=weight,
                threshold=limits["picture_bytes"],
                remedy="do without it, or ask for the picture in fewer pixels or as JPEG or WebP",
            )


def _total(weight: int, limit: int) -> Iterator[Finding]:
    if weight >= limit:
        yield Finding(
            code="heavy-pictures",
            severity="warning",
            message=f"the pictures take {weight:,} bytes together",
            where=Where(of=HTML),
            measured=weight,
            threshold=limit,
            remedy="show fewer pictures, or smaller files of them",
        )


def _without_width(token: Token, origin: Origin) -> Iterator[Finding]:
    """Outlook draws a picture without a `width` at its own size, whatever its style says (CHECKS §1, Outlook)."""
    width = token.get("width") or ""
    if not _WIDTH.fullmatch(width):
        src = (token.get("src") or "").strip()
        yield Finding(
            code="picture-without-width",
            severity="warning",
            message=f"the picture {src[:80]!r} has no width; Outlook draws it at its own size",
            where=origin.where("picture-without-width", src or "<img", token.line),
            measured=width or None,
            remedy='write width="…" in pixels',
        )


def _wordless(
    token: Token, shown: Mapping[str, Asset], limits: Mapping[str, Json], origin: Origin
) -> Iterator[Finding]:
    """WCAG 2.2, 1.1.1: words in a picture are said by its alt. Which picture has words is an estimate."""
    src = (token.get("src") or "").strip()
    likely = (shown.get(src) or {}).get("words_likely") or 0
    alt = token.get("alt")
    if alt is not None and not alt.strip() and likely >= limits["words_likely"]:
        yield Finding(
            code="words-without-alt",
            severity="warning",
            message=f"words are likely drawn in the picture {shown[src]['id']!r}, and its alt is empty",
            where=origin.where("words-without-alt", src, token.line),
            measured=likely,
            threshold=limits["words_likely"],
            remedy="say these words in its alt; readers without pictures miss them",
        )


pictures = Verifier(
    name="pictures",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=("assets", "delivery"), files=(FOLDER, HTML, PICTURES), labels=(ORIGIN,)),
    thresholds=THRESHOLDS,
)
