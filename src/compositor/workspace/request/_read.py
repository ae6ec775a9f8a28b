"""Reading a package: strict JSON, its closed shape, then what it says; everything that is wrong is reported at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from compositor._values import Json, NotJson, canonical, read_json, thaw
from compositor.errors import Problem, RequestError
from compositor.workspace._problem_list import ProblemList, Step
from compositor.workspace.request._meaning import check_meaning
from compositor.workspace.request._request import Request
from compositor.workspace.request._shape import shaped

MAX_BYTES = 4 * 1024 * 1024
"""Largest package: words only, since pictures come beside it; the largest real token files stay below 1 MiB."""

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
"""Characters that neither XML 1.0 nor a stored UTF-8 text can hold (XML 1.0, section 2.2)."""


def read_request(text: str | bytes, subject: str = "the request", *, today: date | None = None) -> Request:
    """The request of a JSON text.

    Args:
        text: JSON; bytes are UTF-8, with or without a byte order mark.
        subject: what the package is called in the error, for example its file name.
        today: the day it goes out, where it does not say so itself; without one, no claim is taken as expired.

    Raises:
        RequestError: with all problems, each with its JSON path, a stable code and, where there is one, the cure.
    """
    return request_of(_parsed(text, subject), subject, today=today)


def request_of(value: Json, subject: str = "the request", *, today: date | None = None) -> Request:
    """The request of a JSON value that was parsed already.

    Raises:
        RequestError: as `read_request`.
    """
    problems = ProblemList()
    try:
        value = thaw(value)
        canonical(value)
    except (TypeError, ValueError, RecursionError) as error:
        raise _refusal(subject, "not-json", f"it is not a JSON value: {error}") from None
    for at in _unprintable(value, ()):
        message = "the text has a control character or half a surrogate pair"
        problems.add("control-character", at, message, "remove it; line breaks and tabs may stay")
    if today is not None:
        value = _dated(value, today)
    request = shaped(value, problems)
    if isinstance(value, dict):
        check_meaning(value, problems)
    if request is None or problems.found:
        raise RequestError(subject, problems.found)
    return request


def _dated(value: Json, today: date) -> Json:
    delivery = value.get("delivery", {}) if isinstance(value, dict) else None
    if not isinstance(delivery, dict) or delivery.get("send_on") is not None:
        return value
    return {**value, "delivery": {**delivery, "send_on": today.isoformat()}}


def _parsed(text: str | bytes, subject: str) -> Json:
    if len(text) > MAX_BYTES:
        raise _refusal(subject, "too-large", f"the package has more than {MAX_BYTES} bytes", "send pictures as assets")
    try:
        words = text if isinstance(text, str) else text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _refusal(subject, "not-utf8", f"byte {error.start} is not UTF-8", "save the file as UTF-8") from None
    try:
        return read_json(words)
    except NotJson as error:
        place = "" if error.position is None else f" ({_line_and_column(words, error.position)})"
        cure = "look at the commas, quotes and brackets just before" if place else "correct it"
        raise _refusal(subject, "not-json", f"this is not JSON: {error.reason}{place}", cure) from None


def _refusal(subject: str, code: str, message: str, cure: str = "") -> RequestError:
    return RequestError(subject, [Problem(code=code, where="$", message=message, cure=cure)])


def _line_and_column(text: str, position: int) -> str:
    before = text[:position]
    return f"line {before.count(chr(10)) + 1}, column {position - before.rfind(chr(10))}"


def _unprintable(value: Json, at: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    if isinstance(value, str):
        if _UNPRINTABLE.search(value):
            yield at
    elif isinstance(value, dict):
        for name, item in value.items():
            if _UNPRINTABLE.search(name):
                yield (*at, name)
            yield from _unprintable(item, (*at, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _unprintable(item, (*at, index))
