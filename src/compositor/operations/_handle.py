"""The handle of an operation: listen to it, wait for it, stop it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Mapping
from contextlib import AsyncExitStack, aclosing, suppress
from types import TracebackType
from typing import Any, Self

import anyio
import anyio.lowlevel

from compositor.errors import CompositorError, OperationBusy, OperationEnded, OperationStopped, PortError
from compositor.operations._cancelled import close_cancelled
from compositor.operations._closing import close_operation
from compositor.operations._environment import Environment
from compositor.operations._opening import Opened
from compositor.operations._result import Result
from compositor.runtime import DELETED, Done, Effect, Feed, Journal, Loop, after, reopening
from compositor.runtime.events import Event, OperationInterrupted, OperationOpened, OperationResumed, Progress

Open = Callable[[Environment], Awaitable[Opened | Result]]
"""Opens the operation in an environment; a result says that it has ended before."""


HEED_SECONDS = 0.25
"""How often an owner looks whether another process wants the operation cancelled: four reads of one row a second."""


class Handle:
    """One operation that is about to run, runs, or has ended.

    `await handle` runs it and gives the result. `async with handle:` runs it in the background, so that its events can
    be followed and it can be interrupted; leaving the block waits for it.
    """

    __slots__ = (
        "_cancelled",
        "_environment",
        "_error",
        "_exits",
        "_feed",
        "_finished",
        "_open",
        "_own",
        "_ready",
        "_result",
        "_scope",
        "_started",
        "operation",
    )

    def __init__(self, open_: Open, environment: Environment, *, own: bool) -> None:
        self._open, self._environment, self._own = open_, environment, own
        self._feed = Feed()
        self._exits = AsyncExitStack()
        self._started = False
        self._result: Result | None = None
        self._error: Exception | None = None
        self._cancelled = False
        self.operation = ""
        """The operation's id; empty until it is open."""

    def __await__(self) -> Generator[Any, Any, Result]:
        """Run the operation to its end."""
        return self._whole().__await__()

    async def _whole(self) -> Result:
        if self._started:
            return await self.result()
        async with self:
            return await self.result()

    async def __aenter__(self) -> Self:
        """Begin, in the background. Raises PortError where the environment cannot be had."""
        if self._started:
            raise RuntimeError("this handle was entered before; its operation runs once")
        self._started = True
        self._scope, self._finished, self._ready = anyio.CancelScope(), anyio.Event(), anyio.Event()
        if self._own:
            await self._exits.enter_async_context(self._environment)
        tasks = await self._exits.enter_async_context(anyio.create_task_group())
        tasks.start_soon(self._run)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for the end; after an error in the block, interrupt first."""
        if error is not None:
            self._scope.cancel()
        await self._exits.aclose()

    async def result(self) -> Result:
        """Wait for the result.

        Raises:
            CompositorError: what refused or stopped the operation; OperationStopped after an interruption.
        """
        self._refuse_unstarted()
        await self._finished.wait()
        if self._error is not None:
            raise self._error
        if self._result is None:
            raise OperationStopped(self.operation)
        return self._result

    async def events(self, after_seq: int = 0) -> AsyncIterator[Event | Progress]:
        """Past events with a higher `seq`, then live ones and words as they come, until the operation ends."""
        self._refuse_unstarted()
        with self._feed.listen() as live:
            await self._ready.wait()
            past = await self._environment.store.events(self.operation, after_seq) if self.operation else ()
            async with aclosing(after(after_seq, past, live)) as items:
                async for item in items:
                    yield item

    async def interrupt(self) -> None:
        """Stop now. What is recorded stays, the operation stays open, and `resume` continues it."""
        self._refuse_unstarted()
        self._scope.cancel()
        with anyio.CancelScope(shield=True):
            await self._finished.wait()

    def _refuse_unstarted(self) -> None:
        if not self._started:
            raise RuntimeError("the operation has not begun: `await` the handle, or enter it with `async with`")

    async def cancel(self) -> None:
        """Stop now, and close the operation for good: no version is saved, and there is nothing to resume."""
        self._cancelled = True
        await self.interrupt()

    async def _run(self) -> None:
        try:
            with self._scope:
                await self._operate()
        except Exception as error:  # noqa: BLE001 - it is raised where the result is waited for
            self._error = _leaf(error)
        finally:
            self._feed.close()
            self._ready.set()
            self._finished.set()

    async def _operate(self) -> None:
        opened = await self._open(self._environment)
        if isinstance(opened, Result):
            self._result, self.operation = opened, opened.operation
            return
        async with self._environment.store.lease(opened.record.id):
            journal = await _begun(opened, self._environment, self._feed)
            self.operation = opened.record.id
            self._ready.set()
            async with anyio.create_task_group() as beside:
                beside.start_soon(self._heed)
                await self._drive(opened, journal)
                beside.cancel_scope.cancel()

    async def _drive(self, opened: Opened, journal: Journal) -> None:
        loop = Loop(opened.work, journal, opened.models)
        try:
            if opened.record.attempt > 1:  # the wish may be older than this attempt, and then nothing is to be paid
                await self._look()
                await anyio.lowlevel.checkpoint_if_cancelled()
            outcome = await loop.drive()
            key = commit_key(outcome.evaluation.draft, loop.again)
            self._result = await close_operation(opened, outcome, journal, self._environment.store, key)
        finally:
            if self._result is None:
                with anyio.CancelScope(shield=True):
                    await self._stopped(opened, journal)

    async def _heed(self) -> None:
        while not self._cancelled:
            await anyio.sleep(HEED_SECONDS)
            await self._look()

    async def _look(self) -> None:
        """Cancel where another process has asked for it."""
        if await self._asked_to_cancel():
            self._cancelled = True
            self._scope.cancel()

    async def _asked_to_cancel(self) -> bool:
        try:
            return await self._environment.store.cancel_requested(self.operation)
        except PortError:  # the work itself will meet what is wrong with the store, and say it
            return False

    async def _stopped(self, opened: Opened, journal: Journal) -> None:
        """Leave the operation open to be resumed, or close it where it was cancelled.

        A store that failed cannot take this down either. The operation is then found `open` with nobody at work on it,
        and is resumed as after a kill; the error that is told is the one that stopped the work.
        """
        if self._cancelled:
            self._result = await close_cancelled(opened.record, journal, self._environment)
            return
        with suppress(PortError):
            await journal.mark("interrupted", (OperationInterrupted(),))


async def _begun(opened: Opened, environment: Environment, feed: Feed) -> Journal:
    """The journal, with the operation created or resumed in the store."""
    record, store = opened.record, environment.store
    if record.attempt == 1:
        journal = Journal(store, record.id, attempt=1, recorded={}, seq=0, feed=feed, clock=environment.clock)
        await journal.begin(record, (_opening_event(opened),))
        return journal
    now = await store.load(record.id)
    if now.status == DELETED:
        raise OperationEnded(record.id, DELETED)
    if (now.attempt + 1, now.state) != (record.attempt, record.state):
        raise OperationBusy(record.id, "another owner has just been at work on it")
    recorded = dict(await store.effects(record.id))
    events = await store.events(record.id)
    journal = Journal(
        store, record.id, attempt=record.attempt, recorded=recorded, seq=len(events), feed=feed, clock=environment.clock
    )
    if record.state == "ended":
        await _evaluate_again(journal, recorded)
    await journal.mark("open", (OperationResumed(recorded=len(recorded)),))
    return journal


async def _evaluate_again(journal: Journal, recorded: Mapping[str, Effect]) -> None:
    """Record that the last draft is to be evaluated once more: a check had broken down.

    This comes before the operation is open again, so that one which is killed here is resumed in the same way.
    """
    last = max(tuple(int(part) for part in key.split("/")[1:]) for key in recorded if key.startswith(COMMIT))

    async def perform() -> Done:
        return Done(result={})

    await journal.effect("reopen", reopening(*last), {}, perform)


COMMIT = "commit/"


def commit_key(draft: int, again: int) -> str:
    """The key of the commit effect: another one each time that the same draft was evaluated again."""
    return f"{COMMIT}{draft}/{again}"


def _opening_event(opened: Opened) -> OperationOpened:
    record, composition = opened.record, opened.work.composition
    return OperationOpened(
        operation=record.operation,
        content=record.content,
        document=record.document,
        composition=composition.digest,
        mode=composition.mode,
        adapters={role: adapter.name for role, adapter in sorted(opened.models.items())},
        policy=composition.completion,
        budget=composition.budget.as_json(),
        withheld=composition.withheld,
        disclosures=tuple(a.disclosure for _, a in sorted(opened.models.items()) if a.disclosure),
    )


def _leaf(error: Exception) -> Exception:
    """The one error that a caller can act on: structured concurrency wraps what its tasks raised in groups."""
    while isinstance(error, ExceptionGroup):
        ours, others = error.split(CompositorError)
        error = (ours or others or error).exceptions[0]
    return error
