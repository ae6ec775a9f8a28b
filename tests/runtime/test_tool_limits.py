"""What a tool may take, answer and show, and what it may do to us: nothing that ends the run."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

import anyio
import pytest

from compositor._values import sha256
from compositor.capabilities import EVERYTHING, Capability, CheckContext, Report, ToolContext, ToolResult, tool
from compositor.errors import CompileFailed, PictureRefused, PortError, StorageFailed
from compositor.operations import Environment, resume
from compositor.runtime import Answer, Prompt, Reply, Role
from compositor.runtime._running import MAX_KEPT_BYTES, MAX_TEXT_BYTES
from compositor.runtime._scopes import MAX_NOTES
from compositor.runtime._showing import MAX_EDGE, MAX_PICTURE_BYTES, MAX_SHOWN
from compositor.testing import MemoryBlobs, MemoryStore, PlainPictures, PlainRenderer, Scripted, calls, flat_png
from compositor.tools import Tool
from compositor.workspace import Artifact
from tests.runtime.bench import GOOD, Run, agent, answers, begin, finished, made, measurement, place, write, write_poem

pytestmark = pytest.mark.anyio

Does = Callable[[ToolContext], Awaitable[object]]


def tool_that(does: Does, *, seconds: float = 5, makes: tuple[str, ...] = ()) -> Tool:
    """The tool `act`, which does this."""

    async def act(ctx: ToolContext) -> ToolResult:
        """Do what the test says."""
        return await does(ctx)  # type: ignore[return-value] # some return what they may not

    return tool(seconds=seconds, makes=makes)(act)


async def acted(does: Does, **limits: Any) -> tuple[Answer, Run]:
    """The answer of a tool that does this, and the run, which goes on to its good end."""
    writer = Scripted({(1, 1): calls(("act", {})), (1, 2): write(GOOD)})
    run = await made(writer, tools=(tool_that(does, **limits), write_poem))
    assert (await run.text("poem.txt"), run.result.status) == (GOOD, "succeeded")
    return answers(writer)[0], run


# Output


@tool(reads=EVERYTHING, writes=())
async def read_back(ctx: ToolContext, path: str) -> ToolResult:
    """The size and the last letter of any file."""
    text = await ctx.files.read_text(path)
    return ToolResult(text=f"{len(text.encode())} {text[-1]}")


async def told(text: str) -> tuple[str, str]:
    """What the model is told of a text, and what it finds in the file that holds the rest."""

    async def tells(ctx: ToolContext) -> ToolResult:
        return ToolResult(text=text)

    reading = Capability(name="back", kind="support", tools=(read_back,))
    look = calls(("read_back", {"path": "spilled/step-1-call-1.txt"}))
    writer = Scripted({(1, 1): calls(("act", {})), (1, 2): look})
    await made(writer, made_by=replace(agent(tools=(tool_that(tells), write_poem)), always=(reading,)))
    first, second = answers(writer)
    return first.text, second.text


async def test_an_answer_of_exactly_64_kib_is_told_whole() -> None:
    whole = "x" * MAX_TEXT_BYTES
    text, rest = await told(whole)
    assert text == whole
    assert "no file" in rest


@pytest.mark.parametrize("text", ["x" * (MAX_TEXT_BYTES + 1), "x" + "é" * (MAX_TEXT_BYTES // 2)])
async def test_one_byte_more_is_cut_between_characters_and_kept_whole(text: str) -> None:
    shown, rest = await told(text)
    before, _, after = shown.partition("\n… cut at 65,536 of 65,537 bytes; the whole is in spilled/step-1-call-1.txt")
    assert (text.startswith(before), len(before.encode()) in {MAX_TEXT_BYTES, MAX_TEXT_BYTES - 1}, after) == (
        True,
        True,
        "",
    )
    assert rest == f"{MAX_TEXT_BYTES + 1} {text[-1]}"


@pytest.mark.parametrize(("more", "kept"), [(0, MAX_KEPT_BYTES), (1, MAX_KEPT_BYTES - 1)])
async def test_ten_mib_are_kept_and_what_goes_beyond_is_cut_between_characters(more: int, kept: int) -> None:
    """With one more byte in front, the limit falls into the middle of a character."""
    text = "x" * more + "é" * (MAX_KEPT_BYTES // 2)
    shown, rest = await told(text)
    assert shown.endswith(
        "bytes; the whole is in spilled/step-1-call-1.txt"
        if not more
        else "of 10,485,761 bytes; the first 10,485,759 are in spilled/step-1-call-1.txt"
    )
    assert rest == f"{kept} é"


async def test_lines_of_progress_are_counted_and_cut_and_may_be_anything() -> None:
    async def chatters(ctx: ToolContext) -> ToolResult:
        ctx.emit(b"\xff")  # type: ignore[arg-type] # on purpose
        ctx.emit("\ud83c" * 300)
        for number in range(MAX_NOTES):
            ctx.emit(str(number))
        return ToolResult(text="done")

    _, run = await acted(chatters)
    notes = run.of("tool_answered")[0].notes
    assert notes[:3] == ("b'\\xff'", "\ufffd" * 200, "0")
    assert len(notes) == MAX_NOTES


# Pictures


def noise(width: int, height: int, size: int) -> bytes:
    """A PNG of this shape that weighs this much."""
    picture = flat_png(width, height)
    return picture + b"\0" * (size - len(picture))


def shows(*pictures: bytes, media_type: str = "image/png", order: tuple[int, ...] = ()) -> Does:
    """A tool that makes these pictures and shows them."""

    async def act(ctx: ToolContext) -> ToolResult:
        made = {f"look/{n}": await ctx.store(data, media_type) for n, data in enumerate(pictures)}
        shown = tuple(f"look/{n}" for n in order) or tuple(made)
        return ToolResult(text="look/", artifacts=made, images=shown)

    return act


async def size_of(answer: Answer, run: Run, place: int = 0) -> tuple[int, int]:
    data = await run.environment.blobs.get(answer.images[place].sha256)
    picture = await PlainPictures().inspect(data)
    return picture.width, picture.height


async def test_a_picture_within_the_limits_is_shown_as_it_is() -> None:
    true = noise(MAX_EDGE, 40, MAX_PICTURE_BYTES)
    answer, run = await acted(shows(true, media_type="image/jpeg"), makes=("look/",))
    assert answer.text == "look/\nMade: look/0"
    assert await run.environment.blobs.get(answer.images[0].sha256) == true
    assert answer.images[0].media_type == "image/png"  # what it is, and not what the tool calls it


@pytest.mark.parametrize(
    ("true", "shown", "note"),
    [
        (noise(4000, 3000, 100_000), (2364, 1773), "look/0: 4000×3000, 0.1 MB, shown at 2364×1773"),
        (noise(40, MAX_EDGE + 1, 100_000), (39, 7800), "look/0: 40×8001, 0.1 MB, shown at 39×7800"),
        (noise(600, 400, MAX_PICTURE_BYTES + 1), (600, 400), "look/0: 600×400, 4.2 MB, shown at 600×400"),
    ],
)
async def test_a_larger_picture_is_shown_smaller_with_its_true_size_and_kept_as_it_is(
    true: bytes, shown: tuple[int, int], note: str
) -> None:
    answer, run = await acted(shows(true), makes=("look/",))
    assert answer.text == f"look/\nMade: look/0\n{note}"
    assert await size_of(answer, run) == shown
    address = next(artifact.sha256 for artifact in run.result.artifacts if artifact.label == "look/0")
    assert await run.environment.blobs.get(address) == true


async def test_an_answer_shows_eight_pictures_each_once_and_counts_the_rest() -> None:
    pictures = [flat_png(10, 10, grey) for grey in range(MAX_SHOWN + 3)]
    answer, _ = await acted(shows(*pictures, order=(3, 3, *range(MAX_SHOWN + 3))), makes=("look/",))
    assert [image.label for image in answer.images] == [f"look/{n}" for n in (3, 0, 1, 2, 4, 5, 6, 7)]
    assert answer.text.endswith("\n3 more are not shown: an answer has at most 8 pictures")


async def test_what_is_no_picture_is_not_shown_and_the_answer_says_why() -> None:
    answer, _ = await acted(shows(b"words", flat_png(9, 9)), makes=("look/",))
    assert [image.label for image in answer.images] == ["look/1"]
    assert answer.text.endswith("\nlook/0 is not shown: this is no PNG")


class Stubborn(PlainPictures):
    """Pictures that do not get smaller before they are halved so often, or not at all."""

    def __init__(self, halvings: int) -> None:
        self.left = halvings

    async def fit(self, data: bytes, width: int, height: int) -> bytes:
        self.left -= 1
        small = await super().fit(data, width, height)
        return small if self.left < 0 else small + b"\0" * MAX_PICTURE_BYTES


@pytest.mark.parametrize(("halvings", "shown"), [(2, (590, 443)), (9, None)])
async def test_a_picture_that_stays_too_heavy_is_halved_and_at_last_not_shown(
    halvings: int, shown: tuple[int, int] | None
) -> None:
    environment = Environment(
        store=MemoryStore(), blobs=MemoryBlobs(), renderer=PlainRenderer(), pictures=Stubborn(halvings)
    )
    async with environment:
        writer = Scripted({(1, 1): calls(("act", {})), (1, 2): write(GOOD)})
        made_by = agent(tools=(tool_that(shows(noise(4000, 3000, 7_200_000)), makes=("look/",)), write_poem))
        run = await finished(begin(writer, environment, made_by=made_by), environment, writer)
    (answer, _) = answers(writer)
    if shown is None:
        assert answer.images == ()
        assert "look/0 is not shown: 4000×3000, 7.2 MB, could not be made small enough" in answer.text
    else:
        assert await size_of(answer, run) == shown


class Failing(MemoryBlobs):
    """Blobs on a disk that fails for certain bytes."""

    def __init__(self, unreadable: bytes = b"", unwritable: bytes = b"") -> None:
        super().__init__()
        self.unreadable, self.unwritable = sha256(unreadable), unwritable

    async def get(self, address: str) -> bytes:
        if address == self.unreadable:
            raise StorageFailed("blobs", "input/output error", "look at the disk")
        return await super().get(address)

    async def put(self, data: bytes) -> str:
        if data == self.unwritable:
            raise StorageFailed("blobs", "no space left", "make room")
        return await super().put(data)


@pytest.mark.parametrize(
    "blobs",
    [Failing(unreadable=flat_png(9, 9)), Failing(unwritable=GOOD.upper().encode())],
    ids=["a picture that is looked at", "an output of the build"],
)
async def test_a_disk_that_fails_is_nobodys_fault_and_stops_the_operation_where_it_is(blobs: Failing) -> None:
    store = MemoryStore()
    async with Environment(store=store, blobs=blobs, renderer=PlainRenderer(), pictures=PlainPictures()) as environment:
        made_by = agent(tools=(tool_that(shows(flat_png(9, 9)), makes=("look/",)), write_poem))
        writer = Scripted({(1, 1): calls(("act", {}), ("write_poem", {"text": GOOD}))})
        with pytest.raises(StorageFailed):
            await begin(writer, environment, made_by=made_by)
    (record,) = await store.operations()
    assert record.state != "ended"


async def test_a_resumed_operation_is_shown_the_same_pictures() -> None:
    made_by = agent(tools=(tool_that(shows(noise(4000, 3000, 100_000)), makes=("look/",)), write_poem))
    seen: list[Answer] = []

    def stops(prompt: Prompt) -> Reply:
        seen.append(prompt.messages[-1])  # type: ignore[arg-type] # it is the answer
        raise KeyError

    async with place() as environment:
        writer = Scripted({(1, 1): calls(("act", {})), (1, 2): stops})
        handle = begin(writer, environment, made_by=made_by)
        with pytest.raises(Exception, match="KeyError"):
            await handle
        again = Scripted({(1, 2): write(GOOD)})
        models: dict[Role, Any] = {"writer": again}
        await finished(
            resume(handle.operation, agents=[made_by], models=models, environment=environment), environment, again
        )
    assert answers(again)[0] == seen[0]
    assert seen[0].images


# What a tool may raise


class Panic(BaseException):
    """What libraries in other languages raise."""


class Mute(Exception):
    """An error that cannot say what it is."""

    def __str__(self) -> str:
        raise ValueError


async def cancels_itself(ctx: ToolContext) -> object:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await anyio.sleep(5)
    raise AssertionError


async def cancels_itself_at_the_end(ctx: ToolContext) -> object:
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    return ToolResult(text="done, I believe")


async def fails_in_parallel(ctx: ToolContext) -> object:
    async def fail(words: str) -> None:
        raise RuntimeError(words)

    async with anyio.create_task_group() as group:
        group.start_soon(fail, "one")
        group.start_soon(fail, "two")
    raise AssertionError


def raising(error: BaseException) -> Does:
    async def act(ctx: ToolContext) -> object:
        await ctx.files.write("poem.txt", "half done")
        raise error

    return act


RAISED = {
    "SystemExit: 3": raising(SystemExit(3)),
    "GeneratorExit: ": raising(GeneratorExit()),
    "CancelledError: ": raising(asyncio.CancelledError()),
    "CancelledError": cancels_itself,
    "Panic: lost": raising(Panic("lost")),
    "StopAsyncIteration: ": raising(StopAsyncIteration()),
    "RuntimeError: coroutine raised StopIteration": raising(StopIteration()),
    "RuntimeError: one (and 1 more)": fails_in_parallel,
    "Panic: lost (and 1 more)": raising(BaseExceptionGroup("both", [Panic("lost"), asyncio.CancelledError()])),
    "ValueError: alone": raising(ExceptionGroup("one", [ExceptionGroup("in one", [ValueError("alone")])])),
    "Mute: (its text cannot be had: ValueError)": raising(Mute()),
    "MemoryError: ": raising(MemoryError()),
    "RecursionError: too deep": raising(RecursionError("too deep")),
    "FileNotFoundError: [Errno 2] gone: '…/secret.txt'": raising(FileNotFoundError(2, "gone", "/root/home/secret.txt")),
    "OSError: see https://a.example/b/c and a/b/c": raising(OSError("see https://a.example/b/c and a/b/c")),
    "RuntimeError: lost": raising(RuntimeError('lost\nTraceback (most recent call last):\n  File "/a/b.py", line 1')),
}


@pytest.mark.parametrize("said", RAISED)
async def test_whatever_a_tool_raises_is_its_own_failure_leaves_nothing_and_ends_nothing(said: str) -> None:
    answer, run = await acted(RAISED[said])
    assert answer.failed
    assert answer.text.startswith(f"act failed: {said}")
    assert "Traceback" not in answer.text
    assert run.of("tool_answered")[0].changed == ()


async def test_a_tool_that_cancels_its_own_task_after_its_work_has_done_its_work() -> None:
    answer, _ = await acted(cancels_itself_at_the_end)
    assert (answer.failed, answer.text) == (False, "done, I believe")


async def test_a_failure_of_one_call_does_not_touch_those_beside_it() -> None:
    @tool(writes=(), reads=())
    async def quits(ctx: ToolContext) -> ToolResult:
        """Leave at once."""
        raise asyncio.CancelledError

    @tool(writes=(), reads=())
    async def works(ctx: ToolContext) -> ToolResult:
        """Work for a moment."""
        await anyio.sleep(0.02)
        return ToolResult(text="worked")

    writer = Scripted({(1, 1): calls(("works", {}), ("quits", {}), ("works", {})), (1, 2): write(GOOD)})
    await made(writer, tools=(quits, works, write_poem))
    assert [answer.failed for answer in answers(writer)][:3] == [False, True, False]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PortError("press", "no /usr/bin/press here", "install it"), "act: press: no …/press here → install it"),
        (CompileFailed("press", "a/b at /a/b/c", 3), "act: press: a/b at /a/b/c (line 3)"),
        (PictureRefused("pictures", "it is empty"), "act: pictures: it is empty"),
    ],
)
async def test_the_words_of_a_port_are_told_without_the_places_of_the_machine(error: PortError, said: str) -> None:
    answer, _ = await acted(raising(error))
    assert answer.text == said


# What a tool may return


def returning(value: Any) -> Does:
    async def act(ctx: ToolContext) -> object:
        await ctx.files.write("poem.txt", "half done")
        return value

    return act


def with_facts(facts: Any, label: str = "look/x") -> Does:
    async def act(ctx: ToolContext) -> object:
        return ToolResult(text="made", artifacts={label: await ctx.store(b"x", "text/plain", facts)})

    return act


LOST = Artifact(media_type="image/png", sha256="0" * 64, size=7)

RETURNED = {
    "is broken: it returned NoneType, not ToolResult": returning(None),
    "is broken: it returned dict, not ToolResult": returning({"text": "x"}),
    "is broken: its text is bytes, not str": returning(ToolResult(text=b"x")),  # type: ignore[arg-type] # on purpose
    "is broken: its artifacts are not labels": returning(ToolResult(text="x", artifacts=7)),  # type: ignore[arg-type] # on purpose
    "is broken: its artifacts are": returning(ToolResult(text="x", artifacts={"look/x": "x"})),  # type: ignore[dict-item] # on purpose
    "is broken: its images are not labels": returning(ToolResult(text="x", images=7)),  # type: ignore[arg-type] # on purpose
    "is broken: its images are": returning(ToolResult(text="x", images=[["look/x"]])),  # type: ignore[arg-type] # on purpose
    "failed: TypeError: bytes is not a JSON value": with_facts({"raw": b"x"}),
    "failed: TypeError: set is not a JSON value": with_facts({"tags": {1}}),
    "failed: TypeError: datetime": with_facts({"at": __import__("datetime").datetime(2026, 1, 1)}),
    "failed: ValueError: Out of range float": with_facts({"score": float("nan")}),
    "failed: ValueError: Out of range": with_facts({"scores": [1, float("inf")]}),
    "act: the path 'look/\\ud83c' is refused": with_facts({}, "look/\ud83c"),
    "act: the path 'look/../x' is refused": with_facts({}, "look/../x"),
    "failed: ValueError: look/x was not made with `ctx.store`": returning(
        ToolResult(text="x", artifacts={"look/x": LOST})
    ),
    "is broken: it made other, which `makes` does not declare": with_facts({}, "other"),
}


@pytest.mark.parametrize("said", RETURNED)
async def test_whatever_a_tool_returns_that_it_may_not_is_its_own_failure(said: str) -> None:
    answer, run = await acted(RETURNED[said], makes=("look/",))
    assert answer.failed
    assert said in answer.text
    assert run.of("tool_answered")[0].changed == ()


async def test_a_tool_that_is_no_coroutine_function_is_an_error() -> None:
    def act(ctx: ToolContext) -> ToolResult:
        """Answer at once."""
        return ToolResult(text="x")

    writer = Scripted({(1, 1): calls(("act", {})), (1, 2): write(GOOD)})
    run = await made(writer, tools=(tool()(act), write_poem))  # type: ignore[arg-type] # on purpose
    assert answers(writer)[0].text.startswith("act failed: TypeError")
    assert run.result.status == "succeeded"


# Time, and a person's Ctrl-C


async def test_a_tool_that_answers_its_end_with_another_error_was_stopped_all_the_same() -> None:
    async def clings(ctx: ToolContext) -> object:
        try:
            await anyio.sleep_forever()
        finally:
            raise ValueError("not now")

    answer, _ = await acted(clings, seconds=0.01)
    assert answer.text == "act was stopped after 0.01 s. Ask for less, or do it in parts"


@contextmanager
def handled_by(handler: Callable[[int, FrameType | None], Any]) -> Iterator[None]:
    """The handlers of SIGINT and SIGTERM, for the block."""
    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, known in before.items():
            signal.signal(number, known)


async def test_a_keyboard_interrupt_is_the_tools_own_where_signals_are_listened_to() -> None:
    with handled_by(print):
        answer, _ = await acted(raising(KeyboardInterrupt("mine")))
    assert answer.text == "act failed: KeyboardInterrupt: mine"


async def hurries(ctx: CheckContext) -> Report:
    """Pass at once."""
    return Report(examined=1)


def breaks_off(view: object, artifacts: object, record: object) -> bool:
    """Be there when a person presses Ctrl-C."""
    raise KeyboardInterrupt


CTRL_C: Mapping[str, Any] = {
    "in a tool": {"tools": (tool_that(raising(KeyboardInterrupt())), write_poem)},
    "in a predicate": {"verifiers": (measurement(hurries, applies=breaks_off),)},
}


@pytest.mark.parametrize("place", CTRL_C)
def test_a_keyboard_interrupt_that_may_be_a_persons_goes_through_and_leaves_the_operation_open(place: str) -> None:
    store, blobs = MemoryStore(), MemoryBlobs()
    environment = Environment(store=store, blobs=blobs, renderer=PlainRenderer(), pictures=PlainPictures())
    writer = Scripted({(1, 1): calls(("act", {}) if place == "in a tool" else ("write_poem", {"text": GOOD}))})

    async def operate() -> None:
        async with environment:
            await begin(writer, environment, made_by=agent(**CTRL_C[place]))

    loop = asyncio.new_event_loop()
    with handled_by(signal.default_int_handler), pytest.raises(KeyboardInterrupt):
        loop.run_until_complete(operate())
    for task in (left := asyncio.all_tasks(loop)):
        task.cancel()
    loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    loop.close()
    (record,) = asyncio.run(store.operations())
    assert record.state == "interrupted"
