"""`cancel()`: close an operation for good without composing it again, so that no change can lock its document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import cast

import anyio

from compositor.agents import Completion
from compositor.errors import OperationBusy, OperationEnded
from compositor.operations._environment import Environment
from compositor.operations._generate import stored_result
from compositor.operations._handle import CANCEL
from compositor.operations._result import Result, Usage
from compositor.runtime import (
    Closing,
    Effect,
    Feed,
    Journal,
    OperationRecord,
    Store,
    put_json,
    verification_of,
)
from compositor.runtime.events import Event, OperationOpened
from compositor.runtime.events import OperationEnded as EndedEvent

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
    return await _close(record, environment)


async def _close(record: OperationRecord, environment: Environment) -> Result:
    operation, store = record.id, environment.store
    recorded, events = dict(await store.effects(operation)), await store.events(operation)
    journal = Journal(
        store,
        operation,
        attempt=record.attempt,
        recorded=recorded,
        seq=len(events),
        feed=Feed(),
        clock=environment.clock,
    )
    result = _result(record, recorded, events)
    effect = Effect(key=CANCEL, name="commit_version", arguments={}, result={"version": None})
    kept = await put_json(environment.blobs, result.model_dump(mode="json"))
    ended = EndedEvent(
        status=result.status, verification=result.verification, ending=result.ending, version=None, warnings=()
    )
    await journal.close(Closing(effect=effect, result=kept, status=result.status, version=None), (ended,))
    return result


def _result(record: OperationRecord, recorded: Mapping[str, Effect], events: Sequence[Event]) -> Result:
    """The result, from rows alone: where a blob is lost or damaged, the document is freed all the same."""
    opened = next(event.what for event in events if isinstance(event.what, OperationOpened))
    writers = sum(1 for key in recorded if key.startswith("model/"))
    return Result(
        operation=record.id,
        content=record.content,
        composition=opened.composition,
        adapter=opened.adapters["writer"],
        policy=cast(Completion, opened.policy),
        status="cancelled",
        verification=verification_of((), complete=False),
        ending="cancelled",
        summary=f"{record.content}: cancelled before its end.",
        version=None,
        artifacts=(),
        reports=(),
        warnings=(),
        unfinished=("the operation was cancelled",),
        not_checked=(),
        usage=Usage(
            model_calls=sum(1 for effect in recorded.values() if effect.name == "model_call"),
            steps=writers,
            rejections=sum(1 for effect in recorded.values() if effect.name == "reject"),
            input_tokens=None,
            output_tokens=None,
        ),
        cost=None,
        seconds=round(sum(effect.seconds for effect in recorded.values()), 3),
    )
