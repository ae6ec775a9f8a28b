"""Opening an operation: everything that can be wrong with it is wrong here, before a model is called."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from compositor._values import Json
from compositor.agents import Agent, Composition, changes, compose, dispatch
from compositor.errors import CompositionChanged, EnvironmentUnfit, Problem, RequestError
from compositor.operations._environment import Environment
from compositor.operations._package import load_package
from compositor.runtime import PLAIN_ID, ModelAdapter, OperationRecord, Role, Work, get_json, put_json
from compositor.workspace import Entry, Isolation, Snapshot, field_value
from compositor.workspace.request import Request, read_request, request_of, traits_of

Models = Mapping[Role, ModelAdapter]
Package = Request | Mapping[str, Json] | Path
"""A request: the model, its JSON object, or the path of its file, beside which its assets lie."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An operation that may begin.

    Attributes:
        record: as it is kept.
        request: with its assets taken in.
        work: composition, files and ports.
        models: role → adapter.
        isolation: how renders are kept from the machine; None where the composition renders nothing.
    """

    record: OperationRecord
    request: Request
    work: Work
    models: Models
    isolation: Isolation | None


def read_package(package: Package, today: date | None = None) -> tuple[Request, Path | None]:
    """The request, and the folder that its assets lie in. Raises RequestError with all problems.

    Args:
        package: the request in any of its forms.
        today: the day it goes out, where it does not say so itself.
    """
    if isinstance(package, Request):  # made by a caller, who may have left out what only reading checks
        return request_of(package.model_dump(mode="json", exclude_none=True), today=today), None
    if isinstance(package, Path):
        return read_request(_bytes(package), today=today), package.parent
    return request_of(package, today=today), None


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        problem = Problem(
            code="unreadable",
            message=f"cannot read the request: {error.strerror}",
            where=str(path),
            cure="check the path; `compositor request init CONTENT` makes a new one",
        )
        raise RequestError(str(path), [problem]) from error


async def open_operation(
    package: Package,
    environment: Environment,
    *,
    operation: str,
    agents: Sequence[Agent],
    models: Models,
    mode: str | None,
    operation_id: str | None = None,
) -> Opened:
    """Validate, dispatch, compose, prove the ports, and take the files in.

    Raises:
        RequestError, UnsupportedRequest, CompositionError, EnvironmentUnfit
    """
    _refuse_odd_id(operation_id)
    now = environment.clock.now()
    request, folder = read_package(package, now.date())
    agent = dispatch(agents, operation=request.operation, content=request.content, traits=traits_of(request))
    refuse_misfits(request, agent, operation)
    draft = compose(agent, request, mode)  # what is wrong already is told before any asset is kept
    _refuse_models(draft, models)
    isolation = await proven(draft, environment)
    loaded = await load_package(request, folder, environment.ports.pictures, environment.blobs)
    composition = compose(agent, loaded.request, mode)
    snapshot = await _materialised(composition, loaded.files, environment)
    identity = operation_id or f"{now:%Y%m%d}-{secrets.token_hex(4)}"
    opening = {
        "request": loaded.request.model_dump(mode="json", exclude_none=True),
        "mode": mode,
        "composition": composition.facts,
        "snapshot": snapshot.as_json(),
        "isolation": isolation,
        "adapters": {role: adapter.name for role, adapter in sorted(models.items())},
    }
    record = OperationRecord(
        id=identity,
        operation=request.operation,
        content=request.content,
        document=request.document or f"doc-{identity}",
        state="open",
        attempt=1,
        opened_at=now.isoformat(timespec="milliseconds"),
        opening=await put_json(environment.blobs, opening),
    )
    return Opened(
        record=record,
        request=loaded.request,
        work=_work(composition, snapshot, environment),
        models=models,
        isolation=isolation,
    )


def _refuse_odd_id(operation_id: str | None) -> None:
    if operation_id is not None and not PLAIN_ID.fullmatch(operation_id):
        message = f"{operation_id[:80]!r} cannot be the id of an operation"
        cure = "use up to 64 letters, digits, dots, dashes and underscores"
        raise RequestError(
            "the operation is refused", [Problem(code="odd-id", message=message, where="operation_id", cure=cure)]
        )


async def reopen_operation(
    record: OperationRecord, environment: Environment, *, agents: Sequence[Agent], models: Models
) -> Opened:
    """The same operation as it was opened.

    Raises:
        CompositionChanged: naming what is no longer the same.
    """
    opening = await get_json(environment.blobs, record.opening)
    request = request_of(opening["request"])
    agent = dispatch(agents, operation=request.operation, content=request.content, traits=traits_of(request))
    composition = compose(agent, request, opening["mode"])
    adapters: dict[str, Json] = {role: adapter.name for role, adapter in sorted(models.items())}
    differs = (
        *changes(opening["composition"], composition.facts),
        *changes(opening["adapters"], adapters, "adapter"),
    )
    if differs:
        raise CompositionChanged(record.id, differs)
    return Opened(
        record=record,
        request=request,
        work=_work(composition, Snapshot.from_json(opening["snapshot"]), environment),
        models=models,
        isolation=_weaker(opening["isolation"], await proven(composition, environment)),
    )


def _work(composition: Composition, snapshot: Snapshot, environment: Environment) -> Work:
    return Work(composition=composition, blobs=environment.blobs, ports=environment.ports, snapshot=snapshot)


def refuse_misfits(request: Request, agent: Agent, operation: str | None = None) -> None:
    """Refuse a request that its agent cannot work with.

    Raises:
        RequestError: the wrong operation, a required field that is absent, or an extension that nobody takes.
    """
    data = request.model_dump(mode="json", exclude_none=True)
    members = agent.members(data)
    problems = [
        Problem(
            code="missing-field",
            message=f"{member.name} needs {name}, and the request has none",
            where=f"$.{name}",
            concerns=(member.name,),
            cure=f"fill {name} in",
        )
        for member in members
        for name in member.reads.required
        if not field_value(data, name)
    ]
    if operation is not None and request.operation != operation:
        problems.append(
            Problem(
                code="wrong-operation",
                message=f"the request asks for {request.operation!r}, and {operation}() was called",
                where="$.operation",
                cure=f"call {request.operation}(), or correct the request",
            )
        )
    problems += _extension_problems(request, {member.name: member.extension for member in members})
    if problems:
        raise RequestError("the request is refused", problems)


def _extension_problems(request: Request, schemas: Mapping[str, Mapping[str, Json] | None]) -> list[Problem]:
    from jsonschema import Draft202012Validator

    problems = []
    for name, value in sorted(request.extensions.items()):
        schema = schemas.get(name)
        if schema is None:
            known = ", ".join(sorted(name for name, schema in schemas.items() if schema is not None))
            cure = f"extensions are taken by: {known or 'none of the capabilities that are in'}"
            message = f"no capability that is in takes extensions.{name}"
            problems.append(Problem(code="unknown-extension", message=message, where=f"$.extensions.{name}", cure=cure))
            continue
        for error in Draft202012Validator(schema).iter_errors(value):
            where = f"$.extensions.{name}{error.json_path.removeprefix('$')}"
            problems.append(Problem(code="bad-extension", message=error.message, where=where, concerns=(name,)))
    return problems


def _refuse_models(composition: Composition, models: Models) -> None:
    writer = models["writer"]
    if writer.needs_designer and composition.content.capability.designer is None:
        problem = Problem(
            code="no-designer",
            message=f"{writer.name} plays a capability's designer, and {composition.content.name} has none",
            concerns=(composition.content.name,),
            cure="configure a model as the writer",
        )
        raise EnvironmentUnfit(f"{composition.agent.name!r} cannot run", [problem])


async def proven(composition: Composition, environment: Environment) -> Isolation | None:
    """Prove that the renderer, where one is used, can draw. Raises EnvironmentUnfit with the cure."""
    named = {port for member in composition.members for port in member.capability.ports}
    return await environment.ports.renderer.prepare() if "renderer" in named else None


_WEAKEST_FIRST: tuple[Isolation | None, ...] = ("none", "closed", "jail", None)


def _weaker(before: Isolation | None, now: Isolation | None) -> Isolation | None:
    """What may be said of an operation whose attempts ran under different isolation: the weakest."""
    return min(before, now, key=_WEAKEST_FIRST.index)


async def _materialised(composition: Composition, assets: Mapping[str, Entry], environment: Environment) -> Snapshot:
    files = dict(assets)
    for file in composition.files:
        content = file.given.content
        data = content.encode() if isinstance(content, str) else content
        files[file.path] = Entry(sha256=await environment.blobs.put(data), size=len(data))
    return Snapshot(files=files)
