"""From a signature to the JSON Schema that the model is sent and the arguments are checked against: one and the same.

A tool is handed its arguments as JSON has them, so a hint may only name what JSON has: a `set` or a `datetime` would be
a promise that nobody keeps.
"""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model
from pydantic_core import SchemaError

from compositor._values import Json, canonical
from compositor.tools._subschemas import subschemas

_SCALARS = (str, int, float, bool, None, type(None), Any)
_LISTS = (list, Sequence)
_OBJECTS = (dict, Mapping)
_KNOWN = "str, int, float, bool, None, Literal, list, dict with text keys, TypedDict, and unions of these"


@functools.cache
def schema_of(function: Callable[..., Awaitable[object]]) -> Json:
    """Derive the closed object schema of a tool's arguments; the first parameter (the context) is left out.

    Raises:
        TypeError: a parameter has no type, a type or default that JSON does not have, or is variadic.
    """
    hints = _hints_of(function)
    fields = {
        parameter.name: (_type_of(parameter, hints), _default_of(parameter))
        for parameter in list(inspect.signature(function).parameters.values())[1:]
    }
    try:
        schema = TypeAdapter(_closed(function.__name__, fields)).json_schema()
    except (TypeError, SchemaError) as error:  # a constraint without sense, or on a type that cannot have it
        reason = " ".join(str(error).split())[-200:]
        raise TypeError(f"the arguments of {function.__name__!r} cannot be described: {reason}") from None
    for _, part in subschemas(schema):
        part.pop("title", None)  # pydantic adds titles: they cost tokens and say nothing
    return schema


def _hints_of(owner: Any) -> dict[str, Any]:
    try:
        return get_type_hints(owner, include_extras=True)
    except NameError as error:
        raise TypeError(f"a type of {owner.__name__!r} is not known at run time: {error}") from None


def _type_of(parameter: inspect.Parameter, hints: Mapping[str, Any]) -> Any:
    if parameter.kind not in {parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY}:
        raise TypeError(f"the parameter {parameter.name!r} is not a plain keyword")
    if parameter.name not in hints:
        raise TypeError(f"the parameter {parameter.name!r} has no type")
    try:
        return _json_type(hints[parameter.name])
    except RecursionError:
        raise TypeError(f"the type of {parameter.name!r} refers to itself; say how deep it goes") from None


def _default_of(parameter: inspect.Parameter) -> Any:
    if parameter.default is parameter.empty:
        return Field()
    try:
        canonical(parameter.default)
    except (TypeError, ValueError) as error:
        raise TypeError(f"the default of {parameter.name!r} is not JSON: {error}") from None
    return Field(default=parameter.default)


def _json_type(hint: Any) -> Any:
    """The hint, with the words of each `Annotated[T, "words"]` as a description, if JSON has the type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _described(*arguments)
    if origin in {Union, types.UnionType}:
        return Union[tuple(_json_type(argument) for argument in arguments)]  # noqa: UP007 - a tuple has no `|`
    if origin in _LISTS:
        return list[_json_type(arguments[0])]  # type: ignore[misc] # a type that is computed
    if origin in _OBJECTS and arguments[0] is str:
        return dict[str, _json_type(arguments[1])]  # type: ignore[misc] # a type that is computed
    if is_typeddict(hint):
        return _object_of(hint)
    if hint in (*_SCALARS, *_LISTS, *_OBJECTS) or (origin is Literal and all(map(_is_scalar, arguments))):
        return hint
    raise TypeError(f"{getattr(hint, '__name__', hint)} is no type that JSON has. Use {_KNOWN}")


def _is_scalar(value: object) -> bool:
    return value is None or type(value) in {str, int, bool}


def _described(kind: Any, *notes: Any) -> Any:
    words = " ".join(note for note in notes if isinstance(note, str))
    constraints = [note for note in notes if not isinstance(note, str)]
    return Annotated[(_json_type(kind), *constraints, Field(description=words or None))]


@functools.cache
def _object_of(typed_dict: Any) -> type[BaseModel]:
    """A `TypedDict` as a closed object."""
    fields = {}
    for key, hint in _hints_of(typed_dict).items():
        said = get_origin(hint)
        stated = said in {Required, NotRequired}
        required = said is Required if stated else key in typed_dict.__required_keys__
        kind = _json_type(get_args(hint)[0] if stated else hint)
        fields[key] = (kind, Field() if required else Field(default_factory=dict))  # a factory does not show
    return _closed(typed_dict.__name__, fields)


def _closed(name: str, fields: Mapping[str, tuple[Any, Any]]) -> type[BaseModel]:
    """An object with these keys and no others. Aliases keep them apart from the names that pydantic has for itself."""
    numbered: dict[str, Any] = {
        f"key_{number}": (Annotated[kind, Field(alias=key)], default)
        for number, (key, (kind, default)) in enumerate(fields.items())
    }
    closed = ConfigDict(extra="forbid", regex_engine="python-re")  # the engine of the validator
    return create_model(name, __config__=closed, **numbered)
