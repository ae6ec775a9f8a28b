"""A result in words, on stdout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from compositor.operations import Result, Verified


def say_result(result: Result, output: Path | None) -> None:
    """Status first, then what a person must know, then where to look."""
    typer.echo(result.summary)
    typer.echo(f"  operation  {result.operation}")
    typer.echo(f"  version    {result.version.id if result.version else 'none was saved'}")
    _say_open_matters(result)
    if output is None:
        typer.echo(f"  files      compositor show {result.operation} -o FOLDER")
        return
    for path in ("report.html", *(a.path for a in result.artifacts if a.path.endswith(".png") and "/" not in a.path)):
        typer.echo(f"  look at    {output / path}")


def say_verified(verified: Verified) -> None:
    """Verification first, then every report with its findings."""
    typer.echo(f"{verified.file}: verification {verified.verification}")
    for report in verified.reports:
        reason = f" ({report['reason']})" if report["reason"] else ""
        typer.echo(f"  {report['status']:14} {report['verifier']}, {report['examined']} examined{reason}")
        for finding in report["findings"]:
            where = finding["where"]
            place = where["of"] + (f":{where['line']}" if where["line"] else "")
            typer.echo(f"    {finding['severity']}: {place}: {finding['message']}")
            if finding["remedy"]:
                typer.echo(f"      → {finding['remedy']}")
    _say_open_matters(verified)


def _say_open_matters(answer: Result | Verified) -> None:
    for warning in answer.warnings:
        typer.echo(f"  warning    {warning}")
    for item in getattr(answer, "unfinished", ()):
        typer.echo(f"  unfinished {item}")
    for unchecked in answer.not_checked:
        typer.echo(f"  unchecked  {unchecked.check}: {unchecked.reason}")
