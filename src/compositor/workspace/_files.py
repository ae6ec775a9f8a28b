"""The files and artifacts that one tool, build or check may touch, over an immutable snapshot.

Nothing here is on a disk: a write makes a blob and an entry in the *delta*, and the host decides whether the delta is
merged. An error therefore leaves no half-written file, and there is no folder to clean up.
"""

from __future__ import annotations

from collections.abc import Mapping

from compositor._values import Json, read_json, sha256
from compositor.errors import FileMissing, NotOwned, PathRefused, StaleWrite
from compositor.workspace._artifacts import Artifact
from compositor.workspace._paths import as_folder, checked_path, covered, fold, overlap
from compositor.workspace._snapshot import Delta, Entry, Snapshot
from compositor.workspace._trace import Trace, label_digest, listing, listing_digest
from compositor.workspace.ports import Blobs

EVERYTHING = ("",)
"""The patterns of a scope that may read all files."""

_ONE_NAME = "one name cannot be a file and a folder"


class Files:
    """Files of one snapshot as one caller sees them.

    Args:
        snapshot: the state that the caller starts from.
        blobs: where bytes live.
        reads: patterns that may be read; `EVERYTHING` for all.
        writes: patterns that may be written.
        base: the state that the caller's wishes were prepared on; by default the one that it starts from. What has
            changed since may be replaced only by a caller that has looked at it.
    """

    __slots__ = ("_base", "_blobs", "_delta", "_known", "_reads", "_snapshot", "_writes", "trace")

    def __init__(
        self,
        snapshot: Snapshot,
        blobs: Blobs,
        *,
        reads: tuple[str, ...] = EVERYTHING,
        writes: tuple[str, ...] = (),
        trace: Trace | None = None,
        base: Snapshot | None = None,
    ) -> None:
        self._snapshot, self._blobs = snapshot, blobs
        self._base = base if base is not None else snapshot
        self._known: set[str] = set()
        self._reads, self._writes = reads, writes
        self._delta: dict[str, Entry | None] = {}
        self.trace = trace if trace is not None else Trace()

    @property
    def delta(self) -> Delta:
        """What was written and removed so far, without what ended as it began."""
        before = self._snapshot.files
        return {path: entry for path, entry in self._delta.items() if before.get(path) != entry}

    async def read(self, path: str) -> bytes:
        """The bytes of a file.

        Raises:
            PathRefused, NotOwned, FileMissing
        """
        self._may_read(checked_path(path))
        entry = self._entry(path)
        if entry is None:
            self._known.add(path)
            raise FileMissing(path, self._readable())
        data = await self._blobs.get(entry.sha256)
        self._known.add(path)
        return data

    async def read_text(self, path: str) -> str:
        """The text of a UTF-8 file; bytes that are not UTF-8 become U+FFFD."""
        return (await self.read(path)).decode("utf-8", "replace")

    async def read_json(self, path: str) -> Json:
        """The JSON value of a file.

        Raises:
            NotJson: a ValueError that names the place.
        """
        return read_json(await self.read_text(path))

    def exists(self, path: str) -> bool:
        """Whether the file is there. Looking in vain is logged too."""
        self._may_read(checked_path(path))
        there = self._entry(path) is not None
        if not there:  # who knows that there is nothing knows all of it
            self._known.add(path)
        return there

    def list(self, folder: str = "") -> tuple[str, ...]:
        """The readable paths below a folder (`assets/`), or all, sorted."""
        folder = as_folder(folder)
        self.trace.listings[folder] = listing_digest(self._snapshot, folder)
        return listing(Snapshot(files={path: self._now()[path] for path in self._readable()}), folder)

    async def write(self, path: str, content: str | bytes) -> None:
        """Write a whole file.

        Raises:
            PathRefused: also where the name differs from an existing one only by case, or one is a folder of the other.
            NotOwned
            StaleWrite: it has changed since `base`, this caller has not read it, and the content is another one.
        """
        self._may_write(checked_path(path))
        data = content.encode("utf-8", "replace") if isinstance(content, str) else content
        entry = Entry(sha256=sha256(data), size=len(data))
        if entry != self._now().get(path):
            self._refuse_unseen(path)
        await self._blobs.put(data)
        self._delta[path] = entry

    def remove(self, path: str) -> None:
        """Remove a file.

        Raises:
            PathRefused, NotOwned, FileMissing
            StaleWrite: it has changed since `base`, and this caller has not read it.
        """
        self._may_write(checked_path(path))
        if path not in self._now():
            raise FileMissing(path, self._readable())
        self._refuse_unseen(path)
        self._delta[path] = None

    def refuse_stale(self, path: str) -> None:
        """Refuse a file that has changed since `base`: for an edit by position, which reading again does not mend.

        Raises:
            PathRefused
            StaleWrite
        """
        if self._changed(checked_path(path)):
            raise StaleWrite(path)

    def _refuse_unseen(self, path: str) -> None:
        if path not in self._delta and path not in self._known:
            self.refuse_stale(path)

    def _changed(self, path: str) -> bool:
        return self._snapshot.files.get(path) != self._base.files.get(path)

    def _now(self) -> Mapping[str, Entry]:
        return self._snapshot.merged(self._delta).files if self._delta else self._snapshot.files

    def _entry(self, path: str) -> Entry | None:
        if path in self._delta:  # the caller's own words say nothing about the snapshot
            return self._delta[path]
        entry = self._snapshot.files.get(path)
        self.trace.files[path] = entry.sha256 if entry else None
        return entry

    def _readable(self) -> tuple[str, ...]:
        return tuple(sorted(p for p in self._now() if covered(p, (*self._reads, *self._writes))))

    def _may_read(self, path: str) -> None:
        if not covered(path, (*self._reads, *self._writes)):
            raise NotOwned(path, "read", self._reads)

    def _may_write(self, path: str) -> None:
        if not covered(path, self._writes):
            raise NotOwned(path, "write", self._writes)
        for twin in self._now():
            if twin != path and overlap(twin, path):
                case = fold(twin) == fold(path)
                raise PathRefused(path, f"there is {twin!r}: " + ("only the case differs" if case else _ONE_NAME))


