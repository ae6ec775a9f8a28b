"""The validator of tool arguments, and what it cannot check: a schema with such a part is refused."""

from __future__ import annotations

import copy
import functools
import re
from collections.abc import Iterator

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from compositor._values import Json, canonical, read_json
from compositor.tools._subschemas import subschemas

CHECKED_FORMATS = frozenset(Draft202012Validator.FORMAT_CHECKER.checkers)
"""Formats that the installed `jsonschema` checks; all others pass there in silence (measured with 4.26)."""

_SAYING_NOTHING = {
    "$comment", "$defs", "$schema", "default", "deprecated", "description", "else", "examples", "maxContains",
    "minContains", "readOnly", "then", "title", "writeOnly",
}  # fmt: skip
CHECKED_KEYWORDS = frozenset(Draft202012Validator.VALIDATORS) - {"$dynamicRef"} | _SAYING_NOTHING
"""Keywords that `jsonschema` checks, alone or with another one, and those that only describe."""


def validator_of(schema: Json) -> Draft202012Validator:
    """The validator of a schema that has no faults; made once for each schema."""
    return _validator(canonical(schema))


@functools.lru_cache(maxsize=512)
def _validator(schema: bytes) -> Draft202012Validator:
    strict = _strict_ends(read_json(schema.decode("utf-8")))
    return Draft202012Validator(strict, format_checker=Draft202012Validator.FORMAT_CHECKER)


def _strict_ends(schema: Json) -> Json:
    """The schema with patterns that mean in Python what they mean in JSON Schema: `$` is the very end.

    Python's `$` also matches before a final newline; JSON Schema takes its patterns from ECMA 262, where it does not.
    """
    strict = copy.deepcopy(schema)
    for _, part in subschemas(strict):
        if "pattern" in part:
            part["pattern"] = _strict_end(part["pattern"])
        if "patternProperties" in part:
            part["patternProperties"] = {_strict_end(key): item for key, item in part["patternProperties"].items()}
    return strict


_ESCAPE_CLASS_OR_END = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)


def _strict_end(pattern: str) -> str:
    return _ESCAPE_CLASS_OR_END.sub(lambda found: r"\Z" if found[0] == "$" else found[0], pattern)


def as_written(pattern: str) -> str:
    """A pattern of a validator as its schema has it."""
    return pattern.replace(r"\Z", "$")


def schema_faults(schema: Json) -> tuple[str, ...]:
    r"""What is wrong with a schema: not draft 2020-12, or with a part that the validator cannot check.

    Source: `jsonschema` ignores unknown keywords and formats, and *raises* on a lost reference and on a pattern that is
    none in Python, such as `\p{…}` (measured). The latter are refused by the schema of schemas.
    """
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return (f"not JSON Schema 2020-12: {error.message[:200]} at {error.json_path}",)
    return tuple(fault for where, part in subschemas(schema) for fault in _unchecked(part, where, schema))


def _unchecked(part: dict[str, Json], where: str, schema: Json) -> Iterator[str]:
    for keyword in sorted(part.keys() - CHECKED_KEYWORDS):
        yield f"the keyword {keyword!r} at {where} is not checked"
    if part.get("format", next(iter(CHECKED_FORMATS))) not in CHECKED_FORMATS:
        yield f"the format {part['format']!r} at {where} cannot be checked"
    if "$ref" in part and not _leads_to_schema(part["$ref"], schema):
        yield f"the reference {part['$ref']!r} at {where} leads nowhere in this schema"


def _leads_to_schema(reference: str, schema: Json) -> bool:
    """Whether a reference is a JSON pointer (RFC 6901) to a part of this very schema."""
    root, *steps = reference.split("/")
    part = schema
    for step in steps:
        name = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(part, dict) or name not in part:
            return False
        part = part[name]
    return root == "#" and isinstance(part, dict | bool)
