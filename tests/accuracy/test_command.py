"""`compositor accuracy` on a part of the corpus that we ship: real compiler, real browser."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from compositor.cli import app

EMAIL = Path(__file__).parents[2] / "corpora" / "email"
CHECKS = ("links", "contrast")
KEPT = 3
"""Faults of each measurement."""

pytestmark = pytest.mark.browser


def compositor(*arguments: str | Path) -> tuple[int, str, str]:
    """A command in this process: exit code, stdout, stderr."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two measurements with a few faults, and the controls that these stand in."""
    folder = tmp_path_factory.mktemp("corpus")
    shutil.copytree(EMAIL / "given", folder / "given")
    (folder / "faults").mkdir()
    for check in CHECKS:
        told = json.loads((EMAIL / "faults" / f"{check}.json").read_text())
        told["faults"] = told["faults"][:KEPT]
        (folder / "faults" / f"{check}.json").write_text(json.dumps(told))
        for fault in told["faults"]:
            name = fault["control"]
            shutil.copytree(EMAIL / "controls" / name, folder / "controls" / name, dirs_exist_ok=True)
    return folder


def test_figures_are_printed_written_and_held_to(part: Path, tmp_path: Path) -> None:
    document = tmp_path / "accuracy.md"
    asked = [word for check in CHECKS for word in ("--check", check)]
    code, stdout, stderr = compositor("accuracy", part, *asked, "--write", document)
    assert code == 0, stderr
    controls = len(list((part / "controls").iterdir()))
    for check in CHECKS:
        assert f"| `{check}` | 1 | {KEPT} of {KEPT} |" in stdout
        assert f"| 0 of {controls} |" in stdout
    assert stdout.startswith(document.read_text().splitlines()[1])
    assert "false alarm:" not in stdout

    document.write_text(document.read_text().replace(f"{KEPT} of {KEPT}", f"{KEPT + 1} of {KEPT + 1}", 1))
    code, stdout, stderr = compositor("accuracy", part, *asked, "--against", document, "--json")
    assert code == 1
    assert stderr.splitlines()[-1] == f"✗ contrast: {KEPT} of {KEPT} found, where {KEPT + 1} of {KEPT + 1} is written"
    assert [figures["check"] for figures in json.loads(stdout)["figures"]] == sorted(CHECKS)


def test_what_cannot_be_measured_is_refused(part: Path, tmp_path: Path) -> None:
    code, _, stderr = compositor("accuracy", tmp_path)
    assert code == 2
    assert "there is no control" in stderr
    code, _, stderr = compositor("accuracy", part, "--check", "lnks")
    assert code == 2
    assert "no control has a measurement 'lnks'" in stderr
    code, _, stderr = compositor("accuracy", part, "--against", tmp_path / "nowhere.md")
    assert code == 2
