"""The pictures of a mail: their addresses in the source, and the files behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.workspace import Files, Fulfil, Resource, View
from compositor.workspace.assets import FOLDER, SUFFIXES, asset_name, asset_url

PLACEHOLDER_BASE = "https://assets.invalid/"
"""The base of a request that names none: it is not reachable, and the sender has to replace it (RFC 2606)."""

_MEDIA_TYPES = {suffix: media_type for media_type, suffix in SUFFIXES.items()}


def base_url(view: View) -> str:
    """The address in front of every asset's file name."""
    return str(view.get("delivery.asset_base_url", PLACEHOLDER_BASE))


def known_assets(view: View) -> Sequence[Mapping[str, Json]]:
    """The request's assets that can be shown: those whose file is known."""
    return tuple(a for a in view.get("assets", ()) if a.get("sha256") and a.get("media_type") in SUFFIXES)


def addressed(view: View) -> Iterator[tuple[Mapping[str, Json], str]]:
    """Each asset with its address in the mail."""
    base = base_url(view)
    for asset in known_assets(view):
        yield asset, asset_url(asset, base)


def fulfilment(files: Files, view: View) -> Fulfil:
    """Answers the addresses of assets from the workspace, and refuses everything else."""
    base = base_url(view)
    names = {asset_name(asset["sha256"], asset["media_type"]) for asset in known_assets(view)}

    async def fulfil(url: str) -> Resource | None:
        name = url.removeprefix(base)
        if not url.startswith(base) or name not in names or not files.exists(FOLDER + name):
            return None
        return Resource(data=await files.read(FOLDER + name), media_type=_MEDIA_TYPES[name[name.rindex(".") :]])

    return fulfil
