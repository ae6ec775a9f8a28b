"""JSON values: canonical bytes, digests, frozen copies and the one strict reader.

Everything that is hashed, journalled or sent over a wire goes through these few functions, so that a digest is the same
on every run and every machine.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, a list or a mapping with string keys (frozen or not)."""

MAX_DEPTH = 64
"""Deepest nesting that `read_json` accepts; far above any real request and far below Python's recursion limit."""


def sha256(data: bytes) -> str:
    """Hex SHA-256 of `data`: the address of a blob."""
    return hashlib.sha256(data).hexdigest()


_ADDRESS = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")


def addresses_in(text: str) -> list[str]:
    """Everything in a text that could be the address of a blob; a digest of anything else looks the same."""
    return _ADDRESS.findall(text)


def canonical(value: Json) -> bytes:
    """The one spelling of a JSON value: sorted keys, no spaces, UTF-8.

    Raises:
        ValueError: for NaN or infinity, which JSON does not have.
        TypeError: for anything that is not a JSON value.
    """
    return _CANONICAL.encode(value).encode("utf-8", "replace")


def digest(value: Json) -> str:
    """Hex SHA-256 of the canonical spelling of a JSON value."""
    return sha256(canonical(value))


def well_formed(text: str) -> str:
    """The text with its surrogate pairs joined and lone halves, which can be neither stored nor sent, as U+FFFD.

    A model may cut a character in two.
    """
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def freeze(value: Json) -> Json:
    """A deep copy that cannot be changed: mappings become read-only, lists become tuples."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: freeze(item) for key, item in value.items()})
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return tuple(freeze(item) for item in value)
    return value


def thaw(value: Json) -> Json:
    """The plain `dict` and `list` copy of a frozen value, ready for `json.dumps`."""
    if isinstance(value, Mapping):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [thaw(item) for item in value]
    return value


def _as_plain(value: object) -> Json:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not a JSON value")


_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, default=_as_plain
)


class NotJson(ValueError):
    """The text is not the JSON we accept. `position` is the character offset, or None where it has no one place."""

    def __init__(self, reason: str, position: int | None = None) -> None:
        super().__init__(reason if position is None else f"{reason} at character {position}")
        self.reason = reason
        self.position = position


def read_json(text: str) -> Json:
    """Parse JSON strictly.

    Python's reader takes NaN, infinities (also as `1e999`), integers beyond any double and repeated keys, and leaves
    with RecursionError on deep nesting. A value that was checked must be the value that runs, so all these are refused.

    Raises:
        NotJson: with the reason and, where there is one, the position.
    """
    _refuse_deep(text)
    try:
        return json.loads(
            text, object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole
        )
    except json.JSONDecodeError as error:
        raise NotJson(error.msg.removesuffix(" at"), error.pos) from None


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    seen = dict(pairs)
    if len(seen) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise NotJson(f"the key {repeated!r} stands twice in one object")
    return seen


def _no_constant(name: str) -> Json:
    raise NotJson(f"{name} is not JSON")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise NotJson(f"the number {digits[:20]} is larger than any that a machine holds")
    return value


def _whole(digits: str) -> int:
    _finite(digits)
    return int(digits)


_BRACKET_OR_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[{\]}]', re.DOTALL)
"""A bracket, or a whole string, so that brackets inside it do not count; a string that was cut off goes to the end."""


def _refuse_deep(text: str) -> None:
    """Refuse nesting beyond `MAX_DEPTH` before the recursive reader meets it."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for found in _BRACKET_OR_STRING.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > MAX_DEPTH:
            raise NotJson(f"nested deeper than {MAX_DEPTH} levels", found.start())
