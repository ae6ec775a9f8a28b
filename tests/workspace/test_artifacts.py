"""Artifacts: labelled things within a scope, and the shapes that all content types share."""

from __future__ import annotations

import json
from typing import Any

import pytest

from compositor import workspace
from compositor._values import sha256
from compositor.errors import FileMissing, NotOwned, PictureRefused, PortError
from compositor.testing import MemoryBlobs
from compositor.workspace import (
    EVERYTHING,
    Artifact,
    Artifacts,
    Blobs,
    ColourPair,
    ColourUse,
    ImageWish,
    Placement,
    Ports,
    Section,
    Snapshot,
    copy_json,
    copy_sections,
    made,
)

pytestmark = pytest.mark.anyio


async def things(blobs: Blobs, **facts: Any) -> dict[str, Artifact]:
    return {
        "copy": await made(blobs, b'{"sections": []}', "application/json"),
        "render/large": await made(blobs, b"PNG", "image/png", facts),
        "render/small": await made(blobs, b"png", "image/png"),
        "renderer": await made(blobs, b"text", "text/plain"),
    }


async def test_what_is_made_is_stored_and_described() -> None:
    blobs = MemoryBlobs()
    artifact = await made(blobs, b"PNG", "image/png", {"width": 600})
    assert artifact == Artifact(media_type="image/png", sha256=sha256(b"PNG"), size=3, facts={"width": 600})
    assert await blobs.get(artifact.sha256) == b"PNG"
    assert Artifact.from_json(json.loads(json.dumps(artifact.as_json()))) == artifact


async def test_a_label_or_a_folder_of_labels_is_read_within_the_scope() -> None:
    blobs = MemoryBlobs()
    artifacts = Artifacts(await things(blobs), blobs, reads=("copy", "render/"))
    assert await artifacts.read_json("copy") == {"sections": []}
    assert await artifacts.read("render/large") == b"PNG"
    assert artifacts.labels() == ("copy", "render/large", "render/small")
    assert artifacts.labels("render/") == artifacts.labels("render") == ("render/large", "render/small")
    assert artifacts.get("render/none") is None
    with pytest.raises(NotOwned):
        artifacts.get("renderer")
    with pytest.raises(FileMissing) as missing:
        await artifacts.read("render/none")
    assert missing.value.present == ("copy", "render/large", "render/small")


@pytest.mark.parametrize("folder", ["render", "render/", ""])
async def test_a_listing_of_labels_is_logged_as_the_folder_that_was_listed(folder: str) -> None:
    blobs = MemoryBlobs()
    before = await things(blobs)
    artifacts = Artifacts(before, blobs)
    artifacts.labels(folder)
    assert artifacts.trace.holds(Snapshot(), before)
    assert not artifacts.trace.holds(Snapshot(), before | {"render/wide": before["render/large"]})
    assert not artifacts.trace.holds(Snapshot(), await things(blobs, width=600))
    outside = {label: artifact for label, artifact in before.items() if label != "copy"}
    assert artifacts.trace.holds(Snapshot(), outside) == bool(folder)


async def test_a_label_is_logged_with_its_facts_and_also_where_there_is_none() -> None:
    blobs = MemoryBlobs()
    before = await things(blobs)
    artifacts = Artifacts(before, blobs, reads=EVERYTHING)
    artifacts.get("render/large")
    artifacts.get("none")
    assert artifacts.trace.holds(Snapshot(), before)
    assert not artifacts.trace.holds(Snapshot(), await things(blobs, width=600))
    assert not artifacts.trace.holds(Snapshot(), before | {"none": before["copy"]})


def test_the_words_of_a_deliverable_survive_json() -> None:
    sections = (
        Section(id="head", role="headline", text="Öffnet", place="line 3", box=(0.0, 1.5, 20.0, 30.0)),
        Section(id="foot", role="legal", text=""),
    )
    assert copy_sections(json.loads(copy_json(sections))) == sections


def test_a_colour_use_is_told_in_hundredths_of_a_per_cent() -> None:
    use = ColourUse(colour="#102030", use="text", share=0.123456)
    assert use.as_json() == {"colour": "#102030", "use": "text", "share": 0.1235}


def test_what_a_render_says_of_its_pictures_and_colours_survives_json() -> None:
    place = Placement(asset="logo", box=(24.0, 24.5, 120.0, 40.0), clear=23.5, nearest="edge")
    pair = ColourPair(colour="#102030", behind="#ffffff", text="Öffnet", box=(0.0, 1.5, 20.0, 30.0))
    assert Placement.from_json(json.loads(json.dumps(place.as_json()))) == place
    assert ColourPair.from_json(json.loads(json.dumps(pair.as_json()))) == pair


class Anything:
    """Stands for any port."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"{name} is not used here")


def test_ports_are_narrowed_to_those_that_are_named() -> None:
    renderer, compiler, pictures = Anything(), Anything(), Anything()
    ports = Ports(renderer=renderer, compiler=compiler, pictures=pictures)
    assert (ports.renderer, ports.compiler, ports.pictures) == (renderer, compiler, pictures)
    narrow = ports.only(("compiler", "sandbox"))
    assert narrow.compiler is compiler
    with pytest.raises(PortError, match=r"not given to this capability → add 'renderer' to its `ports`"):
        _ = narrow.renderer
    with pytest.raises(PortError) as refused:
        _ = Ports().pictures
    assert refused.value.port == "pictures"


def test_an_unknown_name_of_the_floor_is_an_attribute_error_as_everywhere() -> None:
    assert workspace.Request.__name__ == "Request"
    with pytest.raises(AttributeError, match=r"'compositor\.workspace' has no attribute 'Reqest'"):
        _ = workspace.Reqest


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"width": 8}, "a side of 8×400"),
        ({"height": 9_000}, "a side of 600×9000"),
        ({"width": 2_048, "height": 2_048}, "the whole of 2048×2048"),
        ({"colours": ("#102030", "navy")}, "'navy' is no colour"),
    ],
)
async def test_a_picture_that_nobody_can_make_is_refused_before_anybody_is_asked(
    changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(PictureRefused, match=said):
        ImageWish(**{"about": "a lamp at dusk", "width": 600, "height": 400, **changes})
