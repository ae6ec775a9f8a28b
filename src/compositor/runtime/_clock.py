"""The port to time: what stands in records, and how long things take."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time. Limits of tools, checks and replies are the event loop's own and do not come from here."""

    def now(self) -> datetime:
        """The time of day, in UTC: for records that people read."""
        ...

    def seconds(self) -> float:
        """A time that only grows: what effects took, and so the time budget, is the difference of two looks."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """The time of day, in UTC."""
        return datetime.now(UTC)

    def seconds(self) -> float:
        """The monotonic clock."""
        return time.monotonic()
