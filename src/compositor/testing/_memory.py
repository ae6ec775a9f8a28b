"""A store and blobs in memory: real implementations of the ports, for one process and as long as it lives."""

from __future__ import annotations

from collections.abc import AsyncIterator, Container, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from compositor._values import addresses_in, canonical, read_json, sha256
from compositor.errors import OperationBusy, OperationUnknown, StorageFailed
from compositor.runtime import DELETED, Closing, Effect, OperationRecord, State, Version
from compositor.runtime.events import Event
from compositor.workspace import Freed


class MemoryBlobs:
    """Implements `Blobs`."""

    __slots__ = ("_kept", "_put_at")

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}
        self._put_at: dict[str, datetime] = {}

    async def put(self, data: bytes) -> str:
        """Keep the bytes; return their hex SHA-256."""
        address = sha256(data)
        self._kept[address] = bytes(data)
        self._put_at[address] = datetime.now(UTC)
        return address

    async def get(self, sha256: str) -> bytes:
        """The bytes of an address. Raises StorageFailed."""
        if sha256 not in self._kept:
            raise StorageFailed("blobs", f"no blob {sha256[:12]!r} in memory", "put it first")
        return self._kept[sha256]

    async def forget(self, keep: Container[str], *, untouched_since: datetime) -> Freed:
        """Remove what is not kept and was not put since that time."""
        old = [address for address, at in self._put_at.items() if address not in keep and at < untouched_since]
        size = sum(len(self._kept.pop(address)) for address in old)
        for address in old:
            del self._put_at[address]
        return Freed(blobs=len(old), size=size)


@dataclass(slots=True, kw_only=True)
class _Kept:
    """One operation. Effects and events are kept as bytes, so that only JSON comes back, as from any other store."""

    record: OperationRecord
    cancel_requested: bool = False
    effects: dict[str, bytes] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)


