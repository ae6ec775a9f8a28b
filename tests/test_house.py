"""The rules of the house that no linter knows: sizes, names, words, the weight of an import, pins that agree."""

from __future__ import annotations

import ast
import importlib
import inspect
import math
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
PACKAGE = CHECKOUT / "src" / "compositor"
MODULES = sorted(PACKAGE.rglob("*.py"))

FLOORS = ("agents", "authoring", "capabilities", "operations", "runtime", "testing", "tools", "verifiers", "workspace")
FACES = ("compositor", *(f"compositor.{floor}" for floor in FLOORS))
HEAVY = (
    "pydantic",
    "playwright",
    "PIL",
    "mjml",
    "css_inline",
    "jsonschema",
    "typer",
    "openai",
    "sqlalchemy",
)
"""Libraries that cost tens of milliseconds to import, or do not belong above the adapters at all."""


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Each function of a file: its place, and how many lines it has."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield f"{path.relative_to(CHECKOUT)}:{node.lineno} {node.name}", node.end_lineno - node.lineno + 1


def module_name(path: Path) -> str:
    """The dotted name of a module of the package."""
    return ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path) -> Iterator[str]:
    """What is imported when the module is: names of modules, and names that may be modules."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            submodules = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from submodules if all(map(is_module, submodules)) else [node.module, *submodules]


def is_module(name: str) -> bool:
    """Whether the package has a module or a package of that name."""
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def lines(path: Path) -> int:
    """How many lines a file has."""
    return len(path.read_text(encoding="utf-8").splitlines())


def ninth_decile(values: list[int]) -> int:
    """The smallest value that nine in ten do not exceed."""
    return sorted(values)[math.ceil(0.9 * len(values)) - 1]


def run_python(code: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_no_file_has_more_than_500_lines_and_nine_in_ten_have_at_most_300() -> None:
    assert {str(path): lines(path) for path in MODULES if lines(path) > 500} == {}
    assert ninth_decile([lines(path) for path in MODULES]) <= 300


def test_no_function_has_more_than_60_lines_and_nine_in_ten_have_at_most_27() -> None:
    sizes = dict(entry for path in MODULES for entry in functions(path))
    assert {place: size for place, size in sizes.items() if size > 60} == {}
    assert ninth_decile(list(sizes.values())) <= 27


def test_no_import_goes_in_a_circle() -> None:
    """The floors keep circles out between floors; this keeps them out within one."""
    modules = {module_name(path): path for path in MODULES}
    graph = {name: {found for found in imported(path) if found in modules} - {name} for name, path in modules.items()}
    list(TopologicalSorter(graph).static_order())  # raises CycleError, which names the circle


def test_the_frame_knows_no_content_type() -> None:
    format_word = re.compile("email|mjml|slide|banner|pptx|viewport|desktop|mobile", re.IGNORECASE)
    floors = [PACKAGE / floor for floor in ("runtime", "operations", "authoring", "tools")]
    frame = [path for floor in floors for path in floor.rglob("*.py")]
    frame += [
        path
        for found in PACKAGE.glob("agents/_rules*")
        for path in ([found] if found.is_file() else found.rglob("*.py"))
    ]
    assert len(frame) > 10
    told = [
        f"{path.relative_to(CHECKOUT)}:{number}: {line.strip()}"
        for path in frame
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if format_word.search(line)
    ]
    assert told == []


def test_no_module_is_named_after_nothing() -> None:
    empty_names = {"manager", "helper", "helpers", "util", "utils", "base", "common", "misc"}
    assert [str(path) for path in MODULES if empty_names & set(re.split(r"[_/]+", path.stem))] == []


def test_a_file_says_why_it_silences_a_check_and_coverage_is_never_silenced() -> None:
    silencer = re.compile(
        r"#\s*(?:type: ignore|noqa)(?P<codes>\[[\w, -]+\]|: [A-Z]+\d+(?:, ?[A-Z]+\d+)*)?(?P<why>.*)$", re.MULTILINE
    )
    for path in [*MODULES, *sorted((CHECKOUT / "tests").rglob("*.py")), CHECKOUT / "dev.py"]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"#\s*pragma: no" + " cover", text), path
        silenced = list(silencer.finditer(text))
        explained = {match["codes"] for match in silenced if re.search(r"\w{3}", match["why"])}
        assert {match["codes"] for match in silenced} <= explained, path


@pytest.mark.parametrize("face", FACES)
def test_each_public_name_is_there_and_documented(face: str) -> None:
    module = importlib.import_module(face)
    names: list[str] = module.__all__
    assert names
    undocumented = [
        name
        for name, value in ((name, getattr(module, name)) for name in names)
        if (inspect.isclass(value) or inspect.isfunction(value)) and not inspect.getdoc(value)
    ]
    assert undocumented == []


@pytest.mark.parametrize("statement", ["import compositor", "from compositor.capabilities import Capability"])
def test_importing_the_product_or_the_authors_module_loads_nothing_heavy(statement: str) -> None:
    loaded = run_python(f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})").split()
    assert "compositor" in loaded
    assert sorted(set(HEAVY) & set(loaded)) == []


def test_dev_py_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse((CHECKOUT / "dev.py").read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


@pytest.mark.parametrize(("arguments", "code"), [(["--help"], 0), ([], 2), (["dance"], 2), (["lint", "--fast"], 2)])
def test_dev_py_tells_its_commands_where_it_does_not_understand(arguments: list[str], code: int) -> None:
    answer = subprocess.run(
        [sys.executable, CHECKOUT / "dev.py", *arguments], capture_output=True, text=True, check=False
    )
    assert answer.returncode == code
    assert "python3 dev.py demo" in answer.stdout


def pins(name: str) -> dict[str, str]:
    """Package → pinned version, with its marker, of a requirement file."""
    text = (CHECKOUT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    stated = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    found = [re.fullmatch(r"([a-z0-9-]+)==(\S+(?: ; .+)?)", line) for line in stated]
    assert None not in found, f"{name}.txt: {stated[found.index(None)]}"
    return {match[1]: match[2] for match in found if match}


def names_of(requirements: list[str]) -> set[str]:
    """The package names of requirement lines."""
    return {re.split(r"[^A-Za-z0-9._-]", line)[0].lower() for line in requirements}


def test_every_requirement_is_pinned_and_developers_have_what_users_have() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    product, development = pins("product"), pins("dev")
    assert names_of(project["project"]["dependencies"]) <= product.keys()
    assert names_of(project["dependency-groups"]["dev"]) <= development.keys()
    assert product.items() <= development.items()
