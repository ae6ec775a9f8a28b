"""Which calls of one reply may run side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from compositor.agents import RosterTool
from compositor.workspace import overlaps

Planned = TypeVar("Planned")


def conflict(one: RosterTool, other: RosterTool) -> bool:
    """Whether one writes what the other reads or writes, judged by what is declared.

    Every tool may look at every label, so one that makes labels is in conflict with all.
    """
    return bool(one.tool.makes or other.tool.makes) or _disturbs(one, other) or _disturbs(other, one)


def _disturbs(writer: RosterTool, other: RosterTool) -> bool:
    if "" in other.reads:
        return bool(writer.writes)
    return overlaps(writer.writes, (*other.writes, *other.reads))


def waves(calls: Sequence[tuple[RosterTool, Planned]]) -> list[list[tuple[RosterTool, Planned]]]:
    """Calls in order, cut into the longest runs of consecutive calls without conflict."""
    cut: list[list[tuple[RosterTool, Planned]]] = []
    for call in calls:
        if cut and not any(conflict(call[0], earlier[0]) for earlier in cut[-1]):
            cut[-1].append(call)
        else:
            cut.append([call])
    return cut
