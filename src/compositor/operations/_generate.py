"""`generate()` and `resume()`: the only place where agents, runtime and adapters meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from compositor.adapters import shipped
from compositor.errors import OperationEnded
from compositor.operations._environment import Environment
from compositor.operations._handle import Handle
from compositor.operations._opening import Models, Opened, Package, open_operation, reopen_operation
from compositor.operations._result import Result
from compositor.runtime import DELETED, ModelAdapter, OperationRecord, Role, get_json

if TYPE_CHECKING:
    from compositor.agents import Agent


def generate(
    request: Package,
    *,
    agents: Sequence[Agent] | None = None,
    models: Mapping[Role, ModelAdapter] | None = None,
    data: Path | None = None,
    mode: str | None = None,
    operation_id: str | None = None,
    environment: Environment | None = None,
) -> Handle:
    """Make a deliverable from a request.

    Args:
        request: a `Request`, its JSON object, or the path of its file, beside which its assets lie.
        agents: the agents to choose from; the shipped ones by default.
        models: role → adapter. Without a writer the offline designer writes and says so; without a judge there is none.
        data: the data folder; `COMPOSITOR_HOME` or `.compositor` by default.
        mode: a named narrowing of the agent.
        operation_id: chosen by a caller who must find the operation again even if this call's answer is lost.
        environment: shared by concurrent operations; else each has its own, and its own browser.

    Returns:
        A handle: `await` it for the result, or `async with` it to follow and interrupt it. It raises RequestError,
        UnsupportedRequest, CompositionError, EnvironmentUnfit or PortError where the operation cannot be opened, and
        AdapterError where the writer's model fails; the operation can be resumed then.
    """
    return _begin(request, "generate", agents, models, data, mode, operation_id, environment)


def resume(
    operation: str,
    *,
    agents: Sequence[Agent] | None = None,
    models: Mapping[Role, ModelAdapter] | None = None,
    data: Path | None = None,
    environment: Environment | None = None,
) -> Handle:
    """Continue an operation that was interrupted or killed; no recorded effect is run again.

    One that ended because a check broke down has the same draft evaluated again; any other ended one gives its result.

    Raises (through the handle):
        OperationUnknown, OperationBusy, OperationEnded (it was cancelled), CompositionChanged
    """

    async def reopen(place: Environment) -> Opened | Result:
        record = await place.store.load(operation)
        if result := await _settled(record, place):
            return result
        record = replace(record, attempt=record.attempt + 1)
        return await reopen_operation(record, place, agents=_agents(agents), models=_models(models))

    return Handle(reopen, environment or Environment(data), own=environment is None)


def generate_sync(
    request: Package,
    *,
    agents: Sequence[Agent] | None = None,
    models: Mapping[Role, ModelAdapter] | None = None,
    data: Path | None = None,
    mode: str | None = None,
) -> Result:
    """`generate` for callers without an event loop; waits for the result."""

    async def whole() -> Result:
        return await generate(request, agents=agents, models=models, data=data, mode=mode)

    return anyio.run(whole)


def resume_sync(
    operation: str,
    *,
    agents: Sequence[Agent] | None = None,
    models: Mapping[Role, ModelAdapter] | None = None,
    data: Path | None = None,
) -> Result:
    """`resume` for callers without an event loop; waits for the result."""

    async def whole() -> Result:
        return await resume(operation, agents=agents, models=models, data=data)

    return anyio.run(whole)


async def stored_result(record: OperationRecord, environment: Environment) -> Result | None:
    """The result of an operation that has ended, or None. Raises OperationEnded where its content was deleted."""
    if record.status == DELETED:
        raise OperationEnded(record.id, DELETED)
    if record.result is None:
        return None
    return Result.model_validate(await get_json(environment.blobs, record.result))


def _begin(
    request: Package,
    operation: str,
    agents: Sequence[Agent] | None,
    models: Mapping[Role, ModelAdapter] | None,
    data: Path | None,
    mode: str | None,
    operation_id: str | None,
    environment: Environment | None,
) -> Handle:
    async def open_(place: Environment) -> Opened:
        return await open_operation(
            request,
            place,
            operation=operation,
            agents=_agents(agents),
            models=_models(models),
            mode=mode,
            operation_id=operation_id,
        )

    return Handle(open_, environment or Environment(data), own=environment is None)


async def _settled(record: OperationRecord, environment: Environment) -> Result | None:
    """The result of an operation that there is nothing to continue of."""
    result = await stored_result(record, environment) if record.state == "ended" else None
    if result is not None and result.status == "cancelled":
        raise OperationEnded(record.id, result.status)
    return None if result is None or result.verification == "errored" else result


def _agents(agents: Sequence[Agent] | None) -> Sequence[Agent]:
    if agents is not None:
        return agents
    from compositor.agents.shipped import SHIPPED

    return SHIPPED


def _models(models: Mapping[Role, ModelAdapter] | None) -> Models:
    return {"writer": shipped.writer(), **(models or {})}
