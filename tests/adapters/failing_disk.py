"""A leaflet on a disk that fails: the trials of `test_failing_disk`, and, with `--all`, every one of them.

`strace` makes one call of the system fail in a process that makes a leaflet; another process, on a sound disk, resumes
it. Only calls on paths of the data folder are touched.
"""

from __future__ import annotations

import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, redirect_stdout
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio
import anyio.to_thread

from compositor._values import Json
from compositor.adapters.blobs import EmbeddedBlobs, FolderBlobs
from compositor.adapters.store import SqliteStore
from compositor.errors import PortError
from compositor.operations import Environment
from compositor.testing import PlainCompiler, PlainPictures, PlainRenderer
from compositor.testing.conformance._kills import must_have_survived
from compositor.testing.conformance._leaflet import Diary
from compositor.testing.conformance._victim import work

CHECKOUT = Path(__file__).parents[2]
SYSCALLS = ("fsync", "fdatasync", "write", "pwrite64")
ERRORS = ("EIO", "ENOSPC")
WORKERS = 2
SECONDS = 120
UNFIT = 4
"""The exit code of a run that the disk stopped, as the command line has it."""

_TRACED = re.compile(r"^\d+\s+(?P<call>\w+)\(\d+<(?P<path>[^>]+)>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """The `nth` call of its kind on the data folder fails with `error`."""

    syscall: str
    nth: int
    error: str

    def __str__(self) -> str:
        return f"{self.syscall} number {self.nth} fails with {self.error}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Disk:
    """What an undisturbed run does to the data folder.

    Attributes:
        whole: what it came to.
        calls: syscall → how often.
        paths: relative to the folder of the trial.
    """

    whole: Json
    calls: Counter[str]
    paths: tuple[str, ...]

    def faults(self) -> list[Fault]:
        """Every one that there is."""
        return [
            Fault(syscall=syscall, nth=nth, error=error)
            for syscall in SYSCALLS
            for nth in range(1, self.calls[syscall] + 1)
            for error in ERRORS
        ]


def sound(room: Path) -> Disk:
    """An undisturbed run, watched."""
    folder, log = room / "sound", room / "strace.log"
    ran = _run(folder, "strace", "-f", "-y", "-s", "0", "-e", f"trace={','.join(SYSCALLS)}", "-o", str(log))
    assert ran.returncode == 0, ran.stderr
    calls: Counter[str] = Counter()
    paths: set[str] = set()
    for line in log.read_text(encoding="utf-8").splitlines():
        traced = _TRACED.match(line)
        if traced and traced["path"].startswith(f"{folder}/data"):
            calls[traced["call"]] += 1
            paths.add(str(Path(traced["path"]).relative_to(folder)))
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    return Disk(whole=found, calls=calls, paths=tuple(sorted(paths)))


def tried(disk: Disk, fault: Fault, folder: Path) -> str:
    """Let the fault happen, and resume on a sound disk.

    Returns:
        How the disturbed run ended: `stopped` by an error, `ended` all the same, or the fault was `missed`.

    Raises:
        AssertionError: something was lost, or the error has no cure.
    """
    shutil.rmtree(folder, ignore_errors=True)
    watched = [argument for path in disk.paths for argument in ("-P", str(folder / path))]
    inject = f"inject={fault.syscall}:error={fault.error}:when={fault.nth}"
    log = folder.with_suffix(".log")
    command = ("strace", "-f", "--seccomp-bpf", "-o", str(log), "-e", f"trace={fault.syscall}", "-e", inject, *watched)
    disturbed = _run(folder, *command)
    assert disturbed.returncode in {0, UNFIT}, f"{fault}: {disturbed.stderr[-2000:]}"
    assert disturbed.returncode == 0 or " → " in disturbed.stdout, f"{fault}: no cure in {disturbed.stdout!r}"
    _must_resume(str(fault), disk, folder)
    if "(INJECTED)" not in log.read_text(encoding="utf-8"):
        return "missed"  # it made fewer calls than the run that was counted
    return "ended" if disturbed.returncode == 0 else "stopped"


def _must_resume(name: str, disk: Disk, folder: Path) -> None:
    code, said = _resumed(folder)
    assert code == 0, f"{name}, resumed: {said[-2000:]}"
    found = json.loads((folder / "found.json").read_text(encoding="utf-8"))
    diary = Diary(folder / "diary").lines()
    must_have_survived(name, {**found, "ways": ["ended"], "diary": diary}, disk.whole)


def _resumed(folder: Path) -> tuple[int, str]:
    """The exit code and the words of another process that goes on: a fork of this one, which has all modules loaded."""
    words = folder / "said"
    process = os.fork()
    if process == 0:
        code = 1
        signal.alarm(SECONDS)
        with words.open("w", encoding="utf-8") as out, redirect_stdout(out):
            try:
                code = run(folder)
            except BaseException:  # noqa: BLE001 - whatever it is, this fork must end here, and say it
                traceback.print_exc(file=out)
        os._exit(code)
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status), words.read_text(encoding="utf-8")


def full(disk: Disk, kilobytes: int, folder: Path) -> str:
    """Work on a disk of that size, then with space again; how the work on the small one ended.

    The small disk is a file system of its own in a jail's memory, which is copied out when the work has stopped.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    kept = folder.with_name(f"{folder.name}-kept")
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    small = ("--size", str(kilobytes * 1024), "--tmpfs", f"{folder}/data")
    jail = ("bwrap", "--dev-bind", "/", "/", "--tmpfs", "/mnt", "--bind", str(kept), "/mnt", *small)
    work_then_keep = f"{shlex.join(_command(folder))}; code=$?; cp -a {folder}/. /mnt; exit $code"
    ran = _outcome([*jail, "sh", "-c", work_then_keep])
    assert ran.returncode in {0, UNFIT}, f"{kilobytes} KiB: {ran.stdout} {ran.stderr[-2000:]}"
    assert ran.returncode == 0 or " → " in ran.stdout, f"{kilobytes} KiB: no cure in {ran.stdout!r}"
    _must_resume(f"{kilobytes} KiB", disk, kept)
    return "ended" if ran.returncode == 0 else "stopped"


def every(disk: Disk, faults: Sequence[Fault], room: Path) -> Counter[str]:
    """Try many faults in processes side by side; how often a disturbed run ended, was stopped, or the fault was missed.

    Raises:
        AssertionError: with the first one after which something was lost.
    """
    lanes = [(disk, faults[lane::WORKERS], room / f"lane-{lane}") for lane in range(WORKERS)]
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("fork")) as pool:
        return Counter(way for ways in pool.map(_tried_in_turn, *zip(*lanes, strict=True)) for way in ways)


