"""The tool with which the writer has a picture made, where the request brings none that fits."""

from __future__ import annotations

import re
from typing import Annotated

from compositor.capabilities import ToolContext, ToolError, ToolResult, View, tool
from compositor.capabilities.email._assets import base_url, made_picture
from compositor.capabilities.email._deliverable import PICTURE, PICTURES
from compositor.errors import PortError
from compositor.workspace import DISCLOSURE, Files, ImageModel, ImageWish, Picture
from compositor.workspace.assets import asset_url
from compositor.workspace.tokens import brand_colours, palette

MOST_PICTURES = 4
"""Of one mail: a hero and one for each of three sections. A house rule."""
MOST_ABOUT = 600
"""Characters that say what a picture shows."""
MOST_COLOURS = 4

_BY_WEIGHT = ("primary", "secondary", "accent", "background")
"""The roles of colours that a brand is known by; that of its text says nothing about it."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 40


@tool(reads=(PICTURES,), writes=(PICTURES,), makes=(PICTURE,), seconds=180)
async def make_picture(
    ctx: ToolContext,
    name: Annotated[str, "a short id such as hero: lower-case letters, digits, hyphens. The same name again replaces"],
    about: Annotated[str, "what it shows and how it feels, in English; no words are drawn into it"],
    width: Annotated[int, "pixels, 64 to 2048: twice the width at which the mail shows it"],
    height: Annotated[int, "pixels, 64 to 2048; at most 4,000,000 pixels in all"],
) -> ToolResult:
    """Have a picture made in the brand's colours. The answer shows it and gives the address to write into `src`."""
    _refuse_odd(name, about, ctx.files, ctx.view)
    wish = ImageWish(
        about=about, width=width, height=height, colours=_colours(ctx.view), mood=str(ctx.view.get("brief.tone", ""))
    )
    model = ctx.ports.images
    data = await model.make(wish)
    picture = await ctx.ports.pictures.inspect(data)
    _refuse_other(picture, wish, model)
    path = f"{PICTURES}{name}{picture.suffix}"
    for older in _same_name(name, ctx.files):
        if older != path:
            ctx.files.remove(older)
    await ctx.files.write(path, data)
    facts = {"width": width, "height": height, "made_by": model.name, DISCLOSURE: model.disclosure}
    label = PICTURE + name
    artifact = await ctx.store(data, picture.media_type, facts)
    text = _told(path, data, picture, model, asset_url(made_picture(path, data), base_url(ctx.view)))
    return ToolResult(text=text, artifacts={label: artifact}, images=(label,))


def _refuse_odd(name: str, about: str, files: Files, view: View) -> None:
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        cure = f"use lower-case letters, digits and single hyphens, at most {_LONGEST_NAME}"
        raise ToolError(f"{name[:80]!r} cannot be the name of a picture; {cure}")
    if any(asset["id"] == name for asset in view.get("assets", ())):
        raise ToolError(f"{name!r} is an asset of the request; use another name, or show that asset")
    if not about.strip() or len(about) > MOST_ABOUT:
        raise ToolError(f"say what the picture shows, in at most {MOST_ABOUT} characters")
    there = files.list(PICTURES)
    if len(there) >= MOST_PICTURES and not _same_name(name, files):
        names = ", ".join(path.removeprefix(PICTURES).rpartition(".")[0] for path in there)
        raise ToolError(f"a mail has at most {MOST_PICTURES} made pictures; use the name of one to replace it: {names}")


def _same_name(name: str, files: Files) -> tuple[str, ...]:
    return tuple(path for path in files.list(PICTURES) if path.rpartition(".")[0] == PICTURES + name)


def _colours(view: View) -> tuple[str, ...]:
    """The brand's colours by their roles, or, where it has no roles, its first tokens."""
    brand = view.get("brand", {})
    roles = brand_colours(brand)
    return tuple(roles[role] for role in _BY_WEIGHT if role in roles) or tuple(
        colour for _, colour in palette(brand)[:MOST_COLOURS]
    )


def _refuse_other(picture: Picture, wish: ImageWish, model: ImageModel) -> None:
    """Models change sizes without a word."""
    if picture.media_type not in {"image/png", "image/jpeg"}:
        raise PortError("images", f"{model.name} made {picture.media_type}", "it must make PNG or JPEG")
    if (picture.width, picture.height) != (wish.width, wish.height):
        made = f"{picture.width}×{picture.height} pixels for {wish.width}×{wish.height}"
        raise PortError("images", f"{model.name} made {made}", "ask for a size that it can make")


def _told(path: str, data: bytes, picture: Picture, model: ImageModel, url: str) -> str:
    name = path.removeprefix(PICTURES).removesuffix(picture.suffix)
    return "\n".join(
        (
            f"{path}: {picture.width}×{picture.height} pixels, {len(data):,} bytes, made by {model.name}.",
            f'Write src="{url}" and an alt that says what you see; in `assets` of the plan it is "{name}".',
            model.disclosure,
        )
    ).rstrip()
