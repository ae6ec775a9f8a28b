"""The renderer: one browser, started when it is first needed, shared by all who draw, and ended with us."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import anyio

from compositor.adapters.browser._draw import draw
from compositor.adapters.browser._drivers import kept
from compositor.adapters.browser._find import find_browser
from compositor.adapters.browser._launch import Running, start
from compositor.adapters.browser._tab import Tab
from compositor.adapters.sandbox import jail_fault
from compositor.errors import EnvironmentUnfit, PortError, Problem
from compositor.workspace.ports import Isolation, Page, Rendering, Screen

PAGES = 2
"""Pages drawn at once by default: two saturate two cores, and a third only makes each slower."""

PAGE_SECONDS = 15.0
"""Longest time for a page on all its screens; a long mail at three widths takes under a second."""

PICTURE_HEIGHT = 16_000
"""Tallest picture in CSS pixels. Chromium's surfaces end at 16,384; a page of 60,000 took three seconds to encode."""


class Chromium:
    """Draws and measures HTML pages in Chromium; implements `Renderer`.

    Use it as an async context manager, or call `aclose`. It belongs to the event loop in which it is first used.
    Up to `pages` pages are drawn at once; further callers wait their turn. A page without scripts is drawn in a tab
    that is used again (emptied, and with a context of its own); a page with scripts gets a tab that is thrown away.
    """

    def __init__(
        self,
        *,
        executable: Path | None = None,
        pages: int = PAGES,
        isolation: Isolation | None = None,
        seconds: float = PAGE_SECONDS,
        height: int = PICTURE_HEIGHT,
    ) -> None:
        """Nothing is started yet.

        Args:
            executable: the browser; by default `find_browser` decides.
            pages: how many pages are drawn at once.
            isolation: the level to insist on; by default `jail` where it works, else `closed`; never `none`.
            seconds: longest time for one page on all its screens.
            height: tallest picture, in CSS pixels.
        """
        self._executable, self._isolation = executable, isolation
        self._seconds, self._height = seconds, height
        self._turns = anyio.CapacityLimiter(pages)
        self._starting = anyio.Lock()
        self._running: Running | None = None
        self._idle: list[Tab] = []
        self._closed = False
        self.no_jail_because = ""
        """Why the level is `closed` where `jail` was tried first; else empty."""

    async def prepare(self) -> Isolation:
        """Draw a small page, and say how it was isolated.

        Raises:
            EnvironmentUnfit: no browser, or it does not start or draw, or not at the level insisted on.
        """
        try:
            running = await self._browser()
            await self.render(_PROOF, [Screen(name="proof", width=40, height=40)])
        except PortError as error:
            raise _unfit(error.reason, error.cure) from None
        return running.isolation

    async def render(self, page: Page, screens: Sequence[Screen]) -> tuple[Rendering, ...]:
        """Draw and measure the page on each screen, in order.

        Raises:
            PortError: the page took too long, wants too much memory, runs scripts that this level forbids, or crashed
                the browser (the next call starts another); or what `page.fulfil` raised.
        """
        if not screens:
            return ()
        from playwright.async_api import Error

        async with self._turns:
            try:
                running = await self._browser()
                with anyio.fail_after(self._seconds):
                    async with self._tab(running, scripts=page.scripts) as tab:
                        return await draw(tab, page, screens, height=self._height)
            except TimeoutError:
                raise PortError("renderer", f"the page was not drawn in {self._seconds:g} s", _SIMPLER) from None
            except Error as error:
                raise PortError("renderer", _crash(error), _SIMPLER) from None
            except EnvironmentUnfit as error:
                raise PortError("renderer", str(error), "run `compositor doctor`") from None

    def processes(self) -> frozenset[int]:
        """The drivers of all browsers of this process, this one's among them."""
        return kept()

    async def aclose(self) -> None:
        """End the browser; nothing of it remains. Calling it again does nothing; drawing afterwards is refused."""
        self._closed = True
        with anyio.CancelScope(shield=True):  # each step inside is bounded
            async with self._starting:
                await self._drop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def _browser(self) -> Running:
        """The browser that runs, started if there is none or it is known to have died."""
        async with self._starting:
            if self._closed:
                raise PortError("renderer", "this renderer is closed")
            if self._running is not None and not self._running.connected:
                await self._drop()
            if self._running is None:
                self._running = await self._start()
                self._isolation = self._running.isolation  # a level that was told holds for every later start
            return self._running

    async def _start(self) -> Running:
        program = find_browser(self._executable)
        if self._isolation is not None:
            return await start(program, self._isolation)
        try:
            return await start(program, "jail")
        except PortError as error:
            self.no_jail_because = await jail_fault() or error.reason
        return await start(program, "closed")

    async def _drop(self) -> None:
        running, self._running, self._idle = self._running, None, []
        if running is not None:
            await running.end()

    @asynccontextmanager
    async def _tab(self, running: Running, *, scripts: bool) -> AsyncIterator[Tab]:
        """A tab for the block. It is used again only if the block ends well and no script ran in it."""
        if scripts and running.isolation == "closed":
            reason = f"pages with JavaScript are not drawn without a jail ({self.no_jail_because or 'level closed'})"
            raise PortError("renderer", reason, "install bubblewrap, or use a container or another machine")
        tab = None
        try:
            tab = self._idle.pop() if self._idle and not scripts else await Tab.open(running.browser, scripts=scripts)
            yield tab
        except BaseException:
            await self._abandon(tab, running)
            raise
        if scripts:
            await self._abandon(tab, running)
        elif running is self._running:
            self._idle.append(tab)

    async def _abandon(self, tab: Tab | None, running: Running) -> None:
        """Close a tab that is not used again, and the browser with it if that no longer answers."""
        closed = tab is None or await tab.close()
        if not (closed and await running.answers()) and running is self._running:
            await self._drop()


_SIMPLER = "simplify the page, or draw fewer screens at once"


async def _nothing(url: str) -> None:
    """Refuse every URL."""


_PROOF = Page(html="<!doctype html><title>proof</title><p>proof", fulfil=_nothing)


def _crash(error: Exception) -> str:
    said = str(error).splitlines()[0] if str(error) else type(error).__name__
    if "crashed" in said:
        return "the page ended its browser process: out of memory, or a fault of the browser"
    return f"the browser failed: {said[:300]}"


def _unfit(reason: str, cure: str) -> EnvironmentUnfit:
    return EnvironmentUnfit("the renderer", [Problem(code="browser-unfit", message=reason, cure=cure)])
