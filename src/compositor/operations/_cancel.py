"""`cancel()`: close an operation for good without composing it again, so that no change can lock its document."""

from __future__ import annotations

from pathlib import Path

from compositor._values import digest
from compositor.errors import OperationEnded
from compositor.operations._environment import Environment
from compositor.operations._handle import CANCEL
from compositor.operations._result import Result, Usage
from compositor.runtime import Closing, Effect, Feed, Journal, OperationRecord, get_json, put_json, verification_of
from compositor.runtime.events import OperationEnded as EndedEvent


async def cancel(operation: str, *, data: Path | None = None, environment: Environment | None = None) -> Result:
    """Close an operation that nobody is at work on. No version is saved; its journal stays.

    Raises:
        OperationUnknown, OperationEnded
        OperationBusy: its owner is alive; interrupt that first.
    """
    if environment is not None:
        return await _cancelled(operation, environment)
    async with Environment(data) as own:
        return await _cancelled(operation, own)


async def _cancelled(operation: str, environment: Environment) -> Result:
    store = environment.store
    async with store.lease(operation):
        record = await store.load(operation)
        if record.state == "ended":
            raise OperationEnded(operation, record.status or record.state)
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
        result = await _result(record, recorded, environment)
        effect = Effect(key=CANCEL, name="commit_version", arguments={}, result={"version": None})
        kept = await put_json(environment.blobs, result.model_dump(mode="json"))
        ended = EndedEvent(
            status=result.status, verification=result.verification, ending=result.ending, version=None, warnings=()
        )
        await journal.close(Closing(effect=effect, result=kept, status=result.status, version=None), (ended,))
        return result


async def _result(record: OperationRecord, recorded: dict[str, Effect], environment: Environment) -> Result:
    opening = await get_json(environment.blobs, record.opening)
    facts = opening["composition"]
    writers = sum(1 for key in recorded if key.startswith("model/"))
    return Result(
        operation=record.id,
        content=record.content,
        composition=digest(facts),
        adapter=opening["adapters"]["writer"],
        policy=facts["completion"],
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
