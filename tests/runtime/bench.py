"""A bench for the runtime: a made-up poem whose every part can be exchanged, driven through public `generate()`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from compositor._values import Json
from compositor.agents import Agent, Budget
from compositor.capabilities import (
    BuildContext,
    Built,
    Capability,
    CheckContext,
    Criterion,
    Finding,
    Output,
    Reads,
    Report,
    Scope,
    Section,
    ToolContext,
    ToolResult,
    Verifier,
    View,
    Where,
    copy_json,
    rubric,
    tool,
)
from compositor.operations import Environment, Handle, Result, generate
from compositor.runtime import Answer, ModelAdapter, Reply, Role, Store
from compositor.runtime.events import Event, Progress
from compositor.testing import (
    MemoryBlobs,
    MemoryStore,
    PlainCompiler,
    PlainPictures,
    PlainRenderer,
    Scripted,
    calls,
    history_faults,
)
from compositor.workspace import Renderer

Check = Callable[[CheckContext], Awaitable[Report]]

MAX_WORDS = 5
LONG = "one two three four five six seven"
GOOD = "roses are red"
BETTER = "violets are blue"


@tool()
async def write_poem(ctx: ToolContext, text: Annotated[str, "the whole poem"]) -> ToolResult:
    """Write the poem."""
    await ctx.files.write("poem.txt", text)
    return ToolResult(text=f"wrote {len(text.split())} words")


@tool(writes=("title.txt",), reads=("title.txt",))
async def write_title(ctx: ToolContext, text: str) -> ToolResult:
    """Write the title."""
    await ctx.files.write("title.txt", text)
    return ToolResult(text="wrote the title")


@tool(writes=())
async def read_poem(ctx: ToolContext) -> ToolResult:
    """Read the poem."""
    return ToolResult(text=await ctx.files.read_text("poem.txt"))


async def build(ctx: BuildContext) -> Built:
    """The derived shout and the words, from the poem alone."""
    text = await ctx.files.read_text("poem.txt")
    sections = [Section(id="poem", role="body", text=text)]
    copy = await ctx.store(copy_json(sections), "application/json")
    return Built(outputs={"shout.txt": text.upper()}, artifacts={"copy": copy})


async def check_length(ctx: CheckContext) -> Report:
    """Blocking above MAX_WORDS."""
    words = (await ctx.files.read_text("poem.txt")).split()
    return Report(examined=len(words), findings=(too_long(len(words)),) if len(words) > MAX_WORDS else ())


def too_long(words: int) -> Finding:
    """The finding of `check_length`."""
    return Finding(
        code="too-long",
        severity="blocking",
        message=f"{words} words",
        where=Where(of="poem.txt"),
        measured=words,
        threshold=MAX_WORDS,
        remedy="use fewer words",
    )


def measurement(check: Check, *, name: str = "measure", **changes: Any) -> Verifier:
    """A measurement that may read all that the poem is made of."""
    reads = changes.pop("reads", Scope(files=("poem.txt", "title.txt", "shout.txt"), labels=("copy",)))
    return Verifier(name=name, version="1", kind="measurement", check=check, reads=reads, **changes)


def judgment(check: Check, *, name: str = "judge-it", **changes: Any) -> Verifier:
    """A judgment that may read the words."""
    reads = changes.pop("reads", Scope(files=("poem.txt",), labels=("copy",)))
    return Verifier(name=name, version="1", kind="judgment", check=check, reads=reads, **changes)


LENGTH = Verifier(
    name="length",
    version="1",
    kind="measurement",
    check=check_length,
    reads=Scope(files=("poem.txt", "title.txt", "shout.txt")),
    thresholds={"words": MAX_WORDS},
)


def criteria(view: View) -> list[Criterion]:
    """One criterion, about the brief."""
    return [Criterion(id="rhymes", asks=f"it rhymes for {view.get('brief.name')}")]


RUBRIC = rubric(fields=("brief", "evaluation"), derive=criteria)

OWNS = (
    Output(path="poem.txt"),
    Output(path="title.txt", required=False),
    Output(path="shout.txt", derived=True),
)


def poem(**changes: Any) -> Capability:
    """The content capability, with some parts exchanged."""
    parts: dict[str, Any] = {
        "name": "poem",
        "kind": "content",
        "content_type": "poem",
        "reads": Reads(required=("brief",), optional=("evaluation",)),
        "owns": OWNS,
        "tools": (write_poem, write_title, read_poem),
        "verifiers": (LENGTH,),
        "build": build,
    }
    return Capability(**{**parts, **changes})


def agent(*, budget: Budget | None = None, completion: str = "draft_allowed", **changes: Any) -> Agent:
    """The agent that makes poems."""
    content = poem(**changes)
    return Agent(operation="generate", content=content, budget=budget or Budget(), completion=completion)  # type: ignore[arg-type]  # tests pass one of the two words


def request(**changes: Json) -> dict[str, Json]:
    """A request for a poem."""
    brief = {"name": "Ada", "objective": "awareness"}
    return {"operation": "generate", "content": "poem", "brief": brief, **changes}


def write(text: str) -> Reply:
    """A reply that writes the poem."""
    return calls(("write_poem", {"text": text}))


def writes(*texts: str) -> Scripted:
    """A writer that writes one text per turn and stops."""
    return Scripted({(turn, 1): write(text) for turn, text in enumerate(texts, start=1)})


@asynccontextmanager
async def place(store: Store | None = None, renderer: Renderer | None = None) -> AsyncIterator[Environment]:
    """An environment in memory."""
    async with Environment(
        Path("never-used"),
        store=store or MemoryStore(),
        blobs=MemoryBlobs(),
        renderer=renderer or PlainRenderer(),
        compiler=PlainCompiler(),
        pictures=PlainPictures(),
    ) as environment:
        yield environment


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What an operation came to.

    Attributes:
        result: its result document.
        events: all its events.
        environment: where it lives.
    """

    result: Result
    events: tuple[Event, ...]
    environment: Environment

    def of(self, kind: str) -> list[Any]:
        """What happened, of one kind."""
        return [event.what for event in self.events if event.what.kind == kind]

    def report(self, verifier: str) -> Mapping[str, Json]:
        """The last report of a verifier."""
        return next(report for report in self.result.reports if report["verifier"] == verifier)

    async def text(self, label: str) -> str:
        """The text of an artifact of the result."""
        address = next(artifact.sha256 for artifact in self.result.artifacts if artifact.label == label)
        return (await self.environment.blobs.get(address)).decode()


