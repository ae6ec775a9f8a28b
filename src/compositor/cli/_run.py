"""`compositor generate` and `compositor resume`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compositor.cli._exits import fail, run
from compositor.cli._options import Adapter, AsJson, DataFolder, NoJail, OutputFolder
from compositor.cli._words import say_result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from compositor.operations import Environment, Handle, Result
    from compositor.runtime import ModelAdapter, Role

ADAPTERS = ("offline",)


def generate(
    request: Annotated[Path, typer.Argument(help="The request file; its assets lie beside it.")],
    *,
    output: OutputFolder = None,
    adapter: Adapter = "offline",
    mode: Annotated[str | None, typer.Option(help="A named narrowing of the agent, for example review.")] = None,
    as_json: AsJson = False,
    data: DataFolder = None,
    unsafe_no_jail: NoJail = False,
) -> None:
    """Make a deliverable from a request, and prove what was made."""
    models = _models(adapter)
    _refuse_bad(request)

    def begin(environment: Environment) -> Handle:
        from compositor.operations import generate as begin_generate

        return begin_generate(request, models=models, mode=mode, environment=environment)

    _follow(begin, output=output, as_json=as_json, data=data, unsafe_no_jail=unsafe_no_jail)


def resume(
    operation: Annotated[str, typer.Argument(help="The operation's id; `compositor operations` lists them.")],
    *,
    output: OutputFolder = None,
    adapter: Adapter = "offline",
    as_json: AsJson = False,
    data: DataFolder = None,
    unsafe_no_jail: NoJail = False,
) -> None:
    """Continue an operation that was interrupted or killed; nothing recorded is run again."""
    models = _models(adapter)

    def begin(environment: Environment) -> Handle:
        from compositor.operations import resume as begin_resume

        return begin_resume(operation, models=models, environment=environment)

    _follow(begin, output=output, as_json=as_json, data=data, unsafe_no_jail=unsafe_no_jail)


def _refuse_bad(request: Path) -> None:
    """Refuse a bad package before anything is made for it."""
    from compositor.errors import CompositorError
    from compositor.operations import read_package
    from compositor.runtime import SystemClock

    try:
        read_package(request, SystemClock().now().date())
    except CompositorError as error:
        fail(error)


def _models(adapter: str) -> Mapping[Role, ModelAdapter]:
    if adapter not in ADAPTERS:
        message = f"there is no adapter {adapter!r}; use one of: {', '.join(ADAPTERS)}"
        raise typer.BadParameter(message, param_hint="--adapter")
    from compositor.adapters import shipped

    return {"writer": shipped.writer()}


def _follow(
    begin: Callable[[Environment], Handle],
    *,
    output: Path | None,
    as_json: bool,
    data: Path | None,
    unsafe_no_jail: bool,
) -> None:
    """Run an operation with its progress on stderr and its result on stdout. Ctrl-C and SIGTERM leave it open."""

    async def whole() -> Result:
        from compositor.operations import Environment, export, refuse_folder

        if output is not None:
            refuse_folder(output)
        async with Environment(data, isolation="none" if unsafe_no_jail else None) as environment:
            result = await _watched(begin(environment))
            if output is not None:
                await export(result, environment.blobs, output)
            return result

    result = run(whole)
    if as_json:
        typer.echo(result.model_dump_json(indent=2))
    else:
        say_result(result, output)
    raise typer.Exit(result.exit_code)


async def _watched(handle: Handle) -> Result:
    import anyio

    from compositor.cli._progress import tell
    from compositor.runtime.events import Event

    async with anyio.create_task_group() as beside:
        beside.start_soon(_stop_on_signal, handle)
        async with handle:
            async for item in handle.events():
                if isinstance(item, Event):
                    tell(item)
        beside.cancel_scope.cancel()
    return await handle.result()


async def _stop_on_signal(handle: Handle) -> None:
    import signal

    import anyio

    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            await handle.interrupt()
            return
