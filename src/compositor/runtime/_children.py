"""Child processes that outlive the code which started them: found, ended with all that they started, and told of.

Children belong to the process, not to a call, and the process may belong to an application that starts its own. So
Python is asked to tell of each start, in the context of the code that starts. A child counts as left behind by a call
only if it was not there before this very call started its first, has the words of a command that it started, and no
port keeps it. Where another call under way started the same command, the child may be that one's: it is waited for,
and both are told.

What is not found: a process that detached itself (its parent ended, so it is nobody's child any more), and one that a
bare thread started. The sandbox is for such code.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

if TYPE_CHECKING:
    from psutil import Process

GONE_SECONDS = 2.0
"""Longest time for children to be gone once they are being ended."""
GRACE_SECONDS = 0.5
"""How long whoever started a child may take its exit status. After that nobody seems to want it."""
STARTING_SECONDS = 1.0
"""Longest wait for the words of a child that is just starting, on a busy machine; most often it takes microseconds."""
LOOK_SECONDS = 0.02
"""Pause between two looks."""

_STARTS = frozenset({"subprocess.Popen", "os.posix_spawn", "os.fork", "os.forkpty"})
"""The audit events of a start; the first two name the words of the command, a fork has ours."""

Argv = tuple[str, ...]

Kept = Callable[[], frozenset[int]]
"""Tells the ids of the child processes that ports keep between calls."""

Told = TypeVar("Told")


@dataclass(slots=True, kw_only=True, eq=False)
class Watch:
    """The children of the process as one call sees them.

    Attributes:
        kept: what ports keep.
        starts: the words of the commands that the call started.
        before: the children that there were before it started the first.
        outer: the watch of the call in which this one was made, which cannot end before it.
        running: whether the call is still under way.
        seen: what it left behind, as far as can be told so far.
        taken_over: what calls left that were cancelled while this one was under way.
        ended: what it left behind and was ended.
    """

    kept: Kept
    starts: list[Argv] = field(default_factory=list)
    before: frozenset[Process] = frozenset()
    outer: Watch | None = None
    running: bool = True
    seen: frozenset[Process] = frozenset()
    taken_over: frozenset[Process] = frozenset()
    ended: frozenset[Process] = frozenset()

    async def over(self) -> tuple[str, ...]:
        """The call has ended: end what it left behind, and say what that was.

        Waits until no other call is under way that may have started it. Cancelled, it waits for nobody: the
        last of those under way ends it.
        """
        self.running = False
        if self.starts and (new := _alive() - self.before):
            with anyio.CancelScope(shield=True):
                await _until(lambda: all(map(_has_words, new)), STARTING_SECONDS)
            kept = self.kept()
            self.seen = frozenset(child for child in new if child.pid not in kept and self.started(child))
        names = {child: _asked(child, lambda one: one.name(), "a process") for child in self.seen}
        try:
            while self.seen and self._others(self.seen):
                await anyio.sleep(LOOK_SECONDS)
                self.seen &= _alive()
        finally:
            await self._settle()
        return tuple(sorted(names[child] for child in self.ended))

    def note(self, argv: Argv) -> None:
        """The call is about to start a command."""
        if not self.starts:
            self.before = _alive()
        self.starts.append(argv)

    def started(self, child: Process) -> bool:
        """Whether a child has the words of a command that the call started."""
        argv = _argv(child)
        return any(_same(argv, start) for start in self.starts)

    async def _settle(self) -> None:
        mine = self.seen | (self.taken_over & _alive() if self.taken_over else frozenset())
        others = self._others(mine) if mine else []
        for other in others:
            other.taken_over |= mine
        if mine and not others:
            for watch in _WATCHES:
                watch.ended |= watch.seen & mine
            with anyio.CancelScope(shield=True):
                await _end(mine)

    def _others(self, children: frozenset[Process]) -> list[Watch]:
        """The other calls under way that may have started some of these, without those that this one is a part of."""
        line, outer = [self], self.outer
        while outer is not None:
            line, outer = [*line, outer], outer.outer
        under_way = (watch for watch in _WATCHES if watch.running and watch.starts and watch not in line)
        return [watch for watch in under_way if any(map(watch.started, children))]


_WATCHES: list[Watch] = []
"""The watches of this process that are not settled yet, of whichever operation."""

_HERE: ContextVar[Watch | None] = ContextVar("watch", default=None)


@contextmanager
def watched(kept: Kept) -> Iterator[Watch]:
    """A watch for the code in the block; call its `over` before the block is left."""
    _listen()
    watch = Watch(kept=kept, outer=_HERE.get())
    _WATCHES.append(watch)
    here = _HERE.set(watch)
    try:
        yield watch
    finally:
        _HERE.reset(here)
        _WATCHES.remove(watch)


@cache
def _listen() -> None:
    """Have each start of a process told, once for all: Python's own way, which cannot be taken back."""
    sys.addaudithook(_told)


