"""What the tests of replays share: a poem of three drafts with a judge, watched from inside while it is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

from compositor._values import Json
from compositor.agents import Agent
from compositor.capabilities import (
    BuildContext,
    Built,
    CheckContext,
    DesignedCall,
    Report,
    ToolContext,
    ToolResult,
    tool,
)
from compositor.errors import (
    AdapterError,
    StorageFailed,
)
from compositor.operations import (
    Environment,
    Handle,
    Moment,
    generate,
    replay,
    resume,
)
from compositor.operations._replay_page import replay_page, wanted
from compositor.runtime import Effect, ModelAdapter, Prompt, Reply, Role
from compositor.runtime.events import Event
from compositor.testing import MemoryStore, Scripted, calls, flat_png, verdict
from compositor.workspace import Blobs, Snapshot
from tests.runtime.bench import (
    BETTER,
    GOOD,
    LENGTH,
    LONG,
    RUBRIC,
    agent,
    begin,
    build,
    measurement,
    read_poem,
    write_poem,
    write_title,
)

YES, NO = verdict({"rhymes": True}), verdict({"rhymes": False}, feedback="make it rhyme")
WRITER: Mapping[tuple[int, int], Reply] = {
    (1, 1): calls(("write_poem", {"text": LONG}), ("write_title", {"text": "Flowers"}), text="I begin."),
    (1, 2): calls(("read_poem", {}), ("sing", {}), ("write_title", {"text": "Roses"})),
    (2, 1): calls(("write_poem", {"text": GOOD})),
    (3, 1): calls(("write_poem", {"text": BETTER}), ("write_title", {"text": "Violets"})),
}
"""Three drafts: a measurement rejects the first, a judge the second. The model stops where nothing is scripted."""
JUDGE: Mapping[tuple[int, int], Reply] = {
    (2, 1): calls(("look", {"at": "poem.txt"}), text="Let me see."),
    (2, 2): NO,
    (3, 1): YES,
}


@tool(writes=())
async def look(ctx: ToolContext, at: Literal["poem.txt"]) -> ToolResult:
    """Look at the poem."""
    return ToolResult(text=f"It says: {await ctx.files.read_text(at)}")


@tool()
async def remove_poem(ctx: ToolContext) -> ToolResult:
    """Remove the poem."""
    ctx.files.remove("poem.txt")
    return ToolResult(text="removed")


@tool(writes=(), makes=("sketch/",))
async def draw(ctx: ToolContext) -> ToolResult:
    """Draw a sketch."""
    sketch = await ctx.store(flat_png(20, 10), "image/png")
    return ToolResult(text="drawn", artifacts={"sketch/one": sketch}, images=("sketch/one",))


async def build_with_render(ctx: BuildContext) -> Built:
    """The shout, the words and a picture; a poem about nothing cannot be built."""
    if "nothing" in await ctx.files.read_text("poem.txt"):
        raise ValueError("there is nothing to shout")
    built = await build(ctx)
    picture = await ctx.store(flat_png(60, 40), "image/png")
    return replace(built, artifacts={**built.artifacts, "render/page": picture})


class Seen:
    """The files as the operation's own parts were given them: by the number of steps, and by draft."""

    def __init__(self) -> None:
        self.before_step: list[Mapping[str, bytes]] = []
        self.checked: list[Mapping[str, str]] = []

    def design(
        self, view: object, files: Mapping[str, bytes], findings: object, tools: object, results: object
    ) -> Sequence[DesignedCall]:
        self.before_step.append(dict(files))
        return ()

    async def check(self, ctx: CheckContext) -> Report:
        self.checked.append({path: await ctx.files.read_text(path) for path in ctx.files.list()})
        return Report(examined=1)


class Watched:
    """A writer that looks at the designer's files before each reply."""

    def __init__(self, inner: Scripted) -> None:
        self._inner = inner
        self.name, self.disclosure, self.needs_designer = inner.name, inner.disclosure, False

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        assert prompt.design is not None
        await prompt.design()
        return await self._inner.reply(prompt, stream)


def poems(seen: Seen, **changes: Any) -> Agent:
    """The agent that makes poems, watched."""
    rubric = replace(RUBRIC, tools=(look,), reads=replace(RUBRIC.reads, files=("poem.txt",)))
    watching = measurement(seen.check, name="watching")
    parts: dict[str, Any] = {
        "verifiers": (LENGTH, watching, rubric),
        "designer": seen.design,
        "build": build_with_render,
        "tools": (write_poem, write_title, read_poem, remove_poem, draw),
    }
    return agent(**{**parts, **changes})


def models(script: Mapping[tuple[int, int], Any] = WRITER) -> dict[Role, ModelAdapter]:
    """A watched writer, and a judge."""
    return {"writer": Watched(Scripted(script)), "judge": Scripted(JUDGE, name="judge")}


async def told(operation: str, environment: Environment) -> list[Moment]:
    """All moments of an operation."""
    return [moment async for moment in replay(operation, environment)]


async def bytes_of(snapshot: Snapshot, blobs: Blobs) -> dict[str, bytes]:
    """The files of a snapshot."""
    return {path: await blobs.get(entry.sha256) for path, entry in snapshot.files.items()}


def kinds(moments: Sequence[Moment]) -> list[str]:
    """What happened, in order."""
    return [moment.event.what.kind for moment in moments]


def of(moments: Sequence[Moment], kind: str) -> list[Moment]:
    """The moments of one kind."""
    return [moment for moment in moments if moment.event.what.kind == kind]


def states(moments: Sequence[Moment]) -> list[tuple[str, Json]]:
    """What happened, with the files after it; but for what an interruption adds."""
    extra = {"operation_interrupted", "operation_resumed"}
    return [(m.event.what.kind, m.snapshot.as_json()) for m in moments if m.event.what.kind not in extra]


async def judged(environment: Environment, seen: Seen) -> str:
    """Make the poem of three drafts; the operation's id."""
    from tests.runtime.bench import request

    handle = generate(request(), agents=[poems(seen)], models=models(), environment=environment)
    result = await handle
    assert (result.status, result.ending, result.usage.rejections) == ("succeeded", "passed", 2)
    return result.operation


class Stops(MemoryStore):
    """A store that fails, once, when a given number of effects is on record."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self._left: int | None = after

    async def record(self, operation: str, effect: Effect, events: Sequence[Event]) -> None:
        if self._left == 0:
            self._left = None
            raise StorageFailed("store", "the disk is full", "free space")
        if self._left is not None:
            self._left -= 1
        await super().record(operation, effect, events)


def begin_judged(environment: Environment, seen: Seen) -> Handle:
    """The poem of three drafts, begun."""
    own = models()
    return begin(own["writer"], environment, judge=own["judge"], made_by=poems(seen))


async def page_of(moments: Sequence[Moment], blobs: Blobs) -> str:
    """The page, with its pictures."""
    return replay_page(moments, {address: await blobs.get(address) for address in wanted(moments)})


async def drawing(environment: Environment) -> list[Moment]:
    """An operation with everything that the page knows: sketches, failures, three drafts, a judge, an interruption."""
    script: dict[tuple[int, int], Any] = {
        **WRITER,
        (1, 3): calls(("draw", {}), ("write_poem", {"text": LONG})),
        (2, 2): AdapterError("scripted", "no answer"),
    }
    seen = Seen()
    own = models(script)
    handle = begin(own["writer"], environment, judge=own["judge"], made_by=poems(seen))
    with suppress(AdapterError):
        await handle
    del script[2, 2]
    await resume(handle.operation, agents=[poems(seen)], models=models(script), environment=environment)
    return await told(handle.operation, environment)
