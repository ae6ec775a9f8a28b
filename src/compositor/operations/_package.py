"""Taking in the assets of a request: from beside its file, or from the store, into the workspace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from anyio import to_thread

from compositor._values import sha256
from compositor.errors import FileMissing, PathRefused, PictureRefused, PortError, Problem, RequestError
from compositor.operations._outside_file import read_outside
from compositor.workspace import Blobs, Entry, Looks, Picture, Pictures, ProblemList, Request
from compositor.workspace.assets import SUFFIXES, asset_path

if TYPE_CHECKING:
    from compositor.workspace.request import Asset

MAX_ASSET_BYTES = 20 * 1024 * 1024
"""Largest asset. A house limit: twice what the strictest common upload limit of a picture (10 MB, DV360) allows."""
MAX_TOTAL_BYTES = 100 * 1024 * 1024
"""Most bytes of all assets of one request, which are in memory together while they are checked. A house limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedPackage:
    """A request whose assets have been taken in.

    Attributes:
        request: each asset has its `sha256`, `media_type`, `width` and `height`, and what it looks like; and no `path`
            any more: the store is where it lives from now on.
        files: workspace path (`assets/SHA256.suffix`) → entry; the bytes are in the blobs.
    """

    request: Request
    files: Mapping[str, Entry]


async def load_package(request: Request, folder: Path | None, pictures: Pictures, blobs: Blobs) -> LoadedPackage:
    """Read, check and store every asset of a request. Nothing is stored unless all of them are good.

    Args:
        request: as it was read.
        folder: the folder of the request file, or None where it came without one.
        pictures: inspects each asset, and looks at those of which the request does not say what they look like.
        blobs: holds the assets that are given by digest, and takes those that are given by path.

    Raises:
        RequestError: with all problems of all assets, at `$.assets[2].path` and the like.
    """
    problems = ProblemList()
    contents = await to_thread.run_sync(_beside, request.assets, folder, problems)
    contents |= await _stored(request.assets, blobs, problems)
    assets = list(request.assets)
    for index, data in contents.items():
        if facts := await _facts(assets[index], index, data, pictures, problems):
            assets[index] = assets[index].model_copy(update=facts)
    if problems.found:
        raise RequestError("the assets of the request", problems.found)
    files = {}
    for index, asset in enumerate(assets):
        await blobs.put(contents[index])
        files[asset_path(asset.model_dump())] = Entry(sha256=sha256(contents[index]), size=len(contents[index]))
    return LoadedPackage(request=request.model_copy(update={"assets": tuple(assets)}), files=files)


def missing_files(request: Request, folder: Path) -> tuple[Problem, ...]:
    """The problems of the assets that are given by path, as far as they show without decoding a picture. Blocks."""
    problems = ProblemList()
    _beside(request.assets, folder, problems)
    return tuple(problems.found)


def _beside(assets: tuple[Asset, ...], folder: Path | None, problems: ProblemList) -> dict[int, bytes]:
    """The bytes of the assets that are given by path, by their place in the list."""
    contents: dict[int, bytes] = {}
    for index, asset in enumerate(assets):
        if asset.path is None:
            continue
        place = ("assets", index, "path")
        if folder is None:
            cure = "give the folder of the request, or store the asset and give its digest"
            problems.add("asset-path", place, "the request came without a folder, so a path leads nowhere", cure)
            continue
        try:
            contents[index] = read_outside(folder, asset.path, MAX_ASSET_BYTES)
        except FileMissing as error:
            there = f"there is {', '.join(error.present[:6])}" if error.present else "put the file there"
            problems.add("asset-missing", place, f"there is no file {asset.path!r} beside the request", there)
        except PathRefused as error:
            cure = "put a plain picture file beside the request"
            problems.add("asset-path", place, f"{asset.path!r} is refused: {error.reason}", cure)
        if sum(map(len, contents.values())) > MAX_TOTAL_BYTES:
            message = f"up to here the assets have more than {MAX_TOTAL_BYTES:,} bytes"
            problems.add("asset-total", place, message, "send smaller pictures")
            break
    return contents


async def _stored(assets: tuple[Asset, ...], blobs: Blobs, problems: ProblemList) -> dict[int, bytes]:
    """The bytes of the assets that are given by digest, by their place in the list."""
    contents: dict[int, bytes] = {}
    for index, asset in enumerate(assets):
        if asset.sha256 is None:
            continue
        try:
            contents[index] = await blobs.get(asset.sha256)
        except PortError as error:
            message = f"the store has no whole blob of this digest: {error.reason}"
            problems.add("asset-missing", ("assets", index, "sha256"), message, "upload it first, or give a path")
    return contents


async def _facts(asset: Asset, index: int, data: bytes, pictures: Pictures, problems: ProblemList) -> Mapping[str, Any]:
    """What is filled in; nothing where it is no picture that can be used."""
    source = ("assets", index, "path" if asset.path is not None else "sha256")
    try:
        picture = await pictures.inspect(data)
        looks = await pictures.look(data) if _lacks_looks(asset) else None
    except PictureRefused as error:
        problems.add("asset-picture", source, f"this is no picture that can be used: {error.reason}", error.cure)
        return {}
    if picture.media_type not in SUFFIXES:
        cure = f"save it as one of {', '.join(SUFFIXES)}"
        problems.add("asset-picture", source, f"{picture.media_type} cannot be used", cure)
        return {}
    _compare(asset, index, picture, problems)
    return {"path": None, "sha256": sha256(data), **_identity(picture), **(_advice(asset, looks) if looks else {})}


def _compare(asset: Asset, index: int, picture: Picture, problems: ProblemList) -> None:
    for name, found in _identity(picture).items():
        given = getattr(asset, name)
        if given not in {None, found}:
            message = f"the request says {given!r}, the file has {found!r}"
            problems.add("asset-mismatch", ("assets", index, name), message, "correct it, or leave it out")


def _identity(picture: Picture) -> Mapping[str, Any]:
    return {"media_type": picture.media_type, "width": picture.width, "height": picture.height}


def _lacks_looks(asset: Asset) -> bool:
    return not asset.colours or None in (asset.focal_point, asset.lightness, asset.words_likely)


def _advice(asset: Asset, looks: Looks) -> Mapping[str, Any]:
    """What a picture looks like, where the request does not say so."""
    from compositor.workspace.request import Point

    x, y = looks.focal_point
    return {
        "colours": asset.colours or tuple(colour for colour, _ in looks.colours),
        "focal_point": asset.focal_point or Point(x=x, y=y),
        "lightness": looks.lightness if asset.lightness is None else asset.lightness,
        "words_likely": looks.words_likely if asset.words_likely is None else asset.words_likely,
    }
