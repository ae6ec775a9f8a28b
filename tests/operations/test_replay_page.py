"""The folder and the page of a replay: everything that was said and done, and nothing that can run or load."""

from __future__ import annotations

import itertools
import re
from contextlib import suppress
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from compositor.capabilities import (
    ToolContext,
    ToolResult,
    tool,
)
from compositor.errors import (
    CompositorError,
    RequestError,
)
from compositor.operations import (
    export_replay,
    refuse_filled,
    resume,
)
from compositor.operations._replay_page import replay_page
from compositor.runtime import Reply
from compositor.testing import Scripted, calls, flat_png
from compositor.workspace import Page, Screen, Snapshot
from tests.operations.replays import Seen, Stops, Watched, begin_judged, drawing, judged, models, page_of, poems, told
from tests.operations.test_generate import ENDS
from tests.runtime.bench import (
    BETTER,
    GOOD,
    LONG,
    Run,
    begin,
    made,
    place,
    write,
    writes,
)

pytestmark = pytest.mark.anyio


async def test_a_folder_has_the_files_after_each_step_each_draft_and_a_page(tmp_path: Path) -> None:
    async with place() as environment:
        moments = await told(await judged(environment, Seen()), environment)
        await export_replay(moments, environment.blobs, tmp_path / "replay")
    files = {str(p.relative_to(tmp_path / "replay")): p for p in (tmp_path / "replay").rglob("*") if p.is_file()}
    texts = {name: file.read_text() for name, file in files.items() if name.endswith(".txt")}
    assert sorted({name.split("/")[0] for name in files}) == [
        *("draft-1", "draft-2", "draft-3", "replay.html"),
        *(f"step-{number:02}" for number in range(1, 8)),
    ]
    assert texts["step-01/poem.txt"] == LONG
    assert (texts["step-01/title.txt"], texts["step-02/title.txt"]) == ("Flowers", "Roses")
    assert [texts[f"draft-{n}/shout.txt"] for n in (1, 2, 3)] == [LONG.upper(), GOOD.upper(), BETTER.upper()]
    assert texts["step-05/shout.txt"] == LONG.upper()  # draft 2 is not built yet
    assert texts["step-06/shout.txt"] == GOOD.upper()
    assert files["draft-3/page.png"].read_bytes() == flat_png(60, 40)
    assert "draft-3/evidence/copy.json" in files


async def test_a_folder_that_is_not_empty_or_is_a_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "empty").mkdir()
    run = await made(writes(GOOD))
    moments = await told(run.result.operation, run.environment)
    for folder, reason in (("full", "not empty"), ("full/mine.txt", "is a file")):
        with pytest.raises(RequestError, match=reason):
            await export_replay(moments, run.environment.blobs, tmp_path / folder)
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
    refuse_filled(tmp_path / "empty")
    refuse_filled(tmp_path / "new" / "deep")
    assert not (tmp_path / "new").exists()


async def test_a_folder_that_cannot_be_written_to_the_end_is_an_error(tmp_path: Path) -> None:
    run = await made(writes(GOOD))
    moments = await told(run.result.operation, run.environment)
    entry = moments[-1].snapshot.files["poem.txt"]
    odd = Snapshot(files={"a": entry, "a/b": entry})  # no file system has both
    moments = [replace(moment, snapshot=odd) for moment in moments]
    with pytest.raises(RequestError, match="cannot write"):
        await export_replay(moments, run.environment.blobs, tmp_path / "replay")


HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(2)> $style ${main} </style> \x00\ud83c&amp;"


class Elements(HTMLParser):
    """Every element of a page with its attributes, and the words that a reader sees."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.all: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self._style = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.all.append((tag, dict(attrs)))
        self._style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._style = False

    def handle_data(self, data: str) -> None:
        self.words += "" if self._style else f"{data} "

    def named(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of the elements of one name."""
        return [attributes for name, attributes in self.all if name == tag]