def begin(
    writer: ModelAdapter,
    environment: Environment,
    *,
    judge: ModelAdapter | None = None,
    made_by: Agent | None = None,
    mode: str | None = None,
    **asks: Json,
) -> Handle:
    """The handle of an operation that makes a poem."""
    models: dict[Role, ModelAdapter] = {"writer": writer}
    if judge is not None:
        models["judge"] = judge
    return generate(request(**asks), agents=[made_by or agent()], models=models, mode=mode, environment=environment)


async def finished(handle: Handle, environment: Environment, *models: ModelAdapter) -> Run:
    """The run of a handle, to its end; the histories that scripted models were shown are whole."""
    result = await handle
    events = await environment.store.events(result.operation)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    for model in models:
        if isinstance(model, Scripted):
            assert [history_faults(prompt.messages) for prompt in model.prompts] == [()] * len(model.prompts)
    return Run(result=result, events=events, environment=environment)


async def made(
    writer: ModelAdapter,
    *,
    judge: ModelAdapter | None = None,
    made_by: Agent | None = None,
    asks: Mapping[str, Json] | None = None,
    **changes: Any,
) -> Run:
    """Make a poem in an environment of its own; `changes` exchange parts of the capability or set its budget."""
    async with place() as environment:
        maker = made_by or agent(**changes)
        handle = begin(writer, environment, judge=judge, made_by=maker, **(asks or {}))
        return await finished(handle, environment, *(model for model in (writer, judge) if model))


def answers(writer: Scripted) -> list[Answer]:
    """Every answer in the last history that a writer was shown."""
    return [message for message in writer.prompts[-1].messages if isinstance(message, Answer)]


def events_of(items: Sequence[Event | Progress]) -> list[Event]:
    """Without the words as they came."""
    return [item for item in items if isinstance(item, Event)]


def counting(check: Check) -> tuple[Check, list[int]]:
    """A check that counts how often it ran."""
    runs: list[int] = []

    async def counted(ctx: CheckContext) -> Report:
        runs.append(len(runs) + 1)
        return await check(ctx)

    return counted, runs


def reporting(*reports: Report) -> Check:
    """A check that gives one report after another, the last for ever."""
    left = list(reports)

    async def check(ctx: CheckContext) -> Report:
        await ctx.files.read("poem.txt")
        return left.pop(0) if len(left) > 1 else left[0]

    return check
