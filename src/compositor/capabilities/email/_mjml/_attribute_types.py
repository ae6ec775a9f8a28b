"""Types of attribute values, in MJML's notation, and what is wrong with a value."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable

from compositor.capabilities.email._mjml._components import colour_names

_NOTATION = re.compile(r"(?P<kind>\w+)(?:\((?P<options>[^)]*)\))?(?:\{(?P<counts>[\d,]+)\})?")
_COLOUR = re.compile(r"#(?:[0-9a-f]{3}){1,2}|rgba?\([\d\s.,%]+\)", re.IGNORECASE)
_TEMPLATE = re.compile(r"\{\{|\{%|\*\||%%|\[\[|\$\{")
"""Beginnings of template tags: a value that holds one is known only when the mail is sent."""


def value_fault(notation: str, value: str) -> str:
    """What would be right, in words, or empty where the value is.

    >>> value_fault("unit(px)", "420")
    'a length in px'
    """
    if _TEMPLATE.search(value):
        return ""
    test, words = _test(notation)
    return "" if test(value) else words


@functools.cache
def _test(notation: str) -> tuple[Callable[[str], bool], str]:
    parts = _NOTATION.fullmatch(notation)
    assert parts is not None, notation
    options = (parts["options"] or "").split(",")
    if parts["kind"] in {"unit", "unitWithNegative"}:
        return _lengths(options, parts["counts"] or "1", negative=parts["kind"] != "unit")
    if parts["kind"] == "enum":
        return set(options).__contains__, "one of " + ", ".join(option or "nothing" for option in options)
    if parts["kind"] == "color":
        return _is_colour, "a colour: #rrggbb, rgb(), rgba() or a colour's name"
    if parts["kind"] == "integer":
        return lambda value: value.strip().isdigit(), "a whole number"
    if parts["kind"] == "boolean":
        return {"true", "false"}.__contains__, "true or false"
    return lambda _: True, "a text"


def _is_colour(value: str) -> bool:
    return bool(_COLOUR.fullmatch(value.strip())) or value.strip().lower() in colour_names()


def _lengths(units: list[str], counts: str, *, negative: bool) -> tuple[Callable[[str], bool], str]:
    """One length, or so many: `{1,4}` means one to four. An empty unit allows a bare number."""
    fewest, _, most = counts.partition(",")
    words = "|".join(re.escape(unit) for unit in units if unit != "auto")
    auto = "|auto" if "auto" in units else ""
    length = re.compile(rf"{'-?' if negative else ''}(?:\d+\.?\d*|\.\d+)(?:{words})|-?0{auto}")
    named = " or ".join(unit or "no unit" for unit in units)
    how_many = "a length" if not most else f"{fewest} to {most} lengths"

    def test(value: str) -> bool:
        given = value.split()
        return int(fewest) <= len(given) <= int(most or fewest) and all(length.fullmatch(one) for one in given)

    return test, f"{how_many} in {named}"
