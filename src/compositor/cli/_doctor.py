"""`compositor doctor`: the face of the proofs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from compositor.cli._exits import run
from compositor.cli._options import AsJson, DataFolder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compositor.operations import Proof

EXIT_ENVIRONMENT = 4


def doctor(
    *,
    install: Annotated[bool, typer.Option("--install", help="Install what is missing, then prove again.")] = False,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Prove by doing what the product needs of this machine; exit 4 where something is missing, with its cure."""
    from compositor.operations import data_folder, equip_machine, examine_machine

    def say(line: str) -> None:
        typer.echo(line, err=True)

    folder = data_folder(data)
    proofs = run(partial(equip_machine, folder, say) if install else partial(examine_machine, folder))
    typer.echo(_json(proofs) if as_json else _lines(proofs))
    if not all(proof.ok for proof in proofs):
        raise typer.Exit(EXIT_ENVIRONMENT)


def _lines(proofs: Sequence[Proof]) -> str:
    """One line a proof, with its cure below it; `!` marks a limit that one can live with."""
    lines = []
    for proof in proofs:
        mark = ("!" if proof.cure else "✓") if proof.ok else "✗"
        lines.append(f"{mark} {proof.name:8} {proof.detail}")
        if proof.cure:
            lines.append(f"{'':10} → {proof.cure}")
    return "\n".join(lines)


def _json(proofs: Sequence[Proof]) -> str:
    import json
    from dataclasses import asdict

    return json.dumps(
        {"ok": all(proof.ok for proof in proofs), "proofs": [asdict(proof) for proof in proofs]}, indent=2
    )
