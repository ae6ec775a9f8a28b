"""The tools with which the writer has a picture made, or one of the request cut to the shape that its place needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated

from compositor.capabilities import ToolContext, ToolError, ToolResult, View, tool
from compositor.capabilities.email._assets import Asset, base_url, examples_of, known_assets, made_picture, offered
from compositor.capabilities.email._cuts import LEAST_SIDE, MOST_WIDTH, Cut, cut_of, focal_point, ratio_of
from compositor.capabilities.email._deliverable import PICTURE, PICTURES
from compositor.errors import PortError
from compositor.workspace import DISCLOSURE, Files, ImageModel, ImageWish, Picture
from compositor.workspace.assets import FOLDER, asset_path, asset_url
from compositor.workspace.tokens import brand_colours, palette

MOST_PICTURES = 4
"""Of one mail: a hero and one for each of three sections. A house rule."""
MOST_CUTS = 12
"""Of one mail: four rows of three. A house rule."""
MOST_ABOUT = 600
"""Characters that say what a picture shows."""
MOST_COLOURS = 4

_BY_WEIGHT = ("primary", "secondary", "accent", "background")
"""The roles of colours that a brand is known by; that of its text says nothing about it."""

CUT = "cut-"
"""How the names of cut pictures begin: so they are told from made ones, and neither can replace the other."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_NAME = 40
_MOST_NAMED = 40
"""Ids that a refusal names."""


@tool(reads=(PICTURES,), writes=(PICTURES,), makes=(PICTURE,), seconds=180)
async def make_picture(
    ctx: ToolContext,
    name: Annotated[str, "a short id such as hero: lower-case letters, digits, hyphens. The same name again replaces"],
    about: Annotated[str, "what it shows and how it feels, in English; no words are drawn into it"],
    width: Annotated[int, "pixels, 64 to 2048: twice the width at which the mail shows it"],
    height: Annotated[int, "pixels, 64 to 2048; at most 4,000,000 pixels in all"],
) -> ToolResult:
    """Have a picture made in the brand's colours. The answer shows it and gives the address to write into `src`."""
    _refuse_odd(name, about, ctx.view)
    _refuse_many(name, _made(ctx.files), MOST_PICTURES, "made")
    wish = ImageWish(
        about=about, width=width, height=height, colours=_colours(ctx.view), mood=str(ctx.view.get("brief.tone", ""))
    )
    model = ctx.ports.images
    data = await model.make(wish)
    picture = await ctx.ports.pictures.inspect(data)
    _refuse_other(picture, wish, model)
    path = await _kept(name, data, picture, ctx.files)
    facts = {"width": width, "height": height, "made_by": model.name, DISCLOSURE: model.disclosure}
    label = PICTURE + name
    artifact = await ctx.store(data, picture.media_type, facts)
    text = _told(path, data, picture, model, asset_url(made_picture(path, data), base_url(ctx.view)))
    return ToolResult(text=text, artifacts={label: artifact}, images=(label,))


@tool(reads=(FOLDER, PICTURES), writes=(PICTURES,), makes=(PICTURE,), seconds=60)
async def crop_picture(
    ctx: ToolContext,
    name: Annotated[str, "a short id such as hero: lower-case letters, digits, hyphens. The same name again replaces"],
    asset: Annotated[str, "the id of a picture in request/assets.json"],
    ratio: Annotated[str, "width to height of the cut picture, such as 4:3 or 4/5"],
) -> ToolResult:
    """Cut a picture of the request to a ratio, around its focal point. The answer gives the address for `src`."""
    name = CUT + name.removeprefix(CUT)
    _refuse_name(name, ctx.view)
    _refuse_many(name, _cut(ctx.files), MOST_CUTS, "cut")
    found = _to_cut(asset, ctx.view)
    data, part = await _part_of(found, ratio, ctx)
    picture = await ctx.ports.pictures.inspect(data)
    path = await _kept(name, data, picture, ctx.files)
    label = PICTURE + name
    facts = {"width": picture.width, "height": picture.height, "asset": asset, "ratio": ratio.strip()}
    artifact = await ctx.store(data, picture.media_type, facts)
    text = _told_cut(path, data, picture, part, found, asset_url(made_picture(path, data), base_url(ctx.view)))
    return ToolResult(text=text, artifacts={label: artifact}, images=(label,))


