"""A made-up content type with the tools of the cases: `write_file`, `set_overlay`, `render` and `ask_user`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NotRequired, TypedDict

from pydantic import Field

from compositor._values import Json
from compositor.agents import Agent, Budget, Mode
from compositor.capabilities import (
    BuildContext,
    Built,
    Capability,
    CheckContext,
    Given,
    Output,
    Reads,
    Report,
    Scope,
    Section,
    ToolContext,
    ToolResult,
    Verifier,
    copy_json,
    tool,
)
from compositor.operations import Environment, Handle, generate
from compositor.runtime import ModelAdapter, Reply, Role
from compositor.testing import Scripted
from compositor.tools import Tool
from tests.runtime.bench import Run, finished, place

MAIL = "email.mjml"
OTHERS = ("a.txt", "b.txt", "c.txt", "brand.json", "orders.json")
CLAIMS = "claims/claims.json"

REQUEST: Mapping[str, Json] = {
    "operation": "generate",
    "content": "desk",
    "brief": {"name": "Ada", "objective": "awareness"},
}

Does = Callable[[ToolContext], Awaitable[object]]


class Style(TypedDict):
    size: NotRequired[Annotated[float, Field(gt=0, le=400)]]
    fill: NotRequired[Annotated[str, Field(pattern="^#[0-9A-Fa-f]{6}$")]]


Box = Annotated[list[int], Field(min_length=4, max_length=4)]
PLAIN: Style = {}
NOWHERE: list[Box] = []


async def drawn(ctx: ToolContext) -> ToolResult:
    """What `render` does where a case says nothing else."""
    return ToolResult(text="drawn")


@dataclass(slots=True, kw_only=True)
class Desk:
    """The content type, and what was done on it.

    Attributes:
        renders: what `render` does.
        check: the measurement.
        completion, budget: of the agent.
        verifiers, more: checks and tools besides.
        beside: further capabilities.
        runs: the tools that did what they are for, in order.
    """

    renders: Does = drawn
    check: Callable[[CheckContext], Awaitable[Report]] | None = None
    completion: str = "draft_allowed"
    budget: Budget = field(default_factory=Budget)
    verifiers: Sequence[Verifier] = ()
    more: Sequence[Tool] = ()
    beside: Sequence[Capability] = ()
    runs: list[str] = field(default_factory=list)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The four tools, and those that a case has besides."""
        does, runs = self.renders, self.runs

        @tool()
        async def write_file(ctx: ToolContext, path: Annotated[str, Field(min_length=1)], content: str) -> ToolResult:
            """Write a whole file."""
            await ctx.files.write(path, content)
            runs.append("write_file")
            return ToolResult(text=f"wrote {path}")

        @tool(writes=())
        async def set_overlay(
            ctx: ToolContext,
            text: str,
            style: Style = PLAIN,
            boxes: list[Box] = NOWHERE,
        ) -> ToolResult:
            """Put words over the picture."""
            runs.append("set_overlay")
            return ToolResult(text=f"set {text} in {dict(style)} at {len(boxes)}")

        @tool(writes=(), makes=("render/",))
        async def render(ctx: ToolContext, width: Annotated[int, Field(ge=320, le=1920)] = 600) -> ToolResult:
            """Look at it."""
            runs.append("render")
            return await does(ctx)  # type: ignore[return-value] # some cases return what they may not

        @tool(writes=())
        async def ask_user(ctx: ToolContext, question: str) -> ToolResult:
            """Ask the user."""
            runs.append("ask_user")
            return ToolResult(text="Yes.")

        return (write_file, set_overlay, render, ask_user, *self.more)

    @property
    def agent(self) -> Agent:
        """The agent that works on it; the mode `quiet` may not ask the user."""
        content = Capability(
            name="desk",
            kind="content",
            content_type="desk",
            reads=Reads(required=("brief",), optional=("evaluation",)),
            owns=(Output(path=MAIL), *(Output(path=path, required=False) for path in OTHERS)),
            tools=self.tools,
            verifiers=(
                Verifier(
                    name="look",
                    version="1",
                    kind="measurement",
                    check=self.check or self._look,
                    reads=Scope(files=(MAIL, *OTHERS)),
                ),
                *self.verifiers,
            ),
            build=self._build,
        )
        claims = Capability(name="claims", kind="support", files=lambda _: {CLAIMS: Given(content="[]")})
        return Agent(
            operation="generate",
            content=content,
            always=(claims, *self.beside),
            modes=(Mode(name="quiet", tools=("render", "set_overlay", "write_file")),),
            completion=self.completion,  # type: ignore[arg-type] # one of the two words
            budget=self.budget,
        )

    async def _build(self, ctx: BuildContext) -> Built:
        words = [Section(id="mail", role="body", text=await ctx.files.read_text(MAIL))]
        return Built(artifacts={"copy": await ctx.store(copy_json(words), "application/json")})

    async def _look(self, ctx: CheckContext) -> Report:
        return Report(examined=len(await ctx.files.read(MAIL)))

    def begin(
        self,
        writer: ModelAdapter,
        environment: Environment,
        *,
        judge: ModelAdapter | None = None,
        mode: str | None = None,
    ) -> Handle:
        """The handle of an operation on it."""
        models: dict[Role, ModelAdapter] = {"writer": writer}
        if judge is not None:
            models["judge"] = judge
        return generate(REQUEST, agents=[self.agent], models=models, mode=mode, environment=environment)

    async def made(self, writer: Scripted, **how: Any) -> Run:
        """The whole operation, in an environment of its own."""
        async with place() as environment:
            judge = how.get("judge")
            return await finished(
                self.begin(writer, environment, **how), environment, writer, *([judge] if judge else [])
            )


def sent(*wanted: Mapping[str, Json], stop: str = "tool_calls") -> Reply:
    """A reply as a provider of the chat API sends it: its calls, and its reason to stop."""
    stops = {"tool_calls": "calls", "stop": "end", "length": "length", "content_filter": "filtered"}
    calls = [
        {"id": call["id"], "name": call["function"]["name"], "arguments": call["function"]["arguments"]}
        for call in wanted
    ]
    return Reply.from_json({"text": "", "calls": calls, "stop": stops[stop], "usage": {}, "opaque": None})


def call(name: str, arguments: Json, id: str | None = "call_1") -> Mapping[str, Json]:  # noqa: A002 - the provider's word
    """A call as a provider sends it."""
    return {"id": id, "function": {"name": name, "arguments": arguments}}
