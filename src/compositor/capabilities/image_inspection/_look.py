"""The tool that shows a picture of the request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from compositor._values import Json
from compositor.capabilities import ToolContext, ToolError, ToolResult, tool
from compositor.capabilities.image_inspection._inspected import facts_of, told
from compositor.workspace import Box
from compositor.workspace.assets import FOLDER, asset_path

LOOKS = "look/"
"""The folder of labels of what was looked at."""
LONGEST_SIDE = 1024
"""Pixels of a copy that is shown: the details that a layout depends on, for about a thousand tokens. A house rule."""
FOCAL_PART = 0.5
"""The part of the width and of the height that is shown around the focal point."""
MOST_NAMED = 40
"""Ids that a refusal names."""


@tool(reads=(FOLDER,), writes=(), makes=(LOOKS,))
async def look_at_image(
    ctx: ToolContext,
    asset: Annotated[str, "the id of a picture of the request"],
    part: Annotated[Literal["whole", "focal"], "all of it, or the part around its focal point"] = "whole",
) -> ToolResult:
    """Look at a picture of the request: a smaller copy of it, and what was measured of it."""
    found = _named(asset, ctx.view.get("assets", ()))
    facts = facts_of(found)
    data = await ctx.files.read(asset_path(found))
    pictures = ctx.ports.pictures
    if part == "focal":
        copy = await pictures.crop(data, _around(facts.get("focal_point")), LONGEST_SIDE, LONGEST_SIDE)
    else:
        copy = await pictures.fit(data, LONGEST_SIDE, LONGEST_SIDE)
    shown = await pictures.inspect(copy)
    size = {"width": shown.width, "height": shown.height}
    label = f"{LOOKS}{asset}-{part}"
    artifact = await ctx.store(copy, shown.media_type, {"asset": asset, "part": part, **size})
    head = f"{label}: {_PARTS[part]} of {asset}, shown at {shown.width} × {shown.height} pixels."
    return ToolResult(text=f"{head}\n{told(facts)}", artifacts={label: artifact}, images=(label,))


_PARTS = {"whole": "all", "focal": "the part around the focal point"}


def _named(name: str, assets: Sequence[Mapping[str, Json]]) -> Mapping[str, Json]:
    for asset in assets:
        if asset["id"] == name:
            return asset
    if not assets:
        raise ToolError("the request has no pictures")
    known = ", ".join(asset["id"] for asset in assets[:MOST_NAMED])
    more = f" and {len(assets) - MOST_NAMED} more" if len(assets) > MOST_NAMED else ""
    raise ToolError(f"there is no picture {name[:80]!r}; there is: {known}{more}")


def _around(point: Mapping[str, float] | None) -> Box:
    """The part around a point, or around the middle, as near to it as the edges allow."""
    x, y = (point["x"], point["y"]) if point else (0.5, 0.5)
    left, top = (min(max(at - FOCAL_PART / 2, 0.0), 1.0 - FOCAL_PART) for at in (x, y))
    return left, top, left + FOCAL_PART, top + FOCAL_PART
