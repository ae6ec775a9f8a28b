"""The evaluator: builds a draft, measures it, and has it judged when it is clean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import anyio

from compositor._values import Json, canonical, digest
from compositor.agents import OwnedVerifier
from compositor.authoring import Finding, Report, Where
from compositor.runtime._adapter import ModelAdapter
from compositor.runtime._building import Builder
from compositor.runtime._completion import BUDGET, NO_JUDGE, NOT_REQUESTED, verification_of
from compositor.runtime._contained import contained, may_be_a_persons
from compositor.runtime._evaluation import Evaluation, Looked
from compositor.runtime._faults import shortened, told
from compositor.runtime._journal import Done, Effects
from compositor.runtime._judging import SeatedJudge
from compositor.runtime._messages import Usage
from compositor.runtime._scopes import CheckScope, check_scope, record_digest
from compositor.runtime._spending import Spending
from compositor.runtime._work import Work, get_json, put_json
from compositor.runtime.events import Checked
from compositor.verifiers import Status, Verdict, report_fault, unreported, verdict_of
from compositor.workspace import Trace, View, overlap

REUSABLE: frozenset[Status] = frozenset({"passed", "failed", "inconclusive", "not_applicable"})


class Evaluator:
    """Evaluates the drafts of one operation.

    Args:
        work, journal, spending: of the operation.
        judge: the model in the role of the judge, or None.
    """

    __slots__ = ("_builder", "_journal", "_judge", "_known", "_spending", "_work")

    def __init__(self, work: Work, journal: Effects, spending: Spending, judge: ModelAdapter | None) -> None:
        self._work, self._journal, self._spending, self._judge = work, journal, spending, judge
        self._builder = Builder(work, journal)
        self._known: list[Looked] = []

    async def evaluate(self, draft: int, *, spent: bool = False, again: int = 0, fresh: bool = False) -> Evaluation:
        """Build, measure, judge.

        Args:
            draft: from 1.
            spent: whether a budget ended the work; judgments are skipped then.
            again: how often this very draft was evaluated before, because a part broke down.
            fresh: whether judges are asked anew even where nothing that they read has changed.
        """
        key = f"{draft}" if not again else f"{draft}/again-{again}"
        written = self._work.written.digest
        host = await self._made(draft, f"build/{key}")
        measured = await self._measure(draft, f"evaluate/{key}/measurements", host)
        judged = await self._judgments(draft, f"evaluate/{key}/judgments", measured, spent=spent, fresh=fresh)
        return Evaluation(draft=draft, written=written, complete=self._work.complete, verdicts=(*measured, *judged))

    async def examine(self) -> Evaluation:
        """Evaluate files that came from outside: what was not brought along is not missing, its checks are skipped."""
        host = [await self._builder.build(1, "build/1")]
        measured = await self._measure(1, "evaluate/1/measurements", host)
        judged = await self._judgments(1, "evaluate/1/judgments", measured, spent=False, fresh=False)
        complete = host[0].status in {"passed", "not_applicable"}
        return Evaluation(draft=1, written=self._work.written.digest, complete=complete, verdicts=(*measured, *judged))

    async def _made(self, draft: int, key: str) -> list[Verdict]:
        """The host's own verdicts: is everything written, and can it be built?"""
        outputs = self._outputs()
        if outputs.status == "failed":
            self._builder.forget()  # it was derived from an earlier draft
            return [outputs]
        if self._work.composition.content.capability.build is None:
            return [outputs]
        return [outputs, await self._builder.build(draft, key)]

    def _outputs(self) -> Verdict:
        content = self._work.composition.content.capability
        missing = tuple(
            Finding(
                code="missing-output",
                severity="blocking",
                message=f"required output {path} is missing",
                where=Where(of=path),
                remedy=f"write {path} before you stop",
            )
            for path in self._work.missing
        )
        written = sum(1 for output in content.owns if not output.derived)
        return Verdict(
            verifier="outputs",
            version="1",
            kind="measurement",
            required=True,
            status="failed" if missing else "passed",
            examined=written,
            findings=missing,
        )

    async def _measure(self, draft: int, key: str, host: Sequence[Verdict]) -> tuple[Verdict, ...]:
        entries = [entry for entry in self._work.composition.verifiers if entry.verifier.kind == "measurement"]
        built = all(verdict.status == "passed" for verdict in host)

        async def perform() -> Done:
            looked: dict[str, Looked] = {}

            async def one(entry: OwnedVerifier) -> None:
                looked[entry.verifier.name] = await self._measured(entry, built=built)

            async with anyio.create_task_group() as side_by_side:
                for entry in entries:
                    side_by_side.start_soon(one, entry)
            ordered = [looked[entry.verifier.name] for entry in entries]
            return await self._done(draft, [*(Looked(verdict=verdict) for verdict in host), *ordered])

        return await self._verdicts(await self._journal.effect("evaluate", key, {"draft": draft}, perform))

    async def _measured(self, entry: OwnedVerifier, *, built: bool) -> Looked:
        if self._lacks(entry, built=built):
            return Looked(verdict=unreported(entry.verifier, "skipped", "what it reads was not made"))
        if settled := self._settled(entry):
            return Looked(verdict=settled)
        key = self._key(entry, engine="")
        if known := self._reusable(key):
            return known
        trace = Trace()
        return Looked(verdict=await self._checked(entry, self._scope(entry, trace)), key=key, trace=trace)

    def _lacks(self, entry: OwnedVerifier, *, built: bool) -> bool:
        """Whether the verifier reads something that was not made."""
        owns = self._work.composition.content.capability.owns
        unmade = [*self._work.missing, *(() if built else (output.path for output in owns if output.derived))]
        reads = entry.verifier.reads
        tools = self._work.composition.roster
        labels_of_build = (
            label for label in reads.labels if not any(overlap(label, m) for tool in tools for m in tool.tool.makes)
        )
        without_build = self._work.composition.content.capability.build is None
        return any(pattern and overlap(pattern, path) for pattern in reads.files for path in unmade) or (
            not built and not without_build and any(labels_of_build)
        )

    async def _judgments(
        self, draft: int, key: str, measured: Sequence[Verdict], *, spent: bool, fresh: bool
    ) -> tuple[Verdict, ...]:
        entries = [entry for entry in self._work.composition.verifiers if entry.verifier.kind == "judgment"]
        if not entries:
            return ()
        verification = verification_of(measured, complete=True)
        clean = verification not in {"failed", "errored"}
        reason = self._unjudged(spent=spent) or ("" if clean else f"measurements-{verification}")

        async def perform() -> Done:
            looked: list[Looked] = []
            usages: list[Usage] = []
            for entry in entries:
                if clean and (settled := self._settled(entry)):
                    looked.append(Looked(verdict=settled))
                elif reason or self._judge is None:
                    looked.append(Looked(verdict=unreported(entry.verifier, "skipped", reason)))
                else:
                    judging = self._judged(draft, key, entry, self._judge, measured, usages, fresh=fresh)
                    looked.append(await judging)
            return await self._done(draft, looked, usages)

        result = await self._journal.effect("evaluate", key, {"draft": draft, "skipped": reason}, perform)
        for usage in result["usages"]:
            self._spending.add(Usage(**usage))
        return await self._verdicts(result)

    def _unjudged(self, *, spent: bool) -> str:
        """Why judges are not asked, whatever was measured; empty where they may be."""
        if spent:
            return BUDGET
        if not self._work.composition.judging:
            return NOT_REQUESTED
        return NO_JUDGE if self._judge is None else ""

    async def _judged(
        self,
        draft: int,
        key: str,
        entry: OwnedVerifier,
        adapter: ModelAdapter,
        measured: Sequence[Verdict],
        usages: list[Usage],
        *,
        fresh: bool,
    ) -> Looked:
        known = None if fresh else self._reusable(self._key(entry, engine=adapter.name))
        if known:
            return known
        trace = Trace()
        scope = self._scope(entry, trace)
        judge = SeatedJudge(
            work=self._work,
            journal=self._journal,
            adapter=adapter,
            entry=entry,
            measured=measured,
            key=f"{key}/{entry.verifier.name}",
            draft=draft,
            scope=scope,
            spending=self._spending,
            usages=usages,
        )
        verdict = await self._checked(entry, replace(scope, given_judge=judge))
        if judge.stopped:  # whatever the check made of it: a judge that was not paid has not judged
            verdict = unreported(entry.verifier, "skipped", BUDGET)
        elif judge.failed and verdict.status != "errored":
            verdict = unreported(entry.verifier, "errored", judge.failed)
        return Looked(verdict=verdict, key=self._key(entry, engine=adapter.name), trace=trace)

    async def _checked(self, entry: OwnedVerifier, scope: CheckScope) -> Verdict:
        """Run one check. Whatever it does, there is a verdict, and nothing but a whole report can pass."""
        verifier = entry.verifier
        kept = self._work.ports.processes
        ended = await contained(lambda: verifier.check(scope), seconds=verifier.seconds, kept=kept)
        if ended.overdue:
            return unreported(verifier, "errored", f"it was stopped after {verifier.seconds:g} s")
        if ended.raised is not None:
            return unreported(verifier, "errored", shortened(told(ended.raised)))
        if ended.left:
            return unreported(verifier, "errored", f"it left processes running: {', '.join(ended.left)}")
        if not isinstance(ended.value, Report):
            return unreported(verifier, "errored", f"it returned {type(ended.value).__name__}, not Report")
        if fault := report_fault(ended.value):
            return unreported(verifier, "errored", f"its report is misshapen: {fault}")
        try:
            return _recordable(verdict_of(verifier, ended.value))
        except Exception as error:  # noqa: BLE001 - a report may hold anything; that is never a pass
            return unreported(verifier, "errored", shortened(f"its report is misshapen: {told(error)}"))

    def _settled(self, entry: OwnedVerifier) -> Verdict | None:
        """The verdict on a verifier that need not run: it says itself that it does not apply, or fails to say so."""
        verifier = entry.verifier
        try:
            applies: object = verifier.applies(self._view(entry), dict(self._work.artifacts), tuple(self._work.runs))
        except BaseException as error:  # a predicate may raise anything; that is never a pass
            if may_be_a_persons(error):
                raise
            return unreported(verifier, "errored", shortened(f"applies() failed: {told(error)}"))
        if not isinstance(applies, bool):
            return unreported(verifier, "errored", f"applies() returned {type(applies).__name__}, not bool")
        return None if applies else unreported(verifier, "not_applicable", "it does not apply here")

    def _scope(self, entry: OwnedVerifier, trace: Trace) -> CheckScope:
        return check_scope(self._work, entry.verifier, self._view(entry), entry.owner.capability.ports, trace)

    def _view(self, entry: OwnedVerifier) -> View:
        return View.of(entry.owner.view.data, entry.verifier.reads.fields)

    def _key(self, entry: OwnedVerifier, *, engine: str) -> str:
        verifier = entry.verifier
        return digest([verifier.name, verifier.version, dict(verifier.thresholds), self._view(entry).digest, engine])

    def _reusable(self, key: str) -> Looked | None:
        record = record_digest(self._work.runs)
        for known in reversed(self._known):
            if known.key == key and known.trace.holds(self._work.snapshot, self._work.artifacts, record):
                return replace(known, unchanged=True)
        return None

    async def _done(self, draft: int, looked: Sequence[Looked], usages: Sequence[Usage] = ()) -> Done:
        events = tuple(Checked(draft=draft, unchanged=one.unchanged, verdict=one.verdict.as_json()) for one in looked)
        kept = await put_json(self._work.blobs, [one.as_json() for one in looked])
        return Done(result={"looked": kept, "usages": [usage.as_json() for usage in usages]}, happened=events)

    async def _verdicts(self, result: Json) -> tuple[Verdict, ...]:
        looked = [Looked.from_json(value) for value in await get_json(self._work.blobs, result["looked"])]
        self._known += [one for one in looked if one.key and one.verdict.status in REUSABLE]
        return tuple(one.verdict for one in looked)


def _recordable(verdict: Verdict) -> Verdict:
    """The verdict itself. What cannot be recorded is no report: a figure that JSON lacks, a finding without a place."""
    canonical(verdict.as_json())
    return verdict
