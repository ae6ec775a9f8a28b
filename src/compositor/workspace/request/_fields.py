"""Which dotted names are fields of a request."""

from __future__ import annotations

import functools
from typing import Any, get_args

from pydantic import BaseModel

from compositor.workspace.request._request import Request


@functools.cache
def is_field(name: str) -> bool:
    """Whether a dotted name (`brief.tone`, `extensions.claims`) is a field; items of lists have no name."""
    return _leads_somewhere(Request, name.split("."))


def _leads_somewhere(model: type[BaseModel], parts: list[str]) -> bool:
    first, *rest = parts
    if first not in model.model_fields:
        return False
    if not rest:
        return True
    kinds = _kinds(model.model_fields[first].annotation)
    if any(kind is dict for kind in kinds):
        return all(rest)
    blocks = [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)]
    return any(_leads_somewhere(block, rest) for block in blocks)


def _kinds(annotation: Any) -> set[Any]:
    """The classes in an annotation such as `Brand | None` or `dict[str, Json]`; tuples (lists) stay closed."""
    origin = getattr(annotation, "__origin__", None)
    if origin is dict:
        return {dict}
    if origin is tuple:
        return set()
    arguments = get_args(annotation)
    return {kind for argument in arguments for kind in _kinds(argument)} if arguments else {annotation}
