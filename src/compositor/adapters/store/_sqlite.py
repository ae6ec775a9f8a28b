"""Implements `Store` over one SQLite file in WAL mode. Every method is one transaction in a worker thread.

`synchronous=FULL`: what was acknowledged survives a power cut, for the price of one fsync per step.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, closing
from pathlib import Path
from threading import Lock
from typing import TypeVar

import anyio.to_thread

from compositor._points import point
from compositor._values import Json, addresses_in, canonical
from compositor.adapters._locks import sweep
from compositor.adapters.store._health import faults_of
from compositor.adapters.store._lease import file_lease
from compositor.adapters.store._schema import MIGRATIONS, REFERRING
from compositor.errors import OperationBusy, OperationUnknown, StorageFailed
from compositor.runtime import DELETED, Closing, Effect, OperationRecord, State, Version
from compositor.runtime.events import Event
from compositor.workspace import Freed

LEASES = "leases"
BUSY_SECONDS = 30.0

Got = TypeVar("Got")

_SELECT = f"SELECT {', '.join(OperationRecord.__slots__)} FROM operations"  # noqa: S608 - our own names, no values
"""The columns that make a record; a row has more."""


class SqliteStore:
    """The embedded store, which also keeps small blobs: see `EmbeddedBlobs`.

    Args:
        folder: holds `operations.sqlite` and `leases/`; made where it is missing.
        busy_seconds: how long a transaction waits for another process's.
    """

    __slots__ = ("_connection", "_folder", "_one_at_a_time", "_waiting")

    def __init__(self, folder: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self._folder = folder
        self._one_at_a_time = Lock()
        self._waiting: dict[str, bytes] = {}
        self._connection = _connected(folder, busy_seconds)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    async def create(self, record: OperationRecord, events: Sequence[Event]) -> None:
        """Begin an operation. Raises OperationBusy where its id is taken, or its document has one that is open."""

        def write(db: sqlite3.Connection) -> None:
            if db.execute("SELECT 1 FROM operations WHERE id = ?", (record.id,)).fetchone():
                raise OperationBusy(record.id, "there is an operation of that id")
            busy = db.execute(
                "SELECT id FROM operations WHERE document = ? AND state != 'ended'", (record.document,)
            ).fetchone()
            if busy:
                raise OperationBusy(record.id, _holder(record.document, busy["id"]))
            _insert(db, "operations", _row(record))
            _insert_events(db, events)

        await self._transaction(write)

    async def load(self, operation: str) -> OperationRecord:
        """One operation. Raises OperationUnknown."""
        rows = await self._rows(_SELECT + " WHERE id = ?", operation)
        if not rows:
            raise OperationUnknown(operation, str(self._folder))
        return OperationRecord(**rows[0])

    async def operations(self) -> tuple[OperationRecord, ...]:
        """All operations, the newest first."""
        rows = await self._rows(_SELECT + " ORDER BY opened_at DESC, id DESC")
        return tuple(OperationRecord(**row) for row in rows)

    def lease(self, operation: str) -> AbstractAsyncContextManager[None]:
        """The right to work on an operation; the kernel takes it back when the process dies."""
        return file_lease(self._folder / LEASES / operation, operation)

    async def effects(self, operation: str) -> Mapping[str, Effect]:
        """Everything recorded, in order."""
        rows = await self._rows(
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

        await self._transaction(write)

    async def mark(self, operation: str, state: State, attempt: int, events: Sequence[Event]) -> None:
        """Set state and attempt, and keep the events."""

        def write(db: sqlite3.Connection) -> None:
            try:
                db.execute(
                    "UPDATE operations SET state = ?, attempt = ?, result = NULL, status = NULL WHERE id = ?",
                    (state, attempt, operation),
                )
            except sqlite3.IntegrityError:
                raise OperationBusy(operation, "another operation is open on its document") from None
            _insert_events(db, events)

        await self._transaction(write)

    async def request_cancel(self, operation: str) -> None:
        """Keep the wish to cancel. Raises OperationUnknown."""

        def write(db: sqlite3.Connection) -> None:
            if not db.execute("UPDATE operations SET cancel_requested = 1 WHERE id = ?", (operation,)).rowcount:
                raise OperationUnknown(operation, str(self._folder))

        await self._transaction(write)

    async def cancel_requested(self, operation: str) -> bool:
        """Whether there is that wish."""
        rows = await self._rows("SELECT cancel_requested FROM operations WHERE id = ?", operation)
        return bool(rows and rows[0]["cancel_requested"])

    async def close_operation(self, operation: str, closing: Closing) -> None:
        """End an operation. Raises OperationBusy where the document's head is not the version's parent."""

        def write(db: sqlite3.Connection) -> None:
            if closing.version:
                _insert_version(db, operation, closing.version)
            _insert_effect(db, operation, closing.effect)
            db.execute(
                "UPDATE operations SET state = 'ended', result = ?, status = ? WHERE id = ?",
                (closing.result, closing.status, operation),
            )
            _insert_events(db, closing.events)

        await self._transaction(write)

    async def delete(self, operation: str) -> None:
        """Forget what was said in an operation, and what it saved. Raises OperationUnknown."""

        def write(db: sqlite3.Connection) -> None:
            gone = "UPDATE operations SET opening = '', result = NULL, status = ? WHERE id = ?"
            if not db.execute(gone, (DELETED, operation)).rowcount:
                raise OperationUnknown(operation, str(self._folder))
            db.execute("DELETE FROM effects WHERE operation = ?", (operation,))
            db.execute("DELETE FROM events WHERE operation = ?", (operation,))
            db.execute("UPDATE versions SET snapshot = '', artifacts = '' WHERE operation = ?", (operation,))

        await self._transaction(write)
        await self._in_thread(_without_traces)

    async def references(self) -> frozenset[str]:
        """Everything that could be the address of a blob."""

        def read(db: sqlite3.Connection) -> frozenset[str]:
            return frozenset(address for row in db.execute(REFERRING) for address in addresses_in(row[0]))

        return await self._in_thread(read)

    async def faults(self) -> tuple[str, ...]:
        """What SQLite finds in its file, and what does not fit together in the tables."""
        return await self._in_thread(faults_of)

    async def forget_blobs(self, keep: Container[str], *, untouched_since: float) -> Freed:
        """Remove small blobs that are not kept and were not put since that time."""

        def old(db: sqlite3.Connection) -> list[tuple[str, int]]:
            found = db.execute("SELECT address, length(data) FROM blobs WHERE at < ?", (untouched_since,))
            return [(address, size) for address, size in found.fetchall() if address not in keep]

        gone = await self._in_thread(old)

        def write(db: sqlite3.Connection) -> None:
            still = "DELETE FROM blobs WHERE address = ? AND at < ?"
            db.executemany(still, ((address, untouched_since) for address, _ in gone))

        await self._transaction(write)
        await self._in_thread(_compacted)
        return Freed(blobs=len(gone), size=sum(size for _, size in gone))

    async def events(self, operation: str, after: int = 0) -> tuple[Event, ...]:
        """The events with a higher `seq`."""
        rows = await self._rows(
            "SELECT event FROM events WHERE operation = ? AND seq > ? ORDER BY seq", operation, after
        )
        return tuple(Event.model_validate_json(row["event"]) for row in rows)

    async def head(self, document: str) -> Version | None:
        """The newest version of a document."""
        rows = await self._rows("SELECT * FROM versions WHERE document = ? ORDER BY number DESC LIMIT 1", document)
        return Version(**rows[0]) if rows else None

    async def version(self, document: str, number: int) -> Version | None:
        """One version."""
        rows = await self._rows("SELECT * FROM versions WHERE document = ? AND number = ?", document, number)
        return Version(**rows[0]) if rows else None

    def keep(self, address: str, data: bytes) -> None:
        """Keep a small blob with the next transaction: whatever is recorded and refers to it comes no earlier."""
        self._waiting[address] = data

    async def kept(self, address: str) -> bytes | None:
        """A small blob, or None."""
        if address in self._waiting:
            return self._waiting[address]
        rows = await self._rows("SELECT data FROM blobs WHERE address = ?", address)
        return bytes(rows[0]["data"]) if rows else None

    async def flush(self) -> None:
        """Write the small blobs that wait."""
        await self._transaction(_nothing_else)

    @property
    def waiting(self) -> int:
        """How many small blobs wait for a transaction."""
        return len(self._waiting)

    async def _rows(self, query: str, *values: Json) -> list[dict[str, Json]]:
        def read(db: sqlite3.Connection) -> list[dict[str, Json]]:
            with closing(db.execute(query, values)) as cursor:
                return [dict(row) for row in cursor.fetchall()]

        return await self._in_thread(read)

    async def _transaction(self, write: Callable[[sqlite3.Connection], None]) -> None:
        def whole(db: sqlite3.Connection) -> None:
            point("store.begin")
            waiting = dict(self._waiting)
            db.execute("BEGIN IMMEDIATE")
            try:
                _insert_blobs(db, waiting)
                write(db)
                point("store.written")
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:  # a full disk rolls back by itself
                    db.execute("ROLLBACK")
                raise
            for address in waiting:
                self._waiting.pop(address, None)
            point("store.committed")

        await self._in_thread(whole)

    async def _in_thread(self, work: Callable[[sqlite3.Connection], Got]) -> Got:
        def locked() -> Got:
            with self._one_at_a_time:
                return work(self._connection)

        try:
            return await anyio.to_thread.run_sync(locked)
        except sqlite3.Error as error:
            raise _failed(f"{self._folder}: {error}", error, "free space, or check the rights of the folder") from error


def _holder(document: str, operation: str) -> str:
    cures = f"`compositor resume {operation}` or `compositor cancel {operation}` ends it"
    return f"the document {document} has the open operation {operation}; {cures}"


def _connected(folder: Path, busy_seconds: float) -> sqlite3.Connection:
    path = folder / "operations.sqlite"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        sweep(folder / LEASES)
        db = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
        try:
            db.row_factory = sqlite3.Row
            for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON"):
                db.execute(f"PRAGMA {pragma}").close()
            _migrate(db, path)
        except BaseException:
            db.close()
            raise
    except (OSError, sqlite3.Error) as error:
        raise _failed(f"cannot open {path}: {error}", error, "choose another folder with --data") from error
    return db


def _failed(reason: str, error: Exception, cure: str) -> StorageFailed:
    """The error, with the cure that its kind has, or else the one that is given."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    cures = {
        sqlite3.SQLITE_BUSY: "another process is writing to it; wait, or end that process",
        sqlite3.SQLITE_FULL: "free space on its disk",
        sqlite3.SQLITE_CORRUPT: "`compositor operations check` says how far; restore it from a copy",
        sqlite3.SQLITE_NOTADB: "it is no database; choose another folder with --data",
    }
    return StorageFailed("store", reason, cures.get(code, cure))


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring the file to this release's tables; of two processes that start at once, one does it and one waits."""
    db.execute("BEGIN IMMEDIATE")
    seen = db.execute("PRAGMA user_version").fetchone()[0]
    if seen > len(MIGRATIONS):
        reason = f"{path} was written by a newer version of the product (schema {seen})"
        raise StorageFailed("store", reason, "update the product, or choose another folder with --data")
    for script in MIGRATIONS[seen:]:
        for statement in script.split(";"):
            db.execute(statement)
            point("store.migrating")
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    db.execute("COMMIT")


