"""`compositor show` and `compositor cancel`: what was done, from the journal; and the end of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from compositor.cli._exits import run
from compositor.cli._options import AsJson, DataFolder, OutputFolder
from compositor.cli._words import say_result

if TYPE_CHECKING:
    from compositor.operations import Result
    from compositor.runtime import OperationRecord
    from compositor.runtime.events import Event


def show(
    operation: Annotated[str, typer.Argument(help="The operation's id.")],
    *,
    output: OutputFolder = None,
    events: Annotated[bool, typer.Option("--events", help="Show its events instead of its result.")] = False,
    after: Annotated[int, typer.Option(help="Only events with a higher number.")] = 0,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Show one operation: its result, or its events."""

    async def whole() -> tuple[OperationRecord, tuple[Event, ...], Result | None]:
        from compositor.errors import OperationError
        from compositor.operations import Environment, export, stored_result

        async with Environment(data) as environment:
            record = await environment.store.load(operation)
            result = await stored_result(record, environment)
            if output is not None:
                if result is None:
                    raise OperationError(operation, f"{operation} is {record.state} and has no result to write yet")
                await export(result, environment.blobs, output)
            return record, await environment.store.events(operation, after), result

    record, happened, result = run(whole)
    if events or result is None:
        _say_events(record, happened, as_json=as_json)
    elif as_json:
        typer.echo(result.model_dump_json(indent=2))
    else:
        say_result(result, output)


def _say_events(record: OperationRecord, happened: tuple[Event, ...], *, as_json: bool) -> None:
    from compositor.cli._progress import tell

    for event in happened:
        if as_json:
            typer.echo(event.model_dump_json())
        else:
            tell(event, err=False)
    if not as_json and record.state != "ended":
        typer.echo(f"{record.id} is {record.state}: compositor resume {record.id} continues it")


def cancel(operation: Annotated[str, typer.Argument(help="The operation's id.")], *, data: DataFolder = None) -> None:
    """Close an operation for good, wherever it is at work; its document is free again."""

    async def whole() -> Result:
        from compositor.operations import cancel as cancel_operation

        return await cancel_operation(operation, data=data)

    say_result(run(whole), None)
