#!/usr/bin/env python3
"""The one door for people who work on compositor; it needs nothing but Python 3.11 or newer.

    python3 dev.py demo      make the first example, and say where to look
    python3 dev.py test      the whole suite with its coverage gate; `test tests/test_house.py -k size` for a part
    python3 dev.py lint      ruff, mypy and the floors
    python3 dev.py bench     the benchmarks
    python3 dev.py soak      the long proofs: kills, failing disks, random writers, memory; half an hour
    python3 dev.py docs      run every snippet of the documents, follow every link
    python3 dev.py setup     only what the others do first: leaves .venv/bin/compositor

The first start sets up a virtual environment, the pinned packages, the product and the parts of the system that it
stands on. A stamp remembers that, so the next start is instant.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
COMPOSITOR = VENV / "bin" / "compositor"
REQUIREMENTS = ROOT / "requirements" / "dev.txt"

OLDEST_PYTHON = (3, 11)
TEST_TOOLS = ("strace", "python3-gi", "gir1.2-camel-1.2", "evolution-data-server-common")
"""Debian packages that only the suite has use for: the tracer, and the engine of Evolution with its binding."""
FULLY_COVERED = ("runtime", "agents", "authoring", "workspace")
"""Floors whose branch coverage is 100 %, or the suite fails."""


def demo() -> int:
    """Make the first example with the offline designer; the command itself says where to look."""
    setup()
    return run(COMPOSITOR, "generate", "examples/retail-sale/request.json", "-o", "out/retail-sale")


def test(*arguments: str) -> int:
    """Run the suite; all of it also passes the coverage gate."""
    setup()
    if arguments:
        return run(PYTHON, "-m", "pytest", *arguments)
    coverage = (PYTHON, "-m", "coverage")
    run(*coverage, "erase")
    tests = run(*coverage, "run", "-m", "pytest")
    run(*coverage, "combine", "--quiet")
    say(f"Branch coverage of {', '.join(FULLY_COVERED)}, which must be whole:")
    floors = ",".join(f"src/compositor/{floor}/*" for floor in FULLY_COVERED)
    gate = run(*coverage, "report", f"--include={floors}", "--fail-under=100")
    say("Branch coverage of everything, in per cent:")
    run(*coverage, "report", "--format=total")
    return tests or gate


def lint() -> int:
    """Everything that can be said about the code without running it; all of it, even if the first part complains."""
    setup()
    tools = VENV / "bin"
    codes = [
        run(tools / "ruff", "check", "."),
        run(tools / "ruff", "format", "--check", "."),
        run(tools / "mypy"),
        run(tools / "lint-imports", "--no-cache"),  # its cache does not see that a new module is there
    ]
    return max(codes)


def bench() -> int:
    """Run the benchmarks, each against its stated limit."""
    setup()
    return run(PYTHON, "-m", "benchmarks")


def soak() -> int:
    """The full figures of what the suite only samples."""
    setup()
    return run(PYTHON, "-m", "benchmarks.soak")


def docs(*arguments: str) -> int:
    """Run every snippet of the documents and follow every link in them."""
    setup()
    return run(PYTHON, "-m", "pytest", "tests/test_docs.py", *arguments)


def setup() -> int:
    """Whatever is not there yet: the environment with its packages, then the parts of the system."""
    for step in (install_packages, install_parts, install_tools, install_checkers):
        stamp = VENV / f"{step.__name__}.stamp"
        if stamp.is_file() and stamp.read_text() == fingerprint():
            continue
        say(f"Setting up, this once. {step.__doc__}")
        if code := step():
            say("Set-up stopped here; the lines above say why.")
            sys.exit(code)
        stamp.write_text(fingerprint())
    return 0


def install_packages() -> int:
    """The pinned packages and, editable, the product, go into a new .venv."""
    uv = shutil.which("uv")
    bare = ("--without-pip",) if uv else ()
    install = (uv, "pip", "install", "--python", str(PYTHON)) if uv else (str(PYTHON), "-m", "pip", "install")
    return (
        run(sys.executable, "-m", "venv", "--clear", *bare, VENV)
        or run(*install, "--quiet", "-r", REQUIREMENTS)
        or run(*install, "--quiet", "--no-deps", "--no-build-isolation", "-e", ROOT)
    )


def install_parts() -> int:
    """The browser, its jail and the fonts are found or installed, then proved."""
    return run(COMPOSITOR, "doctor", "--install")


def install_tools() -> int:
    """A tracer that makes a disk fail, and a mail program's engine; tests that need what is not there are skipped."""
    apt = shutil.which("apt-get")
    if not apt or os.geteuid():
        return 0
    missing = [package for package in TEST_TOOLS if not is_installed(package)]
    if not missing:
        return 0
    return run(apt, "update", "-qq") or run(apt, "install", "-qq", "--no-install-recommends", *missing)


def is_installed(package: str) -> bool:
    """Whether Debian's package is there."""
    asked = ("dpkg-query", "--show", "--showformat=${db:Status-Status}", package)
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout == "installed"


def install_checkers() -> int:
    """The checkers of others, which the suite asks for a second opinion; without them those tests are skipped."""
    npm = shutil.which("npm")
    quiet = ("--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
    if npm and run(npm, "ci", *quiet, "--prefix", "tests/independent"):
        say("npm could not get them; the tests that ask them are skipped.")
    return 0  # a second opinion is good to have, and nothing here stands on it


def fingerprint() -> str:
    """Changes when, and only when, what was set up is no longer what the files say."""
    digest = hashlib.sha256(f"{sys.version} {ROOT}".encode())
    for path in (REQUIREMENTS, ROOT / "pyproject.toml", ROOT / "tests" / "independent" / "package-lock.json"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def run(*command: str | Path) -> int:
    """Run a command in the checkout, inside the environment and without input; its exit code, as a shell gives it."""
    code = subprocess.run(command, cwd=ROOT, env=surroundings(), stdin=subprocess.DEVNULL, check=False).returncode
    return code if code >= 0 else 128 - code


def surroundings() -> dict[str, str]:
    """The caller's variables, with ours in front and without those that would bring in another Python's packages."""
    strange = {"PYTHONPATH", "PYTHONHOME", "__PYVENV_LAUNCHER__"}
    variables = {name: value for name, value in os.environ.items() if name not in strange}
    variables["VIRTUAL_ENV"] = str(VENV)
    variables["PATH"] = os.pathsep.join([str(VENV / "bin"), variables.get("PATH", os.defpath)])
    material = ROOT.parent / "shared" / "material"
    if material.is_dir():
        variables.setdefault("COMPOSITOR_MATERIAL", str(material))
    return variables


def say(text: str) -> None:
    """A line for the person at the terminal, in order with what the commands print."""
    print(text, flush=True)


COMMANDS: dict[str, Callable[..., int]] = {
    command.__name__: command for command in (demo, test, lint, bench, soak, docs, setup)
}
WITH_ARGUMENTS = {"test", "docs"}


def main(name: str = "", *arguments: str) -> int:
    """Run the command of that name; `--` before its arguments may stand or not."""
    if sys.version_info < OLDEST_PYTHON:
        say(f"This is Python {sys.version.split()[0]}; compositor needs 3.11 or newer: python3.11 dev.py {name}")
        return 4
    given = arguments[1:] if arguments[:1] == ("--",) else arguments
    if name not in COMMANDS or (given and name not in WITH_ARGUMENTS):
        say(__doc__ or "")
        return 0 if name in {"-h", "--help"} else 2
    try:
        return COMMANDS[name](*given)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
