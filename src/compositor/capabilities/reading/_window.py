"""A part of a long text file: as many whole lines as fit."""

from __future__ import annotations

from compositor.capabilities import ToolError

MAX_CHARACTERS = 20_000
"""Characters of one answer: about 5,000 tokens, a sixth of what the host takes of one result."""
MAX_LINE = 2_000
"""Characters of one line; compiled mail is one line of many thousands."""


def window(path: str, data: bytes, start_line: int) -> str:
    """The lines from `start_line` on, numbered, and where they continue.

    Raises:
        ToolError: no text, or no such line.
    """
    if b"\0" in data[:8192]:
        raise ToolError(f"{path} is no text ({len(data):,} bytes); look at pictures by rendering them")
    lines = data.decode("utf-8", "replace").removesuffix("\n").split("\n") if data else []
    if not lines:
        return f"{path} is empty."
    if not 1 <= start_line <= len(lines):
        raise ToolError(f"{path} has lines 1 to {len(lines)}; there is no line {start_line}")
    shown: list[str] = []
    left = MAX_CHARACTERS
    for number, line in enumerate(lines[start_line - 1 :], start_line):
        text = f"{number}\t{_cut(line)}"
        if shown and len(text) > left:
            break
        shown.append(text)
        left -= len(text) + 1
    following = start_line + len(shown)
    head = f"{path}, lines {start_line} to {following - 1} of {len(lines)}"
    tail = [f"{path} continues at line {following}."] if following <= len(lines) else []
    return "\n".join([head, *shown, *tail])


def _cut(line: str) -> str:
    return line if len(line) <= MAX_LINE else f"{line[:MAX_LINE]}… ({len(line):,} characters in this line)"
