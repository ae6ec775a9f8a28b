"""Instructions for the writer, in paragraphs, so that a narrowed roster drops exactly what no longer applies."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MENTION = re.compile(r"`([a-zA-Z_][a-zA-Z0-9_-]*)\(")


@dataclass(frozen=True, slots=True)
class Instructions:
    """Paragraphs of Markdown.

    A tool is mentioned as a call in backticks: `` `write_file()` ``. A paragraph that mentions a tool which the mode
    removed is dropped; one that mentions a tool which nobody registers is a composition problem. An empty one is
    left out.
    """

    paragraphs: tuple[str, ...] = ()

    def __init__(self, *paragraphs: str) -> None:
        object.__setattr__(self, "paragraphs", tuple(filter(None, (paragraph.strip() for paragraph in paragraphs))))


def mentioned_tools(paragraph: str) -> tuple[str, ...]:
    """The tools that a paragraph tells the writer to call, sorted."""
    return tuple(sorted(set(_MENTION.findall(paragraph))))
