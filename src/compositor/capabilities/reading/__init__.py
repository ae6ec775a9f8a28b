"""Reading: a look at every file of the workspace, and at nothing else."""

from __future__ import annotations

from typing import Annotated

from compositor.capabilities import EVERYTHING, Capability, Instructions, ToolContext, ToolResult, View, tool
from compositor.capabilities.reading._window import window

__all__ = ["reading"]


@tool(reads=EVERYTHING, writes=())
async def list_files(ctx: ToolContext) -> ToolResult:
    """List all files of the workspace."""
    paths = ctx.files.list()
    return ToolResult(text="\n".join(paths) if paths else "There are no files yet.")


@tool(reads=EVERYTHING, writes=())
async def read_file(
    ctx: ToolContext,
    path: Annotated[str, "a path as `list_files` gives it"],
    start_line: Annotated[int, "the first line to read, from 1"] = 1,
) -> ToolResult:
    """Read a text file of the workspace. A long file is given in parts; the answer says where it continues."""
    return ToolResult(text=window(path, await ctx.files.read(path), start_line))


def _instructions(_view: View) -> Instructions:
    return Instructions(
        "`list_files()` names every file of the workspace, `read_file()` reads one. Read what you build on first."
    )


reading = Capability(
    name="reading",
    kind="support",
    about="reads every file of the workspace, writes none",
    tools=(list_files, read_file),
    instructions=_instructions,
)
"""The support capability that lets the writer read."""
