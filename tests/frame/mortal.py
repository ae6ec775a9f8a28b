"""Processes that die in the middle, all in one: what they share lives on, and what the dead do changes nothing.

A kill runs no `finally`, and an exception does. So from the moment of its death every call of a process's store and
blobs raises, and the lease of a dead process is free, as the system frees it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Container, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from compositor.errors import OperationBusy
from compositor.operations import Environment
from compositor.runtime import Closing, Effect, OperationRecord, State, Version
from compositor.runtime.events import Event
from compositor.testing import MemoryBlobs, MemoryStore, PlainCompiler, PlainPictures, PlainRenderer
from compositor.workspace import Blobs, Freed


class Died(BaseException):
    """The process is no more."""


@dataclass(frozen=True, slots=True)
class Death:
    """When a process dies.

    Attributes:
        at: the point at which it does, counted from 1.
        judged: whether to count from the first question to a judge on; what lies behind that is seldom reached else.
    """

    at: int
    judged: bool = False


@dataclass(slots=True, eq=False)
class Process:
    """One process, which may die at a point.

    Attributes:
        death: when; None where it lives on.
        passed: how many points it has passed, of those that count.
        judged: whether a judge was asked.
        alive: whether it lives.
    """

    death: Death | None = None
    passed: int = 0
    judged: bool = False
    alive: bool = True

    def pass_by(self, point: str) -> None:
        """Pass a point, or die there."""
        self.live()
        if self.death is not None and not point.startswith(UNHELD):
            self.passed += self.judged or not self.death.judged
            self.alive = self.passed < self.death.at
        self.live()

    def live(self) -> None:
        """Raise where it is dead."""
        if not self.alive:
            raise Died


UNHELD = "lease."
"""Points at which a file is locked that nobody closes: the system would, for a process that is really dead."""


class Disk(Protocol):
    """What outlives every process."""

    def environment(self, process: Process) -> Environment:
        """The environment of one process over it."""
        ...

    def leases(self) -> list[str]:
        """The operations that are still leased."""
        ...


@dataclass(slots=True)
class Memory:
    """Implements `Disk` in memory. Reads and writes of the dead raise."""

    store: MemoryStore = field(default_factory=MemoryStore)
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    leased: dict[str, Process] = field(default_factory=dict)

    def environment(self, process: Process) -> Environment:
        return Environment(
            Path("never-used"),
            store=MortalStore(process, self),
            blobs=MortalBlobs(process, self.blobs),
            renderer=PlainRenderer(),
            compiler=PlainCompiler(),
            pictures=PlainPictures(),
        )

    def leases(self) -> list[str]:
        return [operation for operation, process in self.leased.items() if process.alive]


@dataclass(slots=True)
class Folder:
    """Implements `Disk` with the embedded store and blobs. They pass a point before they write, so the dead do not."""

    path: Path

    def environment(self, process: Process) -> Environment:
        return Environment(self.path, renderer=PlainRenderer(), compiler=PlainCompiler(), pictures=PlainPictures())

    def leases(self) -> list[str]:
        return sorted(path.name for path in (self.path / "leases").glob("*"))


class MortalStore:
    """Implements `Store` as one process sees it."""

    def __init__(self, process: Process, memory: Memory) -> None:
        self._process, self._store, self._leased = process, memory.store, memory.leased

    async def create(self, record: OperationRecord, events: Sequence[Event]) -> None:
        self._process.live()
        await self._store.create(record, events)

    async def load(self, operation: str) -> OperationRecord:
        self._process.live()
        return await self._store.load(operation)

    async def operations(self) -> tuple[OperationRecord, ...]:
        self._process.live()
        return await self._store.operations()

    def lease(self, operation: str) -> AbstractAsyncContextManager[None]:
        return self._lease(operation)

    async def effects(self, operation: str) -> Mapping[str, Effect]:
        self._process.live()
        return await self._store.effects(operation)

    async def record(self, operation: str, effect: Effect, events: Sequence[Event]) -> None:
        self._process.live()
        await self._store.record(operation, effect, events)

    async def mark(self, operation: str, state: State, attempt: int, events: Sequence[Event]) -> None:
        self._process.live()
        await self._store.mark(operation, state, attempt, events)

    async def request_cancel(self, operation: str) -> None:
        self._process.live()
        await self._store.request_cancel(operation)

    async def cancel_requested(self, operation: str) -> bool:
        self._process.live()
        return await self._store.cancel_requested(operation)

    async def close_operation(self, operation: str, closing: Closing) -> None:
        self._process.live()
        await self._store.close_operation(operation, closing)

    async def delete(self, operation: str) -> None:
        self._process.live()
        await self._store.delete(operation)

    async def references(self) -> frozenset[str]:
        self._process.live()
        return await self._store.references()

    async def faults(self) -> tuple[str, ...]:
        self._process.live()
        return await self._store.faults()

    async def events(self, operation: str, after: int = 0) -> tuple[Event, ...]:
        self._process.live()
        return await self._store.events(operation, after)

    async def head(self, document: str) -> Version | None:
        self._process.live()
        return await self._store.head(document)

    async def version(self, document: str, number: int) -> Version | None:
        self._process.live()
        return await self._store.version(document, number)

    @asynccontextmanager
    async def _lease(self, operation: str) -> AsyncIterator[None]:
        self._process.live()
        if operation in self._leased and self._leased[operation].alive:
            raise OperationBusy(operation, "another owner is at work on it")
        self._leased[operation] = self._process
        try:
            yield
        finally:
            if self._process.alive:
                del self._leased[operation]


class MortalBlobs:
    """Implements `Blobs` as one process sees them."""

    def __init__(self, process: Process, blobs: MemoryBlobs) -> None:
        self._process, self._blobs = process, blobs

    async def put(self, data: bytes) -> str:
        self._process.pass_by("blob.begin")
        return await self._blobs.put(data)

    async def get(self, sha256: str) -> bytes:
        self._process.live()
        return await self._blobs.get(sha256)

    async def forget(self, keep: Container[str], *, untouched_since: datetime) -> Freed:
        self._process.live()
        return await self._blobs.forget(keep, untouched_since=untouched_since)


class Interposed:
    """Implements `Blobs`: lets somebody else go first, once, before the first read."""

    def __init__(self, blobs: Blobs, first: Callable[[], Awaitable[None]]) -> None:
        self._blobs, self._first = blobs, [first]

    async def put(self, data: bytes) -> str:
        return await self._blobs.put(data)

    async def get(self, sha256: str) -> bytes:
        while self._first:
            await self._first.pop()()
        return await self._blobs.get(sha256)

    async def forget(self, keep: Container[str], *, untouched_since: datetime) -> Freed:
        return await self._blobs.forget(keep, untouched_since=untouched_since)


def leaves(error: BaseException) -> list[BaseException]:
    """The errors of a group, and of groups in it; or the one that it is."""
    if isinstance(error, BaseExceptionGroup):
        group: BaseExceptionGroup[Any] = error
        return [leaf for inner in group.exceptions for leaf in leaves(inner)]
    return [error]
