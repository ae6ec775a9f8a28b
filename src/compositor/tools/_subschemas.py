"""A JSON Schema and the schemas inside it, each once, with its place."""

from __future__ import annotations

from collections.abc import Iterator

from compositor._values import Json

# The keywords of draft 2020-12 that hold schemas (JSON Schema Core, section 10, and $defs); what stands under others,
# such as `default` or `enum`, is a value even where it looks like a schema.
_ONE = (
    "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems",
    "unevaluatedProperties",
)  # fmt: skip
_LISTED = ("allOf", "anyOf", "oneOf", "prefixItems")
_NAMED = ("$defs", "dependentSchemas", "patternProperties", "properties")


def subschemas(schema: Json, where: str = "$") -> Iterator[tuple[str, dict[str, Json]]]:
    """The schema itself, then what is inside it; the booleans, which say nothing more, are left out.

    A schema may be changed when it comes by: what is inside is looked up afterwards.
    """
    if not isinstance(schema, dict):
        return
    yield where, schema
    inside = [(f"{where}.{key}", schema[key]) for key in _ONE if key in schema]
    inside += [(f"{where}.{key}[{i}]", part) for key in _LISTED for i, part in enumerate(schema.get(key, ()))]
    inside += [(f"{where}.{key}.{name}", part) for key in _NAMED for name, part in schema.get(key, {}).items()]
    for place, part in inside:
        yield from subschemas(part, place)
