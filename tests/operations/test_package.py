"""Taking in assets: only plain picture files below the folder of the request, and none unless all are good."""

from __future__ import annotations

import os
from collections.abc import Container, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from compositor._values import sha256
from compositor.errors import PictureRefused, PortError, RequestError
from compositor.operations._package import MAX_ASSET_BYTES, MAX_TOTAL_BYTES, load_package, missing_files
from compositor.workspace import Box, Freed, Ink, Looks, Picture
from compositor.workspace.request import Request, request_of

pytestmark = pytest.mark.anyio

LOOKS = Looks(
    colours=(("#c73d1f", 0.7), ("#ffffff", 0.2)),
    focal_point=(0.25, 0.75),
    words_likely=0.1,
    lightness=0.4,
    uniform=False,
)
KINDS = {b"PNG": ("image/png", ".png"), b"JPG": ("image/jpeg", ".jpg"), b"TIF": ("image/tiff", ".tif")}


class MarkedPictures:
    """Knows a picture by its first three bytes; the rest is no matter."""

    def __init__(self) -> None:
        self.looked_at: list[bytes] = []

    async def inspect(self, data: bytes) -> Picture:
        if data[:3] not in KINDS:
            raise PictureRefused("pictures", "the file is cut off", "export it again")
        media_type, suffix = KINDS[data[:3]]
        return Picture(media_type=media_type, suffix=suffix, width=40, height=30)

    async def look(self, data: bytes) -> Looks:
        self.looked_at.append(data)
        if data.endswith(b"cannot be seen"):
            raise PictureRefused("pictures", "it cannot be decoded", "export it again")
        return LOOKS

    async def fit(self, data: bytes, width: int, height: int) -> bytes:
        return data

    async def crop(self, data: bytes, box: Box, width: int, height: int) -> bytes:
        return data

    async def rings(self, data: bytes, inks: Sequence[Ink]) -> tuple[float | None, ...]:
        return tuple(None for _ in inks)


class MemoryBlobs:
    """Blobs in a dictionary."""

    def __init__(self, *contents: bytes) -> None:
        self.kept = {sha256(data): data for data in contents}

    async def put(self, data: bytes) -> str:
        self.kept[sha256(data)] = data
        return sha256(data)

    async def get(self, sha256: str) -> bytes:
        if sha256 not in self.kept:
            raise PortError("blobs", "there is no such blob")
        return self.kept[sha256]

    async def forget(self, keep: Container[str], *, untouched_since: datetime) -> Freed:
        return Freed()


def asking_for(*assets: dict[str, Any]) -> Request:
    named = [{"id": f"a{index}", **asset} for index, asset in enumerate(assets)]
    brief = {"name": "x", "objective": "awareness"}
    return request_of({"operation": "generate", "content": "poster", "brief": brief, "assets": named})


async def refused(request: Request, folder: Path | None, *, blobs: MemoryBlobs | None = None) -> dict[str, str]:
    """Where → code of all problems; nothing may have been stored."""
    blobs = blobs or MemoryBlobs()
    before = dict(blobs.kept)
    with pytest.raises(RequestError) as caught:
        await load_package(request, folder, MarkedPictures(), blobs)
    assert blobs.kept == before
    return {problem.where: problem.code for problem in caught.value.problems}


async def test_assets_beside_the_request_and_in_the_store_are_taken_in_alike(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "logo.png").write_bytes(b"PNG logo")
    blobs = MemoryBlobs(b"JPG hero")
    request = asking_for({"path": "art/logo.png", "alt": "Logo"}, {"sha256": sha256(b"JPG hero")})

    loaded = await load_package(request, tmp_path, MarkedPictures(), blobs)

    logo, hero = loaded.request.assets
    assert (logo.sha256, logo.media_type, logo.width, logo.height) == (sha256(b"PNG logo"), "image/png", 40, 30)
    assert (logo.path, logo.alt, hero.media_type) == (None, "Logo", "image/jpeg")
    assert {path: entry.size for path, entry in loaded.files.items()} == {
        f"assets/{logo.sha256}.png": 8,
        f"assets/{hero.sha256}.jpg": 8,
    }
    assert blobs.kept.keys() == {logo.sha256, hero.sha256}


