"""`compositor request`: the schema, a package to start from, and every problem of one, by the exit code too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from compositor.cli._request import app


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A valid package on disk."""
    file = tmp_path / "request.json"
    assert run("init", "email", "-o", file).exit_code == 0
    return file


def test_a_new_package_is_valid(good: Path) -> None:
    result = run("validate", good)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "good" in result.stdout


def test_without_a_file_the_new_package_goes_to_standard_output() -> None:
    result = run("init", "poster")
    assert json.loads(result.stdout)["content"] == "poster"
    assert result.stderr == ""


def test_a_file_that_exists_is_never_overwritten(good: Path) -> None:
    before = good.read_bytes()
    result = run("init", "poster", "-o", good)
    assert (result.exit_code, good.read_bytes()) == (2, before)
    assert "File exists" in result.stderr


def test_a_content_type_that_is_no_name_is_refused() -> None:
    result = run("init", "My Mail")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "$.content" in result.stderr


def test_the_schema_is_printed_as_json() -> None:
    assert json.loads(run("schema").stdout)["$id"].startswith("urn:compositor:request:")


def test_all_problems_of_a_bad_package_are_listed_and_the_exit_code_is_two(good: Path) -> None:
    good.write_text(good.read_text().replace('"tone"', '"tnoe"').replace('"#1c2129"', '"1c2129"'))
    result = run("validate", good)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "3 problems" in result.stderr
    assert "did you mean `tone`?" in result.stderr


def test_an_asset_file_that_is_missing_is_a_problem(good: Path) -> None:
    package = json.loads(good.read_text()) | {"assets": [{"id": "hero", "path": "art/hero.png"}]}
    good.write_text(json.dumps(package))
    result = run("validate", good, "--json")
    assert result.exit_code == 2
    answer = json.loads(result.stdout)
    assert (answer["ok"], answer["problems"][0]["where"]) == (False, "$.assets[0].path")
    assert result.stderr == ""


def test_a_good_package_as_json_has_no_problems(good: Path) -> None:
    result = run("validate", good, "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (0, {"ok": True, "file": str(good), "problems": []})


def test_a_file_that_is_not_there_is_one_problem_with_its_cure(tmp_path: Path) -> None:
    result = run("validate", tmp_path / "gone.json")
    assert result.exit_code == 2
    assert "request init" in result.stderr


def test_the_commands_load_no_pydantic_until_they_run() -> None:
    code = "import sys, compositor.cli._request; print('pydantic' in sys.modules)"
    source = Path(__file__).parents[2] / "src"
    environment = os.environ | {"PYTHONPATH": str(source)}
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert answer.stdout.strip() == "False"
