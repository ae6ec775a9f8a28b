"""Measurement `mjml-structure`: the source is legal MJML, line by line."""

from __future__ import annotations

from compositor.capabilities import CheckContext, Report, Scope, Verifier
from compositor.capabilities.email._deliverable import SOURCE
from compositor.capabilities.email._mjml import structure


async def _check(ctx: CheckContext) -> Report:
    found = structure(await ctx.files.read_text(SOURCE))
    return Report(examined=found.examined, findings=found.findings, measures={"tags": found.examined})


mjml_structure = Verifier(
    name="mjml-structure", version="1", kind="measurement", check=_check, reads=Scope(files=(SOURCE,)), required=True
)
