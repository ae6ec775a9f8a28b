"""Code of others, run so that whatever it does stays its own doing: in a task of its own, for a limited time, watched.

What is cancelled in that task, and not in ours, was cancelled by the code itself: `CancelledError` that it raised, or a
task that cancelled itself. Both are its failures, as are SystemExit, GeneratorExit, and panics of libraries that are no
`Exception`. A cancellation of ours arrives in our own task and goes on from there, whatever the code makes of it.

Only Ctrl-C cannot always be told from a `raise KeyboardInterrupt`. Where Python's own handler stands for a signal, it
may be a person's, and goes through; an event loop or a command that listens to the signal itself never raises it there.

What is not stopped: code that never gives the event loop a turn, and threads. The sandbox is for these.
"""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from compositor.errors import StorageFailed
from compositor.runtime._children import Kept, watched


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How the code ended.

    Attributes:
        value: what it returned.
        raised: what it raised instead, or None.
        overdue: whether it was stopped because its time was over.
        left: the names of child processes that it left behind; they are ended.
    """

    value: object = None
    raised: BaseException | None = None
    overdue: bool = False
    left: tuple[str, ...] = ()


async def contained(code: Callable[[], Awaitable[object]], *, seconds: float, kept: Kept) -> Ended:
    """Run code of others. Raises nothing of its own, but for a person's Ctrl-C and StorageFailed.

    Args:
        code: what to run.
        seconds: its time limit.
        kept: the ids of child processes that may stay.
    """
    value: object = None
    raised: BaseException | None = None
    limit = anyio.CancelScope()

    async def alone() -> None:
        nonlocal value, raised
        try:
            limit.deadline = anyio.current_time() + seconds
            with limit:
                value = await code()
        except BaseException as error:  # the code of others may raise anything
            if may_be_a_persons(error):
                raise
            raised = error

    with watched(kept) as watch:
        try:
            async with anyio.create_task_group() as own:
                own.start_soon(alone)
        finally:
            left = await watch.over()
    if isinstance(raised, StorageFailed):  # not the code's own doing: there is no disk to go on with
        raise raised
    overdue = limit.cancelled_caught or (limit.cancel_called and raised is not None)
    return Ended(value=value, raised=raised, overdue=overdue, left=left)


def may_be_a_persons(error: BaseException) -> bool:
    """Whether the error may be a person's Ctrl-C, which nobody may swallow."""
    handlers = {signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)}
    return isinstance(error, KeyboardInterrupt) and signal.default_int_handler in handlers
