"""A renderer that draws the same page once: a fault in a request or in a derived file leaves the page as it was."""

from __future__ import annotations

from collections.abc import Sequence

from compositor.workspace import Isolation, Page, Renderer, Rendering, Screen

MOST_PAGES = 300
"""Pages that are remembered, the first ones: clean documents come first, and they are what is drawn again."""


class Remembered:
    """Implements `Renderer`. A page is known by its HTML: addresses of pictures name their digests.

    Args:
        renderer: draws what is not known yet.
    """

    __slots__ = ("_known", "_renderer")

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._known: dict[tuple[str, tuple[Screen, ...]], tuple[Rendering, ...]] = {}

    async def prepare(self) -> Isolation:
        """As the renderer does."""
        return await self._renderer.prepare()

    async def render(self, page: Page, screens: Sequence[Screen]) -> tuple[Rendering, ...]:
        """What is known of the page, else what the renderer draws. Raises PortError."""
        key = (page.html, tuple(screens))
        if known := self._known.get(key):
            return known
        drawn = await self._renderer.render(page, screens)
        if len(self._known) < MOST_PAGES:
            self._known[key] = drawn
        return drawn

    def processes(self) -> frozenset[int]:
        """Those of the renderer."""
        return self._renderer.processes()
