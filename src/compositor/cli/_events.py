"""`compositor events`: the schema of what happens."""

from __future__ import annotations

import typer

from compositor.cli._request import Output, put

app = typer.Typer(help="What happens in operations.", no_args_is_help=True, rich_markup_mode=None, add_completion=False)


@app.callback()
def events() -> None:
    """What happens in operations; `compositor show OPERATION --events` lists it for one."""


@app.command()
def schema(*, output: Output = None) -> None:
    """Print the JSON Schema (draft 2020-12) of an event."""
    from compositor.runtime.events import event_schema

    put(event_schema(), output)
