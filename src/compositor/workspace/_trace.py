"""What a check looked at: every path read, listed or looked for in vain, and every label, with what was found.

A verdict may be used again exactly as long as its trace still holds. Nothing that is not in the trace can have
influenced the verdict, since files and artifacts are reached through `Files` and `Artifacts` alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compositor._values import Json, digest
from compositor.workspace._artifacts import Artifact
from compositor.workspace._snapshot import Snapshot


@dataclass(slots=True, kw_only=True)
class Trace:
    """A growing log.

    Attributes:
        files: a path → the hex SHA-256 that was read, or None where there was no such file.
        listings: a folder pattern → the digest of the names that were listed.
        labels: a label → the digest of the artifact, or None where there was none.
        record: the digest of the record of tool runs, where that was looked at.
    """

    files: dict[str, str | None] = field(default_factory=dict)
    listings: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str | None] = field(default_factory=dict)
    record: str | None = None

    def holds(self, snapshot: Snapshot, artifacts: Mapping[str, Artifact], record: str = "") -> bool:
        """Whether everything that was looked at is the same in this state; `record` is the digest of the tool runs."""
        return (
            self.record in {None, record}
            and all(_found(snapshot, path) == seen for path, seen in self.files.items())
            and all(listing_digest(snapshot, folder) == seen for folder, seen in self.listings.items())
            and all(label_digest(artifacts, label) == seen for label, seen in self.labels.items())
        )

    def include(self, other: Trace) -> None:
        """Add what another look at the same state found."""
        self.files.update(other.files)
        self.listings.update(other.listings)
        self.labels.update(other.labels)
        self.record = other.record or self.record

    def as_json(self) -> Json:
        """The log as a JSON object."""
        return {
            "files": dict(self.files),
            "listings": dict(self.listings),
            "labels": dict(self.labels),
            "record": self.record,
        }

    @staticmethod
    def from_json(value: Json) -> Trace:
        """The log that `as_json` wrote."""
        return Trace(
            files=dict(value["files"]),
            listings=dict(value["listings"]),
            labels=dict(value["labels"]),
            record=value["record"],
        )


def _found(snapshot: Snapshot, path: str) -> str | None:
    entry = snapshot.files.get(path)
    return entry.sha256 if entry else None


def listing(snapshot: Snapshot, folder: str) -> tuple[str, ...]:
    """The paths below a folder pattern, sorted; the empty pattern stands for everything."""
    return tuple(sorted(path for path in snapshot.files if path.startswith(folder)))


def listing_digest(snapshot: Snapshot, folder: str) -> str:
    """Hex SHA-256 of the names below a folder."""
    return digest(list(listing(snapshot, folder)))


def label_digest(artifacts: Mapping[str, Artifact], label: str) -> str | None:
    """The digest of a whole artifact (its facts too); a folder, or the empty label, stands for all labels below it."""
    if not label or label.endswith("/"):
        return digest({name: a.as_json() for name, a in artifacts.items() if name.startswith(label)})
    artifact = artifacts.get(label)
    return digest(artifact.as_json()) if artifact else None
