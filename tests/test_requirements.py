"""The manifest of promises and the tests that claim them say the same, in both directions."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.requirements import PROMISES, Promise

TESTS = Path(__file__).parent


def claims(source: str, name: str) -> Iterator[tuple[str, str]]:
    """Each (promise id, test) that a test file claims, found in its text: a file that fails to import still counts.

    Marks stand on test functions, on test classes, or on the file as `pytestmark`.
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                yield from ((promise, f"{name}::{node.name}") for promise in _promised(decorator))
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "pytestmark":
            yield from ((promise, name) for promise in _promised(statement.value))


def _promised(expression: ast.expr) -> Iterator[str]:
    for node in ast.walk(expression):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.promise":
            yield from (ast.literal_eval(argument) for argument in node.args)


def disagreements(promises: tuple[Promise, ...], claimed: Mapping[str, list[str]]) -> list[str]:
    """Everything in which manifest and tests differ, one line each."""
    known = {promise.id for promise in promises}
    lines = [
        f"{test} claims {unknown}, which is no promise"
        for unknown in claimed.keys() - known
        for test in claimed[unknown]
    ]
    for promise in promises:
        tests = claimed.get(promise.id, [])
        if promise.state == "planned" and tests:
            lines.append(f"{promise.id} is called planned, but {tests[0]} claims it: it is begun or built")
        if promise.state != "planned" and not tests:
            lines.append(f"{promise.id} is called {promise.state}, but no test claims it")
        if (promise.state == "built") == bool(promise.missing):
            lines.append(
                f"{promise.id} is {promise.state} and misses {promise.missing or 'nothing'}: one of them is wrong"
            )
    return sorted(lines)


@pytest.fixture(scope="module")
def claimed() -> Mapping[str, list[str]]:
    found = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        for promise, test in claims(path.read_text(encoding="utf-8"), str(path.relative_to(TESTS))):
            found[promise].append(test)
    return found


def test_manifest_and_tests_agree_on_every_promise(claimed: Mapping[str, list[str]]) -> None:
    assert disagreements(PROMISES, claimed) == []


def test_each_promise_has_one_id_and_its_own_text() -> None:
    assert [name for name, count in Counter(promise.id for promise in PROMISES).items() if count > 1] == []
    assert len({promise.text for promise in PROMISES}) == len(PROMISES)


def test_no_promise_has_left_the_manifest() -> None:
    groups = {"C": 9, "O": 15, "E": 1, "S": 4, "B": 1, "D": 6, "P": 1, "V": 4}
    assert {promise.id for promise in PROMISES} == {
        f"{group}{number}" for group, count in groups.items() for number in range(1, count + 1)
    }


def test_a_claim_is_read_from_functions_classes_and_files() -> None:
    source = (
        "pytestmark = [pytest.mark.anyio, pytest.mark.promise('V1')]\n"
        "@pytest.mark.promise('C1', 'C2')\nasync def test_one(): ...\n"
        "@pytest.mark.promise('O1')\nclass TestTwo: ...\n"
    )
    assert sorted(claims(source, "x")) == [
        ("C1", "x::test_one"),
        ("C2", "x::test_one"),
        ("O1", "x::TestTwo"),
        ("V1", "x"),
    ]


@pytest.mark.parametrize(
    ("promise", "tests", "complaint"),
    [
        (Promise(id="C1", text="", state="built"), [], "no test claims it"),
        (Promise(id="C1", text="", state="begun", missing="a part"), [], "no test claims it"),
        (Promise(id="C1", text="", state="planned", missing="all"), ["test_x"], "it is begun or built"),
        (Promise(id="C1", text="", state="built", missing="a part"), ["test_x"], "one of them is wrong"),
        (Promise(id="C1", text="", state="begun"), ["test_x"], "one of them is wrong"),
    ],
)
def test_each_disagreement_is_told(promise: Promise, tests: list[str], complaint: str) -> None:
    (line,) = disagreements((promise,), {"C1": tests})
    assert complaint in line


def test_a_claim_of_an_unknown_promise_is_told() -> None:
    assert disagreements((), {"Z9": ["test_x"]}) == ["test_x claims Z9, which is no promise"]
