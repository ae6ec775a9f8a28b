"""A view: the part of a request that one capability may see, read-only.

A *field* is a dotted path into the request (`brief`, `brief.tone`, `brand`). A capability declares the fields it reads;
asking for another one is an error in the capability, found by its first test.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from compositor._values import Json, digest, freeze, thaw
from compositor.errors import FieldNotInView


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """Request fields that a capability reads. A composition may withhold optional ones, never required ones."""

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Required and optional fields, sorted."""
        return tuple(sorted({*self.required, *self.optional}))


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The narrowed request.

    Attributes:
        declared: the fields that may be asked for (withheld ones included: they read as absent).
        data: the request, cut down to the declared fields, deeply read-only.
    """

    declared: tuple[str, ...] = ()
    data: Mapping[str, Json] = field(default_factory=dict)

    @staticmethod
    def of(request: Mapping[str, Json], declared: Iterable[str], withheld: Iterable[str] = ()) -> View:
        """Cut a request (JSON object) down to the declared fields, without the withheld ones."""
        declared, withheld = tuple(sorted(set(declared))), tuple(withheld)
        cut: dict[str, Json] = {}
        for name in declared:
            if any(within_field(name, hidden) for hidden in withheld):
                continue
            value = field_value(request, name)
            if value is not None:
                _put(cut, name, thaw(value))
        for hidden in withheld:
            _drop(cut, hidden)
        return View(declared=declared, data=freeze(cut))

    def get(self, name: str, default: Json = None) -> Json:
        """The value of a field, or the default where the request has none or it is withheld.

        Raises:
            FieldNotInView: the capability did not declare the field.
        """
        if not any(within_field(name, declared) for declared in self.declared):
            raise FieldNotInView(name, self.declared)
        value = field_value(self.data, name)
        return default if value is None else value

    @property
    def digest(self) -> str:
        """Hex SHA-256 of the data."""
        return digest(self.data)


def within_field(name: str, field: str) -> bool:
    """Whether a field is another field or a part of it."""
    return name == field or name.startswith(field + ".")


def field_value(data: Mapping[str, Json], name: str) -> Json:
    """The value at a dotted path, or None."""
    value: Json = data
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return None
        value = value[part]
    return value


def _put(data: dict[str, Json], name: str, value: Json) -> None:
    *folders, last = name.split(".")
    for folder in folders:
        data = data.setdefault(folder, {})
    data[last] = value


def _drop(data: dict[str, Json], name: str) -> None:
    *folders, last = name.split(".")
    inner: Json = data
    for folder in folders:
        inner = inner.get(folder) if isinstance(inner, dict) else None
    if isinstance(inner, dict):
        inner.pop(last, None)
