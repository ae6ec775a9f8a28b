"""The delivery manifest: everything that a sending system needs beside the two parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import unescape
from string import printable
from urllib.parse import quote

from compositor._values import Json, thaw, well_formed
from compositor.capabilities.email._assets import Asset, file_of
from compositor.capabilities.email._deliverable import HTML, TEXT
from compositor.capabilities.email._plan import Plan
from compositor.workspace import View

SCHEMA_VERSION = "1"

_OF_AN_ADDRESS = "".join(char for char in printable if char.isprintable() and char not in "<>")
"""What stays as it is between the brackets of a list header: ASCII alone, and all of it that a merge tag is made of."""


def delivery_manifest(
    view: View, plan: Plan, html: str, text: str, showable: Iterable[tuple[Asset, str]]
) -> Mapping[str, Json]:
    """The manifest as a JSON object.

    Keys: `schema_version`, `subject`, `preheader`, `language`, `sender` (name, email; or null), `headers` (RFC 2369 and
    8058), `parts` (path and UTF-8 bytes of each) and `assets`, the pictures that the mail shows (id, url, cid,
    path, media type).

    Args:
        view: of the email.
        plan: of the mail.
        html: its HTML part.
        text: its text part.
        showable: each picture that it may show, with its address.
    """
    document = unescape(html)
    return {
        "schema_version": SCHEMA_VERSION,
        "subject": plan.subject or view.get("delivery.subject", ""),
        "preheader": plan.preheader or view.get("delivery.preheader", ""),
        "language": view.get("locale", "en"),
        "sender": thaw(view.get("delivery.sender")),
        "headers": unsubscribe_headers(view.get("delivery.unsubscribe", "")),
        "parts": {
            "html": {"path": HTML, "bytes": len(html.encode("utf-8", "replace"))},
            "text": {"path": TEXT, "bytes": len(text.encode("utf-8", "replace"))},
        },
        "assets": [
            {
                "id": asset["id"],
                "url": url,
                "cid": f"{asset['sha256']}@assets",
                "path": file_of(asset),
                "media_type": asset["media_type"],
            }
            for asset, url in showable
            if url in document
        ],
    }


def unsubscribe_headers(address: str) -> Mapping[str, str]:
    """`List-Unsubscribe` (RFC 2369), and one-click (RFC 8058) where the address is, or becomes, an https address.

    What a header cannot have is percent-encoded (RFC 3986).
    """
    if not address:
        return {}
    headers = {"List-Unsubscribe": f"<{quote(well_formed(address), safe=_OF_AN_ADDRESS)}>"}
    if not address.lower().startswith("mailto:"):
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers
