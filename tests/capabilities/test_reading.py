"""The support capability `reading`: it reads everything and writes nothing."""

from __future__ import annotations

import pytest

from compositor.authoring import ToolError, mentioned_tools
from compositor.capabilities.reading import reading
from compositor.errors import FileMissing
from tests.email.bench import Bench

pytestmark = pytest.mark.anyio


def bench() -> Bench:
    return Bench(capability=reading)


async def test_it_lists_every_file_whoever_owns_it() -> None:
    work = await bench().lay({"plan.json": "{}", "assets/a.png": b"x", "brand/guide.md": "x"})
    assert (await work.call("list_files")).text == "assets/a.png\nbrand/guide.md\nplan.json"


async def test_it_says_when_there_is_nothing() -> None:
    assert (await bench().call("list_files")).text == "There are no files yet."


async def test_it_reads_a_file_with_its_line_numbers() -> None:
    work = await bench().lay({"request/brief.json": '{\n  "name": "春"\n}\n'})
    answer = await work.call("read_file", path="request/brief.json")
    assert answer.text == 'request/brief.json, lines 1 to 3 of 3\n1\t{\n2\t  "name": "春"\n3\t}'


async def test_a_long_file_continues_at_a_stated_line_until_its_end() -> None:
    work = await bench().lay({"long.txt": "".join(f"line {number} {'x' * 90}\n" for number in range(1, 501))})
    seen: list[str] = []
    start = 1
    while start:
        lines = (await work.call("read_file", path="long.txt", start_line=start)).text.splitlines()
        seen += [line.split("\t")[1].split()[1] for line in lines if "\t" in line]
        start = int(lines[-1].split()[-1].rstrip(".")) if "continues at line" in lines[-1] else 0
    assert seen == [str(number) for number in range(1, 501)]


async def test_a_line_that_is_too_long_is_cut_and_says_so() -> None:
    work = await bench().lay({"email.html": "x" * 50_000})
    text = (await work.call("read_file", path="email.html")).text
    assert len(text) < 2_200
    assert "50,000 characters in this line" in text


async def test_lines_are_counted_as_everybody_else_counts_them() -> None:
    work = await bench().lay({"a.txt": "one\u2028still one\r\ntwo\x0bstill two\n"})
    assert "lines 1 to 2 of 2" in (await work.call("read_file", path="a.txt")).text


@pytest.mark.parametrize("start", [0, -1, 3])
async def test_a_line_that_is_not_there_is_refused(start: int) -> None:
    work = await bench().lay({"a.txt": "one\ntwo\n"})
    with pytest.raises(ToolError, match="lines 1 to 2"):
        await work.call("read_file", path="a.txt", start_line=start)


async def test_a_picture_is_no_text_and_an_empty_file_is_empty() -> None:
    work = await bench().lay({"assets/a.png": b"\x89PNG\0\0", "empty.txt": ""})
    with pytest.raises(ToolError, match="no text"):
        await work.call("read_file", path="assets/a.png")
    assert (await work.call("read_file", path="empty.txt")).text == "empty.txt is empty."


async def test_a_missing_file_is_told_with_what_there_is() -> None:
    work = await bench().lay({"plan.json": "{}"})
    with pytest.raises(FileMissing, match=r"plan\.json"):
        await work.call("read_file", path="plan.jsn")


def test_no_tool_writes_and_the_instructions_name_the_tools() -> None:
    assert [tool.writes for tool in reading.tools] == [(), ()]
    paragraphs = reading.instructions(bench().view).paragraphs
    assert {name for p in paragraphs for name in mentioned_tools(p)} == {tool.name for tool in reading.tools}
