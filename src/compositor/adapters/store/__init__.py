"""The embedded store: one SQLite file, and leases as locks of the operating system."""

from __future__ import annotations

from compositor.adapters.store._sqlite import SqliteStore

__all__ = ["SqliteStore"]
