"""From the model's text to checked arguments, or to a short error that names the place and the cure.

Nothing is repaired silently: what was checked is what runs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from jsonschema.exceptions import ValidationError

from compositor._values import Json, NotJson, read_json, well_formed
from compositor.tools._validator import as_written, validator_of

MAX_FAULT_CHARS = 1000
"""Longest error text that goes back to the writer: enough for five faults, too little to fill a conversation."""
MAX_FAULTS = 5
"""More faults than this in one call say nothing new."""
MAX_MESSAGE_CHARS = 160
"""Longest text of one fault."""
MAX_EXACT = 2**53
"""Up to here a whole number is the same in every JSON reader (RFC 8259, section 6)."""

_CURE = ". Correct this, and send the whole call again"

_KINDS = {dict: "object", list: "array", str: "string", bool: "boolean", int: "number", float: "number"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentFault:
    """Why a call was not run; `text` is for the writer."""

    text: str


def checked_arguments(tool: str, schema: Json, text: str) -> Mapping[str, Json] | ArgumentFault:
    """Parse and validate the arguments of one call.

    Before the check, half surrogate pairs become U+FFFD (see `well_formed`), and a whole number that was written as
    `600.0` becomes 600, which is the same number in JSON.

    Args:
        tool: the name of the tool that is called.
        schema: the JSON Schema of its arguments.
        text: the JSON text that the model sent; the empty text stands for no arguments.
    """
    try:
        value = _settled(read_json(text) if text.strip() else {})
    except NotJson as error:
        return _fault(f"the arguments of {tool} are not valid JSON: {error}")
    if not isinstance(value, dict):
        return _fault(f"the arguments of {tool} must be one JSON object, not {_kind(value)}{_if_quoted(value)}")
    errors = [cause for error in validator_of(schema).iter_errors(value) for cause in _causes(error)]
    if not errors:
        return value
    words = sorted(_words(error) for error in errors)
    rest = f"; and {len(words) - MAX_FAULTS} more" if len(words) > MAX_FAULTS else ""
    return _fault(f"{tool} was not run: {'; '.join(words[:MAX_FAULTS])}{rest}")


def _settled(value: Json) -> Json:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= MAX_EXACT else value
    if isinstance(value, dict):
        settled = {well_formed(key): _settled(item) for key, item in value.items()}
        if len(settled) < len(value):
            raise NotJson("two keys of one object differ by half a character only, which neither keeps")
        return settled
    return [_settled(item) for item in value] if isinstance(value, list) else value


def _causes(error: ValidationError) -> Iterator[ValidationError]:
    """The error itself, or, where one alternative of an `anyOf` has the right type, what is wrong inside it."""
    alternatives: dict[object, list[ValidationError]] = defaultdict(list)
    for cause in error.context or ():
        alternatives[cause.schema_path[0]].append(cause)
    fitting = [causes for causes in alternatives.values() if not any(map(_is_of_another_type, causes))]
    if len(fitting) != 1:
        yield error
        return
    for cause in fitting[0]:
        yield from _causes(cause)


def _is_of_another_type(error: ValidationError) -> bool:
    return error.validator == "type" and not error.path


def _words(error: ValidationError) -> str:
    place = error.json_path.removeprefix("$").removeprefix(".") or "the arguments"
    if wanted := _wanted(error):
        return f"{place} must be {wanted}, not {_kind(error.instance)}{_if_quoted(error.instance)}"
    message = error.message
    if error.validator == "pattern":
        message = f"{error.instance!r} does not match {as_written(str(error.validator_value))}"
    return f"{place}: {message if len(message) <= MAX_MESSAGE_CHARS else message[:MAX_MESSAGE_CHARS] + '…'}"


def _wanted(error: ValidationError) -> str:
    """The type or types that should stand at the place, where the type is all that is wrong."""
    if error.validator == "type":
        wanted: Json = error.validator_value
        return _either([wanted] if isinstance(wanted, str) else wanted)
    if error.context and all(map(_is_of_another_type, error.context)):
        return _either(_wanted(cause) for cause in error.context)
    return ""


def _either(kinds: Iterable[str]) -> str:
    return " or ".join(dict.fromkeys(kinds))


def _if_quoted(value: Json) -> str:
    looks_like_json = isinstance(value, str) and value.lstrip()[:1] in ("{", "[")
    return ": it is a JSON text in quotes; send it without the quotes" if looks_like_json else ""


def _kind(value: Json) -> str:
    return _KINDS.get(type(value), "null")


def _fault(said: str) -> ArgumentFault:
    room = MAX_FAULT_CHARS - len(_CURE)
    return ArgumentFault(text=(said if len(said) <= room else said[: room - 1] + "…") + _CURE)
