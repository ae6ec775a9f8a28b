"""The processes of a kill sweep: each makes a leaflet, or goes on with one, until it dies or is done.

Run as `python -m compositor.testing.conformance._victim PLACE FOLDER`, it reads trials as JSON from its input, and its
output is what was found. Each victim is a fork of this process, which loads the modules once, opens no store and starts
no thread.
"""

from __future__ import annotations

import json
import os
import pkgutil
import signal
import sys
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from pathlib import Path

import anyio

from compositor._points import watched
from compositor._values import Json
from compositor.operations import Environment, Result, generate, resume
from compositor.runtime import Store
from compositor.testing.conformance._leaflet import (
    ACKNOWLEDGED,
    BEGAN,
    DOCUMENT,
    OPERATION,
    REQUEST,
    Diary,
    leaflet,
    models,
)

LOADED = [import_module(name) for name in ("compositor.tools._schema", "compositor.workspace.request")]
"""What the product loads when it is needed; loaded here, the forks have it already."""

Place = Callable[[Path], AbstractAsyncContextManager[Environment]]
"""Opens the environment under test over a folder; every victim of one trial is given the same folder."""

SECONDS = 60.0
"""A victim that is not done by then hangs."""


class Doom:
    """Counts the points that a process passes, and kills it at one of them. What was acknowledged is noted."""

    def __init__(self, nth: int | None, diary: Diary) -> None:
        self._nth, self._diary = nth, diary
        self.passed: list[str] = []

    def pass_by(self, point: str) -> None:
        """Pass a point, or die there."""
        self.passed.append(point)
        if point == "commit.written":
            self._diary.write(ACKNOWLEDGED)
        if len(self.passed) == self._nth:
            os.kill(os.getpid(), signal.SIGKILL)


async def work(place: Place, folder: Path, nth: int | None) -> None:
    """Begin the leaflet, or resume it; keep what was found beside it."""
    diary = Diary(folder / "diary")
    doom = Doom(nth, diary)
    with watched(doom.pass_by):
        async with place(folder / "data") as environment:
            store = environment.store
            there = await _exists(store)
            effects, events = await store.effects(OPERATION), await store.events(OPERATION)
            diary.write(BEGAN + json.dumps({"effects": sorted(effects), "events": len(events)}))
            shared = {"agents": [leaflet(diary)], "models": models(diary), "environment": environment}
            handle = (
                resume(OPERATION, **shared)  # type: ignore[arg-type]  # three arguments by name
                if there
                else generate(REQUEST, operation_id=OPERATION, **shared)  # type: ignore[arg-type]
            )
            result = await handle
            found = await _found(environment, result)
    passed = list(doom.passed)
    (folder / "found.json").write_text(json.dumps({**found, "points": passed}), encoding="utf-8")


async def _exists(store: Store) -> bool:
    return OPERATION in {record.id for record in await store.operations()}


async def _found(environment: Environment, result: Result) -> dict[str, Json]:
    store = environment.store
    async with store.lease(OPERATION):
        record = await store.load(OPERATION)
    events = await store.events(OPERATION)
    head = await store.head(DOCUMENT)
    files = {a.path: (await environment.blobs.get(a.sha256)).decode() for a in result.artifacts}
    return {
        "result": result.model_dump(mode="json"),
        "files": files,
        "state": record.state,
        "operations": len(await store.operations()),
        "versions": head.number if head else 0,
        "seqs": [event.seq for event in events],
        "kinds": [event.what.kind for event in events],
        "effects": sorted(await store.effects(OPERATION)),
    }


def trial(place: Place, folder: Path, deaths: list[Json]) -> Json:
    """Kill one process after another, then let one come to the end; what was found.

    A death is the number of a point, or `{"after": seconds}` for a kill from outside.
    """
    folder.mkdir(parents=True)
    ways = [_life(place, folder, death) for death in deaths]
    began = time.monotonic()
    ways.append(_life(place, folder, None))
    seconds = time.monotonic() - began
    found = json.loads((folder / "found.json").read_text(encoding="utf-8")) if ways[-1] == "ended" else {}
    return {**found, "ways": ways, "seconds": seconds, "diary": Diary(folder / "diary").lines()}


def _life(place: Place, folder: Path, death: Json) -> str:
    """How a process that works on the folder ended: `ended`, `broke: …` or `killed`."""
    process = os.fork()
    if process == 0:
        _live(place, folder, death if isinstance(death, int) else None)
    if isinstance(death, dict):
        time.sleep(death["after"])
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status):
        return "killed" if os.WTERMSIG(status) == signal.SIGKILL else f"broke: signal {os.WTERMSIG(status)}"
    return "ended" if os.WEXITSTATUS(status) == 0 else f"broke: {(folder / 'error').read_text(encoding='utf-8')}"


def _live(place: Place, folder: Path, nth: int | None) -> None:
    """The whole life of a victim, which never returns."""
    signal.alarm(int(SECONDS))
    try:
        anyio.run(work, place, folder, nth)
    except BaseException as error:  # noqa: BLE001 - whatever it is, this fork must end here
        (folder / "error").write_text(repr(error), encoding="utf-8")
        os._exit(1)
    os._exit(0)


def main(name: str, folder: str) -> None:
    """Hold the trials that stand on the input: name → deaths."""
    place: Place = pkgutil.resolve_name(name)
    trials: dict[str, list[Json]] = json.load(sys.stdin)
    print(json.dumps({one: trial(place, Path(folder) / one, deaths) for one, deaths in trials.items()}))  # noqa: T201 - its output is what this program is for


if __name__ == "__main__":
    main(*sys.argv[1:])
