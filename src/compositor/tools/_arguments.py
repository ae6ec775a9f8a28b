"""From the model's text to checked arguments, or to a short error that names the place and the cure.

Nothing is repaired silently: what was checked is what runs.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError

from compositor._values import Json, NotJson, canonical, read_json

MAX_FAULT_CHARS = 1000
"""Longest error text that goes back to the writer (cases.md D03)."""
MAX_FAULTS = 5
"""More faults than this in one call say nothing new."""

_KINDS = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentFault:
    """Why a call was not run; `text` is for the writer."""

    text: str


def checked_arguments(tool: str, schema: Json, text: str) -> Mapping[str, Json] | ArgumentFault:
    """Parse and validate the arguments of one call.

    Args:
        tool: the name of the tool that is called.
        schema: the JSON Schema of its arguments.
        text: the JSON text that the model sent; the empty text stands for no arguments.
    """
    try:
        value = read_json(text) if text.strip() else {}
    except NotJson as error:
        return _fault(f"the arguments of {tool} are not valid JSON: {error}. Send the call again, whole")
    if not isinstance(value, dict):
        return _fault(f"the arguments of {tool} must be one JSON object, not {_kind(value)}")
    validator = _validator(canonical(schema))
    errors = sorted(validator.iter_errors(value), key=lambda error: (list(map(str, error.path)), error.message))
    if not errors:
        return {key: _well_formed(item) for key, item in value.items()}
    return _fault(f"{tool} was not run: " + "; ".join(_words(error) for error in errors[:MAX_FAULTS]))


@functools.lru_cache(maxsize=512)
def _validator(schema: bytes) -> Draft202012Validator:
    return Draft202012Validator(read_json(schema.decode("utf-8")), format_checker=FormatChecker())


def _words(error: ValidationError) -> str:
    place = error.json_path.removeprefix("$").removeprefix(".") or "the arguments"
    if error.validator == "type" and isinstance(error.instance, str) and error.instance.lstrip()[:1] in ("{", "["):
        wanted = error.validator_value
        return f"{place} is a JSON text in quotes: send it as {wanted}, not as string"
    if error.validator == "type":
        return f"{place} must be {error.validator_value}, not {_kind(error.instance)}"
    message = error.message if len(error.message) < 160 else f"{error.message[:160]}…"
    return f"{place}: {message}"


def _kind(value: Json) -> str:
    return "null" if value is None else _KINDS.get(type(value), type(value).__name__)


def _well_formed(value: Json) -> Json:
    """The same value with lone surrogate halves replaced by U+FFFD: they cannot be stored or sent."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_well_formed(key): _well_formed(item) for key, item in value.items()}
    return [_well_formed(item) for item in value] if isinstance(value, list) else value


def _fault(text: str) -> ArgumentFault:
    return ArgumentFault(text=text if len(text) <= MAX_FAULT_CHARS else text[: MAX_FAULT_CHARS - 1] + "…")
