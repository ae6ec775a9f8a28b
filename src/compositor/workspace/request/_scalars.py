"""The single values of a request: names, ids, lines, addresses, days. Each pattern stands here with its words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Literal

from pydantic import BeforeValidator, StringConstraints

_NAME = r"^[a-z][a-z0-9_-]{0,63}$"
_ID = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
_LINE = r"^[^\r\n]*$"
_LANGUAGE = r"^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$"
_JURISDICTION = r"^[A-Z]{2}(-[A-Z0-9]{1,3})?$"
_ADDRESS = r"^\S+$"
_MAILBOX = r"^[^@\s<>]+@[^@\s<>]+$"
_DIGEST = r"^[0-9a-f]{64}$"
_DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"

FORMATS: Mapping[str, str] = {
    _NAME: "a name: small letters, digits, dashes and underscores, a letter first, 64 at most",
    _ID: "an id: letters, digits, dots, dashes and underscores, a letter or digit first, 64 at most",
    _LINE: "one line, without line breaks",
    _LANGUAGE: "a BCP 47 tag of language, script and region, such as en-GB or zh-Hant-TW",
    _JURISDICTION: "an ISO 3166 code, such as DE or US-CA",
    _ADDRESS: "an address without spaces, also inside merge tags",
    _MAILBOX: "an address such as news@shop.test, without a name",
    _DIGEST: "a SHA-256 digest: 64 digits of 0-9 and a-f",
    _DAY: "a day of the calendar, such as 2027-03-31",
}
"""Pattern → what it asks for, in words."""


def _day(value: object) -> object:
    """A day from its ISO 8601 text alone; pydantic would also take a count of seconds."""
    return date.fromisoformat(value) if isinstance(value, str) and re.fullmatch(_DAY, value) else value


Name = Annotated[str, StringConstraints(pattern=_NAME)]
Id = Annotated[str, StringConstraints(pattern=_ID)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=1_000, pattern=_LINE)]
Language = Annotated[str, StringConstraints(pattern=_LANGUAGE)]
Jurisdiction = Annotated[str, StringConstraints(pattern=_JURISDICTION)]
Address = Annotated[str, StringConstraints(min_length=1, max_length=2_000, pattern=_ADDRESS)]
"""A link as it goes into the deliverable: an https address, `mailto:`, `tel:` or a merge tag."""
Mailbox = Annotated[str, StringConstraints(max_length=320, pattern=_MAILBOX)]
Digest = Annotated[str, StringConstraints(pattern=_DIGEST)]
Date = Annotated[date, BeforeValidator(_day)]
Severity = Literal["must", "should"]
