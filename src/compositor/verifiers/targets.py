"""Measurement of targets: what is pressed with a finger is large enough, or far enough from the next.

Pure: it reads the facts of a rendering (`compositor.verifiers.layout` describes them).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from types import MappingProxyType

from compositor._values import Json
from compositor.verifiers._report import Box, Finding, Where

TARGET_THRESHOLDS: Mapping[str, float] = MappingProxyType(
    {
        # WCAG 2.2, 2.5.8: 24 by 24 CSS pixels.
        "target_px": 24.0,
    }
)


_NOWHERE = (None, "", "#")
"""Addresses that say nothing about where a target leads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What can be pressed, as it was drawn. `inline`: a link among the words of its line."""

    selector: str
    href: str | None
    box: Box
    inline: bool


def targets(facts: Mapping[str, Json]) -> tuple[Target, ...]:
    """The targets of a page that have an area, in document order."""
    listed = (Target(**{**target, "box": tuple(map(float, target["box"]))}) for target in facts["targets"])
    return tuple(target for target in listed if target.box[2] > 0 and target.box[3] > 0)


def small_targets(
    facts: Mapping[str, Json], *, label: str, thresholds: Mapping[str, Json] = TARGET_THRESHOLDS
) -> tuple[Finding, ...]:
    """`small-target`, a warning for each target that is missed easily, by WCAG 2.2, 2.5.8.

    Its exceptions hold: a link among the words of a line; a target that has room, so that a circle of the least size
    around its middle meets no other target, nor the circle of another small one; and one that leads where another leads
    that is large enough.

    Args:
        facts: of a rendering.
        label: the artifact that shows the page.
        thresholds: `TARGET_THRESHOLDS`, or others with the same name.
    """
    least = float(thresholds["target_px"])
    found = targets(facts)
    served = {target.href for target in found if target.href not in _NOWHERE and min(target.box[2:]) >= least}
    small = [target for target in found if min(target.box[2:]) < least and not target.inline]
    missed = [target for target in small if target.href not in served and not _has_room(target, found, small, least)]
    return tuple(_finding(target, label, least) for target in missed)


def _has_room(target: Target, found: Sequence[Target], small: Sequence[Target], least: float) -> bool:
    x, y = _middle(target.box)
    others = [other for other in found if other is not target]
    if any(_distance(x, y, other.box) < least / 2 for other in others):
        return False
    middles = (_middle(other.box) for other in small if other is not target)
    return all(hypot(x - across, y - down) >= least for across, down in middles)


def _middle(box: Box) -> tuple[float, float]:
    x, y, width, height = box
    return x + width / 2, y + height / 2


def _distance(x: float, y: float, box: Box) -> float:
    """From a point to the nearest point of a box."""
    left, top, width, height = box
    return hypot(max(left - x, 0, x - left - width), max(top - y, 0, y - top - height))


def _finding(target: Target, label: str, least: float) -> Finding:
    width, height = target.box[2:]
    return Finding(
        code="small-target",
        severity="warning",
        message=f"{target.selector} is missed easily with a finger: {width:g} × {height:g} px, close to another",
        where=Where(of=label, box=target.box),
        measured=min(width, height),
        threshold=least,
        remedy="give it padding or a larger size, or more distance from the next",
    )
