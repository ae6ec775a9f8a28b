"""Ports of the lower floors: what capabilities may ask of the outside world. Adapters implement them.

A capability names the ports it uses (`Capability.ports`); the operation proves them before a model is called, so that a
missing browser is an error at the start and never a surprise in the middle.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NoReturn, Protocol, cast

from compositor._values import Json
from compositor.errors import PictureRefused, PortError

Isolation = Literal["jail", "closed", "none"]
"""How a renderer is kept from the machine: see "Trust" in the explanation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Freed:
    """How many blobs were removed, and their bytes."""

    blobs: int = 0
    size: int = 0

    def __add__(self, other: Freed) -> Freed:
        return Freed(blobs=self.blobs + other.blobs, size=self.size + other.size)


class Blobs(Protocol):
    """Content-addressed bytes."""

    async def put(self, data: bytes) -> str:
        """Keep the bytes; return their hex SHA-256. Keeping the same bytes twice is one blob."""
        ...

    async def get(self, sha256: str) -> bytes:
        """The bytes of an address. Raises PortError where there are none or they are damaged."""
        ...

    async def forget(self, keep: Container[str], *, untouched_since: datetime) -> Freed:
        """Remove what is not in `keep` and was not put since that time; what is put meanwhile stays."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """A window to render in: CSS pixels. The picture is as tall as the page, up to the renderer's limit."""

    name: str
    width: int
    height: int = 800


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """Bytes that stand behind a URL of a page."""

    data: bytes
    media_type: str


Fulfil = Callable[[str], Awaitable[Resource | None]]
"""Answers each URL that a page asks for; None refuses it. No URL is ever fetched from a network."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A document to render.

    Attributes:
        html: the whole document.
        fulfil: answers its URLs.
        scripts: whether the page's own JavaScript may run. Needs isolation `jail` (or `none`).
    """

    html: str
    fulfil: Fulfil
    scripts: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """A page as one screen shows it.

    Attributes:
        screen: which window.
        picture: PNG bytes of the whole page.
        width, height: pixels of the picture.
        facts: what was measured in the page (`compositor.verifiers.layout` documents its shape).
        refused: URLs that the page asked for and did not get, sorted.
    """

    screen: Screen
    picture: bytes
    width: int
    height: int
    facts: Mapping[str, Json] = field(default_factory=dict)
    refused: tuple[str, ...] = ()


class Renderer(Protocol):
    """Draws HTML pages and measures them."""

    async def prepare(self) -> Isolation:
        """Prove that pages can be drawn here, and how they are isolated. Raises EnvironmentUnfit with the cure."""
        ...

    async def render(self, page: Page, screens: Sequence[Screen]) -> tuple[Rendering, ...]:
        """Draw and measure the page on each screen, in order. Raises PortError."""
        ...

    def processes(self) -> frozenset[int]:
        """Ids of the child processes of ours that it keeps between calls, or is starting; nobody else may end them."""
        ...


class Compiler(Protocol):
    """Turns a source language into its delivery format."""

    async def compile(self, source: str, language: str) -> str:
        """The compiled text. Raises CompileFailed for the writer's faults, PortError for others."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """What the header and a full decode of a picture say. `width` and `height` are as shown (EXIF applied)."""

    media_type: str
    suffix: str
    width: int
    height: int
    frames: int = 1
    transparent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Looks:
    """What a picture looks like, measured on a small copy of its first frame: advice for a designer, no proof.

    Attributes:
        colours: its main colours, at most 6: `#rrggbb` and the part of the picture (0 to 1), the largest first. What is
            transparent does not count.
        focal_point: where the eye goes: parts of the width and height, from the left and the top.
        words_likely: how likely drawn words are in it, 0 to 1; the adapter says what it can see.
        lightness: mean CIE L* of what is drawn, from 0 (black) to 1 (white).
        uniform: there is nothing to see but one flat colour, or nothing at all.
    """

    colours: tuple[tuple[str, float], ...]
    focal_point: tuple[float, float]
    words_likely: float
    lightness: float
    uniform: bool


Box = tuple[float, float, float, float]
"""A part of a picture: left, top, right and bottom as parts of its width and height, from 0 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ink:
    """A text that is drawn in a picture.

    Attributes:
        box: where.
        colour: of its letters, `#rrggbb`.
        ratio: the contrast ratio (WCAG 2.2) that it needs with what lies beside its letters.
    """

    box: Box
    colour: str
    ratio: float