async def test_the_page_tells_turns_calls_answers_diffs_drafts_verdicts_and_rejections() -> None:
    async with place() as environment:
        page = await page_of(await drawing(environment), environment.blobs)
    seen = Elements(page)
    words = " ".join(seen.words.split())
    for expected in (
        *(
            "Ada",
            "Opened",
            "Turn 1",
            "Step 1.1",
            "I begin.",
            "write_poem",
            "text one two three",
            "wrote 7 words",
            "Made: sketch/one",
        ),
        *("poem.txt", "new, 33 bytes", "+1", "+one two three", "there is no tool 'sing'"),
        *("Draft 1", "shout.txt", "too-long", "Sent back: it was measured", "Repair 1 of 2."),
        *("Interrupted at", "Resumed at", "The judge", "Let me see.", f"It says: {GOOD}", "make it rhyme"),
        *("Sent back: it was judged", "Draft 3", "Ended", "Succeeded.", "It took 2 attempts.", "Replies were scripted"),
    ):
        assert expected in words, expected
    links = [a["href"] for a in seen.named("a") if a.get("href")]
    ids = [attributes["id"] for _, attributes in seen.all if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in links if link} <= set(ids)


async def test_the_page_loads_nothing_and_each_picture_stands_on_it_once() -> None:
    async with place() as environment:
        moments = await drawing(environment)
        page = await page_of(moments, environment.blobs)
    seen = Elements(page)
    targets = [a[name] or "" for _, a in seen.all for name in ("href", "src", "action") if name in a]
    assert all(target.startswith(("#", "data:image/png;base64,")) for target in targets)
    assert "default-src 'none'" in page
    assert not {"script", "img", "iframe", "link", "form"} & {name for name, _ in seen.all}
    images = [image["id"] for image in seen.named("image")]
    assert len(images) == 2  # a sketch, and the render of every draft, which never changes
    uses = [use["href"] for use in seen.named("use")]
    assert set(uses) == {f"#{image}" for image in images}
    assert len(uses) == 4


