"""Exit codes of errors, and the one way to end a command with one.

0 succeeded · 1 failed · 2 usage or bad request · 3 lock drift · 4 environment · 5 incomplete · 130 interrupted or
cancelled.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NoReturn, TypeVar

import typer

from compositor import errors

Got = TypeVar("Got")

EXITS: tuple[tuple[type[errors.CompositorError], int], ...] = (
    (errors.OperationStopped, 130),
    (errors.EnvironmentUnfit, 4),
    (errors.PortError, 4),
    (errors.AdapterError, 1),
    (errors.CompositorError, 2),
)
"""The first that fits."""


def exit_code(error: errors.CompositorError) -> int:
    """What a command returns for an error."""
    return next(code for kind, code in EXITS if isinstance(error, kind))


def run(command: Callable[[], Awaitable[Got]]) -> Got:
    """Run a command's coroutine; an error of ours becomes its text on stderr and its exit code."""
    import anyio

    _end_on_sigterm()
    try:
        return anyio.run(command)
    except errors.CompositorError as error:
        fail(error)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def _end_on_sigterm() -> None:
    """SIGTERM ends a command as Ctrl-C does, so that whatever it has opened is closed."""
    import signal
    import threading

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)


def fail(error: errors.CompositorError) -> NoReturn:
    """End with an error's text and exit code."""
    typer.echo(str(error), err=True)
    raise typer.Exit(exit_code(error)) from None
