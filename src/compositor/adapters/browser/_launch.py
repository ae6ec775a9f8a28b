"""Starting a browser at a level of isolation, and ending it without a trace.

In the jail the whole life of the browser is in memory: its profile lies on the jail's own `/tmp`, and the program that
Playwright starts, which has to be one executable because Playwright puts its switches behind it, is a two-line shell
script in an anonymous file. So nothing is left on the disk, however we end. When our process dies, the pipe to
Playwright's driver closes and the driver ends the browser; should the driver be killed too, the jail dies with it.
"""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from compositor.adapters.browser import _drivers
from compositor.adapters.sandbox import Jail, Limits
from compositor.errors import PortError
from compositor.workspace.ports import Isolation

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

START_SECONDS = 30.0
"""Longest time for a browser to start; half a second on an idle machine."""

STOP_SECONDS = 10.0
"""Longest time for a browser to end before we stop waiting for it."""

JAIL_LIMITS = Limits(
    memory=1536 << 20,  # a renderer that wants more crashes, and only its page fails; mails take some 100 MB
    processes=1024,  # threads count, and two pages with their helpers have some 150
    temporary=512 << 20,  # shared memory lies here too: Playwright keeps Chromium off /dev/shm
    cpu_seconds=None,  # it lives as long as we do; each page has its own time
)

_BLINK = (
    "imageAnimationPolicy=2",  # animated pictures stay at their first frame
    "primaryHoverType=2",  # the rest is Playwright's own choice, a mouse, which this switch would otherwise undo
    "availableHoverTypes=2",
    "primaryPointerType=4",
    "availablePointerTypes=4",
)

SWITCHES = (
    "--disable-lcd-text",  # grey antialiasing, and
    "--font-render-hinting=none",  # no hinting: the same glyphs on every machine
    "--blink-settings=" + ",".join(_BLINK),
    "--block-new-web-contents",  # no popup opens
    "--host-resolver-rules=MAP * ~NOTFOUND",  # no name and no address resolves, not for a preconnect either
)
"""What we add to Playwright's switches, at every level of isolation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A browser that runs, and the driver that talks to it."""

    browser: Browser
    driver: Playwright
    process: int
    isolation: Isolation

    @property
    def connected(self) -> bool:
        """Whether the browser lives, as far as the driver has said."""
        return self.browser.is_connected()

    async def answers(self) -> bool:
        """Whether browser and driver are there. It asks them: the death of its driver Playwright does not notice."""
        from playwright.async_api import Error

        with anyio.move_on_after(STOP_SECONDS, shield=True), suppress(Error):
            session = await self.browser.new_browser_cdp_session()
            await session.detach()
            return True
        return False

    async def end(self) -> None:
        """End browser and driver. Never raises, and is not cut short by a cancellation."""
        from playwright.async_api import Error

        with anyio.move_on_after(STOP_SECONDS, shield=True), suppress(Error):  # it may be gone already
            await self.browser.close()
        await _stop(self.driver, self.process)


async def start(program: Path, isolation: Isolation) -> Running:
    """Start the browser, with its own sandbox where the machine allows that.

    Raises:
        PortError: it did not start.
    """
    from playwright.async_api import async_playwright

    with anyio.CancelScope(shield=True):  # a driver that is cancelled half-way through its start would stay behind
        manager = async_playwright()
        with _drivers.starting():
            driver = await manager.start()
            process = _drivers.keep(manager)
        try:
            browser = await _launch(driver, program, isolation)
        except BaseException:
            await _stop(driver, process)
            raise
    return Running(browser=browser, driver=driver, process=process, isolation=isolation)


async def _stop(driver: Playwright, process: int) -> None:
    with anyio.move_on_after(STOP_SECONDS, shield=True):
        await driver.stop()
    _drivers.forget(process)


async def _launch(driver: Playwright, program: Path, isolation: Isolation) -> Browser:
    from playwright.async_api import Error

    own_sandbox = isolation == "jail" or not _is_root()  # outside the jail, root's Chromium refuses its own sandbox
    if own_sandbox:
        with suppress(
            Error
        ):  # hosts without nested user namespaces: then the jail, or JavaScript off, is the only wall
            return await _launch_once(driver, program, isolation, own_sandbox=True)
    try:
        return await _launch_once(driver, program, isolation, own_sandbox=False)
    except Error as error:
        raise PortError("renderer", _reason(program, error), "run `compositor doctor`") from None


async def _launch_once(driver: Playwright, program: Path, isolation: Isolation, *, own_sandbox: bool) -> Browser:
    milliseconds = START_SECONDS * 1000
    if isolation != "jail":
        return await driver.chromium.launch(
            executable_path=program,
            args=SWITCHES,
            chromium_sandbox=own_sandbox,
            handle_sigint=False,  # Ctrl-C is ours to answer
            handle_sigterm=False,
            handle_sighup=False,
            timeout=milliseconds,
        )
    with _jailed(program, nested=own_sandbox) as executable:
        context = await driver.chromium.launch_persistent_context(
            "/tmp",  # noqa: S108 - that of the jail; named so that Playwright makes no folder on the host
            artifacts_dir="/tmp",  # noqa: S108 - likewise
            executable_path=executable,
            args=SWITCHES,
            chromium_sandbox=own_sandbox,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=milliseconds,
        )
    if context.browser is None:
        raise PortError("renderer", "Playwright shows no browser behind a context with a profile")
    return context.browser


@contextmanager
def _jailed(program: Path, *, nested: bool) -> Iterator[str]:
    """The path of an executable in memory that starts the browser in a jail, valid within the block."""
    if sys.platform != "linux":
        raise PortError("renderer", "the jail needs Linux")
    jail = Jail(limits=JAIL_LIMITS, visible=_folder_of(program), nested=nested)
    script = f'#!/bin/sh\nexec {shlex.join(jail.argv([str(program)]))} "$@"\n'
    descriptor = os.memfd_create("compositor-browser")
    try:
        os.write(descriptor, script.encode())
        yield f"/proc/{os.getpid()}/fd/{descriptor}"
    finally:
        os.close(descriptor)


def _folder_of(program: Path) -> tuple[Path, ...]:
    """The browser's own folder, where it lies outside /usr, which every jail shows."""
    folders = {program.parent, program.resolve().parent}
    return tuple(sorted(folder for folder in folders if not folder.is_relative_to("/usr")))


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _reason(program: Path, error: Exception) -> str:
    """What the program said last, or else what Playwright says, which is more and tells less."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = [line.rpartition("[err] ")[2] for line in lines if "[err] " in line]
    return f"{program} did not start: {''.join(said[-1:] or lines[:1])[-300:]}"
