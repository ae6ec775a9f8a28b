"""How large a mail is, as mail programs count it."""

from __future__ import annotations

from compositor.verifiers.markup import tokens


def size_of(html: str) -> int:
    """UTF-8 bytes of the document; never compressed (CHECKS: Gmail's limit holds for the plain document)."""
    return len(html.encode("utf-8", "replace"))


def style_sheets(html: str) -> tuple[tuple[str, int], ...]:
    """The text of each `<style>` and its line."""
    sheets: list[tuple[str, int]] = []
    inside = False
    for token in tokens(html):
        if token.kind == "text" and inside:
            sheets.append((token.raw, token.line))
        inside = token.kind == "open" and token.name == "style"
    return tuple(sheets)
