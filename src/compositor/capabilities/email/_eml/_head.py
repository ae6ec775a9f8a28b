"""The head of the message: from whom, about what, and how to leave the list, in lines of ASCII (RFC 5322).

The lines are written here and not by a policy of `email`, as that loses spaces between encoded words (python/cpython
#92081: 219 of 3,000 random subjects came back changed, with Python 3.11) and writes a long address as encoded words,
where a mail program must not decode them (RFC 2047, 5). `email.header` has neither fault.

There is no `Date` and no `Message-ID`. Both belong to the moment of sending (RFC 5322, 3.6.1 and 3.6.4) and are set by
whoever sends; here they would make another file of each build.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from email.header import Header
from email.utils import quote

from compositor._values import Json, well_formed

PLACEHOLDER_SENDER = "replace-me@sender.invalid"
"""Who a mail is from where the request does not say, or not in ASCII: a mail program opens it, and no server takes it
(RFC 2606). The sender has to replace it."""

LINE_LIMIT = 998
"""Bytes of a line without its end (RFC 5322, 2.1.1)."""

_PLAIN = re.compile(r"[ -~]{0,60}")
"""Words that stand as they are, on one line of at most 78 characters (RFC 5322, 2.1.1)."""
_WORD_LINE = 75
"""Characters of an encoded word; with the space in front of it the line has 76 (RFC 2047, 2)."""
_BREAKS = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
"""What could end a line somewhere on the way to the reader; such a character would begin a new header there."""
_ATOMS = r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*"
_MAILBOX = re.compile(f"{_ATOMS}@{_ATOMS}", re.ASCII)
"""A mailbox that needs no quotes (RFC 5322, 3.2.3 and 3.4.1); merge tags are made of the same characters."""


def head(manifest: Mapping[str, Json]) -> bytes:
    """The lines of the head, each with its end. What the manifest leaves empty is left out, but never `From`."""
    fields = {
        "From": _sender(manifest["sender"] or {}),
        "Subject": _words(str(manifest["subject"]), "Subject"),
        **{name: _folded(str(address), name) for name, address in manifest["headers"].items()},
        "Content-Language": _one_line(str(manifest["language"])),
        # Mail programs open a file with this header for writing and not for reading: Thunderbird (its test of
        # `MailUtils.openEMLFile`), Outlook and others (symfony.com/blog/new-in-symfony-6-1-draft-emails).
        "X-Unsent": "1",
        "MIME-Version": "1.0",
    }
    return "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value).encode("ascii", "replace")


def _sender(sender: Mapping[str, Json]) -> str:
    mailbox = _mailbox(str(sender.get("email") or ""))
    name = _one_line(str(sender.get("name") or ""))
    if not name:
        return mailbox
    words = _words(name, "From")
    return f'"{quote(name)}" <{mailbox}>' if words == name else f"{words}\r\n <{mailbox}>"


def _mailbox(address: str) -> str:
    """The mailbox, its host as IDNA; the placeholder where a head of ASCII cannot have it."""
    name, _, host = address.rpartition("@")
    try:
        written = host.encode("idna")
        faithful = written.decode("idna").lower() == host.lower()  # Python's IDNA of 2003 turns straße into strasse
    except UnicodeError:
        return PLACEHOLDER_SENDER
    mailbox = f"{name}@{written.decode('ascii')}"
    return mailbox if faithful and _MAILBOX.fullmatch(mailbox) else PLACEHOLDER_SENDER


def _words(text: str, field: str) -> str:
    """Words of a header as they are, or as encoded words (RFC 2047) where they are long or could be misread."""
    line = _one_line(text)
    if _PLAIN.fullmatch(line) and "=?" not in line:
        return line
    return Header(line, "utf-8", maxlinelen=_WORD_LINE, header_name=field).encode(linesep="\r\n")


def _one_line(text: str) -> str:
    return _BREAKS.sub(" ", well_formed(text)).strip()


def _folded(address: str, field: str) -> str:
    """A list header; white space inside its brackets is ignored (RFC 2369, 2), and is put there only where it must."""
    line = _one_line(address)
    room = LINE_LIMIT - len(f"{field}: ")
    return "\r\n ".join(line[at : at + room] for at in range(0, len(line), room))