def _told(event: str, arguments: tuple[Any, ...]) -> None:
    """Note a start in the watch of the code that starts, and in those around it. Runs before the child is there."""
    if event not in _STARTS or (watch := _HERE.get()) is None:
        return
    argv = _words(arguments[1]) if arguments else tuple(sys.orig_argv)
    while watch is not None:
        watch.note(argv)
        watch = watch.outer


_told.__cantrace__ = True  # type: ignore[attr-defined]  # so that debuggers and coverage can look into it


def _words(argv: Any) -> Argv:
    return (os.fsdecode(argv),) if isinstance(argv, str | bytes | os.PathLike) else tuple(map(os.fsdecode, argv))


def _argv(child: Process) -> Argv:
    return _asked(child, lambda one: tuple(one.cmdline()), ())


def _has_words(child: Process) -> bool:
    """Whether a child can be told by its words. From `exec` on it has none, until it gets its turn to set them up."""
    return bool(_argv(child)) or not _lives(child)


def _same(argv: Argv, start: Argv) -> bool:
    """Whether a process with these words came from that start.

    It may have replaced itself by the end of its own line, as `env` and `setpriv` do, or be run by the interpreter that
    the first line of its file names.
    """
    short, long = sorted((argv, start), key=len)
    if long[-len(short) :] == short:
        return True
    names = {PurePath(word).name for word in argv}
    return PurePath(start[0]).name in names and argv[len(argv) - len(start) + 1 :] == start[1:]


def _alive() -> frozenset[Process]:
    """The children of this process that have not ended. Without any, this costs a microsecond; else psutil is asked."""
    if not _any():
        return frozenset()
    import psutil

    return frozenset(filter(_lives, psutil.Process().children()))


def _any() -> bool:
    """Whether there is a child at all. Nobody's exit status is taken by asking."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    except AttributeError:  # macOS cannot be asked in this way
        return True
    return True


def _asked(process: Process, question: Callable[[Process], Told], otherwise: Told) -> Told:
    """What a process answers; it may be gone at any moment, or be another user's."""
    import psutil

    told = otherwise
    with suppress(psutil.Error):
        told = question(process)
    return told


def _lives(process: Process) -> bool:
    return _asked(process, lambda one: one.status() != "zombie", otherwise=False)


async def _end(children: frozenset[Process]) -> None:
    """Kill these children and all that they started. Who waits for a child's exit status still gets it."""
    family = list(children)
    for member in family:  # it grows: each is stopped before its own children are listed, so that none gets away
        _asked(member, lambda one: one.suspend(), otherwise=None)
        family += _asked(member, lambda one: one.children(), otherwise=[])
    for member in family:
        _asked(member, lambda one: one.kill(), otherwise=None)
    await _until(lambda: not any(map(_lives, family)), GONE_SECONDS)
    await _until(lambda: not any(child.is_running() for child in children), GRACE_SECONDS)
    for child in children:
        _clear_away(child)


async def _until(holds: Callable[[], bool], seconds: float) -> None:
    """Wait until it holds, at most so long."""
    end = anyio.current_time() + seconds
    while not holds() and anyio.current_time() < end:  # noqa: ASYNC110 - nobody tells us of what we did not start
        await anyio.sleep(LOOK_SECONDS)


def _clear_away(child: Process) -> None:
    """Take an exit status that nobody took, so that nothing remains of the child."""
    with suppress(ChildProcessError):
        os.waitpid(child.pid, os.WNOHANG)
