"""Live events: whoever listens gets every committed event, and words as they come."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Iterable

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

from compositor.runtime.events import Event, Progress


class Feed:
    """Hands events to its listeners. A slow listener loses nothing and holds nobody up; one that left is forgotten."""

    __slots__ = ("_closed", "_listeners")

    def __init__(self) -> None:
        self._listeners: list[MemoryObjectSendStream[Event | Progress]] = []
        self._closed = False

    def show(self, items: Iterable[Event | Progress]) -> None:
        """Hand items to all who listen."""
        for item in items:
            for listener in tuple(self._listeners):
                try:
                    listener.send_nowait(item)
                except anyio.BrokenResourceError:
                    listener.close()
                    self._listeners.remove(listener)

    def listen(self) -> MemoryObjectReceiveStream[Event | Progress]:
        """Everything that is shown from now on, until the feed is closed."""
        send, receive = anyio.create_memory_object_stream[Event | Progress](math.inf)
        if self._closed:
            send.close()
        else:
            self._listeners.append(send)
        return receive

    def close(self) -> None:
        """No more events will come."""
        self._closed = True
        for listener in self._listeners:
            listener.close()
        self._listeners.clear()


async def after(
    seq: int, past: Iterable[Event], live: MemoryObjectReceiveStream[Event | Progress]
) -> AsyncGenerator[Event | Progress]:
    """The events after `seq`: past ones, then live ones, each once, whenever the two looks were taken."""
    for event in past:
        seq = event.seq
        yield event
    async for item in live:
        if isinstance(item, Progress) or item.seq > seq:
            yield item