class Artifacts:
    """The labelled things of one moment, as one caller sees them; every look is logged.

    Args:
        made: label → artifact.
        blobs: where bytes live.
        reads: label patterns that may be looked at; `EVERYTHING` for all.
    """

    __slots__ = ("_blobs", "_made", "_reads", "trace")

    def __init__(
        self,
        made: Mapping[str, Artifact],
        blobs: Blobs,
        *,
        reads: tuple[str, ...] = EVERYTHING,
        trace: Trace | None = None,
    ) -> None:
        self._made, self._blobs, self._reads = made, blobs, reads
        self.trace = trace if trace is not None else Trace()

    def get(self, label: str) -> Artifact | None:
        """The artifact of a label, or None.

        Raises:
            NotOwned: where the label is not among the declared reads.
        """
        if not covered(label, self._reads):
            raise NotOwned(label, "read", self._reads)
        self.trace.labels[label] = label_digest(self._made, label)
        return self._made.get(label)

    def labels(self, folder: str = "") -> tuple[str, ...]:
        """The readable labels below a folder (`render/`), or all, sorted."""
        folder = as_folder(folder)
        self.trace.labels[folder] = label_digest(self._made, folder)
        return tuple(sorted(n for n in self._made if n.startswith(folder) and covered(n, self._reads)))

    async def read(self, label: str) -> bytes:
        """The bytes of an artifact.

        Raises:
            FileMissing: no artifact of that label.
        """
        artifact = self.get(label)
        if artifact is None:
            raise FileMissing(label, self.labels())
        return await self._blobs.get(artifact.sha256)

    async def read_json(self, label: str) -> Json:
        """The JSON value of an artifact."""
        return read_json((await self.read(label)).decode("utf-8"))


async def made(blobs: Blobs, data: bytes, media_type: str, facts: Mapping[str, Json] | None = None) -> Artifact:
    """Store bytes and describe them as an artifact."""
    await blobs.put(data)
    return Artifact(media_type=media_type, sha256=sha256(data), size=len(data), facts=facts or {})
