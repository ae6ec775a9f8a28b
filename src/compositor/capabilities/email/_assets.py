"""The pictures of a mail: their addresses in the source, and the files behind them.

There are two kinds: assets, which come with the request, and pictures that were made for this mail. A made one is
spoken of as an asset too: `id` is its name, `file` its path in the workspace, `sha256` and `media_type` are what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json, sha256
from compositor.capabilities.email._deliverable import PICTURES
from compositor.workspace import Files, Fulfil, Ports, Resource, View
from compositor.workspace.assets import SUFFIXES, asset_path, asset_url

PLACEHOLDER_BASE = "https://assets.invalid/"
"""The base of a request that names none: it is not reachable, and the sender has to replace it (RFC 2606)."""

_MEDIA_TYPES = {suffix: media_type for media_type, suffix in SUFFIXES.items()}

Asset = Mapping[str, Json]


def base_url(view: View) -> str:
    """The address in front of every asset's file name."""
    return str(view.get("delivery.asset_base_url", PLACEHOLDER_BASE))


def known_assets(view: View) -> Sequence[Asset]:
    """The request's assets that can be shown: those whose file is known."""
    return tuple(a for a in view.get("assets", ()) if a.get("sha256") and a.get("media_type") in SUFFIXES)


def addressed(view: View) -> Iterator[tuple[Asset, str]]:
    """Each asset of the request with its address in the mail."""
    base = base_url(view)
    for asset in known_assets(view):
        yield asset, asset_url(asset, base)


def examples_of(view: View) -> frozenset[str]:
    """The ids of assets that are approved examples: they are looked at, and are no pictures of this mail."""
    return frozenset(str(example["asset"]) for example in view.get("examples", ()) if example.get("asset"))


def offered(view: View) -> tuple[tuple[Asset, str], ...]:
    """Each asset of the request that the writer is offered to show, with its address."""
    examples = examples_of(view)
    return tuple((asset, url) for asset, url in addressed(view) if asset["id"] not in examples)


async def showable(files: Files, view: View) -> tuple[tuple[Asset, str], ...]:
    """Each picture that the mail may show, with its address: the request's, then those that were made for it."""
    base = base_url(view)
    return (*addressed(view), *((picture, asset_url(picture, base)) for picture in await made_pictures(files)))


async def made_pictures(files: Files) -> tuple[Asset, ...]:
    """The pictures that were made for this mail, by name; where `PICTURES` may not be read, none."""
    return tuple([made_picture(path, await files.read(path)) for path in files.list(PICTURES)])


def made_picture(path: str, data: bytes) -> Asset:
    """A picture that was made for this mail, as an asset."""
    name, dot, suffix = path.removeprefix(PICTURES).rpartition(".")
    return {"id": name, "file": path, "sha256": sha256(data), "media_type": _MEDIA_TYPES[dot + suffix]}


def file_of(asset: Asset) -> str:
    """The path of a picture in the workspace, whichever of the two kinds it is."""
    return str(asset.get("file") or asset_path(asset))


MOST_DRAWN_PIXELS = 16_000_000
"""Of a picture that a browser is given as it is: it holds four bytes for each. A larger one is drawn from a copy."""
COPY_SIDE = 2400
"""Pixels of the longer side of such a copy: four times the width of a mail, so that it looks the same."""


def fulfilment(files: Files, view: View, ports: Ports) -> Fulfil:
    """Answers the addresses of pictures from the workspace, and refuses everything else.

    Args:
        files: of the email.
        view: of the email.
        ports: `pictures` makes a smaller copy of one that is too large to draw.
    """
    places: dict[str, Asset] = {}

    async def fulfil(url: str) -> Resource | None:
        if not places:
            places.update({address: asset for asset, address in await showable(files, view)})
        asset = places.get(url)
        if asset is None or not files.exists(file_of(asset)):
            return None
        data = await files.read(file_of(asset))
        if int(asset.get("width") or 0) * int(asset.get("height") or 0) > MOST_DRAWN_PIXELS:
            return Resource(data=await ports.pictures.fit(data, COPY_SIDE, COPY_SIDE), media_type="image/png")
        return Resource(data=data, media_type=asset["media_type"])

    return fulfil
