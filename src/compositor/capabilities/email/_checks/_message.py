"""Measurement `message-file`: the one file for mail programs says and shows what the parts do.

It is read with Python's own parser, which knows nothing of how it was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage

from compositor._values import Json, sha256
from compositor.capabilities import CheckContext, Finding, Report, Scope, Verifier, Where
from compositor.capabilities.email._deliverable import DELIVERY, EML, HTML, PICTURES, TEXT
from compositor.capabilities.email._eml import LINE_LIMIT
from compositor.capabilities.email._passages import passages
from compositor.verifiers.markup import tokens
from compositor.workspace.assets import FOLDER

THRESHOLDS: Mapping[str, Json] = {"line_bytes": LINE_LIMIT}

_NAMED = re.compile(r"""cid:([^"'\s)<>&]+)""", re.IGNORECASE)
_REMEDY = "build the mail again; if the finding stays, send the parts and not this file"


async def _check(ctx: CheckContext) -> Report:
    data, html = await ctx.files.read(EML), await ctx.files.read_text(HTML)
    file = _File.read(data)
    manifest = await ctx.files.read_json(DELIVERY)
    at_hand = {asset["cid"]: asset for asset in manifest["assets"] if ctx.files.exists(asset["path"])}
    findings = (
        *_form(file, data, ctx.thresholds["line_bytes"]),
        *_words(file, text=await ctx.files.read_text(TEXT), html=html),
        *_pictures(file, at_hand, before=frozenset(_NAMED.findall(html))),
    )
    measures = {"bytes": len(data), "pictures": len(file.pictures)}
    return Report(examined=len(file.pictures) + 2, findings=findings, measures=measures)


@dataclass(frozen=True, slots=True, kw_only=True)
class _File:
    """The message as a mail program reads it.

    Attributes:
        defects: what the parser stumbled over.
        text, html: the words of the two parts; None where there is no such part, or more than one.
        pictures: content id → digest of the picture.
    """

    defects: tuple[str, ...]
    text: str | None
    html: str | None
    pictures: Mapping[str, str]

    @staticmethod
    def read(data: bytes) -> _File:
        message = message_from_bytes(data, policy=policy.default)
        parts = [part for part in message.walk() if isinstance(part, EmailMessage)]
        return _File(
            defects=tuple(type(defect).__name__ for part in parts for defect in part.defects),
            text=_only(parts, "text/plain"),
            html=_only(parts, "text/html"),
            pictures={
                str(part["Content-ID"]).strip("<> "): sha256(part.get_content())
                for part in parts
                if part.get_content_maintype() == "image"
            },
        )


def _only(parts: list[EmailMessage], kind: str) -> str | None:
    found = [part.get_content() for part in parts if part.get_content_type() == kind]
    return str(found[0]) if len(found) == 1 else None


def _form(file: _File, data: bytes, limit: int) -> Iterator[Finding]:
    """Nothing in it that a server on the way may change or refuse: RFC 5322, 2.1 and 2.3."""
    longest = max(map(len, data.split(b"\r\n")))
    if file.defects:
        yield _finding("message-malformed", f"a mail program stumbles over it: {', '.join(file.defects)}")
    if longest > limit:
        yield _finding("message-line-long", "a server may break a line of it", measured=longest, threshold=limit)
    if not data.isascii():
        yield _finding("message-not-ascii", "it has bytes that a server may drop")


def _words(file: _File, *, text: str, html: str) -> Iterator[Finding]:
    """Each part stands in it once, with the words and the links of its own file."""
    if file.text is None or file.text.split() != text.split():
        yield _finding("message-differs", f"its text part is not {TEXT}")
    if file.html is None or _said(file.html) != _said(html):
        yield _finding("message-differs", f"its HTML part does not say what {HTML} says")


def _said(html: str) -> list[tuple[str, bool, tuple[str, ...]]]:
    return [(one.text, one.hidden, tuple(piece.href for piece in one.pieces)) for one in passages(html)]


def _pictures(file: _File, at_hand: Mapping[str, Json], *, before: frozenset[str]) -> Iterator[Finding]:
    """Each picture at hand that the page shows is in the file, under its content id, and no other is.

    Args:
        file: the message.
        at_hand: content id → asset, of the manifest.
        before: content ids that the page named before it became a message: those are somebody else's.
    """
    named = frozenset(_NAMED.findall(file.html or ""))
    for cid in sorted(named - before - file.pictures.keys()):
        yield _finding("message-picture-missing", f"it shows the picture {cid!r} and does not hold it")
    for cid, digest in sorted(file.pictures.items()):
        if cid not in at_hand or cid not in named or not cid.startswith(digest):
            yield _finding("message-picture-wrong", f"what it holds as {cid!r} is no picture that {HTML} shows")
    shown = {(token.get(name) or "").strip() for token in tokens(file.html or "") for name in ("src", "background")}
    for asset in at_hand.values():
        if asset["url"] in shown:
            yield _finding("message-picture-remote", f"it does not hold {asset['id']!r}, and shows it from its address")


def _finding(code: str, message: str, *, measured: Json = None, threshold: Json = None) -> Finding:
    return Finding(
        code=code,
        severity="blocking",
        message=f"{EML}: {message}",
        where=Where(of=EML),
        measured=measured,
        threshold=threshold,
        remedy=_REMEDY,
    )


message_file = Verifier(
    name="message-file",
    version="2",
    kind="measurement",
    check=_check,
    reads=Scope(files=(DELIVERY, EML, HTML, TEXT, FOLDER, PICTURES)),
    thresholds=THRESHOLDS,
    required=True,
)
