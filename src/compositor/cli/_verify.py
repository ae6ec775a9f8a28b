"""`compositor verify`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compositor.cli._exits import run
from compositor.cli._options import AsJson, NoJail
from compositor.cli._words import say_verified

if TYPE_CHECKING:
    from compositor.operations import Verified


def verify(
    file: Annotated[Path, typer.Argument(help="The file to check; its suffix says what it is.")],
    *,
    request: Annotated[Path | None, typer.Option(help="The request that it was made from.")] = None,
    as_json: AsJson = False,
    unsafe_no_jail: NoJail = False,
) -> None:
    """Check an existing file without an agent. Exit 1 where it fails or a check breaks down."""

    async def whole() -> Verified:
        from tempfile import TemporaryDirectory

        from compositor.operations import Environment
        from compositor.operations import verify as verify_file

        if not unsafe_no_jail:
            return await verify_file(file, request=request)
        with TemporaryDirectory(prefix="compositor-") as folder:
            async with Environment(Path(folder), isolation="none") as environment:
                return await verify_file(file, request=request, environment=environment)

    verified = run(whole)
    if as_json:
        typer.echo(verified.model_dump_json(indent=2))
    else:
        say_verified(verified)
    raise typer.Exit(verified.exit_code)
