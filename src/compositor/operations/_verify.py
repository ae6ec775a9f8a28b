"""`verify()`: any existing file of a supported kind is built, measured and, with a judge, judged, without an agent."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict

from compositor._values import Json, sha256
from compositor.agents import Agent, Composition, compose, sample_request
from compositor.errors import Problem, RequestError, ToolError, UnsupportedRequest
from compositor.operations._closing import isolation_warning, not_checked
from compositor.operations._environment import Environment
from compositor.operations._opening import Package, proven, read_package, refuse_misfits
from compositor.operations._package import load_package
from compositor.operations._result import NotChecked
from compositor.runtime import Evaluator, ModelAdapter, Spending, Unrecorded, Verification, Work, verification_of
from compositor.workspace import Entry, Snapshot

if TYPE_CHECKING:
    from compositor.authoring import Opens


class Verified(BaseModel):
    """What is proven about a file.

    Attributes:
        file, sha256, content: what was looked at, and as which content type.
        composition: the digest of the checks as they were composed.
        verification: `exit_code` follows from it.
        isolation: how its renders were kept from the machine.
        reports: one per verifier.
        warnings, not_checked: what a person must know.
        seconds: how long it took.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    schema_version: Literal["1"] = "1"
    file: str
    sha256: str
    content: str
    composition: str
    verification: Verification
    isolation: Literal["jail", "closed", "none"] | None
    reports: tuple[dict[str, Json], ...]
    warnings: tuple[str, ...]
    not_checked: tuple[NotChecked, ...]
    seconds: float

    @property
    def exit_code(self) -> int:
        """1 on failed or errored, else 0."""
        return 1 if self.verification in {"failed", "errored"} else 0


async def verify(
    file: Path,
    *,
    request: Package | None = None,
    agents: Sequence[Agent] | None = None,
    judge: ModelAdapter | None = None,
    environment: Environment | None = None,
) -> Verified:
    """Check a file.

    Args:
        file: its suffix says what it is.
        request: the package that it was made from; with it brand, rules and delivery are checked too.
        agents: the agents to choose from; the shipped ones by default.
        judge: a model in the role of the judge.
        environment: shared with others; else one of its own, of which nothing remains.

    Raises:
        RequestError: the file or the request cannot be read, or the file is not of its kind.
        UnsupportedRequest: no agent opens such files.
        CompositionError, EnvironmentUnfit, PortError
    """
    if environment is not None:
        return await _verified(file, request, agents, judge, environment)
    with TemporaryDirectory(prefix="compositor-") as folder:
        async with Environment(Path(folder)) as own:
            return await _verified(file, request, agents, judge, own)


async def _verified(
    file: Path,
    package: Package | None,
    agents: Sequence[Agent] | None,
    judge: ModelAdapter | None,
    environment: Environment,
) -> Verified:
    started = time.monotonic()
    data = _read(file)
    agent, opens = _opener(file, agents)
    files = _opened(file, data, opens)
    composition, assets = await _composed(agent, package, environment)
    isolation = await proven(composition, environment)
    work = Work(
        composition=composition,
        blobs=environment.blobs,
        ports=environment.ports,
        snapshot=await _snapshot(composition, files, assets, environment),
    )
    spending = Spending(budget=composition.budget)
    evaluation = await Evaluator(work, Unrecorded(), spending, judge).examine()
    return Verified(
        file=file.name,
        sha256=sha256(data),
        content=composition.content_type,
        composition=composition.digest,
        verification=verification_of(evaluation.verdicts, complete=evaluation.complete),
        isolation=isolation,
        reports=tuple(verdict.as_json() for verdict in evaluation.verdicts),
        warnings=(isolation_warning(isolation),) if isolation in {"closed", "none"} else (),
        not_checked=not_checked(evaluation.verdicts),
        seconds=round(time.monotonic() - started, 3),
    )


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise _refused(file, f"cannot be read: {error.strerror}", "check the path") from error


def _opener(file: Path, agents: Sequence[Agent] | None) -> tuple[Agent, Opens]:
    if agents is None:
        from compositor.agents.shipped import SHIPPED

        agents = SHIPPED
    suffix = file.suffix.lower()
    for agent in agents:
        if suffix in agent.content.opens:
            return agent, agent.content.opens[suffix]
    known = sorted({f"verify *{suffix}" for agent in agents for suffix in agent.content.opens})
    raise UnsupportedRequest(operation="verify", content=suffix or file.name, traits=(), supported=known)


def _opened(file: Path, data: bytes, opens: Opens) -> Mapping[str, bytes]:
    try:
        return opens(data)
    except ToolError as error:
        raise _refused(file, str(error), "give it the suffix of what it is") from error


def _refused(file: Path, what: str, cure: str) -> RequestError:
    problem = Problem(code="unreadable-file", message=what, where=str(file), cure=cure)
    return RequestError(f"{file.name} cannot be verified", [problem])


async def _composed(
    agent: Agent, package: Package | None, environment: Environment
) -> tuple[Composition, Mapping[str, Entry]]:
    if package is None:
        return compose(agent, sample_request(agent)), {}
    request, folder = read_package(package, environment.clock.now().date())
    if request.content != agent.content_type:
        what = f"the request is for {request.content!r}, and the file is checked as {agent.content_type!r}"
        raise RequestError("the request", [Problem(code="wrong-content", message=what, where="$.content")])
    refuse_misfits(request, agent)
    loaded = await load_package(request, folder, environment.ports.pictures, environment.blobs)
    return compose(agent, loaded.request), loaded.files


async def _snapshot(
    composition: Composition, files: Mapping[str, bytes], assets: Mapping[str, Entry], environment: Environment
) -> Snapshot:
    given = {file.path: file.given.content for file in composition.files}
    entries = dict(assets)
    for path, content in {**given, **files}.items():
        data = content.encode() if isinstance(content, str) else content
        entries[path] = Entry(sha256=await environment.blobs.put(data), size=len(data))
    return Snapshot(files=entries)
