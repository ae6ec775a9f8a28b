"""What the writer can do with an email: write it, edit it exactly, have pictures made or cut, and look at it."""

from __future__ import annotations

import difflib
from typing import Annotated, Literal

from compositor.capabilities import Finding, ToolContext, ToolError, ToolResult, tool
from compositor.capabilities.email._build import compiled
from compositor.capabilities.email._deliverable import OUTSIDE, PICTURES, PLAN, PREVIEW, SCREENS, SOURCE
from compositor.capabilities.email._drawing import Drawn, drawn
from compositor.capabilities.email._mjml import structure
from compositor.capabilities.email._pictures import crop_picture, make_picture
from compositor.capabilities.email._plan import PlanFaulty, read_plan
from compositor.capabilities.email._size import size_of
from compositor.errors import CompileFailed
from compositor.verifiers.layout import examined_texts, layout_findings

MAX_FILE = 256 * 1024
"""Bytes of one written file: twice and a half of what Gmail shows of a mail."""
MAX_TOLD = 12
"""Findings that a tool answers with; the rest is counted."""

Writable = Annotated[Literal["email.mjml", "plan.json"], "the file"]


@tool()
async def write_file(
    ctx: ToolContext, path: Writable, content: Annotated[str, "the whole text of the file"]
) -> ToolResult:
    """Write a whole file of the email, `email.mjml` or `plan.json`. The answer says what is wrong with its form."""
    await ctx.files.write(path, _limited(content))
    return ToolResult(text=_written(path, content))


@tool()
async def edit_file(
    ctx: ToolContext,
    path: Writable,
    old: Annotated[str, "the exact text to replace; it must occur exactly once"],
    new: Annotated[str, "the text to put in its place"],
) -> ToolResult:
    """Replace one exact piece of text in a file of the email. The piece must occur exactly once."""
    if not ctx.files.exists(path):
        raise ToolError(f"there is no {path} yet; write it first")
    text = await ctx.files.read_text(path)
    count = text.count(old) if old else 0
    if count != 1:
        raise ToolError(_no_single_match(path, text, old, count))
    edited = _limited(text.replace(old, new))
    await ctx.files.write(path, edited)
    return ToolResult(text=_written(path, edited))


@tool(reads=(SOURCE, PLAN, OUTSIDE, "assets/", PICTURES), writes=(), makes=(PREVIEW,))
async def render(
    ctx: ToolContext, screen: Annotated[Literal["desktop", "mobile", "narrow"], "600, 375 or 320 pixels wide"]
) -> ToolResult:
    """Look at the email as it stands: the picture on one screen, its size, and what was measured there."""
    html = await _html(ctx)
    window = next(known for known in SCREENS if known.name == screen)
    (drawing,) = await drawn(ctx, html, (window,))
    label = PREVIEW + screen
    return ToolResult(text=_seen(drawing, html, label), artifacts={label: drawing.picture}, images=(label,))


async def _html(ctx: ToolContext) -> str:
    if ctx.files.exists(SOURCE):
        try:
            return await compiled(ctx.ports, await ctx.files.read_text(SOURCE))
        except CompileFailed as error:
            raise ToolError(f"{SOURCE} does not compile: {error.reason}") from None
    if ctx.files.exists(OUTSIDE):
        return await ctx.files.read_text(OUTSIDE)
    raise ToolError(f"there is no {SOURCE} yet; write it first")


def _limited(content: str) -> str:
    size = len(content.encode("utf-8", "replace"))
    if size > MAX_FILE:
        raise ToolError(f"the file would have {size:,} bytes; at most {MAX_FILE:,} are kept")
    return content


def _written(path: str, content: str) -> str:
    """The answer to a write: the size, and the faults of form that can be told at once."""
    head = f"{path} has {len(content.encode('utf-8', 'replace')):,} bytes in {content.count(chr(10)) + 1} lines."
    if path == PLAN:
        return f"{head} {_plan_form(content)}"
    return f"{head} {_listed('Structure', structure(content).findings)}"


def _plan_form(content: str) -> str:
    try:
        plan = read_plan(content)
    except PlanFaulty as error:
        return "It cannot be used as a plan: " + "; ".join(f"{path} {fault}" for path, fault in error.faults[:MAX_TOLD])
    return f"Sections: {', '.join(section.id for section in plan.sections) or 'none'}."


def _listed(what: str, findings: tuple[Finding, ...]) -> str:
    if not findings:
        return f"{what}: nothing found."
    told = [f"- {finding.where} {finding.message}. {finding.remedy}".rstrip() for finding in findings[:MAX_TOLD]]
    rest = [f"- and {len(findings) - MAX_TOLD} more"] if len(findings) > MAX_TOLD else []
    return "\n".join([f"{what}: {len(findings)} found.", *told, *rest])


def _seen(drawing: Drawn, html: str, label: str) -> str:
    width, height = drawing.picture.facts["width"], drawing.picture.facts["height"]
    lines = [
        f"{label}: {width}×{height} pixels on a window {drawing.screen.width} wide.",
        f"The compiled mail has {size_of(html):,} bytes.",
        f"Measured: {examined_texts(drawing.layout)} visible texts.",
        _listed("Layout", layout_findings(drawing.layout, label=label)),
    ]
    refused = drawing.layout["refused"]
    if refused:
        lines.append("Not shown, because only assets and made pictures are: " + ", ".join(refused[:MAX_TOLD]))
    return "\n".join(lines)


def _no_single_match(path: str, text: str, old: str, count: int) -> str:
    if not old:
        return f"`old` is empty; give the exact text of {path} to replace"
    if count:
        lines = [str(text.count("\n", 0, at) + 1) for at in _positions(text, old)][:MAX_TOLD]
        return f"the text occurs {count} times in {path} (lines {', '.join(lines)}); give more of its surroundings"
    return f"the text occurs 0 times in {path}. " + _near(text, old)


def _positions(text: str, old: str) -> list[int]:
    positions, at = [], text.find(old)
    while at >= 0:
        positions.append(at)
        at = text.find(old, at + len(old))
    return positions


def _near(text: str, old: str) -> str:
    """The lines of the file that look most like the first line that was asked for."""
    wanted = next((line.strip() for line in old.splitlines() if line.strip()), "")
    lines = {f"{number}: {line.strip()}"[:200]: line.strip() for number, line in enumerate(text.splitlines(), 1)}
    close = set(difflib.get_close_matches(wanted, lines.values(), n=3, cutoff=0.5)) if wanted else set()
    shown = [numbered for numbered, line in lines.items() if line in close][:3]
    return "Near it stands:\n" + "\n".join(shown) if shown else "Nothing near it was found; read the file first"


TOOLS = (write_file, edit_file, make_picture, crop_picture, render)
