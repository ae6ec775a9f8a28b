"""`compositor accuracy`: the figures of the measurements, and whether they still hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from compositor.cli._exits import run
from compositor.cli._options import AsJson, NoJail

if TYPE_CHECKING:
    from compositor.operations import Accuracy


def accuracy(
    corpus: Annotated[Path, typer.Argument(help="The folder of a corpus.")] = Path("corpora/email"),
    *,
    check: Annotated[list[str] | None, typer.Option(help="A measurement; may stand again. All by default.")] = None,
    write: Annotated[Path | None, typer.Option(help="Write the table into this document.")] = None,
    against: Annotated[
        Path | None,
        typer.Option(help="Exit 1 where a figure is worse than this document says.", exists=True, dir_okay=False),
    ] = None,
    as_json: AsJson = False,
    unsafe_no_jail: NoJail = False,
) -> None:
    """Hold the measurements against planted faults and clean controls; real compiler and browser, no model."""
    told = run(lambda: _measured(corpus, check or [], unsafe_no_jail=unsafe_no_jail))
    _say(told, as_json=as_json)
    if write is not None:
        _write(write, told)
    if against is not None and (worse := _worse(against, told, check or [])):
        typer.echo("\n".join(f"✗ {line}" for line in worse), err=True)
        raise typer.Exit(1)


async def _measured(folder: Path, check: list[str], *, unsafe_no_jail: bool) -> Accuracy:
    from tempfile import TemporaryDirectory

    from compositor.operations import Corpus, Environment
    from compositor.operations import accuracy as measure

    known = Corpus.read(folder)
    with TemporaryDirectory(prefix="compositor-") as data:
        async with Environment(Path(data), isolation="none" if unsafe_no_jail else None) as environment:
            return await measure(known, environment, only=check, progress=lambda line: typer.echo(line, err=True))


def _say(told: Accuracy, *, as_json: bool) -> None:
    from compositor.operations import table

    if as_json:
        typer.echo(told.model_dump_json(indent=2))
        return
    typer.echo(table(told))
    for missed in told.missed:
        typer.echo(f"missed: {missed.check} {missed.fault} ({missed.kind}, in {missed.control}): {missed.said}")
    for alarm in told.alarms:
        typer.echo(f"false alarm: {alarm.check} in {alarm.control}: {alarm.said}")
    if told.untested:
        typer.echo(f"without planted faults: {', '.join(told.untested)}")
    typer.echo(f"one build: {told.build_milliseconds:.0f} ms of processor time beside the browser's")


def _write(document: Path, told: Accuracy) -> None:
    from compositor.operations import rewritten

    before = document.read_text() if document.is_file() else ""
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(rewritten(before, told))


def _worse(document: Path, told: Accuracy, only: list[str]) -> tuple[str, ...]:
    from compositor.operations import fallen

    return fallen(document.read_text(), told, only)
