"""The designer's turns: it writes, looks, finishes; after a rejection it designs anew, under constraints."""

from __future__ import annotations

import json
from typing import Any

import pytest

from compositor._values import sha256
from tests.email.designing import (
    TOOLS,
    Answer,
    asset,
    called,
    columns_of,
    finding,
    mail_of,
    message,
    request,
    sections,
    words_of,
    written,
)

WROTE = (Answer("write_file"), Answer("write_file"))
LOOKED = (Answer("render"), Answer("render"))


def test_the_first_calls_write_the_plan_and_then_the_mail() -> None:
    calls = called(request())
    assert [(call.tool, call.arguments["path"]) for call in calls] == [
        ("write_file", "plan.json"),
        ("write_file", "email.mjml"),
    ]


def test_after_writing_it_looks_at_a_wide_and_a_narrow_screen() -> None:
    calls = called(request(), results=WROTE)
    assert [(call.tool, call.arguments) for call in calls] == [
        ("render", {"screen": "desktop"}),
        ("render", {"screen": "mobile"}),
    ]


def test_after_looking_it_is_finished() -> None:
    assert not called(request(), files=written(request()), results=(*WROTE, *LOOKED))


def test_a_draft_that_stands_is_not_written_again() -> None:
    calls = called(request(), files=written(request()))
    assert {call.tool for call in calls} == {"render"}


def test_only_the_file_that_differs_is_written() -> None:
    files = {**written(request()), "plan.json": "{}"}
    assert [call.arguments["path"] for call in called(request(), files=files)] == ["plan.json"]


def test_in_review_it_only_looks() -> None:
    tools = ("list_files", "read_file", "render")
    calls = called(request(), files=written(request()), findings=[finding("clipped-text")], tools=tools)
    assert {call.tool for call in calls} == {"render"}
    assert not called(request(), files=written(request()), tools=tools, results=LOOKED)


def test_in_review_of_an_empty_workspace_there_is_nothing_to_look_at() -> None:
    assert not called(request(), tools=("render",))


def test_without_a_renderer_it_finishes_after_writing() -> None:
    assert not called(request(), tools=("write_file",), results=WROTE)


def test_a_write_that_failed_is_not_tried_for_ever() -> None:
    calls = called(request(), results=(Answer("write_file", failed=True),))
    assert all(call.tool != "write_file" for call in calls)


def test_the_same_request_gives_the_same_draft() -> None:
    assert written(request()) == written(request())


def test_after_clipped_text_the_headline_is_smaller() -> None:
    first = written(request())
    second = written(request(), after=first, findings=[finding("clipped-text")])
    assert headline_size(second) < headline_size(first)


def test_after_overlapping_text_all_stands_in_one_column() -> None:
    given = picture_request()
    assert 3 in columns_of(sections(mail_of(given))["message-1"])
    mail = mail_of(given, after=written(given), findings=[finding("overlapping-text")])
    assert set(columns_of(sections(mail)["message-1"])) == {1}


def test_repairs_of_several_rounds_add_up() -> None:
    given = picture_request()
    second = written(given, after=written(given), findings=[finding("overlapping-text")])
    third = written(given, after=second, findings=[finding("html-too-heavy", measured=200_000, threshold=99_500)])
    assert headline_size(third) == headline_size(second)
    assert len(planned_words(third)) < len(planned_words(second))


def test_the_same_rejection_over_and_over_comes_to_rest() -> None:
    files, crowded = written(picture_request()), [finding("sideways-scroll"), finding("covered-text")]
    seen = [files]
    for _ in range(6):
        files = written(picture_request(), after=files, findings=crowded)
        seen.append(files)
    assert seen[-1] == seen[-2] == seen[-3]
    sizes = [headline_size(draft) for draft in seen]
    assert sizes == sorted(sizes, reverse=True)


def test_a_mail_that_is_too_heavy_loses_its_last_messages_and_keeps_the_first() -> None:
    given = request(said={"key_messages": [message(f"Lamp number {n} of the series.") for n in range(10)]})
    heavy = finding("html-too-heavy", measured=199_000, threshold=99_500)
    shown = words_of(mail_of(given, after=written(given), findings=[heavy]))
    assert "Lamp number 0" in shown
    assert "Lamp number 9" not in shown


def test_a_picture_that_cannot_be_drawn_is_left_out() -> None:
    given = request(assets=[asset("lamp", role="hero"), asset("chair")])
    first = written(given)
    address = next(part for part in first["email.mjml"].split('"') if asset("lamp")["sha256"] in part)
    broken = finding("broken-image", f"the picture {address[:60]}… cannot be drawn")
    second = written(given, after=first, findings=[broken])
    assert asset("lamp")["sha256"] not in second["email.mjml"]
    assert "lamp" not in second["plan.json"].replace("/lamps", "").replace("See the lamps", "").replace("Lamps", "")


