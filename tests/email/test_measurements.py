"""What holds for all measurements of an email."""

from __future__ import annotations

import pytest

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
