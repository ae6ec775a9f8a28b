"""What the writer can do with an email."""

from __future__ import annotations

import json

import pytest

from compositor._values import sha256
from compositor.authoring import ToolError
from compositor.errors import NotOwned
from compositor.tools import ArgumentFault, checked_arguments
from tests.email.bench import (
    PICTURE,
    REQUEST,
    Bench,
    PaperRenderer,
    clean_mail,
    mail,
    plan_text,
    with_delivery,
    with_picture,
)

pytestmark = pytest.mark.anyio


async def test_writing_a_file_keeps_it_and_says_its_size() -> None:
    bench = Bench()
    answer = await bench.call("write_file", path="email.mjml", content=clean_mail())
    assert await bench.text("email.mjml") == clean_mail()
    assert "Structure: nothing found." in answer.text


async def test_writing_tells_what_is_wrong_in_the_structure_at_once() -> None:
    answer = await Bench().call("write_file", path="email.mjml", content=mail("<mj-txt>x</mj-txt>"))
    assert "email.mjml:5 <mj-txt>" in answer.text
    assert "write <mj-text>" in answer.text


async def test_writing_a_plan_tells_its_sections_or_its_faults() -> None:
    bench = Bench()
    assert "Sections: hero, footer." in (await bench.call("write_file", path="plan.json", content=plan_text())).text
    answer = await bench.call("write_file", path="plan.json", content=plan_text(sections=[{"id": "A B"}], extra=1))
    for words in ("$.extra", "$.sections[0].id", "$.sections[0].role"):
        assert words in answer.text


@pytest.mark.parametrize("path", ["email.html", "request/brief.json", "../x", "other.txt"])
async def test_no_other_file_can_be_named(path: str) -> None:
    fault = checked_arguments(
        "write_file", Bench().tool("write_file").schema, json.dumps({"path": path, "content": "x"})
    )
    assert isinstance(fault, ArgumentFault)


async def test_a_tool_cannot_write_what_is_derived() -> None:
    with pytest.raises(NotOwned):
        await Bench().call("write_file", path="email.html", content="x")


async def test_a_huge_file_is_refused() -> None:
    with pytest.raises(ToolError, match="at most 262,144"):
        await Bench().call("write_file", path="email.mjml", content="x" * 300_000)


async def test_an_edit_replaces_one_exact_piece() -> None:
    bench = await Bench().lay({"email.mjml": clean_mail()})
    await bench.call("edit_file", path="email.mjml", old="See the lamps", new="Look at the lamps")
    assert await bench.text("email.mjml") == clean_mail().replace("See the lamps", "Look at the lamps")


async def test_an_edit_that_fits_twice_is_refused_with_the_lines() -> None:
    bench = await Bench().lay({"email.mjml": "a\nlamp\nb\nlamp\n"})
    with pytest.raises(ToolError, match=r"2 times in email.mjml \(lines 2, 4\)"):
        await bench.call("edit_file", path="email.mjml", old="lamp", new="light")


async def test_an_edit_that_fits_nowhere_shows_what_is_near() -> None:
    bench = await Bench().lay({"email.mjml": clean_mail()})
    with pytest.raises(ToolError, match=r"0 times(?s:.*)5: .*Lamps for light evenings"):
        await bench.call("edit_file", path="email.mjml", old="<mj-text><h1>Spring is her</h1><p>Lamps", new="x")


async def test_an_edit_of_nothing_and_of_no_file_is_refused() -> None:
    bench = Bench()
    with pytest.raises(ToolError, match="write it first"):
        await bench.call("edit_file", path="email.mjml", old="a", new="b")
    await bench.lay({"email.mjml": "x"})
    with pytest.raises(ToolError, match="empty"):
        await bench.call("edit_file", path="email.mjml", old="", new="b")


async def test_looking_gives_the_picture_and_what_was_measured_and_writes_nothing() -> None:
    bench = await Bench().lay({"email.mjml": clean_mail()})
    before = bench.snapshot
    answer = await bench.call("render", screen="mobile")
    assert answer.images == ("preview/mobile",)
    assert answer.artifacts["preview/mobile"].media_type == "image/png"
    assert "375×900" in answer.text
    assert "bytes" in answer.text
    assert "1 visible texts" in answer.text
    assert bench.snapshot == before
    assert bench.tool("render").writes == ()


