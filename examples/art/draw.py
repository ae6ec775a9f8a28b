"""Draws the pictures of the examples: `python examples/art/draw.py`.

Everything is made here, from the functions beside this file; nothing is traced or loaded. Needs the project's own
dependencies and the browser that `compositor doctor --install` sets up. Licence: Apache-2.0, like the project.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import kettle
import night_map
import still_life
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from compositor.adapters.browser import find_browser

EXAMPLES = Path(__file__).resolve().parent.parent
QUALITY = 86

PICTURES: dict[str, Callable[[], str]] = {
    "retail-sale/assets/logo.png": still_life.logo,
    "retail-sale/assets/evening.jpg": still_life.evening,
    "retail-sale/assets/lamp.jpg": still_life.product_lamp,
    "retail-sale/assets/vase.jpg": still_life.product_vase,
    "retail-sale/assets/throw.jpg": still_life.product_linen,
    "retail-sale/assets/workshop.jpg": still_life.shelf,
    "product-announcement/assets/logo.png": kettle.logo,
    "product-announcement/assets/morning.jpg": kettle.morning,
    "product-announcement/assets/pour.jpg": kettle.pour,
    "product-announcement/assets/base.jpg": kettle.base,
    "event-invitation/assets/logo.png": night_map.logo,
    "event-invitation/assets/opening.jpg": night_map.opening,
    "event-invitation/assets/rooms.png": night_map.rooms,
    "event-invitation/assets/sound.png": night_map.low_sound,
    "event-invitation/assets/lanterns.png": night_map.lanterns,
}
"""Where a picture goes in the examples → what draws it."""


def drawn(page: Page, svg: str) -> Image.Image:
    """The pixels of an SVG document at its own size, transparent where nothing is drawn."""
    found = re.search(r'width="(\d+)" height="(\d+)"', svg)
    if found is None:
        raise ValueError("a picture must state its size")
    page.set_viewport_size({"width": int(found[1]), "height": int(found[2])})
    page.set_content(f'<body style="margin:0;background:none">{svg}</body>')
    return Image.open(io.BytesIO(page.screenshot(omit_background=True)))


def main() -> None:
    """Draw and save every picture; print its size."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        for name, draw in PICTURES.items():
            path = EXAMPLES / name
            path.parent.mkdir(parents=True, exist_ok=True)
            picture = drawn(page, draw())
            if path.suffix == ".jpg":
                picture.convert("RGB").save(path, quality=QUALITY, optimize=True, progressive=True, subsampling=0)
            else:
                opaque = picture.getextrema()[-1] == (255, 255)
                (picture.convert("RGB").quantize(128) if opaque else picture).save(path, optimize=True)
            print(f"{name}: {picture.width}×{picture.height}, {path.stat().st_size // 1024} kB")
        browser.close()


if __name__ == "__main__":
    main()
