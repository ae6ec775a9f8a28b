"""What the frame itself costs: processor time per step, and memory per operation, with a scripted writer."""

from __future__ import annotations

import gc
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from compositor.adapters.store._database import Database
from compositor.agents import Agent, Budget
from compositor.capabilities import (
    Capability,
    CheckContext,
    Output,
    Reads,
    Report,
    Scope,
    ToolContext,
    ToolResult,
    Verifier,
    tool,
)
from compositor.operations import Environment, generate
from compositor.testing import PlainCompiler, PlainPictures, PlainRenderer, Scripted, calls

STEP_GOAL_MS = 1.0
"""CPU per step with journal, events and snapshot on the disk: a reply recorded, one tool run, one file written."""
SLOPE_GOAL_KIB = 1.0
"""Growth per operation that is still taken for none: an operation's journal alone is some 30 KiB."""
STEPS = 400
"""Of one operation, so that opening and closing it hardly count."""
ROUNDS = 10
WARM = 200
"""Operations before memory is looked at: caches and pools have their size by then."""

REQUEST = {"operation": "generate", "content": "line", "brief": {"name": "A line", "objective": "awareness"}}


@tool()
async def write_line(ctx: ToolContext, text: str) -> ToolResult:
    """Write the line."""
    await ctx.files.write("line.txt", text)
    return ToolResult(text=f"wrote {len(text)} characters")


async def _measure(ctx: CheckContext) -> Report:
    return Report(examined=len(await ctx.files.read_text("line.txt")))


LINE = Capability(
    name="line",
    kind="content",
    content_type="line",
    reads=Reads(required=("brief",)),
    owns=(Output(path="line.txt"),),
    tools=(write_line,),
    verifiers=(
        Verifier(name="length", version="1", kind="measurement", check=_measure, reads=Scope(files=("line.txt",))),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """Resident memory over many operations in one process.

    Attributes:
        operations: how many were looked at.
        slope: KiB by which it grows per operation, by least squares.
        last: MiB at the end.
    """

    operations: int
    slope: float
    last: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Steps:
    """Milliseconds of processor time, the least of some rounds: what it costs on a quiet machine.

    Attributes:
        step: of one step.
        writes: of that, what two durable writes of one row each take by themselves, in the same run. No step can do
            with fewer: the reply is kept before its calls are run, and their answers before the next reply is paid.
    """

    step: float
    writes: float


async def steps() -> Steps:
    """Measure both by turns, so that the machine's moods meet both."""
    rounds = [(await _step_ms(), await _writes_ms()) for _ in range(ROUNDS)]
    return Steps(step=min(step for step, _ in rounds), writes=min(writes for _, writes in rounds))


async def _step_ms() -> float:
    script = {(1, step): calls(("write_line", {"text": f"line number {step}"})) for step in range(1, STEPS)}
    agent = Agent(operation="generate", content=LINE, budget=Budget(steps=STEPS + 1))
    async with _environment() as environment:
        began = time.process_time()
        result = await generate(REQUEST, agents=[agent], models={"writer": Scripted(script)}, environment=environment)
        return (time.process_time() - began) / result.usage.steps * 1000


async def _writes_ms() -> float:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "rows.sqlite", busy_seconds=30.0)
        await database.transaction(lambda db: db.execute("CREATE TABLE lines (line TEXT)").close())
        began = time.process_time()
        for _ in range(2 * STEPS):
            await database.transaction(lambda db: db.execute("INSERT INTO lines VALUES (?)", ("x" * 600,)).close())
        took = time.process_time() - began
        database.close()
    return took / STEPS * 1000


async def memory(operations: int) -> Memory:
    """Run so many operations, one after another, and watch the memory of this process."""
    agent = Agent(operation="generate", content=LINE)
    looks: list[tuple[int, int]] = []
    async with _environment() as environment:
        for number in range(WARM + operations):
            script = {(1, 1): calls(("write_line", {"text": f"line of {number}"}))}
            await generate(REQUEST, agents=[agent], models={"writer": Scripted(script)}, environment=environment)
            if number >= WARM and number % 20 == 0:
                gc.collect()
                looks.append((number, psutil.Process().memory_info().rss))
    return Memory(operations=operations, slope=_slope(looks) / 1024, last=looks[-1][1] / 2**20)


def _slope(looks: Sequence[tuple[int, int]]) -> float:
    """Bytes per operation, by least squares."""
    count = len(looks)
    mean_x, mean_y = sum(x for x, _ in looks) / count, sum(y for _, y in looks) / count
    return sum((x - mean_x) * (y - mean_y) for x, y in looks) / sum((x - mean_x) ** 2 for x, _ in looks)


@asynccontextmanager
async def _environment() -> AsyncIterator[Environment]:
    drawing = {"renderer": PlainRenderer(), "compiler": PlainCompiler(), "pictures": PlainPictures()}
    with tempfile.TemporaryDirectory() as data:
        async with Environment(Path(data), **drawing) as environment:  # type: ignore[arg-type]  # ports by name
            yield environment
