"""Ports that do the same work once: most faults leave the page as it was, and nearly all of them its pictures."""

from __future__ import annotations

from collections.abc import Sequence

from compositor._values import sha256
from compositor.workspace import Box, Ink, Isolation, Looks, Page, Picture, Pictures, Renderer, Rendering, Screen

MOST_PAGES = 300
"""Pages that are remembered, the first ones: clean documents come first, and they are what is drawn again."""


class RememberedPages:
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


class RememberedLooks:
    """Implements `Pictures`. What a picture is and looks like follows from its bytes.

    Args:
        pictures: looks at what is not known yet.
    """

    __slots__ = ("_inspected", "_looked", "_pictures")

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._inspected: dict[str, Picture] = {}
        self._looked: dict[str, Looks] = {}

    async def inspect(self, data: bytes) -> Picture:
        """As the pictures say. Raises PictureRefused."""
        key = sha256(data)
        if key not in self._inspected:
            self._inspected[key] = await self._pictures.inspect(data)
        return self._inspected[key]

    async def look(self, data: bytes) -> Looks:
        """As the pictures say. Raises PictureRefused."""
        key = sha256(data)
        if key not in self._looked:
            self._looked[key] = await self._pictures.look(data)
        return self._looked[key]

    async def fit(self, data: bytes, width: int, height: int) -> bytes:
        """As the pictures do. Raises PictureRefused."""
        return await self._pictures.fit(data, width, height)

    async def crop(self, data: bytes, box: Box, width: int, height: int) -> bytes:
        """As the pictures do. Raises PictureRefused."""
        return await self._pictures.crop(data, box, width, height)

    async def rings(self, data: bytes, inks: Sequence[Ink]) -> tuple[float | None, ...]:
        """As the pictures do. Raises PictureRefused."""
        return await self._pictures.rings(data, inks)
