"""The plan of an email: which sections it has, what each rests on, and its header."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from compositor._values import Json, NotJson, read_json

SCHEMA_VERSION = "1"
SECTION_CLASS = "section-"
"""A planned section `hero` stands in the source as `css-class="section-hero"`."""

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_LISTS = ("evidence", "assets", "references")
_KEYS = {"id", "role", "microcopy", *_LISTS}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSection:
    """One section.

    Attributes:
        id: lower-case letters, digits and hyphens; unique in the plan.
        role: for example `hero`, `feature`, `details`, `legal`, `footer`.
        evidence: what its words rest on: dotted paths of request fields, or ids of claims.
        microcopy: name → short words, such as those of a button.
        assets: ids of the request's assets that it shows.
        references: ids of references that it follows.
    """

    id: str
    role: str
    evidence: tuple[str, ...] = ()
    microcopy: Mapping[str, str] = field(default_factory=dict)
    assets: tuple[str, ...] = ()
    references: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A plan as read: the subject and preheader of its header, and its sections in order."""

    subject: str = ""
    preheader: str = ""
    sections: tuple[PlannedSection, ...] = ()

    def role_of(self, section: str) -> str:
        """The role of a section, or empty where the plan has none of that id."""
        return next((planned.role for planned in self.sections if planned.id == section), "")

    def evidence_of(self, section: str) -> tuple[str, ...]:
        """What a section rests on; nothing where the plan has none of that id."""
        return next((planned.evidence for planned in self.sections if planned.id == section), ())


class PlanFaulty(ValueError):
    """The plan cannot be used. `faults`: a JSON path and what is wrong there, each."""

    def __init__(self, faults: tuple[tuple[str, str], ...]) -> None:
        self.faults = faults
        super().__init__("; ".join(f"{path}: {fault}" for path, fault in faults))


def read_plan(text: str) -> Plan:
    """Read `plan.json`.

    Raises:
        PlanFaulty: with everything that is wrong with its form.
    """
    try:
        value = read_json(text)
    except NotJson as error:
        raise PlanFaulty((("$", f"not valid JSON: {error}"),)) from None
    if faults := tuple(_faults(value)):
        raise PlanFaulty(faults)
    return Plan(
        subject=value["header"]["subject"],
        preheader=value["header"]["preheader"],
        sections=tuple(_section(section) for section in value["sections"]),
    )


def _section(value: Json) -> PlannedSection:
    lists = {name: tuple(value.get(name) or ()) for name in _LISTS}
    return PlannedSection(id=value["id"], role=value["role"], microcopy=value.get("microcopy") or {}, **lists)


def _faults(value: Json) -> Iterator[tuple[str, str]]:
    if not isinstance(value, dict):
        yield "$", "must be an object"
        return
    if value.get("schema_version") != SCHEMA_VERSION:
        yield "$.schema_version", f"must be {SCHEMA_VERSION!r}"
    yield from (
        ("$." + key, "is not a key of a plan") for key in value.keys() - {"schema_version", "header", "sections"}
    )
    yield from _header_faults(value.get("header"))
    sections = value.get("sections")
    if not isinstance(sections, list):
        yield "$.sections", "must be a list"
        return
    for index, section in enumerate(sections):
        yield from _section_faults(section, f"$.sections[{index}]")
    yield from _repeated(sections)


def _header_faults(header: Json) -> Iterator[tuple[str, str]]:
    if not isinstance(header, dict):
        yield "$.header", "must be an object with subject and preheader"
        return
    for key in ("subject", "preheader"):
        if not isinstance(header.get(key), str):
            yield f"$.header.{key}", "must be a text"
    yield from (("$.header." + key, "is not a key of the header") for key in header.keys() - {"subject", "preheader"})


def _section_faults(section: Json, where: str) -> Iterator[tuple[str, str]]:
    if not isinstance(section, dict):
        yield where, "must be an object"
        return
    identity, role = section.get("id"), section.get("role")
    if not isinstance(identity, str) or not _ID.fullmatch(identity):
        yield f"{where}.id", "must be lower-case letters, digits and hyphens"
    if not isinstance(role, str) or not role.strip():
        yield f"{where}.role", "must be a word"
    for name in _LISTS:
        given = section.get(name, [])
        if not isinstance(given, list) or not all(isinstance(item, str) for item in given):
            yield f"{where}.{name}", "must be a list of texts"
    microcopy = section.get("microcopy", {})
    if not isinstance(microcopy, dict) or not all(isinstance(words, str) for words in microcopy.values()):
        yield f"{where}.microcopy", "must be an object of texts"
    yield from ((f"{where}.{key}", "is not a key of a section") for key in section.keys() - _KEYS)


def _repeated(sections: list[Json]) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for index, section in enumerate(sections):
        identity = section.get("id") if isinstance(section, dict) else None
        if isinstance(identity, str) and identity in seen:
            yield f"$.sections[{index}].id", f"{identity!r} stands twice"
        elif isinstance(identity, str):
            seen.add(identity)
