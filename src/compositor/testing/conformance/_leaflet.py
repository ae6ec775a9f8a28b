"""A leaflet: a made-up content type whose one operation meets everything that the death of a process can split.

Tools run side by side and one after another, a call is wrong, a measurement rejects the first draft and a judge, with a
tool of its own, the second; the third is saved. Whatever is paid for or changes something leaves a line in a diary.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Literal

from compositor._values import Json
from compositor.agents import Agent
from compositor.authoring import (
    BuildContext,
    Built,
    Capability,
    CheckContext,
    Criterion,
    Finding,
    Instructions,
    Output,
    Reads,
    Report,
    Scope,
    Section,
    Tool,
    ToolContext,
    ToolResult,
    Verifier,
    Where,
    copy_json,
    rubric,
    tool,
)
from compositor.runtime import ModelAdapter, Prompt, Reply, Role
from compositor.testing._scripted import Scripted, calls, verdict

OPERATION = "leaflet-1"
DOCUMENT = "leaflet"
REQUEST: Json = {
    "operation": "generate",
    "content": "leaflet",
    "document": DOCUMENT,
    "brief": {"name": "Spring fair", "objective": "awareness"},
}

LONG = "Come one and come all to the fair that we hold in spring by the river"
MAX_WORDS = 10
ORNAMENT = "~" * 100_000
"""So that there is a blob of some size."""
DONE = Reply(text="Done.")

WRITER: Mapping[tuple[int, int], Reply] = {
    (1, 1): calls(("write_title", {"text": "Spring"}), ("write_body", {"text": LONG})),
    (1, 2): calls(("count_words", {"of": "all"}), ("write_title", {"text": "Spring fair"}), ("print", {})),
    (1, 3): DONE,
    (2, 1): calls(("write_body", {"text": "There is a fair"}), ("write_title", {"text": "The spring fair"})),
    (2, 2): DONE,
    (3, 1): calls(("write_body", {"text": "Come all, there is a fair"})),
    (3, 2): DONE,
}
JUDGE: Mapping[tuple[int, int], Reply] = {
    (2, 1): calls(("read_aloud", {"part": "title"})),
    (2, 2): verdict({"invites": False}, feedback="invite them"),
    (3, 1): calls(("read_aloud", {"part": "body"})),
    (3, 2): verdict({"invites": True}),
}
RECORDED_AS: Mapping[str, str] = {
    "writer/1/1": "model/1/1",
    "write_title Spring": "call/1/0",
    f"write_body {LONG}": "call/1/1",
    "writer/1/2": "model/1/2",
    "count_words all": "call/2/0",
    "write_title Spring fair": "call/2/1",
    "writer/1/3": "model/1/3",
    "writer/2/1": "model/2/1",
    "write_body There is a fair": "call/4/0",
    "write_title The spring fair": "call/4/1",
    "writer/2/2": "model/2/2",
    "judge/2/1": "evaluate/2/judgments/rubric/1/1",
    "read_aloud title": "evaluate/2/judgments/rubric/1/1/0",
    "judge/2/2": "evaluate/2/judgments/rubric/1/2",
    "writer/3/1": "model/3/1",
    "write_body Come all, there is a fair": "call/6/0",
    "writer/3/2": "model/3/2",
    "judge/3/1": "evaluate/3/judgments/rubric/1/1",
    "read_aloud body": "evaluate/3/judgments/rubric/1/1/0",
    "judge/3/2": "evaluate/3/judgments/rubric/1/2",
}
"""Every line that an undisturbed run leaves in the diary → the key of the effect that keeps it from being repeated."""


BEGAN = "began "
"""A line that a process begins with, and after it, as JSON, what it found on record."""
ACKNOWLEDGED = "acknowledged"
"""A line for each transaction that was acknowledged; each of them brings an event."""


class Diary:
    """Lines that outlive the process which wrote them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, line: str) -> None:
        """Add a line, in one call of the system."""
        file = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.write(file, f"{line}\n".encode())
        finally:
            os.close(file)

    def lines(self) -> list[str]:
        """All lines so far."""
        return self._path.read_text(encoding="utf-8").splitlines() if self._path.exists() else []


@tool(writes=("title.txt",), reads=("title.txt",))
async def write_title(ctx: ToolContext, text: Annotated[str, "the whole title"]) -> ToolResult:
    """Write the title."""
    await ctx.files.write("title.txt", text)
    return ToolResult(text="wrote the title")


