"""The closest examples as the writer gets them: a file each, a look at the picture, and how to use them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated

from compositor._values import Json
from compositor.capabilities import Given, Instructions, ToolContext, ToolError, ToolResult, View, tool
from compositor.capabilities.approved_examples._closest import closest
from compositor.workspace.assets import FOLDER, SUFFIXES, asset_path

EXAMPLES = "examples/"
"""The workspace folder of examples, and the prefix of the labels of their pictures."""
LARGEST_PX = 1200
"""Pixels of the longer side of a picture that is shown. A house value: a layout is seen, and the prompt stays small."""


def given_files(view: View) -> Mapping[str, Given]:
    """The closest examples, numbered, the closest first."""
    return {
        f"{EXAMPLES}{number}-{example['id']}.md": Given(
            content="\n\n".join(_told(example, view)) + "\n",
            voice="brand",
            about=f"approved example {number}, the closest first: to be followed in looks and tone, not in facts",
        )
        for number, example in enumerate(closest(view), 1)
    }


def _told(example: Mapping[str, Json], view: View) -> Iterator[str]:
    yield f"# Example {example['id']}"
    if note := example.get("note"):
        yield f"Why it is shown: {note}"
    if picture := _picture(example, view):
        yield f"Picture: {picture}"
    if text := example.get("text"):
        yield f"## Its words (its facts are not yours)\n\n{text}"


def _picture(example: Mapping[str, Json], view: View) -> str:
    """The workspace path of its picture, or empty where it has none that can be shown."""
    assets = {asset["id"]: asset for asset in view.get("assets", ())}
    asset = assets.get(example.get("asset"), {})
    return asset_path(asset) if asset.get("sha256") and asset.get("media_type") in SUFFIXES else ""


@tool(reads=(FOLDER,), writes=(), makes=(EXAMPLES,))
async def look_at_example(
    ctx: ToolContext, example: Annotated[str, "the id of an example, as its file gives it"]
) -> ToolResult:
    """Look at the picture of an approved example."""
    shown = {one["id"]: one for one in closest(ctx.view)}
    if example not in shown:
        raise ToolError(f"there is no example {example[:80]!r} here; there is {', '.join(shown) or 'none at all'}")
    path = _picture(shown[example], ctx.view)
    if not path or not ctx.files.exists(path):
        raise ToolError(f"the example {example} has no picture; read its file in {EXAMPLES}")
    fitted = await ctx.ports.pictures.fit(await ctx.files.read(path), LARGEST_PX, LARGEST_PX)
    size = await ctx.ports.pictures.inspect(fitted)
    label = f"{EXAMPLES}{example}"
    picture = await ctx.store(fitted, "image/png", {"width": size.width, "height": size.height})
    return ToolResult(
        text=f"{label}: {size.width}×{size.height} pixels. Follow how it looks; what it says holds for itself alone.",
        artifacts={label: picture},
        images=(label,),
    )


def instructions(view: View) -> Instructions:
    """How to use the examples; nothing where there are none."""
    shown = closest(view)
    if not shown:
        return Instructions()
    look = (
        "Look at their pictures with `look_at_example()` before you plan."
        if any(_picture(example, view) for example in shown)
        else ""
    )
    return Instructions(
        f"## Approved examples\n\n`{EXAMPLES}` holds examples that were approved before, the closest first. Follow how"
        " they look and sound: rhythm, order, length, tone. Never take over their facts: no claim, number, price, date"
        " or name, and no whole sentence. What the work says comes from this request alone; the rest is rejected.",
        look,
    )
