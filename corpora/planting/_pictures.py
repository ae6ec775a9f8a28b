"""The pictures of the clean documents: drawn once and kept, since another library writes other bytes."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

GIVEN = Path(__file__).parent.parent / "email" / "given"
SIZES = {
    "logo.png": (320, 80),
    "hero.jpg": (1200, 640),
    "night.jpg": (1200, 640),
    "one.jpg": (480, 480),
    "two.jpg": (480, 480),
    "three.jpg": (480, 480),
}
_SCENES = {
    "hero.jpg": ((226, 214, 190), (168, 142, 96), (92, 108, 84)),
    "night.jpg": ((16, 20, 34), (24, 30, 48), (34, 42, 62)),
    "one.jpg": ((232, 226, 214), (150, 170, 160), (96, 120, 112)),
    "two.jpg": ((228, 222, 226), (170, 140, 150), (122, 90, 104)),
    "three.jpg": ((222, 228, 234), (136, 152, 176), (88, 102, 130)),
}


def digests() -> dict[str, str]:
    """The digest of each picture; those that are not there yet are drawn."""
    GIVEN.mkdir(parents=True, exist_ok=True)
    for name, size in SIZES.items():
        if not (GIVEN / name).is_file():
            _draw(name, size)
    return {name: sha256((GIVEN / name).read_bytes()).hexdigest() for name in SIZES}


def _draw(name: str, size: tuple[int, int]) -> None:
    from PIL import Image, ImageDraw

    width, height = size
    if name == "logo.png":
        image = Image.new("RGBA", size, (0, 0, 0, 0))
        draw = ImageDraw.Draw(image)
        draw.ellipse((4, 8, 68, 72), fill=(52, 60, 58, 255))
        for at in range(5):
            draw.rounded_rectangle((92 + at * 44, 20 + at % 2 * 8, 124 + at * 44, 60), 8, fill=(52, 60, 58, 255))
        image.save(GIVEN / name)
        return
    sky, middle, near = _SCENES[name]
    scene = Image.new("RGB", size, sky)
    draw = ImageDraw.Draw(scene)
    draw.polygon(
        [(0, height * 0.62), (width * 0.4, height * 0.44), (width, height * 0.7), (width, height), (0, height)], middle
    )
    draw.polygon(
        [(0, height * 0.86), (width * 0.7, height * 0.66), (width, height * 0.8), (width, height), (0, height)], near
    )
    draw.ellipse((width * 0.66, height * 0.14, width * 0.66 + height * 0.18, height * 0.32), fill=middle)
    scene.save(GIVEN / name, quality=82)