class Pictures(Protocol):
    """Inspects and makes raster pictures."""

    async def inspect(self, data: bytes) -> Picture:
        """Decode under limits. Raises PictureRefused: a bomb, truncated, or not a kind that we accept."""
        ...

    async def look(self, data: bytes) -> Looks:
        """Measure what the picture looks like. Raises PictureRefused."""
        ...

    async def fit(self, data: bytes, width: int, height: int) -> bytes:
        """A PNG of the picture, scaled down (never up) to fit into width × height pixels. Raises PictureRefused."""
        ...

    async def crop(self, data: bytes, box: Box, width: int, height: int) -> bytes:
        """A part of the picture, at least one pixel of it, scaled as `fit` does, to show in a deliverable.

        In sRGB: a JPEG where that suits it and it is opaque, else a PNG. Raises PictureRefused.
        """
        ...

    async def rings(self, data: bytes, inks: Sequence[Ink]) -> tuple[float | None, ...]:
        """For each text the part of the pixels beside its letters with too little contrast, 0 to 1.

        None where no letters of that colour are found. Raises PictureRefused.
        """
        ...


LEAST_WISHED, MOST_WISHED = 64, 2048
"""Pixels of a side of a wished picture: a thumbnail, and twice the width of a mail, with some to crop."""
MOST_WISHED_PIXELS = 4_000_000
"""Pixels of a wished picture in all: 12 MB once decoded."""

_HEX_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageWish:
    """A picture that somebody wants to have. Raises PictureRefused where no model could be asked for it.

    Attributes:
        about: what it shows, in words.
        width, height: in pixels, `LEAST_WISHED` to `MOST_WISHED` each, and `MOST_WISHED_PIXELS` at most in all.
        colours: of the brand, `#rrggbb`, the most important first; may be empty.
        mood: how it should feel, in words.
    """

    about: str
    width: int
    height: int
    colours: tuple[str, ...] = ()
    mood: str = ""

    def __post_init__(self) -> None:
        if min(self.width, self.height) < LEAST_WISHED or max(self.width, self.height) > MOST_WISHED:
            self._refuse("a side", f"ask for {LEAST_WISHED} to {MOST_WISHED} pixels a side")
        if self.width * self.height > MOST_WISHED_PIXELS:
            self._refuse("the whole", f"ask for {MOST_WISHED_PIXELS:,} pixels at most")
        odd = [colour for colour in self.colours if not _HEX_COLOUR.fullmatch(colour)]
        if odd:
            raise PictureRefused("images", f"{odd[0][:40]!r} is no colour", "write colours as #rrggbb")

    def _refuse(self, what: str, cure: str) -> NoReturn:
        raise PictureRefused("images", f"{what} of {self.width}×{self.height} pixels cannot be made", cure)


class ImageModel(Protocol):
    """Makes pictures from words: a model, or rules."""

    @property
    def name(self) -> str:
        """For records."""
        ...

    @property
    def disclosure(self) -> str:
        """What a person must know about its pictures, in one sentence."""
        ...

    async def make(self, wish: ImageWish) -> bytes:
        """A PNG or JPEG of exactly the wished pixels.

        Raises:
            PictureRefused: it will not make this picture.
            PortError: it could not.
        """
        ...


PORT_NAMES = ("compiler", "images", "pictures", "renderer")
"""The names that a capability may put into its `ports`."""


class Ports:
    """The ports that an operation was given, narrowed to those that a capability named."""

    __slots__ = ("_given",)

    def __init__(
        self,
        *,
        renderer: Renderer | None = None,
        compiler: Compiler | None = None,
        pictures: Pictures | None = None,
        images: ImageModel | None = None,
    ) -> None:
        given = {"renderer": renderer, "compiler": compiler, "pictures": pictures, "images": images}
        self._given: dict[str, Any] = {name: port for name, port in given.items() if port is not None}

    def only(self, names: Sequence[str]) -> Ports:
        """The same ports without those that are not named."""
        return Ports(**{name: port for name, port in self._given.items() if name in names})

    def but(self, *, renderer: Renderer, pictures: Pictures) -> Ports:
        """The same ports but for these two."""
        return Ports(**{**self._given, "renderer": renderer, "pictures": pictures})

    def processes(self) -> frozenset[int]:
        """Ids of the child processes that the ports keep between calls."""
        renderer: Renderer | None = self._given.get("renderer")
        return renderer.processes() if renderer is not None else frozenset()

    @property
    def renderer(self) -> Renderer:
        """Raises PortError where there is none, or the capability did not name it."""
        return cast(Renderer, self._port("renderer"))

    @property
    def compiler(self) -> Compiler:
        """Raises PortError where there is none, or the capability did not name it."""
        return cast(Compiler, self._port("compiler"))

    @property
    def pictures(self) -> Pictures:
        """Raises PortError where there is none, or the capability did not name it."""
        return cast(Pictures, self._port("pictures"))

    @property
    def images(self) -> ImageModel:
        """Raises PortError where there is none, or the capability did not name it."""
        return cast(ImageModel, self._port("images"))

    def _port(self, name: str) -> object:
        if name not in self._given:
            raise PortError(name, "not given to this capability", f"add {name!r} to its `ports`")
        return self._given[name]
