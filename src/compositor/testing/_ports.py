"""Stand-ins for the outside parts: they keep the contracts of the ports, and nothing real is drawn or compiled."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Mapping, Sequence

from compositor.errors import CompileFailed, EnvironmentUnfit, PictureRefused, PortError, Problem
from compositor.workspace import Box, ImageWish, Ink, Isolation, Looks, Page, Picture, Rendering, Screen

_ADDRESSES = re.compile(r"""\b(?:src|href)\s*=\s*["']([^"'#][^"']*)["']""")
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class PlainRenderer:
    """Implements `Renderer`: every page is a grey area of the size of the screen.

    Args:
        isolation: what `prepare` answers with.
        unfit: why pages cannot be drawn here, or empty.
    """

    def __init__(self, *, isolation: Isolation = "jail", unfit: str = "") -> None:
        self._isolation, self._unfit = isolation, unfit
        self.pages: list[Page] = []
        """Every page that was drawn, in order."""

    async def prepare(self) -> Isolation:
        """The isolation. Raises EnvironmentUnfit."""
        if self._unfit:
            problem = Problem(code="no-renderer", message=self._unfit, cure="give another renderer")
            raise EnvironmentUnfit("no page can be drawn", [problem])
        return self._isolation

    def processes(self) -> frozenset[int]:
        """None: it draws in this process."""
        return frozenset()

    async def render(self, page: Page, screens: Sequence[Screen]) -> tuple[Rendering, ...]:
        """A grey picture per screen; each address in the page is asked for. Raises PortError."""
        if page.scripts and self._isolation == "closed":
            raise PortError("renderer", "scripts need the jail", "render the page without scripts")
        self.pages.append(page)
        wanted = sorted(set(_ADDRESSES.findall(page.html)))
        refused = tuple([address for address in wanted if await page.fulfil(address) is None])
        return tuple(
            Rendering(
                screen=screen,
                picture=flat_png(screen.width, screen.height),
                width=screen.width,
                height=screen.height,
                refused=refused,
            )
            for screen in screens
        )


class PlainCompiler:
    """Implements `Compiler`: the compiled text is the source.

    Args:
        faults: a text → why a source that holds it does not compile.
    """

    def __init__(self, faults: Mapping[str, str] | None = None) -> None:
        self._faults = dict(faults or {})

    async def compile(self, source: str, language: str) -> str:
        """The source itself. Raises CompileFailed with the line of a fault."""
        for text, reason in self._faults.items():
            if text in source:
                raise CompileFailed(language, reason, source[: source.index(text)].count("\n") + 1)
        return source


_GREY = Looks(colours=(("#c8c8c8", 1.0),), focal_point=(0.5, 0.5), words_likely=0.0, lightness=0.81, uniform=True)
"""The looks of what the stand-ins draw: one grey."""


class PlainPictures:
    """Implements `Pictures` for PNG, by the header alone: whatever is drawn is taken for one grey.

    Args:
        looks: what `look` answers with.
    """

    def __init__(self, *, looks: Looks = _GREY) -> None:
        self._looks = looks

    async def inspect(self, data: bytes) -> Picture:
        """What the header says. Raises PictureRefused."""
        width, height = _size(data)
        return Picture(media_type="image/png", suffix=".png", width=width, height=height)

    async def look(self, data: bytes) -> Looks:
        """The looks that it was given. Raises PictureRefused."""
        _size(data)
        return self._looks

    async def fit(self, data: bytes, width: int, height: int) -> bytes:
        """A grey PNG of the picture's shape, no larger than it and the frame. Raises PictureRefused."""
        return _grey(*_size(data), width, height)

    async def crop(self, data: bytes, box: Box, width: int, height: int) -> bytes:
        """A grey PNG of the part's shape, no larger than it and the frame. Raises PictureRefused."""
        own_width, own_height = _size(data)
        left, top, right, bottom = box
        return _grey(round(own_width * (right - left)), round(own_height * (bottom - top)), width, height)

    async def rings(self, data: bytes, inks: Sequence[Ink]) -> tuple[float | None, ...]:
        """None for each: there are no letters on the grey. Raises PictureRefused."""
        _size(data)
        return (None,) * len(inks)


class PlainImages:
    """Implements `ImageModel`: every picture is one grey.

    Args:
        size: what it makes whatever is wished, as some models do; by default what is wished.
    """

    name = "plain"
    disclosure = "Pictures are grey stand-ins."

    def __init__(self, *, size: tuple[int, int] | None = None) -> None:
        self._size = size
        self.wishes: list[ImageWish] = []
        """Every wish, in order."""

    async def make(self, wish: ImageWish) -> bytes:
        """A grey PNG."""
        self.wishes.append(wish)
        return flat_png(*(self._size or (wish.width, wish.height)))


def _grey(own_width: int, own_height: int, width: int, height: int) -> bytes:
    own_width, own_height = max(1, own_width), max(1, own_height)
    scale = min(1.0, width / own_width, height / own_height)
    return flat_png(max(1, int(own_width * scale)), max(1, int(own_height * scale)))


def _size(data: bytes) -> tuple[int, int]:
    if not data.startswith(_SIGNATURE) or len(data) < 24:
        raise PictureRefused("pictures", "this is no PNG", "use a PNG")
    width, height = struct.unpack(">II", data[16:24])
    return int(width), int(height)


def flat_png(width: int, height: int, grey: int = 200) -> bytes:
    """A whole PNG of one grey."""
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + bytes([grey]) * width) * height
    return _SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
