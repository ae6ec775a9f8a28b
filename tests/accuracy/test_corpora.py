"""The corpora that we ship: made by rule, large enough, and found as well as is written."""

from __future__ import annotations

import subprocess
import sys
from filecmp import dircmp
from pathlib import Path

import pytest

from compositor.agents import compose
from compositor.agents.shipped import SHIPPED
from compositor.operations import Corpus
from compositor.workspace.request import request_of
from corpora.planting.__main__ import main as plant

ROOT = Path(__file__).parents[2]
EMAIL = ROOT / "corpora" / "email"
LEAST_FAULTS, LEAST_KINDS, LEAST_CONTROLS = 20, 5, 100


@pytest.fixture(scope="module")
def email() -> Corpus:
    return Corpus.read(EMAIL)


def test_what_is_kept_is_what_the_rules_make(tmp_path: Path) -> None:
    plant(tmp_path)
    for part in ("controls", "faults"):
        assert differences(dircmp(EMAIL / part, tmp_path / part)) == []


def differences(compared: dircmp[str]) -> list[str]:
    own = [*compared.left_only, *compared.right_only, *compared.diff_files, *compared.funny_files]
    return own + [f"{name}/{one}" for name, below in compared.subdirs.items() for one in differences(below)]


def test_the_rules_know_nothing_of_what_has_to_find_the_faults() -> None:
    code = (
        "import sys, corpora.planting.__main__; print([name for name in sys.modules if name.startswith('compositor')])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_each_measurement_of_an_email_has_faults_enough_of_many_kinds(email: Corpus) -> None:
    (agent,) = (agent for agent in SHIPPED if agent.content_type == "email")
    verifiers = compose(agent, request_of(email.controls["tea-1"].request)).verifiers
    measurements = {entry.verifier.name for entry in verifiers if entry.verifier.kind == "measurement"}
    assert set(email.faults) == measurements
    for check, faults in email.faults.items():
        assert len(faults) >= LEAST_FAULTS, check
        assert len({fault.kind for fault in faults}) >= LEAST_KINDS, check
        assert len({fault.control for fault in faults}) >= LEAST_FAULTS / 2, check
    assert len(email.controls) >= LEAST_CONTROLS
