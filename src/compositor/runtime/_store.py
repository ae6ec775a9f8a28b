"""The port to a store: operations, their effects and events, documents and versions.

A store keeps small JSON; big things are blobs and travel as digests. Each call that writes is one transaction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

from compositor._values import Json
from compositor.runtime.events import Event

State = Literal["open", "interrupted", "ended"]
PLAIN_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""What an operation may be called: the id becomes the name of a file, and stands on command lines."""
DELETED = "deleted"
"""The status of an operation whose content was deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRecord:
    """One operation as it is kept.

    Attributes:
        id: the operation.
        operation, content, document: what it does, to what.
        state: `open` (at work, or its process died), `interrupted`, `ended`.
        attempt: how often it was begun.
        opened_at: ISO 8601, UTC.
        opening: digest of the blob that holds everything `resume` needs; empty once it was deleted.
        result: digest of the result document's blob, once ended.
        status: of the result, once ended.
    """

    id: str
    operation: str
    content: str
    document: str
    state: State
    attempt: int
    opened_at: str
    opening: str
    result: str | None = None
    status: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A recorded effect.

    Attributes:
        key: unique in its operation.
        name: `model_call`, `tool_call`, `build`, `evaluate`, `commit_version`, `reject` or `reopen`.
        arguments: small JSON that must be the same when the effect is met again.
        result: small JSON.
        seconds: how long it took.
    """

    key: str
    name: str
    arguments: Json
    result: Json
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One immutable saved result of a document.

    Attributes:
        document, number: its place in the line; numbers begin at 1.
        parent: the number that it was made from, or None.
        operation: what made it.
        snapshot, artifacts: digests of blobs: files, and labels with their artifacts; empty once they were deleted.
        verification: of the result.
        isolation: how its renders were isolated, or None where nothing was rendered.
        saved_at: ISO 8601, UTC.
    """

    document: str
    number: int
    parent: int | None
    operation: str
    snapshot: str
    artifacts: str
    verification: str
    isolation: str | None
    saved_at: str

    @property
    def erased(self) -> bool:
        """Whether its content was deleted with the operation that made it."""
        return not self.snapshot

    @property
    def id(self) -> str:
        """For people and URLs."""
        return f"{self.document}.{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing:
    """The end of an operation: its commit effect, its result and, perhaps, a version."""

    effect: Effect
    result: str
    status: str
    version: Version | None
    events: Sequence[Event] = field(default_factory=tuple)


class Store(Protocol):
    """Where operations live. Every method may raise PortError where the medium fails."""

    async def create(self, record: OperationRecord, events: Sequence[Event]) -> None:
        """Begin an operation.

        Raises:
            OperationBusy: there is one of that id, or another one on the document has not ended.
        """
        ...

    async def load(self, operation: str) -> OperationRecord:
        """One operation. Raises OperationUnknown."""
        ...

    async def operations(self) -> tuple[OperationRecord, ...]:
        """All operations, the newest first."""
        ...

    def lease(self, operation: str) -> AbstractAsyncContextManager[None]:
        """The right to work on an operation, gone with the process that holds it. Raises OperationBusy on entry."""
        ...

    async def effects(self, operation: str) -> Mapping[str, Effect]:
        """Everything recorded, by key, in order of recording."""
        ...

    async def record(self, operation: str, effect: Effect, events: Sequence[Event]) -> None:
        """Keep an effect and its events, in one transaction. The effect's key must be new."""
        ...

    async def mark(self, operation: str, state: State, attempt: int, events: Sequence[Event]) -> None:
        """Set state and attempt, forget result and status, and keep the events, in one transaction.

        A wish to cancel that came after the end is forgotten, too: whoever cancelled was told of the end.

        Raises:
            OperationBusy: an ended operation would be open beside another one on its document.
        """
        ...

    async def request_cancel(self, operation: str) -> None:
        """Keep the wish, of whoever it is, that the operation's owner close it for good. Raises OperationUnknown."""
        ...

    async def cancel_requested(self, operation: str) -> bool:
        """Whether there is that wish. Owners ask often: one row."""
        ...

    async def close_operation(self, operation: str, closing: Closing) -> None:
        """End an operation: effect, result, version and events in one transaction.

        Raises:
            OperationBusy: the document's head is no longer the version's parent.
        """
        ...

    async def delete(self, operation: str) -> None:
        """Forget what was said in an ended operation, and what it saved, so that no file of the medium holds it.

        Its id and its document stay, with the status `deleted`; its versions keep their numbers and have no content.
        Raises OperationUnknown.
        """
        ...

    async def references(self) -> frozenset[str]:
        """Everything in records, effects, events and versions that could be the address of a blob."""
        ...

    async def faults(self) -> tuple[str, ...]:
        """What is wrong with the medium, and with what lies on it; empty where all is well."""
        ...

    async def events(self, operation: str, after: int = 0) -> tuple[Event, ...]:
        """The events with a higher `seq`, in order."""
        ...

    async def head(self, document: str) -> Version | None:
        """The newest version of a document, or None."""
        ...

    async def version(self, document: str, number: int) -> Version | None:
        """One version, or None."""
        ...
