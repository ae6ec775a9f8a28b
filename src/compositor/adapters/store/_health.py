"""What may be wrong with the file of the embedded store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from compositor.runtime import DELETED

GAPS = """
    SELECT operation, count(*), min(seq), max(seq) FROM events GROUP BY operation
    HAVING min(seq) != 1 OR max(seq) != count(*)
"""
SILENT = "SELECT id FROM operations WHERE status IS NOT ? AND id NOT IN (SELECT operation FROM events)"
UNANSWERED = "SELECT id FROM operations WHERE state = 'ended' AND status IS NOT ? AND result IS NULL"


def faults_of(db: sqlite3.Connection) -> tuple[str, ...]:
    """Every fault, in words."""
    return tuple(_faults(db))


def _faults(db: sqlite3.Connection) -> Iterator[str]:
    for look in (_of_the_file, _of_the_tables):
        try:
            yield from look(db)
        except sqlite3.DatabaseError as error:  # damage may be such that it cannot even be looked for
            yield f"the file is damaged: {error}"


def _of_the_file(db: sqlite3.Connection) -> Iterator[str]:
    for (found,) in db.execute("PRAGMA integrity_check").fetchall():
        if found != "ok":
            yield f"the file is damaged: {found}"


def _of_the_tables(db: sqlite3.Connection) -> Iterator[str]:
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check").fetchall():
        yield f"row {row} of {table} belongs to none of {parent}"
    for operation, count, first, last in db.execute(GAPS).fetchall():
        yield f"{operation} has {count} events, numbered from {first} to {last}"
    for (operation,) in db.execute(SILENT, (DELETED,)).fetchall():
        yield f"{operation} has no events"
    for (operation,) in db.execute(UNANSWERED, (DELETED,)).fetchall():
        yield f"{operation} has ended and has no result"
