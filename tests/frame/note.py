"""A made-up content type in one file: a plain-text note. The frame has never heard of it."""

from __future__ import annotations

from typing import Annotated

from compositor.agents import Agent
from compositor.capabilities import (
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
    ToolContext,
    ToolResult,
    Verifier,
    View,
    Where,
    copy_json,
    rubric,
    tool,
)

MAX_WORDS = 12


@tool()
async def write_note(ctx: ToolContext, text: Annotated[str, "the whole note"]) -> ToolResult:
    """Write the note."""
    await ctx.files.write("note.txt", text)
    return ToolResult(text=f"wrote {len(text.split())} words")


async def build(ctx: BuildContext) -> Built:
    text = await ctx.files.read_text("note.txt")
    sections = [Section(id="note", role="body", text=text, place="note.txt:1")]
    copy = await ctx.store(copy_json(sections), "application/json")
    return Built(outputs={"note.upper.txt": text.upper()}, artifacts={"copy": copy})


async def check_length(ctx: CheckContext) -> Report:
    words = (await ctx.files.read_text("note.txt")).split()
    too_long = Finding(code="too-long", severity="blocking", message=f"{len(words)} words", where=Where(of="note.txt"),
                       measured=len(words), threshold=MAX_WORDS, remedy="use fewer words")  # fmt: skip
    return Report(examined=len(words), findings=(too_long,) if len(words) > MAX_WORDS else ())


def criteria(view: View) -> list[Criterion]:
    return [Criterion(id="greets", asks=f"it greets {view.get('brief.name')}")]


note = Capability(
    name="note",
    kind="content",
    content_type="note",
    reads=Reads(required=("brief",), optional=("evaluation",)),
    owns=(Output(path="note.txt"), Output(path="note.upper.txt", derived=True)),
    tools=(write_note,),
    verifiers=(
        Verifier(name="length", version="1", kind="measurement", check=check_length,
                 reads=Scope(files=("note.txt", "note.upper.txt")), thresholds={"words": MAX_WORDS}),
        rubric(fields=("brief", "evaluation"), derive=criteria),
    ),
    instructions=lambda _: Instructions("Write the note with `write_note()`."),
    build=build,
)  # fmt: skip

GENERATE_NOTE = Agent(operation="generate", content=note)
