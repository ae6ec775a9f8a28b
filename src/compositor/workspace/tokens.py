"""Design tokens, and what a brand makes of them: colours and fonts by role, and the palette.

Tokens are those of the Design Tokens Format Module 2025.10. A brand here is the JSON object of a request's `brand`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compositor._values import Json
from compositor.errors import Problem, RequestError
from compositor.workspace._colour import alpha_of, colour_fault, hex_of
from compositor.workspace._problem_list import ProblemList, nearest
from compositor.workspace._references import Token, resolve_tokens
from compositor.workspace._token_tree import is_alias

__all__ = [
    "NamedColour",
    "Token",
    "alpha_of",
    "brand_colours",
    "brand_fonts",
    "brand_problems",
    "hex_of",
    "never_together",
    "palette",
    "resolve_tokens",
]


def brand_colours(brand: Mapping[str, Json]) -> Mapping[str, str]:
    """Role (primary, secondary, accent, background, text) → `#rrggbb`, for the roles that the brand gives.

    Raises:
        RequestError: with all problems of the tokens, or of the roles.
    """
    return {role: hex_of(value) for role, value in _literal_roles(brand, "colors").items()}


def brand_fonts(brand: Mapping[str, Json]) -> Mapping[str, tuple[str, ...]]:
    """Role (heading, body) → family names, most preferred first, for the roles that the brand gives.

    Raises:
        RequestError: with all problems of the tokens, or of the roles.
    """
    return {role: _families(value) for role, value in _literal_roles(brand, "fonts").items()}


def palette(brand: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    """Every colour of the brand once: `(name, "#rrggbb")`, roles first, then tokens in the order of the file.

    A name is a role or the dotted path of a token. Fully transparent tokens are no colours; a translucent one stands
    with the colour that it has when opaque.

    Raises:
        RequestError: with all problems of the tokens, or of the roles.
    """
    tokens = resolve_tokens(brand.get("tokens") or {}).values()
    colours = [token for token in tokens if token.type == "color" and alpha_of(token.value) > 0]
    named = [*brand_colours(brand).items(), *((token.path, hex_of(token.value)) for token in colours)]
    first: dict[str, str] = {}
    for name, colour in named:
        first.setdefault(colour, name)
    return tuple((name, colour) for colour, name in first.items())


NamedColour = tuple[str, str]
"""A colour as the brand calls it, and `#rrggbb`."""


def never_together(brand: Mapping[str, Json]) -> tuple[tuple[NamedColour, NamedColour], ...]:
    """The pairs of colours that the brand never sets on each other (`palette.never`).

    Raises:
        RequestError: with all problems of the tokens, of the roles, or of the pairs.
    """
    problems = ProblemList(root="$.brand.palette.never")
    pairs = _pairs(brand, brand_colours(brand), resolve_tokens(brand.get("tokens") or {}), problems)
    if problems.found:
        raise RequestError("the brand", problems.found)
    return pairs


def brand_problems(brand: Mapping[str, Json]) -> tuple[Problem, ...]:
    """All that is wrong with the tokens and roles of a brand as it came; parts of a wrong shape are passed over."""
    given = brand.get("tokens", {})
    tokens: Mapping[str, Token] | None = None
    found: list[Problem] = []
    try:
        tokens = resolve_tokens(given) if isinstance(given, Mapping) else None
    except RequestError as error:
        found.extend(error.problems)
    for kind in ("colors", "fonts"):
        problems = ProblemList(root=f"$.brand.{kind}")
        roles = brand.get(kind)
        if isinstance(roles, Mapping):
            _play({role: value for role, value in roles.items() if isinstance(value, str)}, kind, tokens, problems)
        found.extend(problems.found)
    colours = brand.get("colors", {})
    if not found and tokens is not None and isinstance(colours, Mapping) and all(map(_is_text, colours.values())):
        problems = ProblemList(root="$.brand.palette.never")
        _pairs(brand, brand_colours(brand), tokens, problems)
        found.extend(problems.found)
    return tuple(found)


def _literal_roles(brand: Mapping[str, Json], kind: str) -> dict[str, Json]:
    problems = ProblemList(root=f"$.brand.{kind}")
    values = _play(brand.get(kind) or {}, kind, resolve_tokens(brand.get("tokens") or {}), problems)
    if problems.found:
        raise RequestError("the brand", problems.found)
    return values


def _play(
    roles: Mapping[str, str], kind: str, tokens: Mapping[str, Token] | None, problems: ProblemList
) -> dict[str, Json]:
    """Role → literal value. Without tokens (they are faulty themselves), aliases are passed over."""
    fault = colour_fault if kind == "colors" else _family_fault
    values: dict[str, Json] = {}
    for role, given in roles.items():
        if not is_alias(given):
            values[role] = given
        elif tokens is not None and given[1:-1] in tokens:
            values[role] = tokens[given[1:-1]].value
        elif tokens is not None:
            near = nearest(given[1:-1], tokens)
            cure = f"did you mean {{{near}}}?" if near else "name a token of $.brand.tokens"
            problems.add("token-reference", [role], f"{given[:80]!r} refers to no token", cure)
    for role, value in values.items():
        if reason := fault(value):
            problems.add("brand-role", [role], reason, "name a token of the right type, or write the value itself")
    return values


def _pairs(
    brand: Mapping[str, Json], roles: Mapping[str, str], tokens: Mapping[str, Token], problems: ProblemList
) -> tuple[tuple[NamedColour, NamedColour], ...]:
    """The pairs that can be told; the problems get the others. What has no shape of a pair is passed over."""
    rule = brand.get("palette")
    given = rule.get("never") if isinstance(rule, Mapping) else None
    pairs = []
    for at, pair in enumerate(given if isinstance(given, Sequence) and not isinstance(given, str) else ()):
        if not isinstance(pair, Sequence) or len(pair) != 2 or not all(map(_is_text, pair)):
            continue
        one, other = (_named(name, roles, tokens) for name in pair)
        if one and other:
            pairs.append((one, other))
            continue
        unknown = pair[0] if not one else pair[1]
        near = nearest(unknown, roles)
        cure = f"did you mean {near!r}?" if near else "name a role of $.brand.colors, an alias of a token, or #rrggbb"
        problems.add("brand-pair", [at], f"{unknown[:80]!r} is no colour of the brand", cure)
    return tuple(pairs)


def _is_text(value: Json) -> bool:
    return isinstance(value, str)


def _named(name: str, roles: Mapping[str, str], tokens: Mapping[str, Token]) -> NamedColour | None:
    if name in roles:
        return name, roles[name]
    token = tokens.get(name[1:-1]) if is_alias(name) else None
    value: Json = token.value if token is not None else name
    return None if colour_fault(value) else (name, hex_of(value))


def _family_fault(value: Json) -> str:
    return "" if _families(value) else "this is no font family"


def _families(value: Json) -> tuple[str, ...]:
    """The names of a family list, of a CSS-like string, or of a typography value; empty where there are none."""
    if isinstance(value, Mapping):
        return _families(value.get("fontFamily"))
    if isinstance(value, str):
        return tuple(name for part in value.split(",") if (name := part.strip().strip("'\"").strip()))
    return tuple(str(name) for name in value or ())