@tool(writes=("body.txt",), reads=("body.txt",))
async def write_body(ctx: ToolContext, text: Annotated[str, "the whole body"]) -> ToolResult:
    """Write the body."""
    await ctx.files.write("body.txt", text)
    return ToolResult(text=f"wrote {len(text.split())} words")


@tool(writes=(), makes=("count",))
async def count_words(ctx: ToolContext, of: Literal["all"]) -> ToolResult:
    """Count the words."""
    words = sum([len((await ctx.files.read_text(path)).split()) for path in ctx.files.list()])
    ctx.emit(f"{words} words of {of}")
    return ToolResult(text=f"{words} words", artifacts={"count": await ctx.store(str(words).encode(), "text/plain")})


@tool(writes=())
async def read_aloud(ctx: ToolContext, part: Literal["title", "body"]) -> ToolResult:
    """Read a part of the leaflet."""
    return ToolResult(text=await ctx.files.read_text(f"{part}.txt"))


async def _build(ctx: BuildContext) -> Built:
    title, body = await ctx.files.read_text("title.txt"), await ctx.files.read_text("body.txt")
    sections = [Section(id="title", role="headline", text=title), Section(id="body", role="body", text=body)]
    copy = await ctx.store(copy_json(sections), "application/json")
    return Built(outputs={"leaflet.txt": f"{title}\n\n{body}\n{ORNAMENT}"}, artifacts={"copy": copy})


async def _measure_body(ctx: CheckContext) -> Report:
    words = (await ctx.files.read_text("body.txt")).split()
    too_long = Finding(
        code="too-long",
        severity="blocking",
        message=f"{len(words)} words",
        where=Where(of="body.txt"),
        measured=len(words),
        threshold=MAX_WORDS,
        remedy="use fewer words",
    )
    return Report(examined=len(words), findings=(too_long,) if len(words) > MAX_WORDS else ())


async def _measure_title(ctx: CheckContext) -> Report:
    return Report(examined=len(await ctx.files.read_text("title.txt")))


def leaflet(diary: Diary) -> Agent:
    """The agent that makes leaflets and keeps a diary."""
    judged = rubric(fields=("brief", "evaluation"), derive=lambda _: [Criterion(id="invites", asks="it invites")])
    parts = ("title.txt", "body.txt")
    return Agent(
        operation="generate",
        content=Capability(
            name="leaflet",
            kind="content",
            content_type="leaflet",
            reads=Reads(required=("brief",), optional=("evaluation",)),
            owns=(*(Output(path=path) for path in parts), Output(path="leaflet.txt", derived=True)),
            tools=tuple(_noting(one, diary) for one in (write_title, write_body, count_words)),
            verifiers=(
                _measurement("body-length", _measure_body, parts),
                _measurement("title-length", _measure_title, parts),
                replace(judged, tools=(_noting(read_aloud, diary),), reads=replace(judged.reads, files=parts)),
            ),
            instructions=lambda _: Instructions("Write the title and the body."),
            build=_build,
        ),
    )


def models(diary: Diary) -> Mapping[Role, ModelAdapter]:
    """A writer and a judge that follow the script; each reply counts as paid when it is asked for."""
    return {
        "writer": Scripted({place: _paid("writer", reply, diary) for place, reply in WRITER.items()}),
        "judge": Scripted({place: _paid("judge", reply, diary) for place, reply in JUDGE.items()}, name="judge"),
    }


def _measurement(name: str, check: Callable[[CheckContext], Awaitable[Report]], files: tuple[str, ...]) -> Verifier:
    reads = Scope(files=(*files, "leaflet.txt"))
    return Verifier(name=name, version="1", kind="measurement", check=check, reads=reads)


def _noting(declared: Tool, diary: Diary) -> Tool:
    """The same tool, which notes its call before it does anything."""

    @wraps(declared.run)  # a tool is described by its signature
    async def run(ctx: ToolContext, **arguments: Any) -> ToolResult:
        diary.write(f"{declared.name} {' '.join(map(str, arguments.values()))}")
        return await declared.run(ctx, **arguments)

    return replace(declared, run=run)


def _paid(role: str, reply: Reply, diary: Diary) -> Callable[[Prompt], Reply]:
    def answer(prompt: Prompt) -> Reply:
        diary.write(f"{role}/{prompt.turn}/{prompt.step}")
        return reply

    return answer
