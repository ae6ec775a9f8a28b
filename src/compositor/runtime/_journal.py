"""The journal of one operation: runs each effect once, records it with its events, and shows the events after that.

`Effects` is the seam to an engine: it is all that the rest of the runtime knows of durability. An effect that was
recorded is answered from the record, so a killed operation is resumed by simply driving it again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import anyio

from compositor._points import point
from compositor._values import Json, digest
from compositor.errors import OperationError
from compositor.runtime._clock import Clock, SystemClock
from compositor.runtime._feed import Feed
from compositor.runtime._store import Closing, Effect, OperationRecord, State, Store
from compositor.runtime.events import Event, Happening


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What performing an effect gave: its result, and what happened on the way."""

    result: Json
    happened: Sequence[Happening] = field(default_factory=tuple)


Perform = Callable[[], Awaitable[Done]]


class Effects(Protocol):
    """The seam to an engine, as the loop, the host, the evaluator and conversations see it."""

    operation: str
    feed: Feed

    @property
    def seconds(self) -> float:
        """Working time of the effects met so far."""
        ...

    async def effect(self, name: str, key: str, arguments: Json, perform: Perform, *, nested: bool = False) -> Json:
        """The result of an effect; see `Journal.effect`."""
        ...

    def recorded(self, key: str) -> Effect | None:
        """The effect of that key, where it was recorded."""
        ...


class Unrecorded:
    """Effects that are performed and forgotten: for a check of a file, which has no operation to resume."""

    __slots__ = ("feed", "operation")

    def __init__(self) -> None:
        self.operation, self.feed = "", Feed()

    @property
    def seconds(self) -> float:
        """Time is not counted."""
        return 0.0

    async def effect(self, name: str, key: str, arguments: Json, perform: Perform, *, nested: bool = False) -> Json:
        """Perform it."""
        return (await perform()).result

    def recorded(self, key: str) -> Effect | None:
        """Nothing is."""
        return None


class Journal:
    """The effects and events of one operation in one attempt.

    Args:
        store: where they are kept.
        operation: its id.
        attempt: which attempt this is, from 1.
        recorded: the effects of earlier attempts.
        seq: the last event's number.
        feed: whom to show events to.
        clock: tells the time.
    """

    __slots__ = (
        "_committing",
        "_inner",
        "_outer",
        "_recorded",
        "_replayed",
        "_seq",
        "_store",
        "attempt",
        "clock",
        "feed",
        "operation",
    )

    def __init__(
        self,
        store: Store,
        operation: str,
        *,
        attempt: int,
        recorded: dict[str, Effect],
        seq: int,
        feed: Feed,
        clock: Clock | None = None,
    ) -> None:
        self._store, self._recorded, self._seq = store, recorded, seq
        # calls of one wave end in any order; their events are numbered one after another
        self._committing = anyio.Lock(fast_acquire=True)
        self.operation, self.attempt, self.feed = operation, attempt, feed
        self.clock: Clock = clock or SystemClock()
        self._outer = self._inner = self._replayed = 0.0

    @property
    def seconds(self) -> float:
        """Working time of the effects met so far, over all attempts: it grows the same way when driven again."""
        return self._outer + self._inner

    async def effect(self, name: str, key: str, arguments: Json, perform: Perform, *, nested: bool = False) -> Json:
        """The result of an effect: from the record, or performed now and recorded with its events.

        An effect may contain effects, which say so (`nested`): their time is part of the outer one's. Where an effect
        is interrupted or fails, nothing of it is recorded.

        Raises:
            OperationError: the record has other arguments under this key, so this is not the same operation.
        """
        if recorded := self._recorded.get(key):
            if recorded.name != name or recorded.arguments != arguments:
                raise OperationError(self.operation, _mismatch(key, recorded, name, arguments))
            self._replayed += recorded.seconds if nested else 0.0
            self._count(recorded, nested=nested)
            return recorded.result
        point("effect.begin")
        started = self.clock.seconds()
        done = await perform()
        seconds = self.clock.seconds() - started
        if not nested:  # an earlier attempt has worked on it, too: what it contains of that time is on record
            seconds += self._replayed
        seconds = round(seconds, 6)
        point("effect.performed")
        effect = Effect(key=key, name=name, arguments=arguments, result=done.result, seconds=seconds)
        await self._commit(done.happened, lambda events: self._store.record(self.operation, effect, events))
        self._recorded[key] = effect
        self._count(effect, nested=nested)
        return done.result

    def recorded(self, key: str) -> Effect | None:
        """The effect of that key, where it was recorded."""
        return self._recorded.get(key)

    async def begin(self, record: OperationRecord, happened: Sequence[Happening]) -> None:
        """Create the operation, with events. Raises OperationBusy."""
        await self._commit(happened, lambda events: self._store.create(record, events))

    async def mark(self, state: State, happened: Sequence[Happening]) -> None:
        """Set the operation's state, with events."""
        await self._commit(happened, lambda events: self._store.mark(self.operation, state, self.attempt, events))

    async def close(self, closing: Closing, happened: Sequence[Happening]) -> None:
        """End the operation, with events."""
        await self._commit(
            happened, lambda events: self._store.close_operation(self.operation, replace(closing, events=events))
        )
        self._recorded[closing.effect.key] = closing.effect

    async def _commit(
        self, happened: Sequence[Happening], write: Callable[[tuple[Event, ...]], Awaitable[None]]
    ) -> None:
        """Write in one transaction, then show. Not to be cancelled in between: what is committed must be counted."""
        async with self._committing:
            with anyio.CancelScope(shield=True):
                events = self._stamped(happened)
                point("commit.begin")
                await write(events)
                self._seq += len(events)
                point("commit.written")
        self.feed.show(events)

    def _stamped(self, happened: Sequence[Happening]) -> tuple[Event, ...]:
        now = self.clock.now()
        return tuple(
            Event(operation=self.operation, seq=self._seq + offset, attempt=self.attempt, at=now, what=what)
            for offset, what in enumerate(happened, start=1)
        )

    def _count(self, effect: Effect, *, nested: bool) -> None:
        """Count an effect's time. What it contained was counted while it ran, and is part of it now."""
        if nested:
            self._inner += effect.seconds
        else:
            self._outer, self._inner, self._replayed = self._outer + effect.seconds, 0.0, 0.0


def working_seconds(effects: Mapping[str, Effect]) -> float:
    """Working time of recorded effects. What a finished evaluation contains is part of its own time."""
    around = tuple(f"{effect.key}/" for effect in effects.values() if effect.name == "evaluate")
    return sum(effect.seconds for effect in effects.values() if not effect.key.startswith(around))


def _mismatch(key: str, recorded: Effect, name: str, arguments: Json) -> str:
    return (
        f"the record of {key} is of {recorded.name} with arguments {digest(recorded.arguments)[:12]}, "
        f"and now it is {name} with {digest(arguments)[:12]}; the operation was begun by other code"
    )