async def test_a_loaded_request_is_a_valid_request_and_loads_again_without_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"PNG")
    blobs = MemoryBlobs()
    first = await load_package(asking_for({"path": "a.png"}), tmp_path, MarkedPictures(), blobs)
    again = request_of(first.request.model_dump(mode="json", exclude_none=True))
    assert await load_package(again, None, MarkedPictures(), blobs) == first


async def test_what_a_picture_looks_like_is_filled_in(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"PNG")
    loaded = await load_package(asking_for({"path": "a.png"}), tmp_path, MarkedPictures(), MemoryBlobs())
    (asset,) = loaded.request.assets
    assert asset.focal_point is not None
    assert (asset.focal_point.x, asset.focal_point.y) == (0.25, 0.75)
    assert (asset.colours, asset.lightness, asset.words_likely) == (("#c73d1f", "#ffffff"), 0.4, 0.1)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("focal_point", {"x": 0.0, "y": 0.0}),
        ("colours", ["#123456"]),
        ("lightness", 0.0),
        ("words_likely", 0.0),
    ],
)
async def test_what_the_caller_says_of_its_looks_stands_and_the_rest_is_filled_in(
    name: str, given: object, tmp_path: Path
) -> None:
    (tmp_path / "a.png").write_bytes(b"PNG")
    request = asking_for({"path": "a.png", name: given})
    loaded = await load_package(request, tmp_path, MarkedPictures(), MemoryBlobs())
    (asset,) = loaded.request.model_dump(mode="json")["assets"]
    assert asset[name] == given
    assert all(asset[other] not in (None, []) for other in ("focal_point", "colours", "lightness", "words_likely"))


async def test_a_picture_is_looked_at_once_and_not_again_when_all_is_known(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"PNG a")
    pictures, blobs = MarkedPictures(), MemoryBlobs(b"JPG b")
    request = asking_for({"path": "a.png"}, {"sha256": sha256(b"JPG b")})
    loaded = await load_package(request, tmp_path, pictures, blobs)
    await load_package(loaded.request, None, pictures, blobs)
    assert sorted(pictures.looked_at) == [b"JPG b", b"PNG a"]


async def test_a_picture_that_cannot_be_looked_at_is_refused_at_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"PNG cannot be seen")
    assert await refused(asking_for({"path": "a.png"}), tmp_path) == {"$.assets[0].path": "asset-picture"}


async def test_a_request_without_assets_needs_no_folder() -> None:
    assert (await load_package(asking_for(), None, MarkedPictures(), MemoryBlobs())).files == {}


async def test_two_assets_of_the_same_bytes_are_one_file(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"PNG")
    (tmp_path / "b.png").write_bytes(b"PNG")
    loaded = await load_package(
        asking_for({"path": "a.png"}, {"path": "b.png"}), tmp_path, MarkedPictures(), MemoryBlobs()
    )
    assert len(loaded.files) == 1


async def test_the_problems_of_all_assets_are_reported_at_once(tmp_path: Path) -> None:
    (tmp_path / "good.png").write_bytes(b"PNG")
    (tmp_path / "cut.png").write_bytes(b"??")
    (tmp_path / "old.tif").write_bytes(b"TIF")
    request = asking_for(
        {"path": "good.png"},
        {"path": "cut.png"},
        {"path": "gone.png"},
        {"path": "old.tif"},
        {"sha256": "0" * 64},
        {"path": "good.png", "media_type": "image/jpeg", "width": 41, "height": 30},
    )
    assert await refused(request, tmp_path) == {
        "$.assets[1].path": "asset-picture",
        "$.assets[2].path": "asset-missing",
        "$.assets[3].path": "asset-picture",
        "$.assets[4].sha256": "asset-missing",
        "$.assets[5].media_type": "asset-mismatch",
        "$.assets[5].width": "asset-mismatch",
    }


async def test_a_blob_that_is_no_picture_is_refused_at_its_digest() -> None:
    blobs = MemoryBlobs(b"text")
    assert await refused(asking_for({"sha256": sha256(b"text")}), None, blobs=blobs) == {
        "$.assets[0].sha256": "asset-picture"
    }


async def test_a_path_without_a_folder_is_refused() -> None:
    assert await refused(asking_for({"path": "a.png"}), None) == {"$.assets[0].path": "asset-path"}


