"""A tab: one page of the browser in a context of its own, so that no storage, cache or setting is shared."""

from __future__ import annotations

import base64
import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import anyio

from compositor._values import Json
from compositor.adapters.browser._requests import Requests
from compositor.errors import PortError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Request, Route

OPEN_SECONDS = 10.0
CLOSE_SECONDS = 5.0
"""Longest times to open and to close a tab; 50 ms each on an idle machine."""


class Tab:
    """A page that can be loaded, resized, asked and pictured. Use one at a time."""

    # No slots: Playwright keeps its wrapper of a bound method on the object that the method is bound to.

    def __init__(self, context: BrowserContext, page: Page, session: CDPSession, frame: str) -> None:
        self._context, self._page, self._session, self._frame = context, page, session, frame
        self._requests: Requests | None = None
        self._world: int | None = None
        self._size = (0, 0)

    @staticmethod
    async def open(browser: Browser, *, scripts: bool) -> Tab:
        """A new tab, whose pages' own JavaScript runs or does not.

        Raises:
            playwright.async_api.Error: the browser is gone.
            PortError: it does not answer in time.
        """
        try:
            with anyio.fail_after(OPEN_SECONDS, shield=True):  # cancelled half-way, a context would stay behind
                return await Tab._open(browser, scripts=scripts)
        except TimeoutError:
            raise PortError("renderer", f"the browser opened no page in {OPEN_SECONDS:g} s") from None

    @staticmethod
    async def _open(browser: Browser, *, scripts: bool) -> Tab:
        context = await browser.new_context(
            java_script_enabled=scripts,
            offline=True,
            service_workers="block",
            accept_downloads=False,
            device_scale_factor=1,
            locale="en-US",
            timezone_id="UTC",
            color_scheme="light",
            reduced_motion="reduce",
        )
        context.set_default_timeout(0)  # the renderer's own limit on a page's time is the only one
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        tree = await session.send("Page.getFrameTree")
        tab = Tab(context, page, session, tree["frameTree"]["frame"]["id"])
        await context.route("**/*", tab._answer)
        context.on("requestfailed", tab._note)
        return tab

    async def load(self, html: str, requests: Requests) -> None:
        """Show a document. `requests` answers for it until the next is loaded."""
        self._requests = None
        await self._page.goto("about:blank")  # without it, the new document would see pictures of the one before
        self._requests = requests
        world = await self._session.send("Page.createIsolatedWorld", {"frameId": self._frame, "worldName": "measure"})
        self._world = world["executionContextId"]
        await self._page.set_content(html, wait_until="load")

    async def resize(self, width: int, height: int) -> None:
        """Give the window this size, in CSS pixels."""
        if self._size != (width, height):
            await self._page.set_viewport_size({"width": width, "height": height})
            self._size = (width, height)

    async def evaluate(self, expression: str) -> Json:
        """The JSON value of a JavaScript expression that yields JSON text, or promises it.

        It runs in a world of its own, where nothing that the page's scripts redefined is seen, and where JavaScript
        runs even if the page's does not.

        Raises:
            PortError: it threw.
        """
        answer: dict[str, Any] = await self._session.send(
            "Runtime.evaluate",
            {"expression": expression, "contextId": self._world, "awaitPromise": True, "returnByValue": True},
        )
        if "exceptionDetails" in answer:
            detail = answer["exceptionDetails"]
            said = detail.get("exception", {}).get("description") or detail.get("text", "")
            raise PortError("renderer", f"measuring the page failed: {said.splitlines()[0] if said else 'no reason'}")
        return json.loads(answer["result"]["value"])

    async def picture(self, width: int, height: int) -> bytes:
        """PNG bytes of the page from its top left corner, in the fast encoding: same pixels, a third of the time."""
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        answer = await self._session.send(
            "Page.captureScreenshot",
            {"format": "png", "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": True},
        )
        return base64.b64decode(answer["data"])

    async def close(self) -> bool:
        """Close it; False if the browser did not do so in time. Never raises; a cancellation does not cut it short."""
        from playwright.async_api import Error

        with anyio.move_on_after(CLOSE_SECONDS, shield=True):
            with suppress(Error):  # crashed, or the browser is gone
                await self._context.close()
            return True
        return False

    async def _answer(self, route: Route) -> None:
        if self._requests is None:
            await route.abort("aborted")
        else:
            await self._requests.answer(route)

    def _note(self, request: Request) -> None:
        if self._requests is not None:
            self._requests.note(request)
