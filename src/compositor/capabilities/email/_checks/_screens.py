"""What readers see: the facts of the screens that mail is read on, and findings that hold for more than one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compositor._values import Json
from compositor.capabilities import CheckContext, Finding
from compositor.capabilities.email._deliverable import DESKTOP, LAYOUT, MOBILE
from compositor.verifiers.layout import examined_texts

READ_ON = (DESKTOP, MOBILE)
"""The narrow screen is for what breaks; colours and sizes there are those of the mobile one."""

Pages = Mapping[str, Mapping[str, Json]]
"""Name of a screen → its facts."""


async def pages(ctx: CheckContext) -> Pages:
    """What was measured on each screen; the check reads the labels `LAYOUT`."""
    return {screen.name: await ctx.artifacts.read_json(LAYOUT + screen.name) for screen in READ_ON}


def unseen(pages: Pages) -> str:
    """Why these pages cannot be judged whole, or empty."""
    if blank := [name for name, facts in pages.items() if not examined_texts(facts)]:
        return f"no text was seen on {', '.join(blank)}"
    if truncated := [name for name, facts in pages.items() if facts.get("truncated")]:
        return f"the page is too tall to be seen whole on {', '.join(truncated)}"
    return ""


def told_once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, without those that say of a later screen what was said of an earlier one."""
    first: dict[tuple[str, str], str] = {}
    return tuple(
        finding
        for finding in findings
        if first.setdefault((finding.code, finding.message), finding.where.of) == finding.where.of
    )
