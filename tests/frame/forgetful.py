"""Places that the suite of survival must find fault with: each forgets something that was acknowledged."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from compositor.adapters.store import SqliteStore
from compositor.operations import Environment
from compositor.runtime import Effect
from compositor.runtime.events import Event
from compositor.testing import PlainCompiler, PlainPictures, PlainRenderer


class ForgetsItsEffects(SqliteStore):
    """Whoever resumes finds no tool call on record."""

    async def effects(self, operation: str) -> Mapping[str, Effect]:
        kept = await super().effects(operation)
        return {key: effect for key, effect in kept.items() if effect.name != "tool_call"}


class ForgetsAnEvent(SqliteStore):
    """The second event is gone."""

    async def events(self, operation: str, after: int = 0) -> tuple[Event, ...]:
        return tuple(event for event in await super().events(operation, after) if event.seq != 2)


@asynccontextmanager
async def _over(store: SqliteStore, data: Path) -> AsyncIterator[Environment]:
    drawing = {"renderer": PlainRenderer(), "compiler": PlainCompiler(), "pictures": PlainPictures()}
    async with Environment(data, store=store, **drawing) as environment:  # type: ignore[arg-type]  # ports by name
        yield environment
    store.close()


@asynccontextmanager
async def of_effects(data: Path) -> AsyncIterator[Environment]:
    """A place that forgets effects."""
    async with _over(ForgetsItsEffects(data), data) as environment:
        yield environment


@asynccontextmanager
async def of_events(data: Path) -> AsyncIterator[Environment]:
    """A place that forgets an event."""
    async with _over(ForgetsAnEvent(data), data) as environment:
        yield environment


@asynccontextmanager
async def of_everything(data: Path) -> AsyncIterator[Environment]:
    """A place that is new for every process."""
    folder = data / str(sum(1 for _ in data.iterdir()) if data.exists() else 0)
    async with _over(SqliteStore(folder), folder) as environment:
        yield environment
