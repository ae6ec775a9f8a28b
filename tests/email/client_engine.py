"""A message as a mail client reads it: Camel, the engine of Evolution, reads it from the input and tells what it found.

A program of its own: Camel is reached through the system's Python and its `gi` (Debian: python3-gi, gir1.2-camel-1.2,
evolution-data-server-common), and ends its process where its settings are not installed.

    /usr/bin/python3 tests/email/client_engine.py < email.eml

It prints a JSON object, and ends with `ABSENT` and a reason where there is no engine.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

ABSENT = 77
"""Exit code where the engine is not installed; the same number says so to automake's test driver."""

SETTINGS = "org.gnome.evolution-data-server"
HEADERS = ("List-Unsubscribe", "List-Unsubscribe-Post", "Content-Language", "X-Unsent", "Date", "Message-ID")


def main() -> int:
    try:
        camel = engine()
    except (ImportError, ValueError, LookupError) as error:
        print(error, file=sys.stderr)
        return ABSENT
    with tempfile.TemporaryDirectory() as folder:
        camel.init(folder, False)
        json.dump(reading(camel, sys.stdin.buffer.read()), sys.stdout)
    return 0


def engine() -> Any:
    """Camel.

    Raises:
        ImportError, ValueError, LookupError: something of it is not installed.
    """
    gi = importlib.import_module("gi")
    gi.require_version("Camel", "1.2")
    settings = importlib.import_module("gi.repository.Gio").SettingsSchemaSource.get_default()
    if settings is None or settings.lookup(SETTINGS, True) is None:
        raise LookupError(f"the settings {SETTINGS} are not installed")
    return importlib.import_module("gi.repository.Camel")


def reading(camel: Any, data: bytes) -> dict[str, Any]:
    """What the engine makes of a message: its head, and its parts in order, containers among them."""
    message = camel.MimeMessage.new()
    message.construct_from_stream_sync(camel.StreamMem.new_with_buffer(data), None)
    headers = {name: (message.get_header(name) or "").strip() for name in HEADERS}
    return {
        "subject": message.get_subject(),
        "from": mailboxes(message.get_from()),
        "headers": {name: value for name, value in headers.items() if value},
        "attachments": message.has_attachment(),
        "parts": [part_of(camel, part) for part in parts(camel, message)],
    }


def mailboxes(addresses: Any) -> list[tuple[str, str]]:
    """Name and address of each."""
    found = (addresses.get(index) for index in range(addresses.length()))
    return [(name or "", address) for there, name, address in found if there]


def parts(camel: Any, part: Any) -> Iterator[Any]:
    """A part and all below it, in order."""
    yield part
    content = part.get_content()
    if isinstance(content, camel.Multipart):
        for index in range(content.get_number()):
            yield from parts(camel, content.get_part(index))


def part_of(camel: Any, part: Any) -> dict[str, Any]:
    """One part: its type, its names, and its content decoded."""
    kind = part.get_content_type()
    told = {
        "type": kind.simple(),
        "id": part.get_content_id() or "",
        "disposition": part.get_disposition() or "",
        "filename": part.get_filename() or "",
    }
    if kind.is_("multipart", "*"):
        return told
    content = camel.StreamMem.new()
    part.get_content().decode_to_stream_sync(content, None)
    data = bytes(content.get_byte_array())
    if kind.is_("text", "*"):
        return {**told, "text": data.decode(kind.param("charset"))}
    return {**told, "sha256": hashlib.sha256(data).hexdigest()}


if __name__ == "__main__":
    sys.exit(main())
