"""A snapshot: an immutable, content-addressed state of the files of an operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compositor._values import Json, digest

Delta = Mapping[str, "Entry | None"]
"""What one call changed: a path and its new entry, or None where the file was removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One file: the hex SHA-256 of its bytes and their number."""

    sha256: str
    size: int

    def as_json(self) -> Json:
        """The entry as a JSON list."""
        return [self.sha256, self.size]

    @staticmethod
    def from_json(value: Json) -> Entry:
        """The entry that `as_json` wrote."""
        return Entry(sha256=value[0], size=value[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The files of an operation at one moment: a path to an `Entry`. Equal contents have equal digests."""

    files: Mapping[str, Entry] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        """Hex SHA-256 over all paths and entries."""
        return digest(self.as_json())

    def merged(self, delta: Delta) -> Snapshot:
        """The snapshot after a delta."""
        files = {path: entry for path, entry in self.files.items() if path not in delta}
        files.update({path: entry for path, entry in delta.items() if entry is not None})
        return Snapshot(files=files)

    def as_json(self) -> Json:
        """A JSON object: path → entry, in path order."""
        return {path: self.files[path].as_json() for path in sorted(self.files)}

    @staticmethod
    def from_json(value: Json) -> Snapshot:
        """The snapshot that `as_json` wrote."""
        return Snapshot(files={path: Entry.from_json(entry) for path, entry in value.items()})


def delta_as_json(delta: Delta) -> Json:
    """A delta as a JSON object."""
    return {path: entry.as_json() if entry else None for path, entry in sorted(delta.items())}


def delta_from_json(value: Json) -> dict[str, Entry | None]:
    """The delta that `delta_as_json` wrote."""
    return {path: Entry.from_json(entry) if entry else None for path, entry in value.items()}
