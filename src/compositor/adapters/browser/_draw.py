"""Drawing one document on several screens: load once; for each screen resize, wait until quiet, measure, picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

import anyio

from compositor._values import Json, canonical
from compositor.adapters.browser._requests import Requests
from compositor.adapters.browser._tab import Tab
from compositor.workspace.ports import Page, Rendering, Screen

QUIET_SECONDS = 3.0
"""Longest wait for fonts and pictures after a document has loaded or its window was resized."""

LOOK_SECONDS = 0.02
"""Pause between two looks at what is still loading."""

MEASURES = ("settle", "geometry", "visibility", "texts", "ink", "faults", "covers", "pictures", "colours", "measure")
"""The parts of the measuring pass in `measures/`, in the order in which they build on each other."""


async def draw(tab: Tab, page: Page, screens: Sequence[Screen], *, height: int) -> tuple[Rendering, ...]:
    """The page on each screen, in order; pictures are at most `height` pixels tall."""
    requests = Requests(page.fulfil)
    try:
        await tab.resize(screens[0].width, screens[0].height)
        await tab.load(page.html, requests)
        drawn = [await _on(tab, screen, requests, height) for screen in screens]
        requests.check()
    finally:
        requests.end()
    refused = requests.refused
    return tuple(_rendering(screen, facts, picture, refused, height) for screen, facts, picture in drawn)


async def _on(tab: Tab, screen: Screen, requests: Requests, height: int) -> tuple[Screen, dict[str, Json], bytes]:
    await tab.resize(screen.width, screen.height)
    facts = await _facts(tab, requests, height)
    picture = await tab.picture(screen.width, min(facts["document"]["height"], height))
    return screen, facts, picture


async def _facts(tab: Tab, requests: Requests, height: int) -> dict[str, Json]:
    """What the page is once nothing loads any more, or once we stop waiting for that.

    Requests are counted after the measuring: a new window size may ask for other pictures, and such a request may still
    be on its way to us when the page says that it waits for none.
    """
    with anyio.move_on_after(QUIET_SECONDS):
        while True:
            facts = await _measure(tab, height=height, patient=True)
            if not facts.pop("loading") and not requests.pending:
                return facts
            await anyio.sleep(LOOK_SECONDS)
    facts = await _measure(tab, height=height, patient=False)
    del facts["loading"]
    return facts


async def _measure(tab: Tab, **limits: Json) -> dict[str, Json]:
    facts: dict[str, Json] = await tab.evaluate(f"{_measuring()}({canonical(limits).decode()})")
    return facts


def _rendering(
    screen: Screen, facts: dict[str, Json], picture: bytes, refused: tuple[str, ...], height: int
) -> Rendering:
    for image in (*facts["images"], *(fault for fault in facts["faults"] if fault["kind"] == "broken-image")):
        image["refused"] = image["src"] in refused
    return Rendering(
        screen=screen,
        picture=picture,
        width=screen.width,
        height=min(facts["document"]["height"], height),
        facts={"screen": screen.name, **facts},
        refused=refused,
    )


@cache
def _measuring() -> str:
    """The measuring pass as one JavaScript function, which promises JSON text."""
    folder = files("compositor.adapters.browser") / "measures"
    body = "\n".join((folder / f"{part}.js").read_text(encoding="utf-8") for part in MEASURES)
    return f"(async (limits) => {{'use strict';\n{body}\nreturn JSON.stringify(await measure(limits));\n}})"
