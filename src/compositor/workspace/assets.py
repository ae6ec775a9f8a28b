"""Where an asset of the request stands: in the workspace, and in the deliverable.

Both places are made of the digest of its bytes, so that a name can neither clash nor lie. An asset here is the JSON
object of a request that an operation has opened: `sha256` and `media_type` are filled in.
"""

from __future__ import annotations

from collections.abc import Mapping

from compositor._values import Json

FOLDER = "assets/"
"""The workspace folder of all assets."""

SUFFIXES: Mapping[str, str] = {
    "image/avif": ".avif",
    "image/gif": ".gif",
    "image/jpeg": ".jpg",
    "image/png": ".png",
    "image/webp": ".webp",
}
"""The media types that an asset may have, and the suffix that each gets."""


def asset_name(sha256: str, media_type: str) -> str:
    """The file name of an asset: its digest and the suffix of its media type.

    Raises:
        KeyError: a media type that is not in `SUFFIXES`.
    """
    return sha256 + SUFFIXES[media_type]


def asset_path(asset: Mapping[str, Json]) -> str:
    """The workspace path of an asset, for example `assets/9f86d0….png`."""
    return FOLDER + asset_name(asset["sha256"], asset["media_type"])


def asset_url(asset: Mapping[str, Json], base: str) -> str:
    """The address of an asset in the deliverable; `base` is the request's `delivery.asset_base_url`, with its slash."""
    return base + asset_name(asset["sha256"], asset["media_type"])
