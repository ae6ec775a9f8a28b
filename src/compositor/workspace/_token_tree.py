"""The tree of a design token file: groups, what they inherit, and the tokens that they declare.

Design Tokens Format Module 2025.10: a group hands its `$type` down, may hold a `$root` token, and may extend another
group, whose members it then has as its own unless it names them itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from compositor._values import MAX_DEPTH, Json
from compositor.workspace._problem_list import ProblemList, nearest

TYPES = (
    "border",
    "color",
    "cubicBezier",
    "dimension",
    "duration",
    "fontFamily",
    "fontWeight",
    "gradient",
    "number",
    "shadow",
    "strokeStyle",
    "transition",
    "typography",
)
"""The token types of DTCG 2025.10 (`format/tokenType.json`)."""

MAX_TOKENS = 10_000
"""Most groups and tokens of one brand, inherited ones included: the largest public systems have a few thousand."""

_NOTES = frozenset({"$description", "$extensions", "$deprecated"})
_OF_GROUP = _NOTES | {"$type", "$extends", "$root", "$schema"}
_OF_TOKEN = _NOTES | {"$type", "$value", "$ref"}

Path = tuple[str, ...]
Group = Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A token as it is written.

    Attributes:
        path: the names that lead to it.
        type: its own `$type`, or None.
        inherited: the `$type` of the nearest group that has one, or None.
        value: its `$value`, or the object `{"$ref": …}` where it has that instead; references are unresolved.
    """

    path: Path
    type: str | None
    inherited: str | None
    value: Json


def declared_tokens(tree: Group, problems: ProblemList) -> dict[Path, Declared]:
    """All tokens of a tree, inherited ones included."""
    return {token.path: token for token in _walk(_extended(tree, problems), (), None, problems)}


def pointed_at(reference: Json) -> Path | None:
    """The path that a reference names: `{a.b}`, or the JSON pointer `#/a/b`; None where it is neither."""
    if is_alias(reference):
        return tuple(reference[1:-1].split("."))
    if isinstance(reference, str) and reference.startswith("#/"):
        return tuple(part.replace("~1", "/").replace("~0", "~") for part in reference[2:].split("/"))
    return None


def is_alias(value: Json) -> bool:
    """Whether a value is a reference in curly braces."""
    return isinstance(value, str) and len(value) > 2 and value[0] == "{" and value[-1] == "}"


def _is_token(node: Group) -> bool:
    return "$value" in node or "$ref" in node


# Inheritance between groups


def _extended(tree: Group, problems: ProblemList) -> Group:
    """The tree with every `$extends` carried out."""
    groups = dict(_groups(tree))
    bases = {path: base for path, group in groups.items() if (base := _base(path, group, groups, problems))}
    if not bases:
        return tree
    made: dict[Path, dict[str, Json]] = {}
    size: dict[Path, int] = {}
    depth: dict[Path, int] = {}
    for path in _order(groups, bases, problems):
        inside = [(*path, name) for name in groups[path] if (*path, name) in made]
        base = bases.get(path)
        size[path] = len(groups[path]) + sum(size[each] for each in inside) + (size[base] if base is not None else 0)
        depth[path] = max([depth[each] + 1 for each in inside] + ([depth[base]] if base is not None else [0]))
        if size[path] > MAX_TOKENS or depth[path] > MAX_DEPTH:
            limits = f"{MAX_TOKENS} groups and tokens, {MAX_DEPTH} levels"
            problems.add("token-count", path, f"with what it extends, the group grows beyond {limits}", "extend less")
            return {}
        own = {name: made.get((*path, name), child) for name, child in groups[path].items() if name != "$extends"}
        made[path] = own if base is None else _merged(made[base], own)
    return made[()]


def _groups(node: Group, path: Path = ()) -> Iterator[tuple[Path, Group]]:
    yield path, node
    for name, child in node.items():
        if not name.startswith("$") and isinstance(child, Mapping) and not _is_token(child):
            yield from _groups(child, (*path, name))