async def test_a_folder_that_is_not_there_holds_no_assets(tmp_path: Path) -> None:
    assert await refused(asking_for({"path": "a.png"}), tmp_path / "gone") == {"$.assets[0].path": "asset-missing"}


@pytest.mark.parametrize("kind", ["link", "link-to-folder", "hard-link", "pipe", "folder", "file-as-folder"])
async def test_what_is_no_plain_file_of_one_name_is_refused(kind: str, tmp_path: Path) -> None:
    package, outside = tmp_path / "package", tmp_path / "outside"
    package.mkdir()
    outside.mkdir()
    (outside / "a.png").write_bytes(b"PNG secret")
    path = "a.png"
    if kind == "link":
        (package / "a.png").symlink_to(outside / "a.png")
    elif kind == "link-to-folder":
        (package / "art").symlink_to(outside)
        path = "art/a.png"
    elif kind == "hard-link":
        os.link(outside / "a.png", package / "a.png")
    elif kind == "pipe":
        os.mkfifo(package / "a.png")
    elif kind == "folder":
        (package / "a.png").mkdir()
    else:
        (package / "art").write_bytes(b"PNG")
        path = "art/a.png"
    assert await refused(asking_for({"path": path}), package) == {"$.assets[0].path": "asset-path"}


async def test_a_device_is_refused_without_being_opened() -> None:
    assert await refused(asking_for({"path": "null"}), Path("/dev")) == {"$.assets[0].path": "asset-path"}


async def test_the_folder_of_the_request_may_itself_be_reached_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.png").write_bytes(b"PNG")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert (await load_package(asking_for({"path": "a.png"}), tmp_path / "link", MarkedPictures(), MemoryBlobs())).files


async def test_names_that_differ_only_by_case_or_normal_form_are_refused(tmp_path: Path) -> None:
    for name in ("Logo.png", "logo.png", "é.png", "e\u0301.png"):
        (tmp_path / name).write_bytes(b"PNG")
    request = asking_for({"path": "logo.png"}, {"path": "é.png"})
    assert await refused(request, tmp_path) == {"$.assets[0].path": "asset-path", "$.assets[1].path": "asset-path"}


async def test_a_name_in_the_wrong_case_is_missing_and_the_right_one_is_named(tmp_path: Path) -> None:
    (tmp_path / "Logo.png").write_bytes(b"PNG")
    (problem,) = missing_files(asking_for({"path": "logo.png"}), tmp_path)
    assert (problem.code, problem.cure) == ("asset-missing", "there is Logo.png")


async def test_a_folder_that_is_a_file_holds_no_assets(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"PNG")
    assert await refused(asking_for({"path": "a.png"}), tmp_path / "file") == {"$.assets[0].path": "asset-path"}


def write(path: Path, size: int) -> None:
    """A picture file of a size, without its bytes on the disk."""
    path.write_bytes(b"PNG")
    os.truncate(path, size)


async def test_a_file_over_the_limit_is_refused_and_one_that_just_fits_is_not(tmp_path: Path) -> None:
    write(tmp_path / "full.png", MAX_ASSET_BYTES)
    write(tmp_path / "over.png", MAX_ASSET_BYTES + 1)
    request = asking_for({"path": "full.png"}, {"path": "over.png"})
    assert await refused(request, tmp_path) == {"$.assets[1].path": "asset-path"}


async def test_assets_that_are_too_large_together_are_refused_where_the_limit_is_passed(tmp_path: Path) -> None:
    write(tmp_path / "full.png", MAX_ASSET_BYTES)
    fitting = MAX_TOTAL_BYTES // MAX_ASSET_BYTES
    request = asking_for(*[{"path": "full.png"}] * (fitting + 1), {"path": "gone.png"})
    assert await refused(request, tmp_path) == {f"$.assets[{fitting}].path": "asset-total"}


async def test_nothing_is_left_open(tmp_path: Path) -> None:
    def opened() -> int:
        return sum(1 for _ in Path("/dev/fd").iterdir())

    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "a.png").write_bytes(b"PNG")
    (tmp_path / "art" / "link.png").symlink_to("a.png")
    before = opened()
    missing_files(asking_for({"path": "art/a.png"}, {"path": "art/link.png"}, {"path": "art/gone.png"}), tmp_path)
    assert opened() == before
