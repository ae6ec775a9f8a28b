"""Assets are named by their digest, in the workspace and in the deliverable."""

from __future__ import annotations

import pytest

from compositor.workspace import checked_path
from compositor.workspace.assets import FOLDER, SUFFIXES, asset_path, asset_url

DIGEST = "0123456789abcdef" * 4


@pytest.mark.parametrize("media_type", sorted(SUFFIXES))
def test_the_file_and_the_address_of_an_asset_end_in_the_same_name(media_type: str) -> None:
    asset = {"id": "hero", "sha256": DIGEST, "media_type": media_type}
    name = DIGEST + SUFFIXES[media_type]
    assert checked_path(asset_path(asset)) == FOLDER + name
    assert asset_url(asset, "https://assets.shop.test/p/") == f"https://assets.shop.test/p/{name}"


def test_no_two_kinds_of_picture_share_a_suffix() -> None:
    assert len(set(SUFFIXES.values())) == len(SUFFIXES)
