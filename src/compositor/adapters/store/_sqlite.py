"""Implements `Store` over one SQLite file in WAL mode. A method that writes is one transaction in a worker thread."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Container, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cache
from pathlib import Path

from compositor._values import Json, addresses_in, canonical
from compositor.adapters._locks import sweep
from compositor.adapters.store._database import Database, failed
from compositor.adapters.store._health import faults_of
from compositor.adapters.store._lease import file_lease
from compositor.adapters.store._schema import REFERRING
from compositor.errors import OperationBusy, OperationUnknown
from compositor.runtime import DELETED, Closing, Effect, OperationRecord, State, Version
from compositor.runtime.events import Event
from compositor.workspace import Freed

LEASES = "leases"
BUSY_SECONDS = 30.0

_SELECT = f"SELECT {', '.join(OperationRecord.__slots__)} FROM operations"  # noqa: S608 - our own names, no values
"""The columns that make a record; a row has more."""


class SqliteStore:
    """The embedded store, which also keeps small blobs: see `EmbeddedBlobs`.

    Args:
        folder: holds `operations.sqlite` and `leases/`; made where it is missing.
        busy_seconds: how long a transaction waits for another process's.
    """

    __slots__ = ("_database", "_folder")

    def __init__(self, folder: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self._folder = folder
        try:
            sweep(folder / LEASES)
        except OSError as error:
            raise failed(f"cannot open {folder}: {error}", error, "choose another folder with --data") from error
        self._database = Database(folder / "operations.sqlite", busy_seconds)

    def close(self) -> None:
        """Let go of the file. Raises StorageFailed where small blobs that wait cannot be written."""
        self._database.close()

    async def create(self, record: OperationRecord, events: Sequence[Event]) -> None:
        """Begin an operation. Raises OperationBusy where its id is taken, or its document has one that is open."""

        def write(db: sqlite3.Connection) -> None:
            if db.execute("SELECT 1 FROM operations WHERE id = ?", (record.id,)).fetchone():
                raise OperationBusy(record.id, "there is an operation of that id", "choose another one")
            busy = db.execute(
                "SELECT id FROM operations WHERE document = ? AND state != 'ended'", (record.document,)
            ).fetchone()
            if busy:
                raise OperationBusy(record.id, *_holder(record.document, busy["id"]))
            _insert(db, "operations", _row(record))
            _insert_events(db, events)

        await self._database.transaction(write)

    async def load(self, operation: str) -> OperationRecord:
        """One operation. Raises OperationUnknown."""
        rows = await self._database.rows(_SELECT + " WHERE id = ?", operation)
        if not rows:
            raise OperationUnknown(operation, str(self._folder))
        return OperationRecord(**rows[0])

    async def operations(self) -> tuple[OperationRecord, ...]:
        """All operations, the newest first."""
        rows = await self._database.rows(_SELECT + " ORDER BY opened_at DESC, id DESC")
        return tuple(OperationRecord(**row) for row in rows)

    def lease(self, operation: str) -> AbstractAsyncContextManager[None]:
        """The right to work on an operation; the kernel takes it back when the process dies."""
        return file_lease(self._folder / LEASES, operation)

    async def effects(self, operation: str) -> Mapping[str, Effect]:
        """Everything recorded, in order."""
        rows = await self._database.rows(
            "SELECT key, name, arguments, result, seconds FROM effects WHERE operation = ? ORDER BY position", operation
        )
        loaded = (
            {**row, "arguments": json.loads(row["arguments"]), "result": json.loads(row["result"])} for row in rows
        )
        return {row["key"]: Effect(**row) for row in loaded}

    async def record(self, operation: str, effect: Effect, events: Sequence[Event]) -> None:
        """Keep an effect and its events."""

        def write(db: sqlite3.Connection) -> None:
            _insert_effect(db, operation, effect)
            _insert_events(db, events)

        await self._database.transaction(write)

    async def mark(self, operation: str, state: State, attempt: int, events: Sequence[Event]) -> None:
        """Set state and attempt, and keep the events."""

        def write(db: sqlite3.Connection) -> None:
            try:
                marked = (
                    "UPDATE operations SET state = ?, attempt = ?, result = NULL, status = NULL, "
                    "cancel_requested = cancel_requested AND state != 'ended' WHERE id = ?"
                )
                if not db.execute(marked, (state, attempt, operation)).rowcount:
                    raise OperationUnknown(operation, str(self._folder))
            except sqlite3.IntegrityError:
                raise OperationBusy(operation, "another operation is open on its document") from None
            _insert_events(db, events)

        await self._database.transaction(write)

    async def request_cancel(self, operation: str) -> None:
        """Keep the wish to cancel. Raises OperationUnknown."""

        def write(db: sqlite3.Connection) -> None:
            if not db.execute("UPDATE operations SET cancel_requested = 1 WHERE id = ?", (operation,)).rowcount:
                raise OperationUnknown(operation, str(self._folder))

        await self._database.transaction(write)

    async def cancel_requested(self, operation: str) -> bool:
        """Whether there is that wish."""
        rows = await self._database.rows("SELECT cancel_requested FROM operations WHERE id = ?", operation)
        return bool(rows and rows[0]["cancel_requested"])

    async def close_operation(self, operation: str, closing: Closing) -> None:
        """End an operation. Raises OperationBusy where the document's head is not the version's parent."""

        def write(db: sqlite3.Connection) -> None:
            if closing.version:
                _insert_version(db, operation, closing.version)
            _insert_effect(db, operation, closing.effect)
            db.execute(
                "UPDATE operations SET state = 'ended', result = ?, status = ?, cancel_requested = 0 WHERE id = ?",
                (closing.result, closing.status, operation),
            )
            _insert_events(db, closing.events)

        await self._database.transaction(write)

    async def delete(self, operation: str) -> None:
        """Forget what was said in an operation, and what it saved. Raises OperationUnknown."""

        def write(db: sqlite3.Connection) -> None:
            gone = "UPDATE operations SET opening = '', result = NULL, status = ? WHERE id = ?"
            if not db.execute(gone, (DELETED, operation)).rowcount:
                raise OperationUnknown(operation, str(self._folder))
            db.execute("DELETE FROM effects WHERE operation = ?", (operation,))
            db.execute("DELETE FROM events WHERE operation = ?", (operation,))
            db.execute("UPDATE versions SET snapshot = '', artifacts = '' WHERE operation = ?", (operation,))

        await self._database.transaction(write)
        await self._database.clear_journal()

    async def references(self) -> frozenset[str]:
        """Everything that could be the address of a blob."""

        def read(db: sqlite3.Connection) -> frozenset[str]:
            return frozenset(address for row in db.execute(REFERRING) for address in addresses_in(row[0]))

        return await self._database.read(read)

    async def faults(self) -> tuple[str, ...]:
        """What SQLite finds in its file, and what does not fit together in the tables."""
        return await self._database.read(faults_of)

    async def forget_blobs(self, keep: Container[str], *, untouched_since: float) -> Freed:
        """Remove small blobs that are not kept and were not put since that time."""

        def old(db: sqlite3.Connection) -> list[tuple[str, int]]:
            found = db.execute("SELECT address, length(data) FROM blobs WHERE at < ?", (untouched_since,))
            return [(address, size) for address, size in found.fetchall() if address not in keep]

        gone = await self._database.read(old)

        def write(db: sqlite3.Connection) -> None:
            still = "DELETE FROM blobs WHERE address = ? AND at < ?"
            db.executemany(still, ((address, untouched_since) for address, _ in gone))

        await self._database.transaction(write)
        await self._database.compact()
        return Freed(blobs=len(gone), size=sum(size for _, size in gone))

    async def events(self, operation: str, after: int = 0) -> tuple[Event, ...]:
        """The events with a higher `seq`."""
        rows = await self._database.rows(
            "SELECT event FROM events WHERE operation = ? AND seq > ? ORDER BY seq", operation, after
        )
        return tuple(Event.model_validate_json(row["event"]) for row in rows)

    async def head(self, document: str) -> Version | None:
        """The newest version of a document."""
        newest = "SELECT * FROM versions WHERE document = ? ORDER BY number DESC LIMIT 1"
        rows = await self._database.rows(newest, document)
        return Version(**rows[0]) if rows else None

    async def version(self, document: str, number: int) -> Version | None:
        """One version."""
        rows = await self._database.rows("SELECT * FROM versions WHERE document = ? AND number = ?", document, number)
        return Version(**rows[0]) if rows else None

    def keep(self, address: str, data: bytes) -> None:
        """Keep a small blob with the next transaction: whatever is recorded and refers to it comes no earlier."""
        self._database.waiting[address] = data

    async def kept(self, address: str) -> bytes | None:
        """A small blob, or None."""
        if (waiting := self._database.waiting.get(address)) is not None:
            return waiting
        rows = await self._database.rows("SELECT data FROM blobs WHERE address = ?", address)
        return bytes(rows[0]["data"]) if rows else None

    async def flush(self) -> None:
        """Write the small blobs that wait."""
        await self._database.flush()

    @property
    def waiting(self) -> int:
        """How many small blobs wait for a transaction."""
        return len(self._database.waiting)


def _holder(document: str, operation: str) -> tuple[str, str]:
    cure = f"`compositor resume {operation}` or `compositor cancel {operation}` ends that"
    return f"the document {document} has the open operation {operation}", cure


def _insert(db: sqlite3.Connection, table: str, row: Mapping[str, Json]) -> None:
    db.execute(_inserting(table, *row), tuple(row.values()))


@cache
def _inserting(table: str, *columns: str) -> str:
    places = ", ".join("?" for _ in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"  # noqa: S608 - our own names, no values


def _row(record: OperationRecord | Version) -> dict[str, Json]:
    return {name: getattr(record, name) for name in record.__slots__}


def _insert_effect(db: sqlite3.Connection, operation: str, effect: Effect) -> None:
    row = {
        "operation": operation,
        "key": effect.key,
        "name": effect.name,
        "arguments": canonical(effect.arguments).decode(),
        "result": canonical(effect.result).decode(),
        "seconds": effect.seconds,
    }
    _insert(db, "effects", row)


def _insert_events(db: sqlite3.Connection, events: Sequence[Event]) -> None:
    for event in events:
        row = {"operation": event.operation, "seq": event.seq, "event": event.model_dump_json()}
        _insert(db, "events", row)


def _insert_version(db: sqlite3.Connection, operation: str, version: Version) -> None:
    head = db.execute("SELECT max(number) FROM versions WHERE document = ?", (version.document,)).fetchone()[0]
    if head != version.parent:
        reason = f"the document {version.document} is at version {head}, not {version.parent}"
        raise OperationBusy(operation, reason, "begin again from its newest version")
    _insert(db, "versions", _row(version))
