"""From a signature to a schema: everything that JSON has, nothing that it does not, and exactly what is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired, Required, TypedDict
from uuid import UUID

import pytest
from annotated_types import Len
from pydantic import BaseModel, Field

from compositor import tools
from compositor._values import Json
from compositor.tools import OWNED, ArgumentFault, Tool, ToolResult, checked_arguments, schema_faults, tool


class Style(TypedDict):
    size: Annotated[float, Field(gt=0, le=400), "pixels"]
    fill: NotRequired[Annotated[str, Field(pattern="^#[0-9A-Fa-f]{6}$")]]


class Box(Style, total=False):
    title: Required[str]
    style: Style


class Nested(TypedDict):
    inside: list[Nested]


class Colour(Enum):
    RED = "red"


class Model(BaseModel):
    a: int


def with_argument(hint: Any, default: Any = ...) -> Tool:
    """A tool with one argument of that type."""

    async def paint(ctx: object, thing: object) -> ToolResult:
        """Paint."""
        return ToolResult(text="")

    paint.__annotations__ = {"thing": hint}
    paint.__defaults__ = None if default is ... else (default,)
    return tool()(paint)


def of(hint: Any) -> Json:
    """The schema of an argument of that type."""
    return with_argument(hint).schema["properties"]["thing"]


@tool(writes=(), makes=("proof/",), seconds=9.0)
async def place(
    ctx: object,
    copy: Annotated[str, "the words,", "as they stand"],
    boxes: list[Box],
    model_name: Literal["wide", "tall"] = "wide",
    _rest: Mapping[str, int] | None = None,
) -> ToolResult:
    """Place words on the sheet.

    Boxes may overlap.
    """
    return ToolResult(text="")


def test_a_tool_is_what_its_function_says() -> None:
    assert (place.name, place.about) == ("place", "Place words on the sheet.\n\nBoxes may overlap.")
    assert (place.reads, place.writes, place.makes, place.seconds) == (OWNED, (), ("proof/",), 9.0)
    assert with_argument(int).about == "Paint."


def test_a_schema_is_closed_described_and_without_titles() -> None:
    style = {
        "type": "object",
        "properties": {
            "size": {"type": "number", "exclusiveMinimum": 0, "maximum": 400, "description": "pixels"},
            "fill": {"type": "string", "pattern": "^#[0-9A-Fa-f]{6}$"},
        },
        "required": ["size"],
        "additionalProperties": False,
    }
    box = {
        "type": "object",
        "properties": {**style["properties"], "title": {"type": "string"}, "style": {"$ref": "#/$defs/Style"}},  # type: ignore[dict-item] # a test's own literal
        "required": ["size", "title"],
        "additionalProperties": False,
    }
    assert place.schema == {
        "type": "object",
        "properties": {
            "copy": {"type": "string", "description": "the words, as they stand"},
            "boxes": {"type": "array", "items": {"$ref": "#/$defs/Box"}},
            "model_name": {"enum": ["wide", "tall"], "type": "string", "default": "wide"},
            "_rest": {
                "anyOf": [{"type": "object", "additionalProperties": {"type": "integer"}}, {"type": "null"}],
                "default": None,
            },
        },
        "required": ["copy", "boxes"],
        "additionalProperties": False,
        "$defs": {"Box": box, "Style": style},
    }
    assert schema_faults(place.schema) == ()


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (None, {"type": "null"}),
        (Any, {}),
        (list, {"type": "array", "items": {}}),
        (dict, {"type": "object", "additionalProperties": True}),
        (list[dict[str, Any]], {"type": "array", "items": {"type": "object", "additionalProperties": True}}),
        (Sequence[list[bool]], {"type": "array", "items": {"type": "array", "items": {"type": "boolean"}}}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (int | str | None, {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}),
        (Literal["a"], {"const": "a", "type": "string"}),
        (Literal["a", 2, True], {"enum": ["a", 2, True]}),
        (Annotated[list[Annotated[str, "a word"]], Len(1, 3)],
         {"type": "array", "items": {"type": "string", "description": "a word"}, "minItems": 1, "maxItems": 3}),
    ],
    ids=str,
)  # fmt: skip
def test_every_type_that_json_has_is_described(hint: Any, schema: Json) -> None:
    assert of(hint) == schema
    assert schema_faults(with_argument(hint).schema) == ()


@pytest.mark.parametrize(
    "hint",
    [bytes, set[int], frozenset[str], tuple[int, int], datetime, date, UUID, Decimal, Path, complex, object, Colour,
     Model,
     Literal[Colour.RED], Literal[b"x"], dict[int, str], list[set[int]], float | bytes, Callable[[], int],
     Annotated[bytes, "raw"]],
    ids=str,
)  # fmt: skip
def test_a_type_that_json_does_not_have_is_refused_by_name(hint: Any) -> None:
    with pytest.raises(TypeError, match=r"is no type that JSON has\. Use str, int"):
        _ = with_argument(hint).schema


def test_a_type_that_refers_to_itself_is_refused() -> None:
    with pytest.raises(TypeError, match="the type of 'thing' refers to itself"):
        _ = with_argument(Nested).schema


@pytest.mark.parametrize(
    ("hint", "reason"),
    [
        (Annotated[int, Field(multiple_of=0)], "cannot be described"),
        (Annotated[bool, Field(discriminator="x")], "cannot be described"),
    ],
)
def test_a_constraint_without_sense_is_refused(hint: Any, reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        _ = with_argument(hint).schema


def test_a_constraint_that_nobody_checks_is_a_fault() -> None:
    assert schema_faults(with_argument(Annotated[Any, Field(gt=3)]).schema) == (
        "the keyword 'gt' at $.properties.thing is not checked",
    )


@pytest.mark.parametrize("default", [{1, 2}, b"x", float("nan"), object()])
def test_a_default_that_json_does_not_have_is_refused(default: Any) -> None:
    with pytest.raises(TypeError, match="the default of 'thing' is not JSON"):
        _ = with_argument(Any, default).schema


async def untyped(ctx, thing):  # type: ignore[no-untyped-def] # the very fault
    """Paint."""


async def variadic(ctx: object, *things: str) -> ToolResult:
    return ToolResult(text="")


async def open_ended(ctx: object, **things: str) -> ToolResult:
    return ToolResult(text="")


async def positional(ctx: object, thing: str, /) -> ToolResult:
    return ToolResult(text="")


async def unknown(ctx: object, thing: NeverImported) -> ToolResult:  # type: ignore[name-defined] # noqa: F821 - the fault
    return ToolResult(text="")


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (untyped, "'thing' has no type"),
        (variadic, "'things' is not a plain keyword"),
        (open_ended, "'things' is not a plain keyword"),
        (positional, "'thing' is not a plain keyword"),
        (unknown, "a type of 'unknown' is not known at run time: name 'NeverImported'"),
    ],
)
def test_a_signature_that_says_too_little_is_refused(function: Any, reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        _ = tool()(function).schema


# What cannot be checked


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({"type": "text"}, "not JSON Schema 2020-12: 'text' is not valid"),
        ({"properties": {"a": {"pattern": r"^\p{Lu}"}}}, "is not a 'regex' at $.properties.a.pattern"),
        ({"patternProperties": {r"\p{L}": {}}}, "is not a 'regex'"),
        ({"pattern": "("}, "is not a 'regex'"),
        ({"properties": {"default": {"format": "uri"}}}, "the format 'uri' at $.properties.default cannot be checked"),
        ({"items": {"format": "date-time"}}, "the format 'date-time' at $.items cannot be checked"),
        ({"anyOf": [{}, {"format": "duration"}]}, "at $.anyOf[1]"),
        ({"$ref": "#/$defs/lost"}, "the reference '#/$defs/lost' at $ leads nowhere"),
        ({"$ref": "https://schemas.test/x.json"}, "leads nowhere in this schema"),
        ({"not": {"$ref": "#/required/0"}, "required": ["a"]}, "leads nowhere"),
        ({"$dynamicRef": "#x"}, "the keyword '$dynamicRef' at $ is not checked"),
        ({"$defs": {"a": {"maxlength": 3}}}, "the keyword 'maxlength' at $.$defs.a is not checked"),
    ],
)
def test_what_the_validator_cannot_check_is_a_fault(schema: Json, fault: str) -> None:
    (found,) = schema_faults(schema)
    assert fault in found


@pytest.mark.parametrize(
    "schema",
    [
        True,
        {"properties": {"a": True, "pattern": {"type": "string"}, "format": {"enum": ["uri"]}}},
        {"default": {"format": "uri", "$ref": "x", "odd": 1}, "enum": [{"pattern": "("}], "const": {"$ref": "x"}},
        {"$defs": {"a/b~c": {"type": "string"}}, "$ref": "#/$defs/a~1b~0c"},
        {"$ref": "#", "format": "ipv4", "pattern": "(?!x)y"},
    ],
)
def test_what_only_looks_like_a_schema_is_no_fault(schema: Json) -> None:
    assert schema_faults(schema) == ()


def test_the_schema_that_is_sent_is_the_schema_that_validates() -> None:
    """What the schema allows passes and what it does not allow is refused, down to a nested key."""
    good = '{"copy": "Sale", "boxes": [{"size": 4, "title": "a", "style": {"size": 1.5, "fill": "#102030"}}]}'
    assert not isinstance(checked_arguments("place", place.schema, good), ArgumentFault)
    for bad in ("#10203", "#102030\\n", "red"):
        refused = checked_arguments("place", place.schema, good.replace("#102030", bad))
        assert isinstance(refused, ArgumentFault)
        assert "boxes[0].style.fill" in refused.text


def test_an_unknown_name_of_the_floor_is_an_attribute_error_as_everywhere() -> None:
    with pytest.raises(AttributeError, match=r"'compositor\.tools' has no attribute 'Toool'"):
        _ = tools.Toool
