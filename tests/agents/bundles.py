"""Made-up capabilities to compose: a leaflet, the content, and a glossary and a stamp beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from compositor._values import Json
from compositor.agents import Agent
from compositor.capabilities import (
    BuildContext,
    Built,
    Capability,
    CheckContext,
    Given,
    Instructions,
    Output,
    Reads,
    Report,
    Scope,
    Tool,
    ToolContext,
    ToolResult,
    Verifier,
    View,
    tool,
)

REQUEST: dict[str, Json] = {
    "schema_version": "1",
    "operation": "generate",
    "content": "leaflet",
    "locale": "en",
    "brief": {"name": "Open day", "objective": "awareness", "tone": "plain"},
    "brand": {"name": "Northwind", "tone": {"voice": "calm"}},
    "blueprint": {"plan": "three folds"},
}


@tool()
async def write_leaflet(ctx: ToolContext, text: Annotated[str, "the whole leaflet"]) -> ToolResult:
    """Write the leaflet."""
    await ctx.files.write("leaflet.txt", text)
    return ToolResult(text="written")


@tool(reads=("leaflet.txt",), writes=(), makes=("proof/",))
async def proof(ctx: ToolContext) -> ToolResult:
    """Look at the leaflet as it would be printed."""
    text = await ctx.files.read("leaflet.txt")
    return ToolResult(text="", artifacts={"proof/plain": await ctx.store(text, "text/plain")})


@tool(reads=("glossary/",), writes=())
async def look_up(ctx: ToolContext, word: str) -> ToolResult:
    """Look a word up."""
    return ToolResult(text=await ctx.files.read_text(f"glossary/{word}.txt"))


@tool()
async def stamp(ctx: ToolContext) -> ToolResult:
    """Set a stamp beside the leaflet."""
    await ctx.files.write("stamp.txt", "stamped")
    return ToolResult(text="stamped")


@tool(writes=())
async def magnify(ctx: ToolContext) -> ToolResult:
    """Look closer, as a judge."""
    return ToolResult(text="close")


async def build(ctx: BuildContext) -> Built:
    return Built(outputs={"leaflet.out": (await ctx.files.read_text("leaflet.txt")).upper()})


async def count(ctx: CheckContext) -> Report:
    return Report(examined=len(await ctx.files.read("leaflet.txt")))


def measurement(name: str, *files: str, fields: tuple[str, ...] = (), words: int = 0) -> Verifier:
    return Verifier(
        name=name,
        version="1",
        kind="measurement",
        check=count,
        reads=Scope(fields=fields, files=files),
        thresholds={"words": words},
    )


def judgment(name: str, *tools: Tool) -> Verifier:
    return Verifier(name=name, version="1", kind="judgment", check=count, reads=Scope(labels=("copy",)), tools=tools)


length = measurement("length", "leaflet.txt", "leaflet.out", words=90)
taste = judgment("taste", magnify)


def leaflet_instructions(view: View) -> Instructions:
    return Instructions(
        f"Write in a tone that is {view.get('brief.tone', 'plain')}.",
        "Write it with `write_leaflet()`.",
        "Look at it with `proof()`.",
    )


leaflet = Capability(
    name="leaflet",
    kind="content",
    content_type="leaflet",
    about="a folded sheet of plain text",
    reads=Reads(required=("brief",), optional=("blueprint", "brand")),
    owns=(Output(path="leaflet.txt"), Output(path="leaflet.out", derived=True)),
    tools=(write_leaflet, proof),
    verifiers=(length, taste),
    instructions=leaflet_instructions,
    build=build,
)

glossary = Capability(
    name="glossary",
    kind="support",
    about="words and what they mean",
    reads=Reads(optional=("brand",)),
    tools=(look_up,),
    files=lambda view: {"glossary/brand.txt": Given(content=str(view.get("brand.name")), voice="brand")},
    instructions=lambda _view: Instructions("Ask `look_up()` before you use a rare word."),
)

stamps = Capability(
    name="stamps",
    kind="support",
    about="a stamp beside the leaflet",
    owns=(Output(path="stamp.txt", required=False),),
    tools=(stamp,),
)


def support(name: str = "extra", **parts: Any) -> Capability:
    """A support capability with these parts alone."""
    return Capability(name=name, kind="support", **parts)


def content(**changes: Any) -> Capability:
    """The leaflet, changed."""
    return replace(leaflet, **changes)


def agent(*others: Capability, **changes: Any) -> Agent:
    """An agent for leaflets with these capabilities beside the leaflet."""
    return replace(Agent(operation="generate", content=leaflet, always=others), **changes)


GENERATE_LEAFLET = agent(glossary, stamps, withholds=("blueprint",))
"""A sound agent."""
