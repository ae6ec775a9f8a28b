"""The pixels of a decoded picture: in eight bits, in sRGB, and as a part that a deliverable can show."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_QUALITY = 85
"""Of a JPEG that is made: less shows at the edges of things, more adds bytes that nobody sees."""


def part_of(image: Image, width: int, height: int) -> bytes:
    """A part, scaled down to fit: a JPEG where it is opaque and takes fewer bytes so, else a PNG."""
    from PIL.Image import Resampling

    plain = _in_srgb(image)
    plain.thumbnail((width, height), Resampling.LANCZOS)
    plain.info = {}  # or it would be written out again
    drawn = _saved(plain, "PNG")
    if is_transparent(plain):
        return drawn
    return min(drawn, _saved(plain.convert("RGB"), "JPEG", quality=_QUALITY, optimize=True, progressive=True), key=len)


def _saved(image: Image, kind: str, **options: int) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def _in_srgb(image: Image) -> Image:
    """The colours as a browser shows them without a profile; a profile that cannot be read says nothing."""
    from PIL import ImageCms

    profile = image.info.get("icc_profile")
    plain = image if image.mode == "CMYK" and profile else in_eight_bits(image)
    if not profile:
        return plain
    try:
        own, wanted = ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB")
        mode = "RGBA" if plain.mode == "RGBA" else "RGB"
        return ImageCms.profileToProfile(plain, own, wanted, outputMode=mode) or plain
    except (ImageCms.PyCMSError, OSError):
        return in_eight_bits(plain)


def in_eight_bits(image: Image) -> Image:
    """RGB, or RGBA where anything may be transparent."""
    if image.mode.startswith("I;16"):
        image = image.point(lambda value: value / 256).convert("L")
    mode = "RGBA" if image.has_transparency_data else "RGB"
    return image if image.mode == mode else image.convert(mode)  # a picture may take a third of a gigabyte


def is_transparent(image: Image) -> bool:
    """Whether any pixel of the frame lets something through."""
    return image.has_transparency_data and any(image.convert("RGBA").getchannel("A").histogram()[:255])
