"""Where a mail comes from, and where in its source something was written."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass

from compositor.capabilities import CheckContext, ToolRun, Where
from compositor.capabilities.email._deliverable import HTML, SOURCE


def written_here(record: Sequence[ToolRun]) -> bool:
    """Whether the writer wrote or changed the source in this operation; else it came from outside."""
    return any(SOURCE in run.changed for run in record)


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The source of the compiled mail, to say where the writer can correct something.

    Attributes:
        source: the text of `email.mjml`, or empty for a mail without one.
    """

    source: str

    def where(self, words: str, line: int) -> Where:
        """The line of the source where the words stand; else the line of the compiled mail."""
        for spelled in (words, html.escape(words, quote=False), html.escape(words)):
            at = self.source.find(spelled) if spelled else -1
            if at >= 0:
                return Where(of=SOURCE, line=self.source.count("\n", 0, at) + 1)
        return Where(of=HTML, line=line)


async def origin_of(ctx: CheckContext) -> Origin:
    """The origin of the mail that a check looks at; the check reads `email.mjml`."""
    return Origin(source=await ctx.files.read_text(SOURCE) if ctx.files.exists(SOURCE) else "")