def test_after_foreign_colours_only_colours_of_the_palette_are_drawn() -> None:
    colours = {"primary": "#0b5d3b", "accent": "#ffb000", "background": "#fff8ee", "text": "#233"}
    given = request(brand={"name": "Lumen", "colors": colours})
    mail = mail_of(given, after=written(given), findings=[finding("off-palette")])
    fills = {wrapper.get("background-color") for wrapper in mail.iter("mj-wrapper")}
    assert fills <= {"#0b5d3b", "#ffb000", "#fff8ee", "#223333", "#ffffff", "#000000"}


def test_a_finding_that_it_has_no_cure_for_changes_nothing() -> None:
    first = written(request())
    assert written(request(), after=first, findings=[finding("no-postal-address")]) == first


def test_a_draft_that_is_not_its_own_is_replaced() -> None:
    foreign = {"email.mjml": "<mjml><mj-body css-class='smaller-x kept-'></mj-body></mjml>"}
    assert written(request(), after=foreign, findings=[finding("mjml-structure")]) == written(request())


def picture_request() -> dict[str, object]:
    names = ("lamp", "chair", "table")
    messages = [message("Short.", headline=f"The {name}", asset=name) for name in names]
    return request(said={"key_messages": messages}, assets=[asset(name) for name in names])


def headline_size(files: dict[str, str]) -> int:
    style = files["email.mjml"].split("<h1", 1)[1].split("font-size:", 1)[1]
    return int(style.split("px", 1)[0])


def planned_words(files: dict[str, str]) -> list[str]:
    plan = json.loads(files["plan.json"])
    return [words for section in plan["sections"] for words in section["microcopy"].values()]


PAINTING = (*TOOLS, "make_picture")
SHOWN = "A lamp of glass on a long table, in the evening."


def described(**blocks: Any) -> dict[str, Any]:
    """A request without a picture that says what it is about."""
    given = request(**blocks)
    return {**given, "brief": {**given["brief"], "description": SHOWN}}


def test_where_the_request_brings_no_picture_and_says_what_it_is_about_one_is_made_first() -> None:
    (call,) = called(described(), tools=PAINTING)
    assert call.tool == "make_picture"
    assert (call.arguments["name"], call.arguments["about"]) == ("hero-wide", SHOWN)
    files = {"pictures/hero-wide.png": "bytes of a picture"}
    calls = called(described(), tools=PAINTING, files=files, results=[Answer("make_picture")])
    assert [each.tool for each in calls] == ["write_file", "write_file"]
    source = str(calls[1].arguments["content"])
    assert "layout-poster" in source
    assert f"https://assets.invalid/{sha256(b'bytes of a picture')}.png" in source
    assert 'alt="See the lamps"' in source  # it leads there, and says nothing else


def test_a_long_headline_gets_a_tall_picture_to_stand_beside() -> None:
    long = "Lamps for all the long evenings that are still to come this year"
    (call,) = called(described(said={"headline": long}), tools=PAINTING)
    assert call.arguments["name"] == "hero-tall"
    assert call.arguments["height"] > call.arguments["width"]


def test_a_picture_that_could_not_be_made_is_done_without() -> None:
    calls = called(described(), tools=PAINTING, results=[Answer("make_picture", failed=True)])
    assert [each.tool for each in calls] == ["write_file", "write_file"]
    assert "layout-type" in str(calls[1].arguments["content"])


@pytest.mark.parametrize(
    "given",
    [
        request(),
        described(assets=[asset("lamp", role="hero")]),
        described(said={"headline": "Up to 30% off all lamps"}),
    ],
    ids=["nothing to show", "a picture of its own", "a figure that is the picture"],
)
def test_no_picture_is_made_where_none_is_needed(given: dict[str, Any]) -> None:
    assert "make_picture" not in [call.tool for call in called(given, tools=PAINTING)]


def test_a_made_picture_that_could_not_be_drawn_is_not_asked_for_again() -> None:
    files = {"pictures/hero-wide.png": "bytes of a picture"}
    source = str(called(described(), tools=PAINTING, files=files)[1].arguments["content"])
    digest = sha256(b"bytes of a picture")
    broken = finding("broken-image", f"the picture {digest}.png cannot be drawn")
    standing = {**files, "email.mjml": source}
    calls = called(described(), tools=PAINTING, files=standing, findings=[broken])
    assert [call.tool for call in calls] == ["write_file", "write_file"]
    assert "layout-type" in str(calls[1].arguments["content"])
