"""The command line: `compositor`."""

from __future__ import annotations

import typer

from compositor.cli._accuracy import accuracy
from compositor.cli._compositions import check, explain
from compositor.cli._doctor import doctor
from compositor.cli._events import app as events
from compositor.cli._history import cancel, show
from compositor.cli._operations import app as operations
from compositor.cli._replay import replay
from compositor.cli._request import app as request
from compositor.cli._run import generate, resume
from compositor.cli._verify import verify

app = typer.Typer(
    name="compositor",
    help="Agents that make and edit creative artifacts, and prove what they made.",
    no_args_is_help=True,
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (generate, resume, cancel, verify, explain, check, show, replay, accuracy, doctor):
    app.command()(command)
app.add_typer(operations, name="operations")
app.add_typer(request, name="request")
app.add_typer(events, name="events")
