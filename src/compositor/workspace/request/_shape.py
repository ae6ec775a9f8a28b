"""The shape of a package: what its closed schema refuses, said so that a person can cure it."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from compositor._values import Json, canonical
from compositor.workspace._problem_list import ProblemList, Step, json_path, nearest
from compositor.workspace.request._request import Request
from compositor.workspace.request._scalars import FORMATS

MAX_PROBLEMS = 100
"""More problems of shape than this say nothing new; the rest is counted."""

_WANTED = {
    "bool_type": "true or false",
    "date_type": "a day of the calendar, such as 2027-03-31",
    "dict_type": "an object",
    "float_type": "a number",
    "int_type": "a whole number",
    "model_type": "an object",
    "string_type": "text",
    "tuple_type": "a list",
}
"""The type of a pydantic error → what should stand there."""

_GIVEN = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}

_Fault = tuple[str, str, str]
"""Code, message and cure."""


def shaped(value: Json, problems: ProblemList) -> Request | None:
    """The request, or None where its shape is wrong; then the problems say all that is wrong with it."""
    try:
        return Request.model_validate_json(canonical(value))
    except ValidationError as error:
        faults = error.errors(include_url=False)
    for fault in faults[:MAX_PROBLEMS]:
        place = tuple(step for step in fault["loc"] if step != "[key]")
        code, message, cure = _fault(fault, place)
        problems.add(code, place, message, cure)
    if len(faults) > MAX_PROBLEMS:
        rest = len(faults) - MAX_PROBLEMS
        problems.add("many-problems", (), f"{rest} more problems of shape are not listed", "cure these first")
    return None


def _fault(fault: ErrorDetails, place: Sequence[Step]) -> _Fault:
    kind, context = fault["type"], fault.get("ctx", {})
    if kind == "extra_forbidden":
        return "unknown-key", f"the key {str(place[-1])[:80]!r} is not known here", _where_it_belongs(place)
    if kind == "missing":
        return "missing-key", "this key is required", "add it"
    if kind in _WANTED:
        return "wrong-type", f"this must be {_WANTED[kind]}, not {_kind(fault['input'])}", ""
    if kind == "literal_error":
        return "unknown-value", f"{_shown(fault['input'])} is not one of the known words", _nearest_of(fault, context)
    if kind == "string_pattern_mismatch":
        wanted = FORMATS[context["pattern"]]
        return "wrong-format", f"{_shown(fault['input'])} does not have the right form", f"write {wanted}"
    if kind in {"string_too_short", "string_too_long"}:
        return "wrong-length", _length(context), ""
    if kind == "value_error":
        return (
            "wrong-format",
            f"{_shown(fault['input'])} is no day: {context['error']}",
            f"write {_WANTED['date_type']}",
        )
    return "out-of-range", fault["msg"].replace("Input should", "this should"), ""


def _shown(value: Json) -> str:
    return repr(value) if len(repr(value)) <= 80 else f"{repr(value)[:80]}…"


def _kind(value: Json) -> str:
    return "null" if value is None else _GIVEN.get(type(value), "something else")


def _length(context: Mapping[str, Any]) -> str:
    if "max_length" in context:
        return f"this text is longer than {context['max_length']} characters"
    return "this text is empty"


def _nearest_of(fault: ErrorDetails, context: Mapping[str, Any]) -> str:
    known = context["expected"].replace(" or ", ", ").replace("'", "").split(", ")
    near = nearest(str(fault["input"])[:80], known)
    return f"did you mean {near!r}?" if near else f"write one of {', '.join(known)}"


def _where_it_belongs(place: Sequence[Step]) -> str:
    block, name = _block_at(place[:-1]), str(place[-1])
    if near := nearest(name[:80], block.model_fields):
        return f"did you mean `{near}`?"
    homes = _homes().get(name, ())
    if len(homes) == 1:
        return f"it belongs to {homes[0]}"
    return f"known here: {', '.join(sorted(block.model_fields))}"


def _block_at(steps: Sequence[Step]) -> type[BaseModel]:
    block: type[BaseModel] = Request
    for step in steps:
        if isinstance(step, str):
            block = next(_blocks(block.model_fields[step].annotation))
    return block


def _blocks(annotation: Any) -> Iterator[type[BaseModel]]:
    """The blocks in an annotation such as `tuple[Claim, ...]` or `Brand | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _blocks(argument)


@functools.cache
def _homes() -> Mapping[str, tuple[str, ...]]:
    """Key → the JSON paths where the schema knows it."""
    homes: dict[str, tuple[str, ...]] = {}
    waiting: list[tuple[type[BaseModel], str]] = [(Request, json_path(()))]
    while waiting:
        block, path = waiting.pop()
        for name, field in block.model_fields.items():
            here = f"{path}.{name}"
            homes[name] = (*homes.get(name, ()), here)
            listed = "[]" if "tuple" in str(field.annotation) else ""
            waiting.extend((inner, here + listed) for inner in _blocks(field.annotation))
    return homes
