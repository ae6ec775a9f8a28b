"""One SQLite file: opened, migrated, and worked on by one thread at a time, in transactions with the small blobs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from threading import Lock
from typing import TypeVar

import anyio.to_thread

from compositor._points import point
from compositor._values import Json
from compositor.adapters.store._schema import MIGRATIONS
from compositor.errors import StorageFailed

PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON")
"""`synchronous=FULL`: what was acknowledged survives a power cut. `secure_delete`: what was deleted is overwritten."""

Got = TypeVar("Got")
Work = Callable[[sqlite3.Connection], Got]


class Database:
    """The file of the embedded store.

    Args:
        path: made where it is missing.
        busy_seconds: how long a transaction waits for another process's.
    """

    __slots__ = ("_connection", "_one_at_a_time", "path", "waiting")

    def __init__(self, path: Path, busy_seconds: float) -> None:
        self.path = path
        self.waiting: dict[str, bytes] = {}
        """Small blobs that come with the next transaction."""
        self._one_at_a_time = Lock()
        self._connection = _connected(path, busy_seconds)

    def close(self) -> None:
        """Write what waits, and let go of the file."""
        try:
            if self.waiting:
                self._locked(lambda db: self._whole(db, _nothing_else))
        except sqlite3.Error as error:
            raise self._failed(error) from error
        finally:
            self._connection.close()

    async def rows(self, query: str, *values: Json) -> list[dict[str, Json]]:
        """The rows of a query."""

        def read(db: sqlite3.Connection) -> list[dict[str, Json]]:
            with closing(db.execute(query, values)) as cursor:
                return [dict(row) for row in cursor.fetchall()]

        return await self.read(read)

    async def read(self, work: Work[Got]) -> Got:
        """Run work outside a transaction. Raises StorageFailed."""
        try:
            return await anyio.to_thread.run_sync(self._locked, work)
        except sqlite3.Error as error:
            raise self._failed(error) from error

    async def transaction(self, write: Work[None]) -> None:
        """Run work in a transaction, with the blobs that wait. Raises StorageFailed."""
        await self.read(lambda db: self._whole(db, write))

    async def flush(self) -> None:
        """Write the blobs that wait."""
        await self.transaction(_nothing_else)

    async def compact(self) -> None:
        """Give free space back, where there is enough to do so, and clear the journal."""
        with suppress(StorageFailed):  # it needs the room of a second file
            await self.read(lambda db: db.execute("VACUUM"))
        await self.clear_journal()

    async def clear_journal(self) -> None:
        """Take what was deleted out of the journal before the file, too. Raises StorageFailed where others hold it."""

        def clear(db: sqlite3.Connection) -> bool:
            busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return bool(busy)

        if await self.read(clear):
            cure = "do it again when nobody reads or copies the data folder"
            raise StorageFailed("store", f"the journal of {self.path} could not be cleared: somebody reads it", cure)

    def _locked(self, work: Work[Got]) -> Got:
        with self._one_at_a_time:
            return work(self._connection)

    def _whole(self, db: sqlite3.Connection, write: Work[None]) -> None:
        point("store.begin")
        waiting = dict(self.waiting)
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
            self.waiting.pop(address, None)
        point("store.committed")

    def _failed(self, error: sqlite3.Error) -> StorageFailed:
        return failed(f"{self.path.parent}: {error}", error, "free space, or check the rights of the folder")


def failed(reason: str, error: Exception, cure: str) -> StorageFailed:
    """The error, with the cure that its kind has, or else the one that is given."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF
    cures = {
        sqlite3.SQLITE_BUSY: "another process is writing to it; wait, or end that process",
        sqlite3.SQLITE_FULL: "free space on its disk",
        sqlite3.SQLITE_IOERR: "free space on its disk, or look whether the disk is sound",
        sqlite3.SQLITE_READONLY: "check the rights of the folder",
        sqlite3.SQLITE_CANTOPEN: "check the rights of the folder, or choose another folder with --data",
        sqlite3.SQLITE_CORRUPT: "the file is damaged: restore it from a copy",
        sqlite3.SQLITE_NOTADB: "it is no database; choose another folder with --data",
        sqlite3.SQLITE_CONSTRAINT: "it contradicts what is kept already; nothing of it was kept",
    }
    return StorageFailed("store", reason, cures.get(code, cure))


def _connected(path: Path, busy_seconds: float) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        db = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None, check_same_thread=False)
        try:
            db.row_factory = sqlite3.Row
            for pragma in PRAGMAS:
                db.execute(f"PRAGMA {pragma}").close()
            if _schema(db) != len(MIGRATIONS):
                _migrate(db, path)
        except BaseException:
            db.close()
            raise
    except (OSError, sqlite3.Error) as error:
        raise failed(f"cannot open {path}: {error}", error, "choose another folder with --data") from error
    return db


def _schema(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def _migrate(db: sqlite3.Connection, path: Path) -> None:
    """Bring the file to this release's tables; of two processes that start at once, one does it and one waits."""
    db.execute("BEGIN IMMEDIATE")
    seen = _schema(db)
    if seen > len(MIGRATIONS):
        reason = f"{path} was written by a newer version of the product (schema {seen})"
        raise StorageFailed("store", reason, "update the product, or choose another folder with --data")
    for script in MIGRATIONS[seen:]:
        for statement in script.split(";"):
            db.execute(statement)
            point("store.migrating")
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")
    db.execute("COMMIT")


def _nothing_else(db: sqlite3.Connection) -> None:
    """A transaction for the small blobs alone."""


def _insert_blobs(db: sqlite3.Connection, blobs: Mapping[str, bytes]) -> None:
    now = time.time()
    rows = ((address, data, now) for address, data in blobs.items())
    db.executemany("INSERT OR REPLACE INTO blobs (address, data, at) VALUES (?, ?, ?)", rows)
