"""A machine of operations: begun, killed, interrupted, cancelled, raced for and resumed in any order, they stay right.

After each step the invariants hold that a backend relies on: nothing that was acknowledged changes or is gone, nothing
on record is paid or run again, a document has one operation at work and one line of versions, and only what is good is
called so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from compositor._values import Json
from compositor.errors import AdapterError, CompositorError, OperationBusy, OperationEnded, OperationStopped
from compositor.operations import Handle, Result, cancel, generate, resume
from compositor.runtime import Effect, OperationRecord, State, Version
from compositor.runtime.events import Event
from compositor.testing import MemoryStore, watched
from compositor.workspace import Blobs
from tests.frame.mortal import Death, Died, Disk, Folder, Interposed, Memory, Process, leaves
from tests.frame.scripts import FAULTS, SCRIPTS, Fault, Script
from tests.frame.seen import Seen, must_be_a_line

EXAMPLES, RULES = 200, 8
DOCUMENTS = ("one", "two")
LATE = 60.0
"""Seconds after which what ought to end has not ended."""

SOON, LATER = st.builds(Death, st.integers(1, 30)), st.builds(Death, st.integers(20, 100))
DEATHS = st.none() | SOON | LATER | st.builds(Death, st.integers(1, 12), judged=st.just(True))
EVENTS = st.integers(1, 30)
STOPS = st.none() | EVENTS
PICKS = st.integers(0, 7)
"""Which of the operations that there are."""

Deed = Callable[[Handle], Awaitable[Result]]
Outcome = Result | BaseException


class Operations(RuleBasedStateMachine):
    """The machine.

    Args:
        disk: where its operations are kept.
        tally: counts what came of them.
    """

    def __init__(self, disk: Disk, tally: Counter[str]) -> None:
        super().__init__()
        self.disk, self.tally = disk, tally
        self.seen: list[Seen] = []
        self.versions: dict[str, list[Version]] = {document: [] for document in DOCUMENTS}

    # what happens

    @initialize(script=SCRIPTS, dies=DEATHS, stops=STOPS)
    def begin_the_first(self, script: Script, dies: Death | None, stops: int | None) -> None:
        self.begin(DOCUMENTS[0], script, dies, stops, None)

    @rule(document=st.sampled_from(DOCUMENTS), script=SCRIPTS, dies=DEATHS, stops=STOPS, fault=FAULTS)
    def begin(self, document: str, script: Script, dies: Death | None, stops: int | None, fault: Fault | None) -> None:
        one = Seen(f"op-{len(self.seen) + 1}", document, script)
        busy = any(other.document == document and other.result is None for other in self.seen)
        outcome = self._live(one, interrupting(stops), dies=dies, fault=fault)
        created = anyio.run(self._exists, one)
        assert not (busy and created)
        assert not busy or isinstance(outcome, Died | OperationBusy)
        if created:
            self.seen.append(one)

    @rule(pick=PICKS, dies=DEATHS, fault=FAULTS)
    def go_on(self, pick: int, dies: Death | None, fault: Fault | None) -> None:
        for one in self._picked(pick):
            outcome = self._live(one, to_the_end, dies=dies, fault=fault)
            if one.settled and not isinstance(outcome, Died):
                assert isinstance(outcome, OperationEnded) if one.cancelled else outcome == one.result

    @rule(pick=PICKS, at=EVENTS, cancels=st.booleans(), dies=DEATHS)
    def stop_on_the_way(self, pick: int, at: int, cancels: bool, dies: Death | None) -> None:
        for one in self._picked(pick):
            self._live(one, cancelling(at) if cancels else interrupting(at), dies=dies)

    @rule(pick=PICKS)
    def cancel_what_nobody_works_on(self, pick: int) -> None:
        for one in self._picked(pick):
            (outcome,) = self._at_once(one, self._cancelled)
            assert isinstance(outcome, Result if one.result is None else OperationEnded)

    @rule(pick=PICKS)
    def go_on_with_what_somebody_wished_cancelled(self, pick: int) -> None:
        """Whoever cancels and does not reach the owner leaves a wish. The next owner sees it, but not after the end."""
        for one in self._picked(pick):
            anyio.run(self._wished, one)
            (outcome,) = self._at_once(one, self._resumed)
            assert isinstance(outcome, Result) or one.result is not None
            assert not isinstance(outcome, Result) or (outcome.status == "cancelled") == (one.result is None)

    @rule(pick=PICKS)
    def two_go_on_at_once(self, pick: int) -> None:
        """One works; the other is told so, or is told the result."""
        for one in self._picked(pick):
            outcomes = self._at_once(one, self._resumed, self._resumed)
            assert all(isinstance(outcome, Result | OperationBusy | OperationEnded) for outcome in outcomes), outcomes
            results = [outcome for outcome in outcomes if isinstance(outcome, Result)]
            assert all(result == results[0] for result in results)
            assert results or one.result is not None

    @rule(pick=PICKS)
    def one_goes_on_and_one_cancels_at_once(self, pick: int) -> None:
        for one in self._picked(pick):
            outcomes = self._at_once(one, self._resumed, self._cancelled)
            assert all(isinstance(outcome, Result | OperationBusy | OperationEnded) for outcome in outcomes), outcomes
            assert anyio.run(self._record, one).state == "ended"

    @rule(pick=PICKS, stops=STOPS, cancels=st.booleans())
    def come_too_late(self, pick: int, stops: int | None, cancels: bool) -> None:
        """One has looked at the operation, and before it takes it another has gone on with it, or cancelled it."""
        for one in self._picked(pick):
            others: list[OperationRecord] = []

            async def between(one: Seen = one, others: list[OperationRecord] = others) -> None:
                other = self._cancelled(one) if cancels else self._worked(one, interrupting(stops), Process())
                await _outcome(other)
                others.append(await self._record(one))

            async def late(one: Seen, between: Callable[[], Awaitable[None]] = between) -> Result:
                return await self._worked(one, to_the_end, Process(), lambda blobs: Interposed(blobs, between))

            (outcome,) = self._at_once(one, late)
            assert others == [one.record] or isinstance(outcome, OperationBusy), (outcome, others)

    # what holds

    @invariant()
    def nothing_is_lost_and_nothing_is_wrong(self) -> None:
        anyio.run(self._look)
        assert self.disk.leases() == []

    async def _look(self) -> None:
        async with self.disk.environment(Process()) as environment:
            for one in self.seen:
                await one.look(environment)
            for document, known in self.versions.items():
                seen = [one for one in self.seen if one.document == document]
                self.versions[document] = await must_be_a_line(document, known, seen, environment)

    def teardown(self) -> None:
        """Count what came of each."""
        ends = (f"{one.result.status}/{one.result.ending}" if one.result else "open" for one in self.seen)
        self.tally.update(ends)

    # how processes live

    def _picked(self, pick: int) -> list[Seen]:
        """One operation; none where there is none."""
        return [self.seen[pick % len(self.seen)]] if self.seen else []

    def _live(self, one: Seen, deed: Deed, *, dies: Death | None = None, fault: Fault | None = None) -> Outcome:
        """Let one process begin an operation or go on with it, and perhaps die; what came of it."""
        process = Process(dies)
        outcome: Outcome

        async def life() -> Result:
            with watched(process.pass_by), anyio.fail_after(LATE):
                return await self._worked(one, deed, process)

        one.script.begin_life(fault)
        try:
            outcome = anyio.run(life)
        except BaseException as error:  # noqa: BLE001 - a death is one
            outcome = leaves(error)[0]
        self._must_not_have_repeated(one)
        outcome = outcome if process.alive else Died()
        stopped = (Died, OperationStopped, OperationBusy, OperationEnded)
        may_be = (Result, *stopped, AdapterError) if fault == "writer is out" else (Result, *stopped)
        assert isinstance(outcome, may_be), repr(outcome)
        if isinstance(outcome, OperationStopped) and anyio.run(self._exists, one):
            assert anyio.run(self._record, one).state == "interrupted"
        self.tally[type(outcome).__name__] += 1
        return outcome

    def _at_once(self, one: Seen, *works: Callable[[Seen], Awaitable[Result]]) -> list[Outcome]:
        """Let processes that do not die do these things side by side; what came of each."""
        outcomes: list[Outcome] = []

        async def work(does: Callable[[Seen], Awaitable[Result]]) -> None:
            outcomes.append(await _outcome(does(one)))

        async def all_of_them() -> None:
            with anyio.fail_after(LATE):
                async with anyio.create_task_group() as tasks:
                    for does in works:
                        tasks.start_soon(work, does)

        one.script.begin_life(None)
        anyio.run(all_of_them)
        self._must_not_have_repeated(one)
        return outcomes

    async def _worked(
        self, one: Seen, deed: Deed, process: Process, wrapped: Callable[[Blobs], Blobs] = lambda blobs: blobs
    ) -> Result:
        async with self.disk.environment(process) as environment:
            environment.blobs = wrapped(environment.blobs)
            cast: dict[str, Any] = {"agents": [one.script.agent(process)], "models": one.script.models(process)}
            if one in self.seen:
                return await deed(resume(one.name, environment=environment, **cast))
            brief: Json = {"name": "Ada", "objective": "awareness"}
            request: Json = {"operation": "generate", "content": "note", "document": one.document, "brief": brief}
            return await deed(generate(request, operation_id=one.name, environment=environment, **cast))

    async def _resumed(self, one: Seen) -> Result:
        return await self._worked(one, to_the_end, Process())

    async def _cancelled(self, one: Seen) -> Result:
        async with self.disk.environment(Process()) as environment:
            return await cancel(one.name, environment=environment)

    async def _wished(self, one: Seen) -> None:
        async with self.disk.environment(Process()) as environment:
            await environment.store.request_cancel(one.name)

    async def _exists(self, one: Seen) -> bool:
        async with self.disk.environment(Process()) as environment:
            return one.name in {record.id for record in await environment.store.operations()}

    async def _record(self, one: Seen) -> OperationRecord:
        async with self.disk.environment(Process()) as environment:
            return await environment.store.load(one.name)

    def _must_not_have_repeated(self, one: Seen) -> None:
        async def look() -> Mapping[str, Effect]:
            async with self.disk.environment(Process()) as environment:
                return await environment.store.effects(one.name)

        one.must_not_have_repeated(anyio.run(look))


async def _outcome(work: Awaitable[Result]) -> Outcome:
    try:
        return await work
    except CompositorError as error:
        return error


async def to_the_end(handle: Handle) -> Result:
    """Wait for the result."""
    return await handle


def interrupting(at: int | None) -> Deed:
    """Interrupt at an event, or do not."""
    return to_the_end if at is None else _stopping(at, Handle.interrupt)


def cancelling(at: int) -> Deed:
    """Cancel at an event."""
    return _stopping(at, Handle.cancel)


def _stopping(at: int, stop: Callable[[Handle], Awaitable[None]]) -> Deed:
    async def deed(handle: Handle) -> Result:
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event) and item.seq >= at:
                    await stop(handle)
                    break
        return await handle.result()

    return deed


# how often


def hold(examples: int, disks: Callable[[], Disk], *, derandomize: bool, shrinks: bool = True) -> Counter[str]:
    """Run the machine so often, each time on a new disk; what came of its lives and its operations.

    Raises:
        AssertionError: an invariant does not hold, with the shortest way to get there.
    """
    tally: Counter[str] = Counter()
    run_state_machine_as_test(
        lambda: Operations(disks(), tally),  # type: ignore[arg-type]  # a function may stand here, says its docstring
        settings=settings(
            max_examples=examples,
            stateful_step_count=RULES,
            deadline=None,
            database=None,
            derandomize=derandomize,
            phases=(Phase.generate, Phase.shrink) if shrinks else (Phase.generate,),
            report_multiple_bugs=False,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return tally


@pytest.mark.promise("O1", "O10", "O14")
def test_whatever_happens_to_operations_nothing_is_lost_repeated_or_wrong() -> None:
    tally = hold(EXAMPLES, Memory, derandomize=True)
    lives = {"Died", "OperationStopped", "OperationBusy", "OperationEnded", "Result"}
    ends = {"succeeded/passed", "succeeded/unjudged", "cancelled/cancelled", "failed/exhausted", "incomplete/exhausted"}
    assert lives | ends <= set(tally)  # the machine has been where it is meant to go


class ForgetsAttempts(MemoryStore):
    """Every attempt is the first."""

    async def mark(self, operation: str, state: State, attempt: int, events: Sequence[Event]) -> None:
        await super().mark(operation, state, 1, events)


class ForgetsVersions(MemoryStore):
    """A version is acknowledged, and is not there."""

    async def version(self, document: str, number: int) -> Version | None:
        return None


@pytest.mark.parametrize("forgetful", [ForgetsAttempts, ForgetsVersions])
def test_the_machine_finds_a_store_that_forgets(forgetful: Callable[[], MemoryStore]) -> None:
    with pytest.raises(AssertionError):
        hold(EXAMPLES, lambda: Memory(store=forgetful()), derandomize=True, shrinks=False)


def main() -> int:
    """The full figures."""
    asked = argparse.ArgumentParser(description=main.__doc__)
    asked.add_argument("--examples", type=int, default=EXAMPLES)
    asked.add_argument("--embedded", action="store_true", help="with the embedded store in a folder, not in memory")
    wanted = asked.parse_args()
    began = time.process_time()
    with tempfile.TemporaryDirectory() as place:
        disks = (lambda: Folder(Path(tempfile.mkdtemp(dir=place)))) if wanted.embedded else Memory
        tally = hold(wanted.examples, disks, derandomize=False)
    print(f"{wanted.examples} histories of up to {RULES} rules in {time.process_time() - began:.0f} CPU s:", end=" ")
    print("every invariant held;", ", ".join(f"{name} {count}" for name, count in tally.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
