"""References between design tokens, followed to the literal values that they end in."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from compositor._values import MAX_DEPTH, Json, freeze
from compositor.errors import RequestError
from compositor.workspace._colour import colour_fault
from compositor.workspace._problem_list import ProblemList, nearest
from compositor.workspace._token_tree import Declared, Path, declared_tokens, is_alias, pointed_at

MAX_VALUE_SIZE = 1_000
"""Most parts of one resolved value; the largest real ones, layered shadows, have some dozens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A design token, resolved.

    Attributes:
        path: dotted, for example `color.brand.primary`.
        type: one of DTCG's types, its own, that of the token it refers to, or the one of its group, in this order.
        value: literal and read-only; no reference is left in it.
    """

    path: str
    type: str
    value: Json


def resolve_tokens(tokens: Mapping[str, Json], at: str = "$.brand.tokens") -> Mapping[str, Token]:
    """The tokens of a DTCG 2025.10 file by dotted path, in the order of the file.

    Args:
        tokens: groups and tokens.
        at: the JSON path of `tokens` itself, for the problems.

    Raises:
        RequestError: with all problems: circles, references to nothing, unknown types, values that are no colour.
    """
    problems = ProblemList(root=at)
    declared = declared_tokens(tokens, problems)
    resolved = _resolved(declared, problems)
    if problems.found:
        raise RequestError("the design tokens", problems.found)
    return {".".join(path): resolved[path] for path in declared}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weight:
    """An upper bound of how large and how deep a value is with its references filled in."""

    size: int
    depth: int


def _resolved(declared: Mapping[Path, Declared], problems: ProblemList) -> dict[Path, Token]:
    """Every token whose references can be followed; the others are problems, each reported at its root cause."""
    needs = {path: _targets(token, declared, problems) for path, token in declared.items()}
    found: dict[Path, Token] = {}
    weights: dict[Path, _Weight] = {}
    for path in _order({path: targets or set() for path, targets in needs.items()}, problems):
        targets = needs[path]
        if targets is None or not targets <= found.keys():
            continue
        weights[path] = _weigh(declared[path].value, weights)
        if weights[path].size > MAX_VALUE_SIZE or weights[path].depth > MAX_DEPTH:
            problems.add("token-size", path, f"the value has more than {MAX_VALUE_SIZE} parts", "refer to less")
        elif token := _token(declared[path], found, problems):
            found[path] = token
    return found


def _targets(token: Declared, declared: Mapping[Path, Declared], problems: ProblemList) -> set[Path] | None:
    """The tokens that a value refers to; None where it also refers to one that is not there."""
    leads = {raw: _lead(raw, declared) for raw in _references(token.value)}
    for raw in (raw for raw, lead in leads.items() if lead is None):
        near = nearest(raw[1:-1], (".".join(path) for path in declared)) if is_alias(raw) else ""
        cure = f"did you mean {{{near}}}?" if near else "name a token of this file, such as {color.brand}"
        problems.add("token-reference", token.path, f"{raw[:80]!r} refers to no token", cure)
    return None if None in leads.values() else {lead[0] for lead in leads.values() if lead}


def _order(needs: Mapping[Path, set[Path]], problems: ProblemList) -> Iterator[Path]:
    """Tokens after those that they refer to; those in or behind a circle never come."""
    sorter = TopologicalSorter(needs)
    try:
        sorter.prepare()
    except CycleError:
        _report_circles(needs, problems)
    while ready := sorter.get_ready():
        yield from ready
        sorter.done(*ready)


def _report_circles(needs: Mapping[Path, set[Path]], problems: ProblemList) -> None:
    """Every circle, once."""
    graph = dict(needs)
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            circle: list[Path] = error.args[1][::-1]  # graphlib lists what is needed before what needs it
            names = " → ".join(".".join(path) for path in circle)
            problems.add("token-cycle", circle[0], f"references run in a circle: {names}", "give one a literal value")
            graph.update({path: set() for path in circle})
        else:
            return


def _token(token: Declared, found: Mapping[Path, Token], problems: ProblemList) -> Token | None:
    try:
        value = _literal(token.value, found)
    except LookupError:
        problems.add("token-reference", token.path, "the reference leads into nothing", "shorten the JSON pointer")
        return None
    kind = token.type or _type_of_target(token.value, found) or token.inherited
    if kind is None:
        cure = "give it, or a group around it, a $type"
        problems.add("token-untyped", token.path, "nothing says what type this token has", cure)
        return None
    if reason := _value_fault(kind, value):
        problems.add("token-value", (*token.path, "$value"), reason, "write the value as DTCG 2025.10 does")
        return None
    return Token(path=".".join(token.path), type=kind, value=freeze(value))


def _value_fault(kind: str, value: Json) -> str:
    """What is wrong with a value of the types that the product itself reads; the others are passed on as they are."""
    if kind == "color":
        return colour_fault(value)
    if kind == "fontFamily":
        names = [value] if isinstance(value, str) else value
        if not _is_list(names) or not names or not all(isinstance(name, str) and name for name in names):
            return "a font family is a name, or a list of names"
    return ""


# Values and the references in them


def _reference(value: Json) -> str | None:
    """The text of a reference, if the value is one: `{a.b}` or `{"$ref": "#/a/b/$value"}`; else None."""
    if is_alias(value):
        return str(value)
    return str(value["$ref"]) if isinstance(value, Mapping) and "$ref" in value else None


def _lead(raw: str | None, tokens: Container[Path]) -> tuple[Path, Path] | None:
    """The token that a reference names, and the steps into its value; None where there is no such token."""
    steps = pointed_at(raw) or ()
    if steps in tokens:
        return steps, ()
    if is_alias(raw) or "$value" not in steps:
        return None
    at = steps.index("$value")
    return (steps[:at], steps[at + 1 :]) if steps[:at] in tokens else None


def _parts(value: Json) -> Iterable[Json]:
    if isinstance(value, Mapping):
        return value.values()
    return value if _is_list(value) else ()


def _is_list(value: Json) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _references(value: Json) -> Iterator[str]:
    raw = _reference(value)
    if raw is not None:
        yield raw
        return
    for part in _parts(value):
        yield from _references(part)


def _weigh(value: Json, known: Mapping[Path, _Weight]) -> _Weight:
    """Counted before anything is copied: a few hundred references can stand for more values than a machine holds."""
    if lead := _lead(_reference(value), known):
        return known[lead[0]]
    inner = [_weigh(part, known) for part in _parts(value)]
    return _Weight(
        size=1 + sum(weight.size for weight in inner), depth=1 + max((weight.depth for weight in inner), default=0)
    )


def _literal(value: Json, found: Mapping[Path, Token]) -> Json:
    """The value with each reference replaced by what it leads to. Raises LookupError where a pointer leads nowhere."""
    if lead := _lead(_reference(value), found):
        target, inside = lead
        return _inside(found[target].value, inside)
    if isinstance(value, Mapping):
        return {name: _literal(item, found) for name, item in value.items()}
    return [_literal(item, found) for item in value] if _is_list(value) else value


def _inside(value: Json, steps: Path) -> Json:
    for step in steps:
        if _is_list(value) and step.isascii() and step.isdecimal():
            value = value[int(step)]
        elif isinstance(value, Mapping):
            value = value[step]
        else:
            raise LookupError(step)
    return value


def _type_of_target(value: Json, found: Mapping[Path, Token]) -> str | None:
    """The type of the token that a value is an alias of, as a whole."""
    lead = _lead(_reference(value), found)
    return found[lead[0]].type if lead and not lead[1] else None
