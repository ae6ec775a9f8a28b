"""Which calls of one reply may run side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from compositor.agents import RosterTool
from compositor.workspace import overlaps

Planned = TypeVar("Planned")


def conflict(one: RosterTool, other: RosterTool) -> bool:
    """Whether one writes what the other reads or writes, or both make the same labels. Judged by what is declared."""
    return (
        overlaps(one.writes, (*other.writes, *_reading(other)))
        or overlaps(other.writes, _reading(one))
        or overlaps(one.tool.makes, other.tool.makes)
    ) or _reads_all_beside_writer(one, other)


def _reading(entry: RosterTool) -> tuple[str, ...]:
    return tuple(pattern for pattern in entry.reads if pattern)


def _reads_all_beside_writer(one: RosterTool, other: RosterTool) -> bool:
    return ("" in one.reads and bool(other.writes)) or ("" in other.reads and bool(one.writes))


def waves(calls: Sequence[tuple[RosterTool, Planned]]) -> list[list[tuple[RosterTool, Planned]]]:
    """Calls in order, cut into the longest runs of consecutive calls without conflict."""
    cut: list[list[tuple[RosterTool, Planned]]] = []
    for call in calls:
        if cut and not any(conflict(call[0], earlier[0]) for earlier in cut[-1]):
            cut[-1].append(call)
        else:
            cut.append([call])
    return cut
