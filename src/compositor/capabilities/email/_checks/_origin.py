"""Where a mail comes from, and where in its source something was written."""

from __future__ import annotations

import html
from collections.abc import Sequence

from compositor.capabilities import CheckContext, ToolRun, Where
from compositor.capabilities.email._deliverable import HTML, ORIGIN, SOURCE


def written_here(record: Sequence[ToolRun]) -> bool:
    """Whether the writer wrote or changed the source in this operation; else it came from outside."""
    return any(SOURCE in run.changed for run in record)


class Origin:
    """What the writer wrote, to say where something can be corrected.

    Args:
        path: of the source; for a mail from outside that of the mail itself.
        text: of the source.
    """

    __slots__ = ("_from", "_path", "_text")

    def __init__(self, path: str, text: str) -> None:
        self._path, self._text = path, text
        self._from: dict[tuple[str, str], int] = {}

    def where(self, code: str, words: str, line: int) -> Where:
        """The place of a finding.

        Args:
            code: of the finding; asked again with the same words, it gets the next place where they stand.
            words: as they stand in the compiled mail.
            line: of the compiled mail, for a mail from outside and for what the source does not say.
        """
        if self._path == HTML:
            return Where(of=HTML, line=line)
        begin = self._from.get((code, words), 0)
        for spelled in (words, html.escape(words, quote=False), html.escape(words)):
            at = self._text.find(spelled, begin)
            if spelled and at >= 0:
                self._from[code, words] = at + len(spelled)
                return Where(of=self._path, line=self._text.count("\n", 0, at) + 1)
        return Where(of=HTML, line=line)


async def origin_of(ctx: CheckContext) -> Origin:
    """The origin of the mail that a check looks at; the check reads the label `ORIGIN`."""
    text = (await ctx.artifacts.read(ORIGIN)).decode("utf-8", "replace")
    artifact = ctx.artifacts.get(ORIGIN)
    return Origin(str(artifact.facts["path"]) if artifact else HTML, text)
