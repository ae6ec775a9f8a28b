"""What holds for all measurements of an email."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compositor.agents.shipped import GENERATE_EMAIL
from tests.email.bench import (
    Bench,
    clean_mail,
    verdict_on,
)

pytestmark = pytest.mark.anyio

MEASUREMENTS = (
    "mjml-structure", "compiled-size", "html-document", "links", "placeholders", "layout", "plan", "delivery",
    "message-file", "contrast", "small-text",
)  # fmt: skip


@pytest.mark.parametrize("check", MEASUREMENTS)
async def test_a_clean_mail_passes_every_measurement_without_a_finding(check: str) -> None:
    verdict = await verdict_on(clean_mail(), check)
    assert (verdict.status, verdict.findings) == ("passed", ())
    assert verdict.examined > 0


def test_the_measurements_read_every_deliverable_output() -> None:
    capability = Bench().capability
    read = {path for verifier in capability.verifiers for path in verifier.reads.files}
    assert {output.path for output in capability.owns} <= read


def test_every_check_of_an_email_stands_in_the_reference() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "checks-of-an-email.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    told = {name: "(required)" in cell for cell in rows for name in re.findall(r"`([a-z-]+)`", cell)}
    capabilities = (GENERATE_EMAIL.content, *GENERATE_EMAIL.always, *(when.capability for when in GENERATE_EMAIL.when))
    there = {verifier.name: verifier.required for capability in capabilities for verifier in capability.verifiers}
    assert told == there
