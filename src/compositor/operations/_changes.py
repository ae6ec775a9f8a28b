"""What changed between two snapshots: a unified diff for texts, sizes for everything else."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from compositor._values import Json
from compositor.workspace import Blobs, Entry, Snapshot

MAX_DIFF_LINES = 5_000
"""Longest text, in lines, that is compared line by line: the worst took 0.1 s, and time grows with the square."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One file that changed.

    Attributes:
        path: of the file.
        before, after: its entry, or None where there was, or is, no such file.
        diff: the unified diff in lines, without line ends; None where there is none to show: the file is no text, is
            too long, or was compiled and not written.
    """

    path: str
    before: Entry | None
    after: Entry | None
    diff: tuple[str, ...] | None = None

    @property
    def added(self) -> int:
        """How many lines came in."""
        return self._count("+")

    @property
    def removed(self) -> int:
        """How many lines went away."""
        return self._count("-")

    @property
    def extent(self) -> str:
        """How large the file was and is, in words."""
        if self.after is None:
            return "removed"
        if self.before is None:
            return f"new, {self.after.size:,} bytes"
        if self.before.size == self.after.size:
            return f"{self.after.size:,} bytes, as before"
        return f"{self.before.size:,} → {self.after.size:,} bytes"

    def _count(self, sign: str) -> int:
        return sum(1 for line in (self.diff or ())[2:] if line.startswith(sign))

    def as_json(self) -> Json:
        """The change as a JSON object; the diff is one text."""
        return {
            "path": self.path,
            "before": self.before.as_json() if self.before else None,
            "after": self.after.as_json() if self.after else None,
            "diff": None if self.diff is None else "\n".join(self.diff),
        }


async def changes_between(before: Snapshot, after: Snapshot, blobs: Blobs, *, compared: bool) -> tuple[Change, ...]:
    """Every file that differs, in path order.

    Args:
        before: the earlier state.
        after: the later one.
        blobs: where their bytes are.
        compared: whether texts are compared line by line.

    Raises:
        PortError: the bytes of a file are not there any more.
    """
    paths = sorted(before.files.keys() | after.files.keys())
    differing = [path for path in paths if before.files.get(path) != after.files.get(path)]
    return tuple([await _change(path, before, after, blobs, compared=compared) for path in differing])


async def _change(path: str, before: Snapshot, after: Snapshot, blobs: Blobs, *, compared: bool) -> Change:
    old, new = before.files.get(path), after.files.get(path)
    diff = _diff(path, await _lines(old, blobs), await _lines(new, blobs), old, new) if compared else None
    return Change(path=path, before=old, after=new, diff=diff)


def _diff(
    path: str, old: list[str] | None, new: list[str] | None, before: Entry | None, after: Entry | None
) -> tuple[str, ...] | None:
    if old is None or new is None or max(len(old), len(new)) > MAX_DIFF_LINES:
        return None
    source, target = (path if entry else "/dev/null" for entry in (before, after))
    diff = difflib.unified_diff(old, new, source, target, lineterm="")
    return tuple(part for line in diff for part in line.split("\n"))


async def _lines(entry: Entry | None, blobs: Blobs) -> list[str] | None:
    """The lines of a file, none of a missing one; None for what is no text.

    Only a line feed ends a line, as for every tool that reads a diff.
    """
    if entry is None:
        return []
    try:
        text = (await blobs.get(entry.sha256)).decode("utf-8")
    except UnicodeDecodeError:
        return None
    if "\0" in text:
        return None
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}\n\\ No newline at end of file"] if last else lines
