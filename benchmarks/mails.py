"""What a generated email costs: processor time and memory of the whole process tree, cold, warm, and many at once."""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

import anyio
import psutil

from benchmarks.cpu import tree_seconds
from compositor.operations import Environment, generate

EXAMPLE = Path(__file__).parent.parent / "examples" / "retail-sale"
WARM = 10
AT_ONCE = 24
LOOK_SECONDS = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Of one email, designed offline, drawn at three widths and measured.

    Attributes:
        cold: CPU seconds of the first one: compiler, browser and fonts are started for it.
        warm: of each of the next ones, one after the other.
        at_once: of each of 24 that run side by side.
        cold_mib, at_once_mib: the most resident memory of the process tree meanwhile; pages that processes share are
            counted in each of them.
        browsers: how many browsers served the 24.
    """

    cold: float
    warm: float
    at_once: float
    cold_mib: float
    at_once_mib: float
    browsers: int


async def measure() -> Cost:
    """Run them all in one environment."""
    with tempfile.TemporaryDirectory() as data:
        folder = Path(shutil.copytree(EXAMPLE, Path(data) / "example"))
        async with Environment(Path(data) / "kept") as environment:
            cold, cold_mib = await _watched(environment, folder, 1)
            began = tree_seconds()
            for number in range(WARM):
                await _one(environment, folder, f"warm-{number}")
            warm = (tree_seconds() - began) / WARM
            at_once, at_once_mib = await _watched(environment, folder, AT_ONCE)
            return Cost(
                cold=cold,
                warm=warm,
                at_once=at_once / AT_ONCE,
                cold_mib=cold_mib,
                at_once_mib=at_once_mib,
                browsers=_browsers(),
            )


async def _watched(environment: Environment, folder: Path, count: int) -> tuple[float, float]:
    """CPU seconds of so many emails at once, and the most memory that was seen."""
    most = 0.0
    began = tree_seconds()

    async def look() -> None:
        nonlocal most
        while True:
            most = max(most, _resident_mib())
            await anyio.sleep(LOOK_SECONDS)

    async with anyio.create_task_group() as beside:
        beside.start_soon(look)
        async with anyio.create_task_group() as emails:
            for number in range(count):
                emails.start_soon(_one, environment, folder, f"of-{count}-{number}")
        beside.cancel_scope.cancel()
    return tree_seconds() - began, most


async def _one(environment: Environment, folder: Path, name: str) -> None:
    """One email of the example, as a document of its own: there is one open operation for each."""
    package = json.loads((EXAMPLE / "request.json").read_text(encoding="utf-8"))
    request = folder / f"{name}.json"
    request.write_text(json.dumps({**package, "document": name}), encoding="utf-8")
    result = await generate(request, environment=environment)
    if result.status != "succeeded":
        raise RuntimeError(f"{name}: {result.summary}")


def _family() -> list[psutil.Process]:
    return [psutil.Process(), *psutil.Process().children(recursive=True)]


def _resident_mib() -> float:
    total = 0
    for process in _family():
        try:
            total += process.memory_info().rss
        except psutil.Error:  # it ended in between
            continue
    return total / 2**20


def _browsers() -> int:
    """Browsers, not the jails around them nor their helpers: of the processes that are driven, the outermost."""
    driven = {process.pid for process in _family() if "--remote-debugging-pipe" in process.cmdline()}
    return sum(1 for pid in driven if psutil.Process(pid).ppid() not in driven)
