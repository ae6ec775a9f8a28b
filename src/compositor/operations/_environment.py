"""The environment of operations: where they are kept, and the ports that they share. Acquired once, released whole."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from compositor.adapters import shipped
from compositor.runtime import Clock, Store, SystemClock
from compositor.workspace import Blobs, Compiler, ImageModel, Isolation, Pictures, Ports, Renderer

DATA_VARIABLE = "COMPOSITOR_HOME"
DATA_FOLDER = Path(".compositor")


def data_folder(data: Path | None = None) -> Path:
    """Where state lives: as given, else `COMPOSITOR_HOME`, else `.compositor` here."""
    return data or Path(os.environ.get(DATA_VARIABLE) or DATA_FOLDER)


class Environment:
    """An async context manager; concurrent operations share one, and with it one browser.

    Args:
        data: the data folder; see `data_folder`.
        store, blobs, renderer, compiler, pictures, images: what stands in for the shipped adapters. They are not closed
            here.
        clock: tells the time; the machine's by default.
        isolation: a level for the shipped renderer; `none` only if a person insists.
    """

    __slots__ = ("_exits", "_given", "_isolation", "blobs", "clock", "data", "ports", "store")

    blobs: Blobs
    store: Store
    ports: Ports

    def __init__(
        self,
        data: Path | None = None,
        *,
        store: Store | None = None,
        blobs: Blobs | None = None,
        renderer: Renderer | None = None,
        compiler: Compiler | None = None,
        pictures: Pictures | None = None,
        images: ImageModel | None = None,
        clock: Clock | None = None,
        isolation: Isolation | None = None,
    ) -> None:
        self.data = data_folder(data)
        self._given = (store, blobs, renderer, compiler, pictures, images)
        self._isolation = isolation
        self.clock: Clock = clock or SystemClock()
        self._exits = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Acquire. The browser is started by the first render, not here."""
        store, blobs, renderer, compiler, pictures, images = self._given
        async with AsyncExitStack() as exits:
            self.store = store or exits.enter_context(shipped.store(self.data))
            self.blobs = blobs or shipped.blobs(self.data, self.store)
            self.ports = Ports(
                renderer=renderer or await exits.enter_async_context(shipped.renderer(self._isolation)),
                compiler=compiler or shipped.compiler(),
                pictures=pictures or shipped.pictures(),
                images=images or shipped.images(),
            )
            self._exits = exits.pop_all()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release everything."""
        await self._exits.__aexit__(kind, error, trace)
