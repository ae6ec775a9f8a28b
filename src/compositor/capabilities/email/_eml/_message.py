"""The message: the words twice, as text and as HTML, and with the HTML the pictures that it shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from email.message import MIMEPart
from email.policy import SMTP

from compositor._values import Json, sha256, well_formed
from compositor.capabilities.email._eml._carried import carried
from compositor.capabilities.email._eml._head import LINE_LIMIT, head

_ENCODED = SMTP.clone(cte_type="7bit", max_line_length=76)
"""For bodies: lines of an encoded body have 76 characters at most (RFC 2045, 6.7 and 6.8)."""
_WRITTEN = SMTP.clone(cte_type="7bit", max_line_length=LINE_LIMIT)
"""For the heads of parts: each on one line, as long as may be. The content id of a picture does not
fit into 78 characters, and a file name that is split in two (RFC 2231) is not read by every mail program."""


def message_bytes(manifest: Mapping[str, Json], html: str, text: str, pictures: Mapping[str, bytes]) -> bytes:
    """The message as it stands in `email.eml`; the same input gives the same bytes.

    It is `multipart/alternative` of `text/plain` and `text/html`. Where pictures travel along, the HTML and they are a
    `multipart/related` (RFC 2387), and the HTML names them by `cid:`. All is ASCII, in lines of at most 998 bytes.

    Args:
        manifest: the delivery manifest.
        html: the HTML part.
        text: the text part.
        pictures: workspace path → bytes. A picture of the manifest that is not among them keeps its address.
    """
    there = [asset for asset in manifest["assets"] if asset["path"] in pictures]
    document = carried(well_formed(html), {asset["url"]: asset["cid"] for asset in there})
    shown = {asset["cid"]: asset for asset in there if f"cid:{asset['cid']}" in document}
    mark = sha256("\0".join((text, html)).encode("utf-8", "replace"))[:32]
    page = _words(document, "html")
    if shown:
        _join(page, list(shown.values()), pictures, mark)
    message = MIMEPart(policy=_ENCODED)
    message.make_alternative(boundary=_boundary("parts", mark))
    message.attach(_words(well_formed(text), "plain"))
    message.attach(page)
    return head(manifest) + message.as_bytes(policy=_WRITTEN)


def _words(text: str, subtype: str) -> MIMEPart:
    part = MIMEPart(policy=_ENCODED)
    part.set_content(text, subtype=subtype, cte=_shorter_encoding(text))
    return part


def _shorter_encoding(text: str) -> str:
    """Quoted-printable makes three bytes of one that is not ASCII, base64 four of any three: equal at one in six."""
    data = text.encode()
    return "base64" if sum(byte > 127 for byte in data) * 6 > len(data) else "quoted-printable"


def _join(page: MIMEPart, assets: Sequence[Mapping[str, Json]], pictures: Mapping[str, bytes], mark: str) -> None:
    """Put the pictures beside the page that shows them."""
    page.make_related(boundary=_boundary("page", mark))
    page.set_param("type", "text/html")  # of the part to begin with: RFC 2387, 3.1
    for asset in assets:
        maintype, _, subtype = asset["media_type"].partition("/")
        page.add_related(
            pictures[asset["path"]],
            maintype,
            subtype,
            disposition="inline",
            filename=asset["path"].rpartition("/")[2],
            cid=f"<{asset['cid']}>",
        )


def _boundary(of: str, mark: str) -> str:
    """Made of the content, so that a build repeated gives the same; `=_` stands in no encoded body (RFC 2045, 6.7)."""
    return f"=_{of}_{mark}"
