"""The work in hand: the composition, the files and artifacts as they stand, and what tools did to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compositor._values import Json, canonical, read_json
from compositor.agents import Composition
from compositor.authoring import ToolRun
from compositor.workspace import Artifact, Blobs, Delta, Ports, Snapshot, covered

SPILLED = "spilled/"
"""The folder of the workspace that holds answers of tools which were too long to show. Nobody owns it."""


@dataclass(slots=True, kw_only=True)
class Work:
    """The changing state of one operation. All of it follows from the recorded effects.

    Attributes:
        composition: what was sealed.
        blobs: where bytes live.
        ports: everything that the operation was given.
        snapshot: the files.
        artifacts: label → artifact.
        runs: the successful tool runs, in order.
        built: the labels that the latest build made.
    """

    composition: Composition
    blobs: Blobs
    ports: Ports
    snapshot: Snapshot
    artifacts: dict[str, Artifact] = field(default_factory=dict)
    runs: list[ToolRun] = field(default_factory=list)
    built: tuple[str, ...] = ()

    def merge(self, delta: Delta, made: Mapping[str, Artifact]) -> None:
        """Take up what a call or a build changed."""
        if delta:
            self.snapshot = self.snapshot.merged(delta)
        self.artifacts.update(made)

    @property
    def written(self) -> Snapshot:
        """The written outputs of the deliverable alone: evaluation runs again only when these changed."""
        patterns = self.composition.written
        return Snapshot(files={path: e for path, e in self.snapshot.files.items() if covered(path, patterns)})

    @property
    def standing(self) -> Snapshot:
        """All files but those that only hold long answers of tools: nothing was achieved where these alone changed."""
        return Snapshot(files={path: e for path, e in self.snapshot.files.items() if not path.startswith(SPILLED)})

    @property
    def missing(self) -> tuple[str, ...]:
        """Required written outputs of the deliverable that are not there."""
        return tuple(
            output.path
            for output in self.composition.content.capability.owns
            if output.required and not output.derived and not self.has(output.path)
        )

    @property
    def complete(self) -> bool:
        """Whether every required output of the deliverable, derived ones included, is there."""
        return all(self.has(output.path) for output in self.composition.content.capability.owns if output.required)

    def has(self, pattern: str) -> bool:
        """Whether a file stands under the pattern."""
        return any(covered(path, (pattern,)) for path in self.snapshot.files)


async def put_json(blobs: Blobs, value: Json) -> str:
    """Keep a JSON value as a blob; its address."""
    return await blobs.put(canonical(value))


async def get_json(blobs: Blobs, sha256: str) -> Json:
    """The JSON value of a blob."""
    return read_json((await blobs.get(sha256)).decode("utf-8"))