def _to_cut(name: str, view: View) -> Asset:
    """The asset of an id, where it may be cut."""
    found = next((asset for asset in known_assets(view) if asset["id"] == name), None)
    logos = {str(rule["asset"]) for rule in view.get("brand.logos", ()) if rule.get("asset")}
    logos |= {str(asset["id"]) for asset in view.get("assets", ()) if asset.get("role") == "logo"}
    if found is None:
        there = [str(asset["id"]) for asset, _ in offered(view) if asset["id"] not in logos]
        more = f" and {len(there) - _MOST_NAMED} more" if len(there) > _MOST_NAMED else ""
        listed = (
            f"there is: {', '.join(there[:_MOST_NAMED])}{more}" if there else "the request has none that can be cut"
        )
        raise ToolError(f"the request has no picture {name[:80]!r}; {listed}")
    if name in logos:
        raise ToolError(f"{name!r} is a logo, and a logo is never cut; show it whole")
    if name in examples_of(view):
        raise ToolError(f"{name!r} is an approved example: look at it, and show pictures of this mail")
    return found


async def _part_of(asset: Asset, ratio: str, ctx: ToolContext) -> tuple[bytes, Cut]:
    """The part of an asset that has the ratio: its bytes, and where it lies."""
    wanted = ratio_of(ratio)
    if wanted is None:
        raise ToolError(f"{ratio[:80]!r} is no ratio; write width to height in whole numbers, such as 4:3")
    data, pictures = await ctx.files.read(asset_path(asset)), ctx.ports.pictures
    whole = await pictures.inspect(data)
    if whole.frames > 1:
        raise ToolError(f"{asset['id']!r} moves, and a cut picture stands still; show it whole")
    part = cut_of(whole.width, whole.height, wanted, focal_point(asset))
    if part.too_small:
        size = f"{part.shown[0]}×{part.shown[1]} pixels of {whole.width}×{whole.height}"
        raise ToolError(
            f"cut to {ratio.strip()}, {asset['id']!r} has {size}: less than {LEAST_SIDE} a side is too small"
        )
    return await pictures.crop(data, part.box, MOST_WIDTH, part.height), part


def _refuse_odd(name: str, about: str, view: View) -> None:
    _refuse_name(name, view)
    if name.startswith(CUT):
        raise ToolError(f"names of cut pictures begin with {CUT}; use another name than {name!r}")
    if not about.strip() or len(about) > MOST_ABOUT:
        raise ToolError(f"say what the picture shows, in at most {MOST_ABOUT} characters")


def _refuse_name(name: str, view: View) -> None:
    if not _NAME.fullmatch(name) or len(name) > _LONGEST_NAME:
        cure = f"use lower-case letters, digits and single hyphens, at most {_LONGEST_NAME}"
        raise ToolError(f"{name[:80]!r} cannot be the name of a picture; {cure}")
    if any(asset["id"] == name for asset in view.get("assets", ())):
        raise ToolError(f"{name!r} is an asset of the request; use another name, or show that asset")


def _refuse_many(name: str, there: Sequence[str], most: int, kind: str) -> None:
    """`there`: the names of the pictures of that kind."""
    if len(there) >= most and name not in there:
        raise ToolError(
            f"a mail has at most {most} {kind} pictures; use the name of one to replace it: {', '.join(there)}"
        )


def _made(files: Files) -> tuple[str, ...]:
    return tuple(name for name in _names(files) if not name.startswith(CUT))


def _cut(files: Files) -> tuple[str, ...]:
    return tuple(name for name in _names(files) if name.startswith(CUT))


def _names(files: Files) -> tuple[str, ...]:
    return tuple(path.removeprefix(PICTURES).rpartition(".")[0] for path in files.list(PICTURES))


async def _kept(name: str, data: bytes, picture: Picture, files: Files) -> str:
    """The path of a picture that was made, in the place of an older one of its name."""
    path = f"{PICTURES}{name}{picture.suffix}"
    for older in files.list(PICTURES):
        if older != path and older.rpartition(".")[0] == PICTURES + name:
            files.remove(older)
    await files.write(path, data)
    return path


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


def _told_cut(path: str, data: bytes, picture: Picture, part: Cut, asset: Asset, url: str) -> str:
    name = path.removeprefix(PICTURES).removesuffix(picture.suffix)
    from_what = f"cut from {asset['id']} at {part.left}, {part.top}, around its focal point"
    return "\n".join(
        (
            f"{path}: {picture.width}×{picture.height} pixels, {len(data):,} bytes, {from_what}.",
            f'Write src="{url}", a width of at most {picture.width}px and an alt that says what you see.',
            f'In `assets` of the plan it is "{name}".',
        )
    )
