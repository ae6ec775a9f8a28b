"""Colours as design tokens write them, brought to the hex notation that everything else compares."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

from compositor._values import Json

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})")

_LARGEST = 1e6
"""No component of any colour comes near it; keeps integers of a thousand digits out of the arithmetic."""

_Range = tuple[float, float]
_UNIT: _Range = (0, 1)
_ANY: _Range = (-math.inf, math.inf)
_POSITIVE: _Range = (0, math.inf)
_HUE: _Range = (0, 360)
_PERCENT: _Range = (0, 100)

_COMPONENTS: Mapping[str, tuple[_Range, _Range, _Range]] = {
    "srgb": (_UNIT,) * 3,
    "srgb-linear": (_UNIT,) * 3,
    "hsl": (_HUE, _PERCENT, _PERCENT),
    "hwb": (_HUE, _PERCENT, _PERCENT),
    "lab": (_PERCENT, _ANY, _ANY),
    "lch": (_PERCENT, _POSITIVE, _HUE),
    "oklab": (_UNIT, _ANY, _ANY),
    "oklch": (_UNIT, _POSITIVE, _HUE),
    "display-p3": (_UNIT,) * 3,
    "a98-rgb": (_UNIT,) * 3,
    "prophoto-rgb": (_UNIT,) * 3,
    "rec2020": (_UNIT,) * 3,
    "xyz-d65": (_UNIT,) * 3,
    "xyz-d50": (_UNIT,) * 3,
}
"""Colour space → the range of each component (DTCG 2025.10, `format/values/color.json`)."""

_CSS = {
    "hsl": "hsl({0} {1}% {2}%)",
    "hwb": "hwb({0} {1}% {2}%)",
    "lab": "lab({0} {1} {2})",
    "lch": "lch({0} {1} {2})",
    "oklab": "oklab({0} {1} {2})",
    "oklch": "oklch({0} {1} {2})",
}
"""The CSS spelling of a space; all others are written `color(SPACE …)`."""

_GAMUT_MAPPING = "oklch-chroma"
"""How a colour outside sRGB comes in: by less chroma at the same lightness and hue (CSS Color 4, section 13)."""


def hex_of(value: Json) -> str:
    """The colour as `#rrggbb`, in lower case.

    Args:
        value: a DTCG colour object in any of its spaces, or a plain hex string of 3, 4, 6 or 8 digits. Where the object
            carries its own `hex`, that is the answer: its author chose it for sRGB. Alpha is left out (`alpha_of`).

    Raises:
        ValueError: it is no colour; the text says why.
    """
    if reason := colour_fault(value):
        raise ValueError(reason)
    if isinstance(value, str):
        return _six_digits(value)
    if "hex" in value:
        return str(value["hex"]).lower()
    if value["colorSpace"] == "srgb":
        return "#" + "".join(f"{round(_number(component) * 255):02x}" for component in value["components"])
    return _converted(value["colorSpace"], value["components"])


def alpha_of(value: Json) -> float:
    """The opacity of a colour, 0 to 1.

    Raises:
        ValueError: it is no colour.
    """
    if reason := colour_fault(value):
        raise ValueError(reason)
    if not isinstance(value, str):
        return float(value.get("alpha", 1))
    digits = value[1:]
    return int((digits[3] * 2) if len(digits) == 4 else digits[6:], 16) / 255 if len(digits) in {4, 8} else 1.0


def colour_fault(value: Json) -> str:
    """Why a value is no colour, or the empty string."""
    if isinstance(value, str):
        return "" if _HEX.fullmatch(value) else f"{value[:40]!r} is not a hex colour such as #0969da"
    if not isinstance(value, Mapping):
        return "a colour is an object with colorSpace and components, or a hex string such as #0969da"
    return _space_fault(value) or _alpha_fault(value) or _fallback_fault(value)


def _space_fault(value: Mapping[str, Json]) -> str:
    space, components = value.get("colorSpace"), value.get("components")
    if not isinstance(space, str) or space not in _COMPONENTS:
        return f"colorSpace is not one of {', '.join(_COMPONENTS)}"
    if not isinstance(components, Sequence) or isinstance(components, str) or len(components) != 3:
        return "components are not a list of three"
    for component, (low, high) in zip(components, _COMPONENTS[space], strict=True):
        if component == "none":
            continue
        if not _is_number(component) or not low <= component <= high:
            limits = f"from {low:g} to {high:g}" if math.isfinite(high) else "of no fixed range"
            return f"the component {str(component)[:20]} is not a number {limits}, as {space} has it, nor 'none'"
    return ""


def _alpha_fault(value: Mapping[str, Json]) -> str:
    alpha = value.get("alpha", 1)
    return "" if _is_number(alpha) and 0 <= alpha <= 1 else "alpha is not a number from 0 to 1"


def _fallback_fault(value: Mapping[str, Json]) -> str:
    given = value.get("hex")
    if "hex" not in value or (isinstance(given, str) and len(given) == 7 and _HEX.fullmatch(given)):
        return ""
    return "hex is not of six digits, such as #0969da"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def _number(component: Json) -> float:
    return 0.0 if component == "none" else float(component)


def _six_digits(text: str) -> str:
    digits = text[1:].lower()
    return "#" + ("".join(digit * 2 for digit in digits[:3]) if len(digits) < 6 else digits[:6])


def _converted(space: str, components: Sequence[Json]) -> str:
    from coloraide import Color

    css = _CSS.get(space, f"color({space} {{0}} {{1}} {{2}})").format(*components)
    return str(Color(css).convert("srgb").to_string(hex=True, alpha=False, fit=_GAMUT_MAPPING))
