"""The documents are true: every snippet runs, every link leads somewhere, every page can be found."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import dev

CHECKOUT = Path(__file__).parents[1]
DOCS = CHECKOUT / "docs"
PAGES = [
    page
    for page in (CHECKOUT / "README.md", CHECKOUT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md")))
    if page.exists()
]
NAMES = [str(page.relative_to(CHECKOUT)) for page in PAGES]

RUN = {"python", "console"}
SHOWN = {"json", "text", "mermaid", "toml"}
"""Languages of a fence. Any other, and a fence without one, is refused, so that none slips through by its spelling."""

FENCE = re.compile(r"^```(?P<language>\S*)(?: not run: (?P<why>.+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?P<target>[^)\s]+)\)")

SECONDS = 120
"""Longest time for one command of a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A fenced block: where it stands, its language, its text, and why it is not run, if it is not."""

    place: str
    language: str
    body: str
    not_run: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command of a console snippet, and what it prints: `…` stands for any text, alone on its line for any lines."""

    line: str
    output: str


def snippets(page: Path) -> Iterator[Snippet]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        yield Snippet(
            place=f"{page.relative_to(CHECKOUT)}:{line}",
            language=match["language"],
            body=match["body"],
            not_run=match["why"] or "",
        )


def commands(body: str) -> Iterator[Command]:
    """The commands of a console snippet: each `$ ` line, with the lines behind it as its output."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        first, _, output = part.replace("\\\n", " ").partition("\n")
        yield Command(line=first, output=output)


def looks_like(expected: str, printed: str) -> bool:
    """Whether a command printed what the page says; a page that shows no output asks for none."""
    if not expected.strip():
        return True
    lines = (
        r"(?:.*\n)*?" if line.strip() == "…" else re.escape(line).replace("…", ".*") + r"\n"
        for line in expected.strip().splitlines()
    )
    return re.fullmatch("".join(lines), printed.strip() + "\n") is not None


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A folder as a reader has it: the examples beside, and nothing of the checkout to spoil."""
    if (CHECKOUT / "examples").is_dir():
        shutil.copytree(CHECKOUT / "examples", tmp_path / "examples")
    shim = tmp_path / "bin" / "compositor"
    shim.parent.mkdir()
    shim.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m compositor "$@"\n')
    shim.chmod(0o755)
    return tmp_path


def run(command: list[str], room: Path) -> subprocess.CompletedProcess[str]:
    """Run a command of a page; both its outputs as one text."""
    variables = {
        **os.environ,
        "PATH": f"{room / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "COMPOSITOR_HOME": str(room / "home"),
    }
    return subprocess.run(
        command, cwd=room, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, timeout=SECONDS, check=False,
    )  # fmt: skip


def languages(page: Path) -> set[str]:
    """The languages in which a page has something to run."""
    return {snippet.language for snippet in snippets(page) if not snippet.not_run} & RUN


RUNNABLE = [
    pytest.param(page, id=name, marks=[pytest.mark.browser] if "console" in languages(page) else [])
    for page, name in zip(PAGES, NAMES, strict=True)
    if languages(page)
]
"""Pages with snippets to run. A command of the product may draw, so a console needs a browser."""


@pytest.mark.parametrize("page", RUNNABLE)
def test_each_snippet_of_a_page_does_what_the_page_says(page: Path, room: Path) -> None:
    for snippet in snippets(page):
        if snippet.not_run or snippet.language not in RUN:
            continue
        if snippet.language == "python":
            done = run([sys.executable, "-W", "error", "-c", snippet.body], room)
            assert done.returncode == 0, f"{snippet.place}: {done.stdout}"
            continue
        for command in commands(snippet.body):
            done = run(["bash", "-euo", "pipefail", "-c", command.line], room)
            assert done.returncode == 0, f"{snippet.place}: $ {command.line}\n{done.stdout}"
            assert looks_like(command.output, done.stdout), f"{snippet.place}: $ {command.line}\n{done.stdout}"


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_what_a_page_does_not_run_is_still_looked_up(page: Path, room: Path) -> None:
    for snippet in snippets(page):
        if not snippet.not_run:
            assert snippet.language in RUN | SHOWN, (
                f"{snippet.place}: a fence of kind {snippet.language or 'nothing'!r}"
            )
        elif snippet.language == "python":
            ast.parse(snippet.body)
        else:
            for command in commands(snippet.body):
                match shlex.split(command.line):
                    case ["python3", "dev.py", name, *_]:
                        assert name in dev.COMMANDS, snippet.place
                    case ["compositor", *words]:
                        names = [word for word in words[:2] if re.fullmatch("[a-z]+", word)]
                        assert run(["compositor", *names, "--help"], room).returncode == 0, f"{snippet.place}: {words}"


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_each_link_of_a_page_leads_to_something_in_the_checkout(page: Path) -> None:
    prose = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = [match["target"] for match in LINK.finditer(prose)]
    inside = [target.partition("#")[0] for target in targets if not re.match(r"https://|mailto:|#", target)]
    assert [target for target in inside if not (page.parent / target).exists()] == []


def test_each_page_of_the_documents_can_be_reached_from_their_index() -> None:
    reached, waiting = set[Path](), [DOCS / "README.md"]
    while waiting:
        page = waiting.pop().resolve()
        if page in reached or page.suffix != ".md" or not page.is_file():
            continue
        reached.add(page)
        waiting += [
            page.parent / match["target"].partition("#")[0] for match in LINK.finditer(page.read_text(encoding="utf-8"))
        ]
    assert {page.resolve() for page in DOCS.rglob("*.md")} <= reached


def test_every_dependency_is_explained() -> None:
    explained = set(
        re.findall(
            r"^\| ([a-z-]+) \|", (DOCS / "decisions" / "dependencies.md").read_text(encoding="utf-8"), re.MULTILINE
        )
    )
    stated = re.findall(r'^  "([a-z-]+)>=', (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(stated) > 10
    assert sorted(set(stated) - explained) == []


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("", "anything\n", True),
        ("made 3 files\n", "made 3 files\n", True),
        ("made … files\n", "made 17 files\n", True),
        ("made … files\n", "made 17 folders\n", False),
        ("first\n…\nlast\n", "first\nsecond\nthird\nlast\n", True),
        ("first\n…\nlast\n", "first\nsecond\n", False),
        ("…\n", "first\nsecond\n", True),
        ("first\n…\n", "first\nsecond\nthird\n", True),
        ("first\n…\n", "second\nfirst\n", False),
    ],
)
def test_a_page_may_leave_out_what_differs_from_run_to_run(expected: str, printed: str, *, same: bool) -> None:
    assert looks_like(expected, printed) is same
