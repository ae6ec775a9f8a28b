"""Which browser of this machine to draw with."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from compositor.errors import EnvironmentUnfit, Problem

BROWSER_VARIABLE = "COMPOSITOR_BROWSER"
"""The environment variable that names the browser to use, before all others."""

_NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
)
"""In order of cost: Debian's headless shell draws the same bytes as the full browser at a third of the CPU."""

_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)

_DOWNLOADED = ("chromium_headless_shell-*/*/*headless*shell", "chromium-*/*/chrome")
"""Where `playwright install` puts its own, under its folder: the headless shell, then the full browser."""


def find_browser(asked: Path | None = None) -> Path:
    """The browser to use: the one asked for, else the environment's, the system's, Playwright's own download.

    Raises:
        EnvironmentUnfit: there is none, or the one that was named does not exist.
    """
    named = asked or (Path(value) if (value := os.environ.get(BROWSER_VARIABLE)) else None)
    if named is not None:
        return _named(named)
    for path in _candidates():
        if os.access(path, os.X_OK):
            return path
    raise _no_browser("no Chromium or Chrome was found", "run `compositor doctor --install`")


def _named(path: Path) -> Path:
    if not (path.is_file() and os.access(path, os.X_OK)):
        raise _no_browser(f"{path} is not a program", f"correct or unset {BROWSER_VARIABLE}")
    return path.absolute()


def _candidates() -> Iterator[Path]:
    yield from (Path(found) for name in _NAMES if (found := shutil.which(name)))
    if sys.platform == "darwin":
        yield from map(Path, _APPLICATIONS)
    for pattern in _DOWNLOADED:
        yield from sorted(_downloads().glob(pattern), key=_revision, reverse=True)


def _downloads() -> Path:
    if (chosen := os.environ.get("PLAYWRIGHT_BROWSERS_PATH")) and chosen != "0":
        return Path(chosen)
    caches = Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
    return caches / "ms-playwright"


def _revision(program: Path) -> int:
    """The number in `chromium_headless_shell-1255/…`: newest first, and not as text."""
    digits = program.parent.parent.name.rpartition("-")[2]
    return int(digits) if digits.isdigit() else 0


def _no_browser(message: str, cure: str) -> EnvironmentUnfit:
    return EnvironmentUnfit("this machine", [Problem(code="no-browser", message=message, cure=cure)])