class MemoryStore:
    """Implements `Store`. Everything that a transaction may refuse is looked at before anything is changed."""

    __slots__ = ("_kept", "_leased", "_versions")

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}
        self._versions: dict[str, list[Version]] = {}
        self._leased: set[str] = set()

    async def create(self, record: OperationRecord, events: Sequence[Event]) -> None:
        """Begin an operation. Raises OperationBusy where its id is taken, or its document has one that is open."""
        if record.id in self._kept:
            raise OperationBusy(record.id, "there is an operation of that id", "choose another one")
        self._refuse_second(record.id, record.document)
        self._kept[record.id] = _Kept(record=record, events=_texts(events))

    async def load(self, operation: str) -> OperationRecord:
        """One operation. Raises OperationUnknown."""
        return self._of(operation).record

    async def operations(self) -> tuple[OperationRecord, ...]:
        """All operations, the newest first."""
        records = (kept.record for kept in self._kept.values())
        return tuple(sorted(records, key=lambda record: (record.opened_at, record.id), reverse=True))

    def lease(self, operation: str) -> AbstractAsyncContextManager[None]:
        """The right to work on an operation. Raises OperationBusy on entry."""
        return self._lease(operation)

    async def effects(self, operation: str) -> Mapping[str, Effect]:
        """Everything recorded, in order."""
        kept = self._kept.get(operation)
        return {key: Effect(**read_json(data.decode())) for key, data in kept.effects.items()} if kept else {}

    async def record(self, operation: str, effect: Effect, events: Sequence[Event]) -> None:
        """Keep an effect and its events. Raises StorageFailed where the key is not new."""
        kept = self._of(operation)
        self._refuse_known(kept, effect)
        kept.effects[effect.key] = _bytes(effect)
        kept.events += _texts(events)

    async def mark(self, operation: str, state: State, attempt: int, events: Sequence[Event]) -> None:
        """Set state and attempt, forget result and status, and keep the events."""
        kept = self._of(operation)
        self._refuse_second(operation, kept.record.document)
        kept.cancel_requested = kept.cancel_requested and kept.record.state != "ended"
        kept.record = replace(kept.record, state=state, attempt=attempt, result=None, status=None)
        kept.events += _texts(events)

    async def request_cancel(self, operation: str) -> None:
        """Keep the wish to cancel. Raises OperationUnknown."""
        self._of(operation).cancel_requested = True

    async def cancel_requested(self, operation: str) -> bool:
        """Whether there is that wish."""
        return self._of(operation).cancel_requested

    async def close_operation(self, operation: str, closing: Closing) -> None:
        """End an operation. Raises OperationBusy where the document's head is not the version's parent."""
        kept = self._of(operation)
        self._refuse_known(kept, closing.effect)
        if closing.version:
            self._save(operation, closing.version)
        kept.effects[closing.effect.key] = _bytes(closing.effect)
        kept.cancel_requested = False
        kept.record = replace(kept.record, state="ended", result=closing.result, status=closing.status)
        kept.events += _texts(closing.events)

    async def delete(self, operation: str) -> None:
        """Forget what was said in an operation, and what it saved. Raises OperationUnknown."""
        kept = self._of(operation)
        kept.record = replace(kept.record, opening="", result=None, status=DELETED)
        kept.effects, kept.events = {}, []
        for line in self._versions.values():
            line[:] = [
                replace(version, snapshot="", artifacts="") if version.operation == operation else version
                for version in line
            ]

    async def references(self) -> frozenset[str]:
        """Everything that could be the address of a blob."""
        records = [repr(kept.record) for kept in self._kept.values()]
        effects = [data.decode() for kept in self._kept.values() for data in kept.effects.values()]
        events = [text for kept in self._kept.values() for text in kept.events]
        versions = [repr(version) for line in self._versions.values() for version in line]
        texts = (*records, *effects, *events, *versions)
        return frozenset(address for text in texts for address in addresses_in(text))

    async def faults(self) -> tuple[str, ...]:
        """Memory has none."""
        return ()

    async def events(self, operation: str, after: int = 0) -> tuple[Event, ...]:
        """The events with a higher `seq`."""
        kept = self._kept.get(operation)
        events = (Event.model_validate_json(text) for text in (kept.events if kept else ()))
        return tuple(event for event in events if event.seq > after)

    async def head(self, document: str) -> Version | None:
        """The newest version of a document."""
        versions = self._versions.get(document)
        return versions[-1] if versions else None

    async def version(self, document: str, number: int) -> Version | None:
        """One version."""
        versions = self._versions.get(document, ())
        return next((version for version in versions if version.number == number), None)

    def _of(self, operation: str) -> _Kept:
        if operation not in self._kept:
            raise OperationUnknown(operation, "memory")
        return self._kept[operation]

    def _refuse_second(self, operation: str, document: str) -> None:
        for other in (kept.record for kept in self._kept.values()):
            if other.document == document and other.state != "ended" and other.id != operation:
                raise OperationBusy(operation, f"the document {document} has the open operation {other.id}")

    def _refuse_known(self, kept: _Kept, effect: Effect) -> None:
        if effect.key in kept.effects:
            raise StorageFailed("store", f"the effect {effect.key} is recorded already", "an effect is recorded once")

    def _save(self, operation: str, version: Version) -> None:
        line = self._versions.setdefault(version.document, [])
        head = line[-1].number if line else None
        if head != version.parent:
            raise OperationBusy(
                operation, f"the document {version.document} is at version {head}, not {version.parent}"
            )
        line.append(version)

    @asynccontextmanager
    async def _lease(self, operation: str) -> AsyncIterator[None]:
        if operation in self._leased:
            raise OperationBusy(operation, "another owner is at work on it")
        self._leased.add(operation)
        try:
            yield
        finally:
            self._leased.remove(operation)


def _bytes(effect: Effect) -> bytes:
    return canonical({name: getattr(effect, name) for name in effect.__slots__})


def _texts(events: Sequence[Event]) -> list[str]:
    return [event.model_dump_json() for event in events]
