"""A process that D09 kills: `python -m tests.cases.killed FOLDER` begins an operation; with its id, it resumes that.

The first time that it draws, the process ends itself. Each run of a tool leaves a line in `FOLDER/runs`.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import anyio

from compositor.capabilities import ToolContext, ToolResult
from compositor.operations import Environment, generate, resume
from compositor.testing import PlainPictures, PlainRenderer, Scripted, calls, history_faults
from tests.cases.desk import MAIL, REQUEST, Desk
from tests.runtime.bench import answers

WRITER = {(1, 1): calls(("write_file", {"path": MAIL, "content": "<mjml/>"}), ("render", {}))}


class Listing(list[str]):
    """The runs of tools, in a file that outlives the process."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def append(self, run: str) -> None:
        """Add a run."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{run}\n")


async def main(folder: Path, operation: str = "") -> None:
    """Begin, or resume and say how it ended."""
    runs = folder / "runs"

    async def renders(ctx: ToolContext) -> ToolResult:
        if runs.read_text(encoding="utf-8").count("render") == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        return ToolResult(text="drawn")

    desk = Desk(renders=renders, runs=Listing(runs))
    writer = Scripted(WRITER)
    environment = Environment(folder / "data", renderer=PlainRenderer(), pictures=PlainPictures())
    async with environment:
        if operation:
            handle = resume(operation, agents=[desk.agent], models={"writer": writer}, environment=environment)
        else:
            handle = generate(REQUEST, agents=[desk.agent], models={"writer": writer}, environment=environment)
        result = await handle
    print(
        result.status,
        *(answer.text for answer in answers(writer)),
        *history_faults(writer.prompts[-1].messages),
        sep="\n",
    )


if __name__ == "__main__":
    anyio.run(main, Path(sys.argv[1]), "".join(sys.argv[2:]))
