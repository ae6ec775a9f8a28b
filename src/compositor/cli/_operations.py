"""`compositor operations`: what there is, and its upkeep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from compositor.cli._exits import run
from compositor.cli._options import AsJson, DataFolder

if TYPE_CHECKING:
    from compositor.runtime import OperationRecord
    from compositor.workspace import Freed

app = typer.Typer(
    help="List the operations; delete one, free space, or check that all is whole.", rich_markup_mode=None
)

FAULTY = 1
"""The exit code where something is wrong with what is kept."""


@app.callback(invoke_without_command=True)
def operations(context: typer.Context, *, as_json: AsJson = False, data: DataFolder = None) -> None:
    """List the operations, the newest first."""
    if context.invoked_subcommand is not None:
        return
    import json
    from dataclasses import asdict

    async def whole() -> tuple[OperationRecord, ...]:
        from compositor.operations import Environment

        async with Environment(data) as environment:
            return await environment.store.operations()

    records = run(whole)
    if as_json:
        typer.echo(json.dumps([asdict(record) for record in records], indent=2))
        return
    for record in records:
        typer.echo(
            f"{record.id}  {record.opened_at[:19]}  {record.operation} {record.content:10} "
            f"{record.status or record.state:12} {record.document}"
        )
    if not records:
        typer.echo("no operations yet: compositor generate REQUEST begins one")


@app.command()
def delete(operation: Annotated[str, typer.Argument(help="The operation's id.")], *, data: DataFolder = None) -> None:
    """Forget what was said in an operation that has ended, and the content of what it saved; `gc` frees the space."""

    async def whole() -> None:
        from compositor.operations import Environment, delete_operation

        async with Environment(data) as environment:
            await delete_operation(operation, environment)

    run(whole)
    typer.echo(f"{operation} is deleted; `compositor operations gc` removes its files within the hour")


@app.command()
def gc(
    *,
    grace: Annotated[float, typer.Option(help="Minutes; 0 only while nobody is at work.", min=0)] = 60.0,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Remove the files that nothing refers to any more."""
    import json
    from datetime import timedelta

    async def whole() -> Freed:
        from compositor.operations import Environment, free_space

        async with Environment(data) as environment:
            return await free_space(environment, grace=timedelta(minutes=grace))

    freed = run(whole)
    if as_json:
        typer.echo(json.dumps({"blobs": freed.blobs, "bytes": freed.size}))
    else:
        typer.echo(f"{freed.blobs} files removed, {freed.size:,} bytes")


@app.command()
def check(*, as_json: AsJson = False, data: DataFolder = None) -> None:
    """Look whether everything that is kept is whole."""
    import json

    async def whole() -> tuple[str, ...]:
        from compositor.operations import Environment, faults

        async with Environment(data) as environment:
            return await faults(environment)

    found = run(whole)
    if as_json:
        typer.echo(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        typer.echo("\n".join(found) or "everything is whole")
    raise typer.Exit(FAULTY if found else 0)
