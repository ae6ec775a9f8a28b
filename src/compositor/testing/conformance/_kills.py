"""The suite of survival: an operation that is killed anywhere, in any place where operations may be kept."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from compositor._values import Json
from compositor.operations import Environment
from compositor.testing._ports import PlainCompiler, PlainPictures, PlainRenderer
from compositor.testing.conformance._leaflet import ACKNOWLEDGED, BEGAN, RECORDED_AS
from compositor.testing.conformance._must import must

WORKERS = 2
"""Trials run in so many processes side by side."""
DEATHS = 3
"""A trial with kills at random times has one to so many of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kills:
    """How a sweep went, where nothing was found wrong.

    Attributes:
        points: each name of a point → how often an undisturbed operation passes it.
        swept: how many points a process was killed at, each in a trial of its own.
        random: how many kills came at random times.
        late: how many of these came when the operation had ended already.
    """

    points: Mapping[str, int]
    swept: int
    random: int
    late: int


@asynccontextmanager
async def embedded(data: Path) -> AsyncIterator[Environment]:
    """The embedded store and blobs, with nothing that draws."""
    environment = Environment(data, renderer=PlainRenderer(), compiler=PlainCompiler(), pictures=PlainPictures())
    async with environment:
        yield environment


EMBEDDED = f"{__name__}:embedded"


async def check_kills(place: str, folder: Path, *, every: int = 1, random_kills: int = 20, seed: int = 0) -> Kills:
    """Kill an operation by SIGKILL at every point that it passes, and at random times; resume it in new processes.

    It makes a leaflet with tools side by side, a draft that a measurement rejects and one that a judge rejects. However
    it died, it must come to the same bytes, with one version and events without a gap; no model call and no tool call
    that was on record may be repeated.

    Args:
        place: `module:name` of an async context manager from a folder to an `Environment` over the store and blobs
            under test; it is opened in other processes, one after another, with the same folder.
        folder: an empty folder for the trials; it is left for a look.
        every: kill at each point, or only at each so manieth, for a quick look.
        random_kills: how many kills at random times.
        seed: of these times.

    Raises:
        AssertionError: with the trial and the sentence that does not hold.
    """
    whole = (await _trials(place, folder / "whole", {"whole": []}))["whole"]
    _must_be_whole(whole)
    swept: dict[str, list[Json]] = {f"point-{nth}": [nth] for nth in range(1, len(whole["points"]) + 1, every)}
    at_random = {f"random-{n}": deaths for n, deaths in enumerate(_random(random_kills, seed, whole["seconds"]))}
    found = await _side_by_side(place, folder, {**swept, **at_random})
    for name, one in found.items():
        must_have_survived(f"{name} ({_point(name, whole)})", one, whole)
    late = sum(found[name]["ways"][:-1].count("ended") for name in at_random)
    must(all("ended" not in found[name]["ways"][:-1] for name in swept), "each point is passed again in a new run")
    return Kills(points=Counter(whole["points"]), swept=len(swept), random=random_kills, late=late)


def _random(kills: int, seed: int, seconds: float) -> Iterator[list[Json]]:
    """Deaths of trials, until there are so many: at any time of a run, and somewhat later."""
    chance = random.Random(seed)  # noqa: S311 - the same times on every run
    while kills > 0:
        deaths = min(kills, chance.randint(1, DEATHS))
        kills -= deaths
        yield [{"after": chance.uniform(0, 1.1 * seconds)} for _ in range(deaths)]


async def _side_by_side(place: str, folder: Path, trials: Mapping[str, list[Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    names = list(trials)

    async def hold(worker: int) -> None:
        mine = {name: trials[name] for name in names[worker::WORKERS]}
        found.update(await _trials(place, folder, mine))

    async with anyio.create_task_group() as workers:
        for worker in range(WORKERS):
            workers.start_soon(hold, worker)
    return {name: found[name] for name in names}


async def _trials(place: str, folder: Path, trials: Mapping[str, list[Json]]) -> dict[str, Json]:
    command = [sys.executable, "-m", "compositor.testing.conformance._victim", place, str(folder)]
    ran = await anyio.run_process(command, input=json.dumps(trials).encode(), stderr=subprocess.PIPE, check=False)
    must(ran.returncode == 0, f"the trials of {place} broke down: {ran.stderr.decode('utf-8', 'replace')[-2000:]}")
    found: dict[str, Json] = json.loads(ran.stdout)
    return found


def _point(name: str, whole: Json) -> str:
    kind, _, number = name.partition("-")
    return str(whole["points"][int(number) - 1]) if kind == "point" else "at random times"


def _must_be_whole(whole: Json) -> None:
    must(whole["ways"] == ["ended"], f"a run that nobody kills ends: {whole['ways']}")
    result = whole["result"]
    must((result["status"], result["ending"]) == ("succeeded", "passed"), f"the leaflet is made: {result['summary']}")
    made = sorted(line for line in whole["diary"][1:] if line != ACKNOWLEDGED)
    must(made == sorted(RECORDED_AS), f"each call of the script is made once: {made}")
    missing = set(RECORDED_AS.values()) - set(whole["effects"])
    must(not missing, f"every call is on record: {sorted(missing)}")


def must_have_survived(name: str, found: Json, whole: Json) -> None:
    """Raise AssertionError unless an operation came to the end of one that nothing disturbed."""
    ways: Sequence[str] = found["ways"]
    must(ways[-1] == "ended", f"{name}: the last process comes to the end: {ways}")
    must(set(ways[:-1]) <= {"killed", "ended"}, f"{name}: a process is killed or comes to its end: {ways}")
    must(found["files"] == whole["files"], f"{name}: the bytes are those of a run that nobody killed")
    must(_lasting(found) == _lasting(whole), f"{name}: so is the result")
    counted = (found["operations"], found["versions"], found["state"])
    must(counted == (1, 1, "ended"), f"{name}: there is one operation, ended, and one version: {counted}")
    seqs = found["seqs"]
    must(seqs == list(range(1, len(seqs) + 1)), f"{name}: events are numbered without a gap: {seqs}")
    kinds = [kind for kind in found["kinds"] if kind not in {"operation_resumed", "operation_interrupted"}]
    must(sorted(kinds) == sorted(whole["kinds"]), f"{name}: each thing happened once: {kinds}")
    must(found["effects"] == whole["effects"], f"{name}: the same effects are on record")
    _must_remember(name, found["diary"])


def _lasting(found: Json) -> Json:
    """A result without its time, which differs from run to run."""
    return {field: value for field, value in found["result"].items() if field != "seconds"}


def _must_remember(name: str, diary: Sequence[str]) -> None:
    """A process finds what was acknowledged to those before it, and does nothing again that it finds on record."""
    recorded: set[str] = set()
    acknowledged = 0
    for line in diary:
        if line.startswith(BEGAN):
            there = json.loads(line.removeprefix(BEGAN))
            recorded = set(there["effects"])
            must(there["events"] >= acknowledged, f"{name}: {acknowledged} transactions, {there['events']} events")
        elif line == ACKNOWLEDGED:
            acknowledged += 1
        else:
            must(RECORDED_AS[line] not in recorded, f"{name}: {line!r} was on record and was done again")
