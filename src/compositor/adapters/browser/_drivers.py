"""Playwright's drivers that this process runs: children of it which live longer than the call that needed them first.

They are counted for the whole process, as children are: who ends what a tool left behind asks one renderer, and must
not end the driver of another. While a driver starts nobody knows its id, so for that moment every child may be it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.async_api._context_manager import PlaywrightContextManager

_KEPT: set[int] = set()
_STARTING: set[object] = set()


@contextmanager
def starting() -> Iterator[None]:
    """A driver is being started in the block."""
    mark = object()
    _STARTING.add(mark)
    try:
        yield
    finally:
        _STARTING.discard(mark)


def keep(manager: PlaywrightContextManager) -> int:
    """The driver has started: its id, which is kept from now on."""
    process = manager._client._transport._proc  # type: ignore[union-attr] # noqa: SLF001 - Playwright tells its driver's id nowhere else
    _KEPT.add(process.pid)
    return int(process.pid)


def forget(driver: int) -> None:
    """The driver was told to end."""
    _KEPT.discard(driver)


def kept() -> frozenset[int]:
    """The ids of all drivers, and of any child that may be one."""
    if not _STARTING:
        return frozenset(_KEPT)
    import psutil

    return frozenset(_KEPT).union(child.pid for child in psutil.Process().children())