def _tried_in_turn(disk: Disk, faults: Sequence[Fault], folder: Path) -> list[str]:
    return [tried(disk, fault, folder) for fault in faults]


def sample(faults: Sequence[Fault], count: int, seed: int) -> list[Fault]:
    """So many of them, the same on every run, some of each syscall."""
    chance = random.Random(seed)
    by_syscall = [[fault for fault in faults if fault.syscall == syscall] for syscall in SYSCALLS]
    return list(_in_turn([chance.sample(group, len(group)) for group in by_syscall], count))


def _in_turn(groups: Sequence[list[Fault]], count: int) -> Iterator[Fault]:
    left = [group for group in groups if group]
    while count > 0 and left:
        for group in left[:count]:
            yield group.pop()
        count -= len(left[:count])
        left = [group for group in left if group]


def _run(folder: Path, *tracer: str) -> subprocess.CompletedProcess[str]:
    folder.mkdir(parents=True, exist_ok=True)
    return _outcome([*tracer, *_command(folder)])


def _command(folder: Path) -> list[str]:
    return [sys.executable, "-m", "tests.adapters.failing_disk", "run", str(folder)]


def _outcome(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=SECONDS, check=False)


@asynccontextmanager
async def in_one_thread(data: Path) -> AsyncIterator[Environment]:
    """The embedded store and blobs, whose work is all done by one thread, since `strace` counts the calls of each."""
    anyio.to_thread.current_default_thread_limiter().total_tokens = 1
    store = await anyio.to_thread.run_sync(SqliteStore, data)
    try:
        blobs = EmbeddedBlobs(store, await anyio.to_thread.run_sync(FolderBlobs, data / "blobs"))
        drawing = {"renderer": PlainRenderer(), "compiler": PlainCompiler(), "pictures": PlainPictures()}
        async with Environment(data, store=store, blobs=blobs, **drawing) as environment:  # type: ignore[arg-type]  # ports by name
            yield environment
    finally:
        await anyio.to_thread.run_sync(store.close)


def run(folder: Path) -> int:
    """Make the leaflet in this process, or go on with it."""
    try:
        anyio.run(work, in_one_thread, folder, None)
    except PortError as error:
        print(error)
        return UNFIT
    return 0


def all_of_them() -> int:
    """Every fault, and disks of many sizes; prints the figures."""
    began = time.monotonic()
    with TemporaryDirectory() as temporary:
        room = Path(temporary)
        disk = sound(room)
        faults = disk.faults()
        print(f"{len(faults)} faults: {', '.join(f'{name} {count}' for name, count in disk.calls.items())}", flush=True)
        ways = every(disk, faults, room)
        sizes = Counter(full(disk, size, room / "small") for size in SIZES)
    print(f"disturbed runs: {dict(ways)}; small disks: {dict(sizes)}; all resumed ({time.monotonic() - began:.0f} s)")
    return 0


SIZES = (20, 60, 100, 140, 180, 220, 260, 300, 400, 500, 600, 700, 800, 1000, 1200, 1500, 2000, 4000)
"""KiB of the small disks: from too little for the tables to enough for all."""

if __name__ == "__main__":
    sys.exit(run(Path(sys.argv[2])) if sys.argv[1] == "run" else all_of_them())
