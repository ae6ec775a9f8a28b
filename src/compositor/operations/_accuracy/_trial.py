"""One case before measurements: built as an operation would build it, and looked at by the same checks."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import anyio

from compositor._values import Json
from compositor.agents import Agent, Composition, compose, dispatch
from compositor.authoring import BuildContext, Built, Capability, CheckContext, Report, ToolRun, Verifier
from compositor.operations._accuracy._planting import Case, with_late_edits
from compositor.operations._accuracy._remembered import RememberedLooks, RememberedPages
from compositor.operations._environment import Environment
from compositor.operations._opening import proven, read_package
from compositor.operations._package import load_package
from compositor.runtime import Evaluator, Spending, Unrecorded, Work
from compositor.verifiers import Verdict
from compositor.workspace import Entry, Ports, Snapshot, covered
from compositor.workspace.request import traits_of

Verdicts = Mapping[str, Verdict]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meter:
    """Processor time in milliseconds. One check is metered at a time: the clock is that of the whole process.

    Attributes:
        checks: measurement → each time that it took.
        builds: each build.
    """

    checks: dict[str, list[float]] = field(default_factory=dict)
    builds: list[float] = field(default_factory=list)
    free: anyio.Lock = field(default_factory=anyio.Lock)

    def on_check(self, verifier: Verifier) -> Verifier:
        """The verifier, with its time taken."""
        taken = self.checks.setdefault(verifier.name, [])

        async def timed(ctx: CheckContext) -> Report:
            async with self.free:
                begun = time.process_time()
                try:
                    return await verifier.check(ctx)
                finally:
                    taken.append((time.process_time() - begun) * 1_000)

        return replace(verifier, check=timed)

    def on_build(self, capability: Capability) -> Capability:
        """The content capability, with the time of its build taken."""
        build = capability.build
        if build is None:
            return capability

        async def timed(ctx: BuildContext) -> Built:
            begun = time.process_time()
            try:
                return await build(ctx)
            finally:
                self.builds.append((time.process_time() - begun) * 1_000)

        return replace(capability, build=timed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """Where cases are tried.

    Attributes:
        environment: real adapters, shared by all cases.
        ports: those of the environment, which draw the same page once, and look at the same picture once.
        agents: to choose from.
        meter: takes the time.
    """

    environment: Environment
    ports: Ports
    agents: Sequence[Agent]
    meter: Meter

    @staticmethod
    def within(environment: Environment, agents: Sequence[Agent]) -> Trial:
        """A trial in an environment."""
        ports = environment.ports.but(
            renderer=RememberedPages(environment.ports.renderer), pictures=RememberedLooks(environment.ports.pictures)
        )
        return Trial(environment=environment, ports=ports, agents=agents, meter=Meter())

    async def of(self, case: Case, only: Collection[str] = ()) -> Verdicts:
        """What the measurements say of a case, by name; those in `only`, or all.

        Raises:
            RequestError, UnsupportedRequest, CompositionError, EnvironmentUnfit, PortError
        """
        request, _ = read_package(await self._sent(case), self.environment.clock.now().date())
        agent = dispatch(self.agents, operation=request.operation, content=request.content, traits=traits_of(request))
        loaded = await load_package(request, None, self.ports.pictures, self.environment.blobs)
        composition = self._narrowed(compose(agent, loaded.request), case, only)
        await proven(composition, self.environment)
        work = Work(
            composition=composition,
            blobs=self.environment.blobs,
            ports=self.ports,
            snapshot=await self._snapshot(composition, case, loaded.files),
            runs=[ToolRun(tool="write", changed=tuple(_written(composition, case)))],
        )
        spending = Spending(budget=composition.budget)
        evaluation = await Evaluator(work, Unrecorded(), spending, None).evaluate(1)
        asked = {entry.verifier.name for entry in composition.verifiers}  # the host has verdicts of its own
        return {verdict.verifier: verdict for verdict in evaluation.verdicts if verdict.verifier in asked}

    async def _sent(self, case: Case) -> Mapping[str, Json]:
        """The request, with its pictures in the store instead of beside it."""
        request = dict(case.request)
        request["assets"] = [await self._kept(asset, case.files) for asset in request.get("assets", ())]
        return request

    async def _kept(self, asset: Mapping[str, Json], files: Mapping[str, bytes]) -> Mapping[str, Json]:
        data = files.get(asset.get("path", ""))
        if data is None:
            return asset
        known = {name: value for name, value in asset.items() if name != "path"}
        return {**known, "sha256": await self.environment.blobs.put(data)}

    def _narrowed(self, composition: Composition, case: Case, only: Collection[str]) -> Composition:
        """The composition with the measurements that are asked for alone, all metered."""
        content = composition.content
        capability = with_late_edits(self.meter.on_build(content.capability), case)
        return replace(
            composition,
            members=(replace(content, capability=capability), *composition.members[1:]),
            verifiers=tuple(
                replace(entry, verifier=self.meter.on_check(entry.verifier))
                for entry in composition.verifiers
                if entry.verifier.kind == "measurement" and (not only or entry.verifier.name in only)
            ),
        )

    async def _snapshot(self, composition: Composition, case: Case, assets: Mapping[str, Entry]) -> Snapshot:
        given = {file.path: file.given.content for file in composition.files}
        written = {path: case.files[path] for path in _written(composition, case)}
        entries = dict(assets)
        for path, content in {**given, **written}.items():
            data = content.encode() if isinstance(content, str) else content
            entries[path] = Entry(sha256=await self.environment.blobs.put(data), size=len(data))
        return Snapshot(files=entries)


def _written(composition: Composition, case: Case) -> list[str]:
    return [path for path in case.files if covered(path, composition.written)]
