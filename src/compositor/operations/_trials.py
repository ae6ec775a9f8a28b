"""The trials of `doctor`: each does one thing that operations rely on, and says what it saw or raises PortError."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from compositor.adapters.sandbox import jail_fault
from compositor.errors import PortError
from compositor.workspace import Compiler, Page, Renderer, Resource, Screen

if TYPE_CHECKING:
    from compositor.adapters.shipped import Sample

SCREEN = Screen(name="trial", width=96, height=96)
MISSING = "\u0378"
"""A code point that Unicode has not assigned, so that no font has it: it is drawn as the box of a missing glyph."""
IDEOGRAPHS = ("永", "言")
EMOJI = "🎉"
"""In colour fonts only; the plain faces that DejaVu has of some emoji would be no proof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What a trial that went well saw, and what could be better."""

    detail: str
    cure: str = ""


async def draw(renderer: Renderer) -> Seen:
    """Draw a page, as isolated as this machine allows; without a jail, say why there is none."""
    isolation = await renderer.prepare()
    picture = await _picture(renderer, "drawn", "#000000")
    detail = f"a page is drawn ({len(picture)} bytes), isolation {isolation}"
    if isolation == "jail":
        return Seen(detail=detail)
    fault = await jail_fault() or "the renderer was told not to use the jail"
    return Seen(detail=f"{detail}, where pages with scripts are refused", cure=fault)


async def show_glyphs(renderer: Renderer) -> Seen:
    """Draw Chinese and an emoji, and tell them from what is drawn where a glyph is missing.

    Two ideographs without a font are two equal boxes. A colour emoji does not take the colour of the text; a box does.
    """
    box, *ideographs = [await _picture(renderer, text, "#c00000") for text in (MISSING, *IDEOGRAPHS)]
    if len({box, *ideographs}) != 1 + len(ideographs):
        raise PortError("fonts", "Chinese is drawn as boxes")
    blank, red, blue = [
        await _picture(renderer, text, colour)
        for text, colour in ((" ", "#c00000"), (EMOJI, "#c00000"), (EMOJI, "#0000c0"))
    ]
    if red != blue or red == blank:
        raise PortError("fonts", "emoji are drawn as boxes or without colour")
    return Seen(detail="Chinese and colour emoji are drawn")


async def compile_source(compiler: Compiler, sample: Sample) -> Seen:
    """Compile a small source."""
    compiled = await compiler.compile(sample.source, sample.language)
    if sample.expected not in compiled:
        raise PortError("compiler", f"{sample.expected!r} got lost on the way")
    return Seen(detail=f"{len(sample.source)} bytes of source became {len(compiled)}")


async def keep(data: Path) -> Seen:
    """Write into the data folder as the stores do: flushed to the disk, read back, and removed again."""
    from anyio.to_thread import run_sync

    return await run_sync(_keep, data)


def _keep(data: Path) -> Seen:
    content = b"kept"
    new = [folder for folder in (data, *data.parents) if not folder.exists()]
    try:
        data.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=data, prefix="doctor-") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            if Path(file.name).read_bytes() != content:
                raise PortError("data", f"{data} does not give back what was written")
    finally:
        for folder in new:
            if folder.is_dir():
                folder.rmdir()
    return Seen(detail=f"{data} takes a write and flushes it to the disk")


async def _picture(renderer: Renderer, text: str, colour: str) -> bytes:
    """The PNG of a text. The same text gives the same bytes: screenshots are deterministic."""
    html = (
        '<!doctype html><html lang="zh-Hant-TW"><meta charset="utf-8"><title>Trial</title>'
        f'<body style="margin:0;font:48px/1.5 sans-serif;color:{colour}">{text}</body></html>'
    )
    (rendering,) = await renderer.render(Page(html=html, fulfil=nothing), [SCREEN])
    return rendering.picture


async def nothing(_: str) -> Resource | None:
    """Answers no URL at all."""
    return None
