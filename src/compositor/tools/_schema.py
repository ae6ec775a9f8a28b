"""From a signature to the JSON Schema that the model is sent and the arguments are checked against: one and the same."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError
from pydantic import ConfigDict, Field, PydanticSchemaGenerationError, PydanticUserError, TypeAdapter, create_model

from compositor._values import Json

CHECKED_FORMATS = frozenset({"date", "email", "ipv4", "ipv6", "regex", "uuid", "time"})
"""Formats that `jsonschema` checks without extra packages (measured with jsonschema 4.26). Others pass silently there."""


@functools.cache
def schema_of(function: Callable[..., Awaitable[object]]) -> Json:
    """Derive the closed object schema of a tool's arguments; the first parameter (the context) is left out.

    Raises:
        TypeError: a parameter has no type, a type that JSON does not have, or is variadic.
    """
    hints = get_type_hints(function, include_extras=True)
    parameters = list(inspect.signature(function).parameters.values())[1:]
    fields: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY}:
            raise TypeError(f"the parameter {parameter.name!r} is not a plain keyword")
        if parameter.name not in hints:
            raise TypeError(f"the parameter {parameter.name!r} has no type")
        default = ... if parameter.default is parameter.empty else parameter.default
        fields[parameter.name] = (_described(hints[parameter.name]), default)
    return _plain(_model_schema(function.__name__, fields))


def _described(hint: Any) -> Any:
    """`Annotated[T, "words"]` as a type that carries the words as its description."""
    if get_origin(hint) is not Annotated:
        return hint
    kind, *notes = get_args(hint)
    words = " ".join(note for note in notes if isinstance(note, str))
    rest = [note for note in notes if not isinstance(note, str)]
    return Annotated[(kind, Field(description=words), *rest)] if words else hint


def _model_schema(name: str, fields: dict[str, Any]) -> dict[str, Json]:
    try:
        model = create_model(name, __config__=ConfigDict(extra="forbid"), **fields)
        return TypeAdapter(model).json_schema()
    except (PydanticSchemaGenerationError, PydanticUserError) as error:
        raise TypeError(f"the arguments of {name!r} are not JSON: {str(error).splitlines()[0]}") from None


def _plain(schema: Json) -> Json:
    """Without the titles that pydantic adds: they cost tokens and say nothing."""
    if isinstance(schema, dict):
        return {
            key: {name: _plain(item) for name, item in value.items()} if key == "properties" else _plain(value)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str))
        }
    return [_plain(item) for item in schema] if isinstance(schema, list) else schema


def schema_faults(schema: Json) -> tuple[str, ...]:
    """What is wrong with a schema: not draft 2020-12, or with a part that the validator cannot check.

    Source: `jsonschema` ignores unknown formats and *raises* on `\\p{…}` in a pattern (measured).
    """
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return (f"not JSON Schema 2020-12: {error.message[:200]} at {error.json_path}",)
    return tuple(_unchecked(schema, "$"))


def _unchecked(schema: Json, where: str) -> list[str]:
    faults: list[str] = []
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "pattern" and isinstance(value, str):
                faults += _pattern_fault(value, where)
            elif key == "format" and isinstance(value, str) and value not in CHECKED_FORMATS:
                faults.append(f"the format {value!r} at {where} cannot be checked")
            elif key == "$ref" and isinstance(value, str) and not value.startswith("#"):
                faults.append(f"the reference {value!r} at {where} leaves the document")
            elif key not in {"enum", "const", "default", "examples"}:
                faults += _unchecked(value, f"{where}.{key}")
    elif isinstance(schema, list):
        for index, item in enumerate(schema):
            faults += _unchecked(item, f"{where}[{index}]")
    return faults


def _pattern_fault(pattern: str, where: str) -> list[str]:
    if re.search(r"\\[pP]\{", pattern):
        return [f"the pattern {pattern!r} at {where} uses \\p{{…}}, which cannot be checked"]
    try:
        re.compile(pattern)
    except re.error as error:
        return [f"the pattern {pattern!r} at {where} is broken: {error}"]
    return []
