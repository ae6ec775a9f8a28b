"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DataFolder = Annotated[
    Path | None, typer.Option("--data", envvar="COMPOSITOR_HOME", help="Where operations are kept. [.compositor]")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else, on standard output.")]
OutputFolder = Annotated[
    Path | None, typer.Option("-o", "--output", help="Write the outputs, pictures and report into this folder.")
]
Adapter = Annotated[str, typer.Option(help="Who writes: offline (the rule-based designer; no model is called).")]
NoJail = Annotated[
    bool, typer.Option("--unsafe-no-jail", help="Render without any isolation. Only for files that you trust.")
]
