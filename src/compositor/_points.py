"""Named points on the way of an operation at which a kill must lose nothing, and the one way to watch them.

The suite kills a process at each of them. Nobody watching, a point is one look at a context variable, which also
reaches the worker threads in which the embedded store and blobs do their work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Watcher = Callable[[str], None]

_watcher: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


def point(name: str) -> None:
    """Pass a point. What is done before it and what is done after it may be split by the death of the process."""
    watcher = _watcher.get()
    if watcher is not None:
        watcher(name)


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Call `watcher` with the name of each point that is passed inside the block and in the tasks begun there."""
    token = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(token)