async def test_looking_at_what_does_not_compile_or_is_not_there_is_refused_with_the_reason() -> None:
    bench = Bench()
    with pytest.raises(ToolError, match="write it first"):
        await bench.call("render", screen="desktop")
    await bench.lay({"email.mjml": mail("<mj-text>a < b</mj-text>")})
    with pytest.raises(ToolError, match="line 5"):
        await bench.call("render", screen="desktop")


async def test_every_tool_has_words_and_a_checkable_schema() -> None:
    from compositor.tools import schema_faults

    for tool in Bench().capability.tools:
        assert tool.about
        assert schema_faults(tool.schema) == ()


async def test_the_writer_finds_the_parts_of_the_request_with_whose_words_they_are() -> None:
    bench = Bench({**REQUEST, "claims": [{"id": "c1", "text": "Bright"}], "blueprint": {"a": 1}})
    files = bench.capability.files(bench.view)
    assert {path: given.voice for path, given in files.items()} == {
        "request/brief.json": "user",
        "request/delivery.json": "upstream",
        "request/claims.json": "upstream",
        "request/blueprint.json": "upstream",
    }


async def test_the_instructions_name_only_tools_that_there_are() -> None:
    from compositor.authoring import mentioned_tools

    bench = Bench({"brief": {"name": "x", "objective": "awareness"}})
    paragraphs = bench.capability.instructions(bench.view).paragraphs
    mentioned = {name for paragraph in paragraphs for name in mentioned_tools(paragraph)}
    assert mentioned == {"write_file", "edit_file", "make_picture", "crop_picture", "render"}


async def test_the_writer_finds_the_pictures_with_the_addresses_to_use() -> None:
    bench = Bench(with_picture())
    (listed,) = json.loads(bench.capability.files(bench.view)["request/assets.json"].content)
    assert listed["id"] == "lamp"
    assert listed["url"] == f"https://pictures.lumen.test/{sha256(PICTURE)}.jpg"


async def test_the_pictures_of_approved_examples_are_not_offered_as_pictures_to_show() -> None:
    given = with_picture()
    (lamp,) = given["assets"]
    shown = {**lamp, "id": "table", "sha256": "1" * 64}
    both = {**given, "assets": [lamp, shown], "examples": [{"id": "spring", "asset": "lamp"}, {"id": "words"}]}
    files = Bench(both).capability.files(Bench(both).view)
    assert [each["id"] for each in json.loads(files["request/assets.json"].content)] == ["table"]
    assert json.loads(files["request/examples.json"].content)[0] == {"id": "spring", "asset": "lamp"}
    alone = {**both, "assets": [lamp]}
    assert "request/assets.json" not in Bench(alone).capability.files(Bench(alone).view)


async def test_the_instructions_say_what_this_request_fixes() -> None:
    request = {
        **with_delivery(subject="Spring is here", merge_tags="mailchimp"),
        "brief": {**REQUEST["brief"], "must_include": ["Terms apply"]},
        "rules": {"required_disclosures": [{"id": "d", "text": "x"}]},
        "locale": "de",
    }
    bench = Bench(request)
    said = bench.capability.instructions(bench.view).paragraphs[-1]
    for words in ('<mjml lang="de">', "mailchimp", "Spring is here", "unsubscribe", "postal_address", "must_include"):
        assert words in said
    assert "required disclosure" in said


async def test_an_outside_mail_can_be_looked_at() -> None:
    bench = await Bench().lay({"outside.html": "<html><p>x</p></html>"}, by_writer=False)
    assert (await bench.call("render", screen="narrow")).images == ("preview/narrow",)


async def test_pictures_that_were_not_shown_are_named() -> None:
    bench = Bench(renderer=PaperRenderer(asks=["https://other.test/a.png"]))
    await bench.lay({"email.mjml": clean_mail()})
    assert "https://other.test/a.png" in (await bench.call("render", screen="desktop")).text
