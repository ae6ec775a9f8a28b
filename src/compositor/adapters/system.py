"""The parts of the operating system that the adapters stand on (browser, jail, fonts), and how a machine gets them.

Debian's headless shell draws the same pixels as the full browser at a third of the processor time, and needs no
download outside the package archive; so it comes first, and Playwright's own headless shell where apt has none.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable, Sequence

from compositor.errors import PortError

BROWSER = "chromium-headless-shell"
PARTS = (BROWSER, "bubblewrap", "fonts-noto-cjk", "fonts-noto-color-emoji")
"""Debian's names of the browser, the jail and the fonts."""

INSTALL_SECONDS = 900
"""Longest time for one command: 100 MB over a slow line."""

_APT_INSTALL = ("apt-get", "install", "--yes", "--no-install-recommends")
_PLAYWRIGHT_INSTALL = (sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")

Say = Callable[[str], None]


def by_hand() -> str:
    """The one command that a person runs here to get what is missing."""
    if shutil.which("apt-get") is None:
        return shlex.join(_PLAYWRIGHT_INSTALL)
    both = f"apt-get update && {shlex.join([*_APT_INSTALL, *PARTS])}"
    return both if _is_root() else f"sudo sh -c {shlex.quote(both)}"


async def install(say: Say) -> None:
    """Install the parts: by apt where this is root on a Debian family, and what apt does not offer by Playwright.

    Parts that are there already are left alone by either. `say` is told each command before it runs.

    Raises:
        PortError: a command failed; its cure is the command to run by hand.
    """
    offered: list[str] = []
    if shutil.which("apt-get") and _is_root():
        await _run(say, ("apt-get", "update"))
        offered = [part for part in PARTS if await _is_offered(part)]
    for command in recipe(offered):
        await _run(say, command)


def recipe(offered: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The commands that install the parts, of which apt offers these; Ubuntu, for one, has no headless shell."""
    by_apt = ((*_APT_INSTALL, *offered),) if offered else ()
    by_playwright = () if BROWSER in offered else (_PLAYWRIGHT_INSTALL,)
    return (*by_apt, *by_playwright)


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


async def _is_offered(package: str) -> bool:
    from anyio import run_process

    shown = await run_process(["apt-cache", "show", "--no-all-versions", package], check=False)
    return shown.returncode == 0


async def _run(say: Say, command: Sequence[str]) -> None:
    from subprocess import STDOUT

    from anyio import fail_after, run_process

    say(f"$ {shlex.join(command)}")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        with fail_after(INSTALL_SECONDS):
            done = await run_process(command, check=False, stderr=STDOUT, env=quiet)
    except (TimeoutError, OSError) as error:
        reason = str(error) or f"no end within {INSTALL_SECONDS} s"
        raise PortError("system", f"{command[0]}: {reason}", by_hand()) from error
    if done.returncode != 0:
        last = done.stdout.decode(errors="replace").strip().splitlines()[-3:]
        raise PortError("system", f"{command[0]} ended with {done.returncode}: {' / '.join(last)}", by_hand())
