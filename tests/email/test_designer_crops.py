"""What the designer has cut: rows to one shape, and what is too tall or too wide for its place."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from xml.etree.ElementTree import Element, fromstring

import pytest

from compositor._values import Json, sha256
from compositor.authoring import DesignedCall
from compositor.capabilities.email._cuts import cut_of, ratio_of
from tests.email.designing import TOOLS, Answer, asset, called, finding, message, request, sections

CUTTING = (*TOOLS, "crop_picture")
LONG = "Each lamp is blown by hand in a small workshop beside the harbour, and no two of them are quite the same shape."
Size = tuple[int, int]


def cards(*sizes: Size, **fields: Json) -> dict[str, Any]:
    """A request with a row of short messages, whose pictures have the sizes."""
    names = [f"lamp-{number}" for number in range(len(sizes))]
    pictures = [asset(name, width=w, height=h, **fields) for name, (w, h) in zip(names, sizes, strict=True)]
    return request(said={"key_messages": [message(asset=name) for name in names]}, assets=pictures)


def feature(width: int, height: int) -> dict[str, Any]:
    return request(
        said={"key_messages": [message(LONG, asset="lamp")]}, assets=[asset("lamp", width=width, height=height)]
    )


def opening(width: int, height: int, role: str = "hero") -> dict[str, Any]:
    return request(assets=[asset("lamp", role=role, width=width, height=height)])


def crops(given: Mapping[str, Json], **more: Any) -> list[DesignedCall]:
    return [call for call in called(given, tools=CUTTING, **more) if call.tool == "crop_picture"]


def wanted(given: Mapping[str, Json]) -> dict[str, str]:
    """Asset → ratio of what is cut."""
    return {str(call.arguments["asset"]): str(call.arguments["ratio"]) for call in crops(given)}


def cut_files(given: Mapping[str, Json]) -> dict[str, str]:
    """The workspace once all is cut."""
    return {f"pictures/{call.arguments['name']}.jpg": f"bytes of {call.arguments['name']}" for call in crops(given)}


def written(given: Mapping[str, Json], files: Mapping[str, str]) -> dict[str, str]:
    calls = called(given, tools=CUTTING, files=files, results=[Answer("crop_picture")] if files else [])
    return {str(call.arguments["path"]): str(call.arguments["content"]) for call in calls if call.tool == "write_file"}


def shapes(given: dict[str, Any]) -> list[float]:
    """The shape of each picture of a row as it is shown."""
    ratios = wanted(given)
    shown = []
    for picture in given["assets"]:
        ratio = ratio_of(ratios.get(picture["id"], f"{picture['width']}:{picture['height']}"))
        assert ratio is not None
        width, height = cut_of(picture["width"], picture["height"], ratio, (0.5, 0.5)).shown
        shown.append(width / height)
    return shown


def images(element: Element) -> list[Element]:
    return list(element.iter("mj-image"))


# ---- rows


@pytest.mark.parametrize(
    "sizes",
    [
        [(1200, 1500), (1200, 1200), (1200, 900)],
        [(1200, 900), (1200, 900), (900, 1200)],
        [(600, 1800), (1200, 900)],
        [(500, 1000), (500, 1000), (500, 1000)],
        [(1200, 1040), (560, 672)],
        [(1000, 920), (1000, 980), (1000, 1000)],
    ],
)
def test_the_pictures_of_a_row_have_one_shape_within_bounds(sizes: list[Size]) -> None:
    found = shapes(cards(*sizes))
    assert wanted(cards(*sizes))
    assert max(found) / min(found) == pytest.approx(1, abs=0.02)
    assert all(0.79 <= shape <= 1.51 for shape in found)


def test_the_shape_is_that_of_most_and_those_stay_whole() -> None:
    assert wanted(cards((1200, 900), (1200, 900), (900, 1200))) == {"lamp-2": "4:3"}


def test_a_row_that_is_even_enough_stays_whole() -> None:
    assert wanted(cards((1000, 1000), (1000, 980), (1000, 1030))) == {}


def test_a_row_keeps_the_width_that_fills_a_phone() -> None:
    ratios = wanted(cards((560, 672), (560, 560), (560, 410)))
    assert ratios
    for ratio in map(ratio_of, ratios.values()):
        assert ratio is not None
        assert cut_of(560, 410, ratio, (0.5, 0.5)).width >= 432


@pytest.mark.parametrize(
    "fields", [{"role": "logo"}, {"role": "icon"}, {"words_likely": 0.7}, {"media_type": "image/gif"}]
)
def test_what_must_stay_whole_is_not_cut(fields: dict[str, Json]) -> None:
    assert wanted(cards((1200, 1500), (1200, 900), **fields)) == {}


def test_the_others_of_a_row_follow_one_that_must_stay_whole() -> None:
    given = cards((1200, 900), (1200, 900), (1200, 1200))
    given["assets"][2]["words_likely"] = 0.9
    assert wanted(given) == {"lamp-0": "1:1", "lamp-1": "1:1"}


# ---- alone


@pytest.mark.parametrize(
    ("given", "ratio"),
    [
        (opening(1000, 1000), None),
        (opening(1200, 900), None),
        (opening(1200, 480), None),
        (opening(1000, 1250), None),
        (opening(1000, 1255), None),  # nobody sees the difference
        (opening(900, 1800), "4:5"),
        (opening(1800, 600), "2:1"),
        (opening(800, 260), None),  # cut, it would no longer reach from edge to edge
        (opening(1800, 600, "product"), "3:2"),
        (feature(1200, 700), None),
        (feature(600, 1200), "4:5"),
        (feature(1800, 500), "3:2"),
    ],
)
def test_a_picture_that_is_too_tall_or_too_wide_for_its_place_is_cut(given: dict[str, Any], ratio: str | None) -> None:
    assert wanted(given) == ({"lamp": ratio} if ratio else {})


# ---- turns


def test_all_is_cut_in_one_step_before_the_mail_is_written() -> None:
    given = cards((1200, 1500), (1200, 1200), (1200, 900))
    calls = called(given, tools=CUTTING)
    assert {call.tool for call in calls} == {"crop_picture"}
    then = called(given, tools=CUTTING, files=cut_files(given), results=[Answer("crop_picture")] * len(calls))
    assert [call.tool for call in then] == ["write_file", "write_file"]


def test_the_mail_and_the_plan_show_the_cut_picture_with_the_words_of_the_whole_one() -> None:
    given = opening(900, 1800)
    files = cut_files(given)
    (path,) = files
    made = written(given, files)
    (shown,) = images(sections(fromstring(made["email.mjml"]))["hero"])
    assert shown.get("src") == f"https://assets.invalid/{sha256(files[path].encode())}.jpg"
    assert shown.get("alt") == "The lamp"
    planned = {name for section in json.loads(made["plan.json"])["sections"] for name in section["assets"]}
    assert planned == {path.removeprefix("pictures/").removesuffix(".jpg")}


def test_what_could_not_be_cut_stays_whole() -> None:
    given = cards((1200, 1500), (1200, 1200), (1200, 900))
    failed = [Answer("crop_picture", failed=True)]
    calls = called(given, tools=CUTTING, results=failed)
    assert [call.tool for call in calls] == ["write_file", "write_file"]
    assert "cut-" not in str(calls[0].arguments["content"])


def test_without_the_tool_nothing_is_cut() -> None:
    calls = called(cards((1200, 1500), (1200, 900)))
    assert {call.tool for call in calls} == {"write_file"}


def test_a_picture_that_is_cut_already_is_not_cut_again_and_another_focal_point_is_another_picture() -> None:
    given = opening(900, 1800)
    files = cut_files(given)
    assert not crops(given, files=files)
    moved = request(assets=[asset("lamp", role="hero", width=900, height=1800, focal_point={"x": 0.5, "y": 0.9})])
    assert crops(moved, files=files)


def test_a_cut_picture_that_could_not_be_drawn_gives_way_to_the_whole_one() -> None:
    given = opening(900, 1800)
    files = cut_files(given)
    (content,) = files.values()
    source = written(given, files)["email.mjml"]
    broken = finding("broken-image", f"the picture {sha256(content.encode())}.jpg cannot be drawn")
    calls = called(given, tools=CUTTING, files={**files, "email.mjml": source}, findings=[broken])
    assert {call.tool for call in calls} == {"write_file"}
    (shown,) = images(sections(fromstring(str(calls[-1].arguments["content"])))["hero"])
    assert str(shown.get("src")).endswith(".png")


def test_a_picture_is_made_and_others_are_cut_in_the_same_step() -> None:
    given = cards((1200, 1500), (1200, 900))
    given["brief"]["description"] = "A lamp of glass on a long table."
    tools = {call.tool for call in called(given, tools=(*CUTTING, "make_picture"))}
    assert tools == {"make_picture", "crop_picture"}


def test_an_approved_example_does_not_open_the_mail() -> None:
    given = request(assets=[asset("lamp")], examples=[{"id": "spring", "asset": "lamp"}])
    assert not images(fromstring(written(given, {})["email.mjml"]))
