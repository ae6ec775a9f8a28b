"""`cancel()`: close an operation for good without composing it again, so that no change can lock its document."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import anyio

from compositor.errors import OperationBusy, OperationEnded
from compositor.operations._cancelled import close_cancelled
from compositor.operations._environment import Environment
from compositor.operations._generate import stored_result
from compositor.operations._result import Result
from compositor.runtime import Feed, Journal, OperationRecord, Store

OWNER_SECONDS = 10.0
"""How long the owner of an operation may take to close it: it looks four times a second, and stops tools at once."""
LOOK_SECONDS = 0.05


async def cancel(
    operation: str,
    *,
    data: Path | None = None,
    environment: Environment | None = None,
    patience: float = OWNER_SECONDS,
) -> Result:
    """Close an operation for good. No version is saved; its journal stays.

    Where another process is at work on it, that one is asked to stop, and this waits until it has.

    Args:
        operation: its id.
        data: the data folder; `COMPOSITOR_HOME` or `.compositor` by default.
        environment: where it is kept, instead of a data folder.
        patience: seconds that a living owner may take to close it.

    Raises:
        OperationUnknown, OperationEnded
        OperationBusy: its owner is alive and does not answer. The wish stands: it is closed as soon as anybody looks.
    """
    if environment is not None:
        return await _cancelled(operation, environment, patience)
    async with Environment(data) as own:
        return await _cancelled(operation, own, patience)


async def _cancelled(operation: str, environment: Environment, patience: float) -> Result:
    store = environment.store
    await _refuse_ended(operation, store)
    deadline = anyio.current_time() + patience
    while True:
        with suppress(OperationBusy):
            async with store.lease(operation):
                return await _closed(operation, environment)
        await store.request_cancel(operation)
        if anyio.current_time() >= deadline:
            raise OperationBusy(
                operation, f"its owner has not answered for {patience:g} s", "the wish to cancel it is kept"
            )
        await anyio.sleep(LOOK_SECONDS)


async def _refuse_ended(operation: str, store: Store) -> None:
    record = await store.load(operation)
    if record.state == "ended":
        raise OperationEnded(operation, record.status or record.state)


async def _closed(operation: str, environment: Environment) -> Result:
    """The result of a cancelled operation: its owner has just closed it, or there is none, and it is closed here."""
    store = environment.store
    record = await store.load(operation)
    if record.status == "cancelled" and (result := await stored_result(record, environment)):
        return result
    await _refuse_ended(operation, store)
    return await close_cancelled(record, await _journal(record, environment), environment)


async def _journal(record: OperationRecord, environment: Environment) -> Journal:
    events = await environment.store.events(record.id)
    return Journal(
        environment.store,
        record.id,
        attempt=record.attempt,
        recorded={},
        seq=len(events),
        feed=Feed(),
        clock=environment.clock,
    )
