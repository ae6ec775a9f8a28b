"""The end of a cancelled operation, told from its record alone.

Whoever closes it (the owner who was at work, the next one, or another process where there is none) knows no more than
the record and no less, composes nothing, and reads no blob. So a changed agent, a missing model or a damaged blob can
keep no document locked, and the result is the same whoever says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard, cast

from compositor._values import Json
from compositor.agents import Completion
from compositor.operations._closing import not_checked
from compositor.operations._environment import Environment
from compositor.operations._result import Result, Usage
from compositor.runtime import Closing, Effect, Journal, OperationRecord, Spending, ended, put_json, working_seconds
from compositor.runtime.events import Checked, DraftRejected, Happening, OperationEnded, OperationOpened, ToolAnswered
from compositor.verifiers import Verdict

CANCEL = "cancel"
"""The key of the effect that closes it; a cancelled operation is never resumed, so there is only one."""


async def close_cancelled(record: OperationRecord, journal: Journal, environment: Environment) -> Result:
    """End the operation for good. No version is saved; what was made and found until then stays in its journal."""
    result = await _result(record, environment)
    happened = OperationEnded(
        status=result.status,
        verification=result.verification,
        ending=result.ending,
        version=None,
        warnings=result.warnings,
    )
    closing = Closing(
        effect=Effect(key=CANCEL, name="commit_version", arguments={}, result={"version": None}),
        result=await put_json(environment.blobs, result.model_dump(mode="json")),
        status=result.status,
        version=None,
    )
    await journal.close(closing, (happened,))
    return result


async def _result(record: OperationRecord, environment: Environment) -> Result:
    happened = [event.what for event in await environment.store.events(record.id)]
    opened = next(what for what in happened if isinstance(what, OperationOpened))
    policy = cast(Completion, opened.policy)
    reports = _standing(happened)
    verdicts = tuple(Verdict.from_json(report) for report in reports)
    end = ended(verdicts, complete=bool(verdicts), stop="cancelled", policy=policy)
    spending = Spending.of(happened)
    return Result(
        operation=record.id,
        content=record.content,
        composition=opened.composition,
        adapter=opened.adapters["writer"],
        policy=policy,
        status=end.status,
        verification=end.verification,
        ending=end.ending,
        summary=f"{record.content}: cancelled before its end. `compositor replay {record.id}` shows what was made.",
        version=None,
        artifacts=(),
        reports=reports,
        warnings=opened.disclosures,
        unfinished=("the operation was cancelled",),
        not_checked=not_checked(verdicts),
        usage=Usage(**spending.as_json()),
        cost=spending.cost,
        seconds=round(working_seconds(await environment.store.effects(record.id)), 3),
    )


def _standing(happened: Sequence[Happening]) -> tuple[Json, ...]:
    """The verdicts on the last draft that was evaluated to the end, where no call has changed the work since."""
    rejected = [(at, what.draft) for at, what in enumerate(happened) if isinstance(what, DraftRejected)]
    if not rejected:
        return ()
    at, draft = rejected[-1]
    if any(isinstance(what, ToolAnswered) and what.changed for what in happened[at:]):
        return ()
    newest = {what.verdict["verifier"]: what.verdict for what in happened if _is_of(what, draft)}
    return tuple(newest.values())


def _is_of(what: Happening, draft: int) -> TypeGuard[Checked]:
    return isinstance(what, Checked) and what.draft == draft
