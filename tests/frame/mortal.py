"""Processes that die in the middle, all in one: what they share lives on, and what the dead do changes nothing.

A kill runs no `finally`, and an exception does. So from the moment of its death every call of a process's store and
blobs raises, and the lease of a dead process is free, as the system frees it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Container, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from compositor.errors import OperationBusy
from compositor.runtime import Closing, Effect, OperationRecord, State, Version
from compositor.runtime.events import Event
from compositor.testing import MemoryBlobs, MemoryStore
from compositor.workspace import Freed


class Died(BaseException):
    """The process is no more."""


@dataclass(slots=True)
class Disk:
    """What outlives every process."""

    store: MemoryStore = field(default_factory=MemoryStore)
    blobs: MemoryBlobs = field(default_factory=MemoryBlobs)
    leases: dict[str, Process] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class Process:
    """One process, which dies when it has passed so many points.

    Attributes:
        disk: what it shares with others.
        left: points until it dies, or None where it does not.
        alive: whether it lives.
    """

    disk: Disk
    left: int | None = None
    alive: bool = True

    def pass_by(self, point: str) -> None:
        """Pass a point, or die there."""
        self.live()
        if self.left is not None:
            self.left -= 1
            if self.left <= 0:
                self.alive = False
        self.live()

    def live(self) -> None:
        """Raise where it is dead."""
        if not self.alive:
            raise Died


class MortalStore:
    """Implements `Store` as one process sees it."""

    def __init__(self, process: Process) -> None:
        self._process, self._store = process, process.disk.store

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
        leases = self._process.disk.leases
        if operation in leases and leases[operation].alive:
            raise OperationBusy(operation, "another owner is at work on it")
        leases[operation] = self._process
        try:
            yield
        finally:
            if leases.get(operation) is self._process:
                del leases[operation]


class MortalBlobs:
    """Implements `Blobs` as one process sees them."""

    def __init__(self, process: Process) -> None:
        self._process, self._blobs = process, process.disk.blobs

    async def put(self, data: bytes) -> str:
        self._process.live()
        return await self._blobs.put(data)

    async def get(self, sha256: str) -> bytes:
        self._process.live()
        return await self._blobs.get(sha256)

    async def forget(self, keep: Container[str], *, untouched_since: datetime) -> Freed:
        self._process.live()
        return await self._blobs.forget(keep, untouched_since=untouched_since)


def leaves(error: BaseException) -> list[BaseException]:
    """The errors of a group, and of groups in it; or the one that it is."""
    if isinstance(error, BaseExceptionGroup):
        group: BaseExceptionGroup[Any] = error
        return [leaf for inner in group.exceptions for leaf in leaves(inner)]
    return [error]
