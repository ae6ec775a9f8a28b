"""Makes notes in processes that kill themselves, and resumes them in others. Run as a program by `test_killed`.

It is given a folder and names of points, and prints one JSON object: point → what was found; `nowhere` is the run that
nobody kills. A point is a place where a process dies by SIGKILL: `writer/2/1` and `judge/2/1` (a reply, by turn and
step), `tool/1`, `build/1`, `check/1` (the Nth run), `store/7/before` and `store/7/after` (the Nth transaction).
Several, joined by `+`, kill one process after another.

Each run is a fork of this one, which loads all modules once, opens no store and starts no thread.
"""

from __future__ import annotations

import functools
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import obstore.store

import compositor.tools._schema
import compositor.workspace.request
from compositor._values import Json
from compositor.adapters.store import SqliteStore
from compositor.agents import Agent
from compositor.operations import Environment, Handle, generate, resume
from compositor.runtime import ModelAdapter, Prompt, Reply, Role
from compositor.testing import PlainCompiler, PlainPictures, PlainRenderer, Scripted, calls, verdict
from tests.frame.note import note

LOADED = (anyio.to_thread, obstore.store, compositor.tools._schema, compositor.workspace.request)
"""What the product loads when it is needed; loaded here, the forks have it already."""

REQUEST: Json = {
    "operation": "generate",
    "content": "note",
    "document": "greeting",
    "brief": {"name": "Ada", "objective": "awareness"},
}
DONE = Reply(text="Done.")
WRITER = {
    (1, 1): calls(("write_note", {"text": "word " * 20})),
    (1, 2): DONE,
    (2, 1): calls(("write_note", {"text": "a short note"})),
    (2, 2): DONE,
    (3, 1): calls(("write_note", {"text": "hello Ada, a short note"})),
    (3, 2): DONE,
}
JUDGE = {(2, 1): verdict({"greets": False}, feedback="greet her"), (3, 1): verdict({"greets": True})}


class Doom:
    """Kills this process at one point, and keeps a line for each thing that was done."""

    def __init__(self, point: str, log: Path) -> None:
        self._point, self._log = point, log
        self._counts: Counter[str] = Counter()

    def reach(self, what: str) -> None:
        """Die here, if this is the point."""
        if what == self._point:
            os.kill(os.getpid(), signal.SIGKILL)

    def done(self, what: str) -> None:
        """Keep a line, which survives the kill."""
        with self._log.open("a", encoding="utf-8") as log:
            log.write(what + "\n")

    def nth(self, what: str) -> str:
        """The name of this run of something."""
        self._counts[what] += 1
        return f"{what}/{self._counts[what]}"

    def doomed(self, what: str, run: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """The same function, which may be the last thing that this process does."""

        @functools.wraps(run)
        async def running(*arguments: Any, **named: Any) -> Any:
            self.done(what)
            self.reach(self.nth(what))
            return await run(*arguments, **named)

        return running

    def replying(self, role: str, reply: Reply) -> Callable[[Prompt], Reply]:
        """A scripted reply that counts as a paid call before anything else happens."""

        def answer(prompt: Prompt) -> Reply:
            name = f"{role}/{prompt.turn}/{prompt.step}"
            self.done(name)
            self.reach(name)
            return reply

        return answer


class DoomedStore(SqliteStore):
    """The embedded store in a process that may die right before or right after a transaction."""

    def __init__(self, folder: Path, doom: Doom) -> None:
        super().__init__(folder)
        self._doom = doom

    async def _transaction(self, write: Any) -> None:
        name = self._doom.nth("store")
        self._doom.reach(f"{name}/before")
        await super()._transaction(write)
        self._doom.reach(f"{name}/after")


def agent(doom: Doom) -> Agent:
    """The agent for notes, in a process that may die in any part of it."""
    assert note.build is not None
    checks = tuple(replace(v, check=doom.doomed("check", v.check)) for v in note.verifiers if v.kind == "measurement")
    others = tuple(v for v in note.verifiers if v.kind == "judgment")
    tools = tuple(replace(tool, run=doom.doomed("tool", tool.run)) for tool in note.tools)
    doomed = replace(note, tools=tools, verifiers=(*checks, *others), build=doom.doomed("build", note.build))
    return Agent(operation="generate", content=doomed)


async def attempt(data: Path, point: str) -> None:
    """Begin a note, or resume the one that there is; keep what was found beside the data."""
    doom = Doom(point, data / "log")
    store = DoomedStore(data, doom)
    models: dict[Role, ModelAdapter] = {
        "writer": Scripted({place: doom.replying("writer", reply) for place, reply in WRITER.items()}),
        "judge": Scripted({place: doom.replying("judge", reply) for place, reply in JUDGE.items()}, name="judge"),
    }
    outside = {"renderer": PlainRenderer(), "compiler": PlainCompiler(), "pictures": PlainPictures()}
    async with Environment(data, store=store, **outside) as environment:  # type: ignore[arg-type]  # ports by name
        known = [record.id for record in await store.operations()]
        before = {
            "recorded": sorted(await store.effects(known[0])) if known else [],
            "done": (data / "log").read_text(encoding="utf-8").splitlines() if (data / "log").exists() else [],
        }
        handle = _handle(known, agent(doom), models, environment)
        result = await handle
        found = await _found(environment, handle.operation)
    found |= {"before": before, "result": result.model_dump(mode="json")}
    store.close()
    (data / "found.json").write_text(json.dumps(found), encoding="utf-8")


def _handle(known: list[str], maker: Agent, models: dict[Role, ModelAdapter], environment: Environment) -> Handle:
    if known:
        return resume(known[0], agents=[maker], models=models, environment=environment)
    return generate(REQUEST, agents=[maker], models=models, environment=environment)


async def _found(environment: Environment, operation: str) -> dict[str, Json]:
    store = environment.store
    record = await store.load(operation)
    result = await store.head("greeting")
    assert result is not None
    files = json.loads(await environment.blobs.get(result.snapshot))
    return {
        "operations": len(await store.operations()),
        "state": record.state,
        "versions": result.number,
        "files": {path: (await environment.blobs.get(entry[0])).decode() for path, entry in files.items()},
        "seqs": [event.seq for event in await store.events(operation)],
        "kinds": [event.what.kind for event in await store.events(operation)],
    }


def outcome(data: Path, points: list[str]) -> Json:
    """Kill at each point in turn, then go on to the end; what was found."""
    data.mkdir(parents=True)
    killed = [_forked(data, point) for point in points]
    ended = _forked(data, "")
    found = json.loads((data / "found.json").read_text(encoding="utf-8"))
    log = (data / "log").read_text(encoding="utf-8").splitlines()
    leases = [path.name for path in (data / "leases").iterdir()]
    return {**found, "killed": killed, "ended": ended, "log": log, "leases": leases}


def _forked(data: Path, point: str) -> str:
    """How a process that works on the data ended: `ended`, `broke` or `killed`."""
    process = os.fork()
    if process == 0:
        try:
            anyio.run(attempt, data, point)
        except BaseException as error:  # noqa: BLE001 - whatever it is, this fork must end here
            print(repr(error), file=sys.stderr)
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status):
        return "killed" if os.WTERMSIG(status) == signal.SIGKILL else "broke"
    return "ended" if os.WEXITSTATUS(status) == 0 else "broke"


if __name__ == "__main__":
    folder, *wanted = sys.argv[1:]
    found_at = {point: outcome(Path(folder) / point.replace("/", "-"), point.split("+")) for point in wanted}
    found_at["nowhere"] = outcome(Path(folder) / "nowhere", [])
    print(json.dumps(found_at))
