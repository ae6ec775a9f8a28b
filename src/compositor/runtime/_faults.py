"""Errors in words: what a model or a report is told of an exception."""

from __future__ import annotations

import re

from compositor._values import well_formed

MAX_ERROR_CHARS = 1000
"""Longest error text: an error must never push the work out of the writer's context."""


def told(error: BaseException) -> str:
    """The kind and the words of an error; of a group, those of its first, and how many more there are."""
    if isinstance(error, BaseExceptionGroup):
        others = f" (and {len(error.exceptions) - 1} more)" if len(error.exceptions) > 1 else ""
        return told(error.exceptions[0]) + others
    return f"{type(error).__name__}: {_said(error)}"


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception as broken:  # noqa: BLE001 - errors of others may be broken too
        return f"(its text cannot be had: {type(broken).__name__})"


def shortened(text: str) -> str:
    """The text, well formed, at most `MAX_ERROR_CHARS` long."""
    whole = well_formed(text)
    return whole if len(whole) <= MAX_ERROR_CHARS else whole[: MAX_ERROR_CHARS - 1] + "…"


_TRACE = re.compile(r"\s*Traceback \(most recent call last\):.*", re.DOTALL)
_PLACE = re.compile(r"(?<![\w./:<])(?:/[^\s/:'\"<>,;()]+)+/(?=[^\s/:'\"<>,;()])")
"""The folders of an absolute path; not those of a URL, of a closing tag, or of a relative path."""


def without_machine(text: str) -> str:
    """The text without traceback, and with paths of this machine cut to their last name.

    An unexpected error may hold either; neither helps a writer, and both tell what a hijacked one should not know.
    """
    return _PLACE.sub("…/", _TRACE.sub("", text))
