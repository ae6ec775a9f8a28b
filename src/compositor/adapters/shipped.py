"""The adapters that operations use unless they are given others. Only this module knows which formats they speak."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path

from compositor.runtime import ModelAdapter, Store
from compositor.workspace import Blobs, Compiler, ImageModel, Isolation, Pictures, Renderer


def renderer(isolation: Isolation | None = None) -> AbstractAsyncContextManager[Renderer]:
    """The browser; entered, it can draw; left, nothing of it remains. By default it takes the safest level."""
    from compositor.adapters.browser import Chromium

    return Chromium(isolation=isolation)


def compiler() -> Compiler:
    """The compiler of the shipped content capabilities' source language."""
    from compositor.adapters.compiler import MjmlCompiler

    return MjmlCompiler()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A small source that the compiler must be able to compile: its language, and what must stand in the result."""

    source: str
    language: str
    expected: str


SAMPLE = Sample(
    source='<mjml lang="en"><mj-body><mj-section><mj-column><mj-text>Proof</mj-text></mj-column></mj-section>'
    "</mj-body></mjml>",
    language="mjml",
    expected="Proof",
)


def pictures() -> Pictures:
    """The picture library."""
    from compositor.adapters.pictures import Pillow

    return Pillow()


def images() -> ImageModel:
    """Who makes pictures where no model is configured: the painter, by rules."""
    from compositor.adapters.painter import Painter

    return Painter()


def blobs(data: Path, store: Store) -> Blobs:
    """Blobs below the data folder; beside the embedded store, small ones in its file."""
    from compositor.adapters.blobs import EmbeddedBlobs, FolderBlobs
    from compositor.adapters.store import SqliteStore

    folder = FolderBlobs(data / "blobs")
    return EmbeddedBlobs(store, folder) if isinstance(store, SqliteStore) else folder


def store(data: Path) -> AbstractContextManager[Store]:
    """The embedded store in the data folder."""
    from compositor.adapters.store import SqliteStore

    return closing(SqliteStore(data))


def writer() -> ModelAdapter:
    """Who writes where nothing is configured: the offline designer, which says so in every output."""
    from compositor.adapters.offline import Offline

    return Offline()
