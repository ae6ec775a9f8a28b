"""What a page asks for, and what it gets: bytes from `fulfil`, or nothing. Nothing is ever fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio

from compositor.workspace.ports import Fulfil

if TYPE_CHECKING:
    from playwright.async_api import Request, Route


_GIVEN_UP = "net::ERR_ABORTED"
"""How a request ends that the page wants no longer, as when another picture fits a new window size better."""


class Requests:
    """The requests of one page while it is drawn."""

    __slots__ = ("_failure", "_fulfil", "_open", "_refused")

    def __init__(self, fulfil: Fulfil) -> None:
        self._fulfil = fulfil
        self._refused: set[str] = set()
        self._open: set[anyio.CancelScope] = set()
        self._failure: Exception | None = None

    @property
    def refused(self) -> tuple[str, ...]:
        """The URLs that were asked for and not given, sorted."""
        return tuple(sorted(self._refused))

    @property
    def pending(self) -> int:
        """How many are not answered yet."""
        return len(self._open)

    def check(self) -> None:
        """Raise what `fulfil` raised, if it did."""
        if self._failure is not None:
            raise self._failure

    def end(self) -> None:
        """Stop answering: the page is no longer wanted."""
        for scope in tuple(self._open):
            scope.cancel()

    def note(self, request: Request) -> None:
        """Remember a request that the browser itself refused, such as one for a local file."""
        if request.failure != _GIVEN_UP:
            self._refused.add(request.url)

    async def answer(self, route: Route) -> None:
        """Answer one request. Runs in a task of Playwright's; `end` ends it."""
        from playwright.async_api import Error

        with anyio.CancelScope() as scope:
            self._open.add(scope)
            try:
                await self._decide(route)
            except Error:  # the page went away while its request was answered
                pass
            finally:
                self._open.discard(scope)

    async def _decide(self, route: Route) -> None:
        request = route.request
        if _leaves_the_page(request):
            self._refused.add(request.url)
            await route.abort("aborted")  # this reason leaves the page as it is; others replace it by an error page
            return
        try:
            resource = await self._fulfil(request.url)
        except Exception as error:  # noqa: BLE001 - raised again by `check`, in the task that draws
            self._failure = self._failure or error
            resource = None
        if resource is None:
            self._refused.add(request.url)
            await route.abort("blockedbyclient")
            return
        headers = {"Content-Type": resource.media_type, "Access-Control-Allow-Origin": "*"}  # fonts need the latter
        await route.fulfill(body=resource.data, headers=headers)


def _leaves_the_page(request: Request) -> bool:
    """Whether the whole page would be replaced: a refresh, a script's or a form's navigation."""
    return request.is_navigation_request() and request.frame.parent_frame is None
