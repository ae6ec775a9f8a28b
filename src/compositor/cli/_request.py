"""`compositor request`: the schema of a package, one to start from, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from compositor._values import Json
    from compositor.errors import Problem

EXIT_BAD_REQUEST = 2

app = typer.Typer(
    help="Write and check request packages.", no_args_is_help=True, rich_markup_mode=None, add_completion=False
)

Output = Annotated[Path | None, typer.Option("-o", "--output", help="Write to this file instead of standard output.")]


@app.command()
def schema(*, output: Output = None) -> None:
    """Print the JSON Schema (draft 2020-12) of a request."""
    from compositor.workspace.request import request_schema

    put(request_schema(), output)


@app.command()
def init(
    content: Annotated[str, typer.Argument(help="The content type, for example email.")], *, output: Output = None
) -> None:
    """Print a filled package to start from; a file that exists is never overwritten."""
    from compositor.errors import RequestError
    from compositor.workspace.request import request_of, request_template

    package = request_template(content)
    try:
        request_of(package, "the new request")
    except RequestError as error:
        _fail(str(error))
    put(package, output)


@app.command()
def validate(
    file: Annotated[Path, typer.Argument(help="The request file; assets are looked for beside it.")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the problems as JSON.")] = False,
) -> None:
    """Check a package, and that its asset files are there; exit 2 with every problem and its cure."""
    problems = _problems(file)
    if as_json:
        put({"ok": not problems, "file": str(file), "problems": [_as_json(problem) for problem in problems]}, None)
    elif not problems:
        typer.echo(f"{file}: the request is good")
    else:
        from compositor.errors import RequestError

        typer.echo(str(RequestError(str(file), problems)), err=True)
    if problems:
        raise typer.Exit(EXIT_BAD_REQUEST)


def _problems(file: Path) -> Sequence[Problem]:
    from compositor.errors import Problem, RequestError
    from compositor.operations._package import missing_files
    from compositor.runtime import SystemClock
    from compositor.workspace.request import read_request

    try:
        today = SystemClock().now().date()
        return missing_files(read_request(file.read_bytes(), str(file), today=today), file.parent)
    except OSError as error:
        cure = "give the path of a request file; `compositor request init CONTENT -o FILE` writes one"
        return [Problem(code="unreadable", message=f"it cannot be read: {error.strerror}", where=str(file), cure=cure)]
    except RequestError as error:
        return error.problems


def _as_json(problem: Problem) -> Json:
    return {"code": problem.code, "where": problem.where, "message": problem.message, "cure": problem.cure}


def put(value: Json, output: Path | None) -> None:
    """Print a JSON value, or write it into a new file; exit 2 where that cannot be."""
    import json

    text = json.dumps(value, indent=2, ensure_ascii=False)
    if output is None:
        typer.echo(text)
        return
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(text + "\n")
    except OSError as error:
        _fail(f"{output} cannot be written: {error.strerror}. Name another file, or remove this one first")
    typer.echo(f"wrote {output}", err=True)


def _fail(text: str) -> None:
    typer.echo(text, err=True)
    raise typer.Exit(EXIT_BAD_REQUEST)