async def test_the_page_has_landmarks_ordered_headings_and_named_pictures() -> None:
    async with place() as environment:
        seen = Elements(await page_of(await drawing(environment), environment.blobs))
    names = [name for name, _ in seen.all]
    assert [name for name in names if name in {"header", "nav", "main", "footer"}] == [
        "header",
        "main",
        "nav",
        "footer",
    ]
    levels = [int(name[1]) for name in names if re.fullmatch("h[1-6]", name)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert all(svg.get("aria-label") or svg.get("aria-hidden") for svg in seen.named("svg"))


async def test_nothing_that_models_and_tools_said_becomes_markup() -> None:
    @tool()
    async def echo(ctx: ToolContext, text: str) -> ToolResult:
        """Echo."""
        await ctx.files.write("poem.txt", f"{text}\n")
        return ToolResult(text=text)

    reply = replace(calls(("echo", {"text": HOSTILE}), (HOSTILE, {HOSTILE: HOSTILE})), text=HOSTILE)
    broken = replace(reply, calls=(replace(reply.calls[0], arguments=HOSTILE),))
    run = await made(Scripted({(1, 1): reply, (1, 2): broken}), tools=(echo,), asks={"brief": {
        "name": HOSTILE.replace("\x00", "").replace("\ud83c", ""), "objective": "awareness"}})  # fmt: skip
    page = await page_of(await told(run.result.operation, run.environment), run.environment.blobs)
    seen = Elements(page)
    assert not {"script", "img", "iframe", "object", "link", "form"} & {name for name, _ in seen.all}
    assert not [name for _, attributes in seen.all for name in attributes if name.startswith("on")]
    assert page.encode("utf-8")
    assert "\x00" not in page


async def test_long_texts_and_diffs_are_cut_and_counted_on_the_page() -> None:
    @tool()
    async def fill(ctx: ToolContext, lines: int) -> ToolResult:
        """Fill the poem with lines."""
        await ctx.files.write("poem.txt", "".join(f"line {number}\n" for number in range(lines)))
        return ToolResult(text="\n".join(["filled"] * 30))

    reply = replace(calls(("fill", {"lines": 1000})), text="w" * 30_000)
    run = await made(Scripted({(1, 1): reply}), tools=(fill,))
    page = await page_of(await told(run.result.operation, run.environment), run.environment.blobs)
    words = " ".join(Elements(page).words.split())
    assert "and 10,000 more characters" in words
    assert "and 601 more lines" in words
    assert "line 999" not in words
    assert [one.get("open", "") for one in Elements(page).named("details") if "change" in (one["class"] or "")] == [""]


async def test_pictures_for_which_there_is_no_room_are_named() -> None:
    async with place() as environment:
        moments = await drawing(environment)
    words = " ".join(Elements(replay_page(moments, {})).words.split())
    assert "No room on this page for render/page." in words
    assert "sketch/one" in words


@pytest.mark.parametrize("after", range(20))
async def test_wherever_an_operation_was_stopped_its_page_says_so_in_that_chapter(after: int) -> None:
    async with place(Stops(after)) as environment:
        seen = Seen()
        handle = begin_judged(environment, seen)
        with suppress(CompositorError):
            await handle
        page = await page_of(await told(handle.operation, environment), environment.blobs)
        assert "Interrupted at" in page
        await resume(handle.operation, agents=[poems(seen)], models=models(), environment=environment)
        page = await page_of(await told(handle.operation, environment), environment.blobs)
        assert "attempt 2" in page


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (calls(("write_title", {"text": "Flowers"})), "Nothing that it is built from has changed."),
        (write("nothing"), "the deliverable could not be built: ValueError: there is nothing to shout"),
    ],
)
async def test_a_build_that_changed_nothing_or_failed_says_so(second: Reply, words: str) -> None:
    async with place() as environment:
        script = {(1, 1): write(LONG), (2, 1): second}
        result = await begin(Watched(Scripted(script)), environment, made_by=poems(Seen()))
        page = await page_of(await told(result.operation, environment), environment.blobs)
    assert words in Elements(page).words


@pytest.mark.parametrize("until", range(1, 12))
async def test_any_beginning_of_an_operation_has_its_page(until: int) -> None:
    async with place() as environment:
        moments = await told(await judged(environment, Seen()), environment)
        page = await page_of(moments[:until], environment.blobs)
    assert "It has not ended" in page


@pytest.mark.parametrize(("ends", "policy"), [(ends, policy) for ends, policy, _ in ENDS])
async def test_every_ending_has_its_page(ends: object, policy: str) -> None:
    run: Run = await ends(policy)  # type: ignore[operator]  # one of the functions of that table
    page = await page_of(await told(run.result.operation, run.environment), run.environment.blobs)
    assert f"{run.result.status.capitalize()}." in page
    assert all(f">{line}<" in page or line in page for line in run.result.warnings)


@pytest.mark.browser
async def test_drawn_from_320_pixels_up_nothing_is_clipped_covered_or_asked_for() -> None:
    from compositor.adapters import shipped
    from compositor.verifiers.layout import examined_texts, layout_findings
    from compositor.workspace import Resource

    asked: list[str] = []

    async def refuse(url: str) -> Resource | None:
        asked.append(url)
        return None

    async with place() as environment:
        page = await page_of(await drawing(environment), environment.blobs)
    async with shipped.renderer() as renderer:
        screens = [Screen(name=str(width), width=width) for width in (320, 375, 768, 1280)]
        drawn = await renderer.render(Page(html=page, fulfil=refuse), screens)
    for rendering in drawn:
        assert examined_texts(rendering.facts) > 100
        assert [f for f in layout_findings(rendering.facts, label="replay") if f.severity == "blocking"] == []
        assert rendering.refused == ()
    assert asked == []
