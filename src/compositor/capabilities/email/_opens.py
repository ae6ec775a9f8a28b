"""Outside files that can be verified and edited as emails."""

from __future__ import annotations

from collections.abc import Mapping

from compositor.capabilities import ToolError
from compositor.capabilities.email._deliverable import OUTSIDE, SOURCE
from compositor.verifiers.markup import tokens

MAX_BYTES = 2 * 1024 * 1024
"""Twenty times what Gmail shows of a mail."""


def open_mjml(data: bytes) -> Mapping[str, bytes]:
    """An MJML document is the source of a mail.

    Raises:
        ToolError: it is too large or not UTF-8, or does not begin with `<mjml>`.
    """
    if _root(_text(data)) != "mjml":
        raise ToolError("this is not an MJML document: its first element is not <mjml>")
    return {SOURCE: data}


def open_html(data: bytes) -> Mapping[str, bytes]:
    """An HTML mail is verified as it stands, without a source.

    Raises:
        ToolError: it is too large or not UTF-8, or holds no element.
    """
    if not _root(_text(data)):
        raise ToolError("this is not an HTML document: it has no element")
    return {OUTSIDE: data}


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise ToolError(f"the file has {len(data):,} bytes; mails up to {MAX_BYTES:,} are read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ToolError(f"the file is not UTF-8 (byte {error.start}); save it as UTF-8") from None


def _root(text: str) -> str:
    return next((token.name for token in tokens(text) if token.kind == "open"), "")


OPENS = {".mjml": open_mjml, ".html": open_html, ".htm": open_html}