def _insert(db: sqlite3.Connection, table: str, row: Mapping[str, Json]) -> None:
    places = ", ".join("?" for _ in row)
    statement = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({places})"  # noqa: S608 - our own names, no values
    db.execute(statement, tuple(row.values()))


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


def _without_traces(db: sqlite3.Connection) -> None:
    """What was deleted was overwritten in the file; it must not stand in the journal before it either."""
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()


def _compacted(db: sqlite3.Connection) -> None:
    db.execute("VACUUM")
    _without_traces(db)


def _nothing_else(db: sqlite3.Connection) -> None:
    """A transaction for the small blobs alone."""


def _insert_blobs(db: sqlite3.Connection, blobs: Mapping[str, bytes]) -> None:
    now = time.time()
    rows = ((address, data, now) for address, data in blobs.items())
    db.executemany(
        "INSERT INTO blobs (address, data, at) VALUES (?, ?, ?) ON CONFLICT (address) DO UPDATE SET at = excluded.at",
        rows,
    )


def _insert_events(db: sqlite3.Connection, events: Sequence[Event]) -> None:
    for event in events:
        row = {"operation": event.operation, "seq": event.seq, "event": event.model_dump_json()}
        _insert(db, "events", row)


def _insert_version(db: sqlite3.Connection, operation: str, version: Version) -> None:
    head = db.execute("SELECT max(number) FROM versions WHERE document = ?", (version.document,)).fetchone()[0]
    if head != version.parent:
        raise OperationBusy(operation, f"the document {version.document} is at version {head}, not {version.parent}")
    _insert(db, "versions", _row(version))