def _base(path: Path, group: Group, groups: Mapping[Path, Group], problems: ProblemList) -> Path | None:
    if "$extends" not in group:
        return None
    target = pointed_at(group["$extends"])
    if target is not None and target in groups:
        return target
    problems.add(
        "token-extends",
        (*path, "$extends"),
        f"{str(group['$extends'])[:80]!r} names no group of this file",
        "name one, such as {button}",
    )
    return None


def _order(groups: Mapping[Path, Group], bases: dict[Path, Path], problems: ProblemList) -> tuple[Path, ...]:
    """Members before their group, and bases before what extends them; circles are reported and cut."""
    while True:
        sorter: TopologicalSorter[Path] = TopologicalSorter(dict.fromkeys(groups, ()))
        for path in groups:
            if path:
                sorter.add(path[:-1], path)
            if path in bases:
                sorter.add(path, bases[path])
        try:
            return tuple(sorter.static_order())
        except CycleError as error:
            circle = [path for path in error.args[1][1:] if path in bases]
            names = " and ".join(".".join(path) or "the whole file" for path in circle)
            place = (*circle[0], "$extends")
            problems.add("token-cycle", place, f"a group extends itself, through {names}", "remove this $extends")
            for path in circle:
                del bases[path]


def _merged(base: Group, own: Group) -> dict[str, Json]:
    both = {**base, **own}
    for name in base.keys() & own.keys():
        old, new = base[name], own[name]
        if not name.startswith("$") and all(isinstance(side, Mapping) and not _is_token(side) for side in (old, new)):
            both[name] = _merged(old, new)
    return both


# Tokens


def _walk(group: Group, path: Path, inherited: str | None, problems: ProblemList) -> Iterator[Declared]:
    kind = _type(group, path, problems) or inherited
    for name, child in group.items():
        place = (*path, name)
        if name.startswith("$") and name != "$root":
            _check_property(place, _OF_GROUP, problems)
        elif _misnamed(name):
            why = "is no name of a token or group: it is empty, or has braces or dots"
            problems.add("token-name", place, f"{name[:80]!r} {why}", "nest groups instead of writing dots")
        elif not isinstance(child, Mapping):
            _refuse_leaf(place, problems)
        elif _is_token(child) or name == "$root":
            yield from _token(child, place, kind, problems)
        else:
            yield from _walk(child, place, kind, problems)


def _token(node: Group, path: Path, inherited: str | None, problems: ProblemList) -> Iterator[Declared]:
    for name in node:
        _check_property((*path, name), _OF_TOKEN, problems)
    if ("$value" in node) == ("$ref" in node):
        problems.add("token-value", path, "a token has exactly one of $value and $ref", "keep one of the two")
    if _is_token(node):
        value = node["$value"] if "$value" in node else {"$ref": node["$ref"]}
        yield Declared(path=path, type=_type(node, path, problems), inherited=inherited, value=value)


def _type(node: Group, path: Path, problems: ProblemList) -> str | None:
    kind = node.get("$type")
    if kind is None or kind in TYPES:
        return kind
    near = nearest(str(kind), TYPES)
    cure = f"did you mean {near!r}?" if near else f"use one of {', '.join(TYPES)}"
    problems.add("token-type", (*path, "$type"), f"{str(kind)[:40]!r} is no token type of DTCG 2025.10", cure)
    return str(kind)


def _misnamed(name: str) -> bool:
    return not name or any(char in "{}." for char in name)


def _check_property(place: Path, known: frozenset[str], problems: ProblemList) -> None:
    if place[-1] in known:
        return
    near = nearest("$" + place[-1].lstrip("$"), known)
    cure = f"did you mean `{near}`?" if near else "a token holds no other tokens, and names with $ are reserved"
    problems.add("token-property", place, f"{place[-1][:80]!r} does not belong here", cure)


def _refuse_leaf(place: Path, problems: ProblemList) -> None:
    old = place[-1] in {"value", "type", "description"}
    cure = f"write `${place[-1]}`, as DTCG 2025.10 does" if old else "put it into an object, as its $value"
    problems.add("token-shape", place, "this is neither a group nor a token", cure)
