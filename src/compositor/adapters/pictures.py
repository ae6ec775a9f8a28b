"""Pictures, by Pillow: what they are, smaller copies to look at, and parts of them.

Pictures come from outside and may be hostile: a header of 44 bytes can ask for gigabytes, and so can a later frame of
an animation. So the kind and the size are read first, each frame is held to the same limit before it is decoded, and
everything else that goes wrong in a decoder is one refusal.
"""

from __future__ import annotations

import io
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from compositor.adapters._looks import SIDE, looks_of
from compositor.adapters._pixels import in_eight_bits, is_transparent, part_of
from compositor.adapters._rings import ring_share
from compositor.errors import PictureRefused
from compositor.workspace.ports import Box, Ink, Looks, Picture

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 89_478_485
"""Pixels of a frame: Pillow's own limit for a warning, a quarter of a gigabyte at three bytes each."""

MOST_FRAMES = 1_000
"""Frames of an animation. A GIF of 30 s, the longest that advertising networks take, has 5 frames a second."""

MOST_FRAME_PIXELS = 4 * MOST_PIXELS
"""Pixels of all frames together: some four seconds of decoding."""

KINDS = {
    "PNG": ("image/png", ".png"),
    "JPEG": ("image/jpeg", ".jpg"),
    "GIF": ("image/gif", ".gif"),
    "WEBP": ("image/webp", ".webp"),
    "AVIF": ("image/avif", ".avif"),
}
"""The kinds that browsers and mail clients show: Pillow's name → media type and suffix. No other decoder is asked."""

_OTHERS = {
    b"BM": "BMP",
    b"II*\x00": "TIFF",
    b"MM\x00*": "TIFF",
    b"8BPS": "Photoshop",
    b"\x00\x00\x01\x00": "icon (ICO)",
    b"DDS ": "DDS",
    b"\x00\x00\x00\x0cjP": "JPEG 2000",
    b"\xff\x4f\xff\x51": "JPEG 2000",
    b"%PDF": "PDF",
    b"<svg": "SVG",
    b"<?xml": "SVG or other XML",
}
"""First bytes of other kinds, so that a refusal can name them without a decoder."""

_TURNED = range(5, 9)
"""The EXIF orientations that swap width and height."""

_ORIENTATION = 0x0112

_Answer = TypeVar("_Answer")


class Pillow:
    """Implements `Pictures`. One picture is decoded at a time, in a thread: each may take a quarter of a gigabyte."""

    def __init__(self) -> None:
        self._turns = anyio.CapacityLimiter(1)

    async def inspect(self, data: bytes) -> Picture:
        """Decode every frame, within limits, and say what the picture is.

        Raises:
            PictureRefused: not a PNG, JPEG, GIF, WebP or AVIF; too large; truncated or damaged.
        """
        return await self._with(data, _inspect)

    async def look(self, data: bytes) -> Looks:
        """Measure the first frame, upright, on a small copy of it.

        Raises:
            PictureRefused: as `inspect` does, if it is the first frame that is at fault.
        """
        return await self._with(data, _look)

    async def fit(self, data: bytes, width: int, height: int) -> bytes:
        """A PNG of the first frame, upright, in 8 bits a channel, scaled down to fit into width × height pixels.

        Raises:
            PictureRefused: as `inspect` does.
        """
        return await self._with(data, lambda image: _fit(_upright(image), width, height))

    async def crop(self, data: bytes, box: Box, width: int, height: int) -> bytes:
        """A part of the first frame, upright, in 8 bits a channel of sRGB, scaled down as `fit` does.

        It is a JPEG where the part is opaque and takes fewer bytes so, as photographs do; else a PNG. What the file
        said beside the picture (a place, a camera) is not in it.

        Raises:
            PictureRefused: as `inspect` does.
        """
        return await self._with(data, lambda image: part_of(_cut(_upright(image), box), width, height))

    async def rings(self, data: bytes, inks: Sequence[Ink]) -> tuple[float | None, ...]:
        """For each text the part of its ring with too little contrast (`ring_share`), on white where it is transparent.

        Raises:
            PictureRefused: as `look` does.
        """
        return await self._with(data, lambda image: _rings(image, inks))

    async def _with(self, data: bytes, work: Callable[[Image], _Answer]) -> _Answer:
        return await anyio.to_thread.run_sync(_decoded, data, work, limiter=self._turns)


def _decoded(data: bytes, work: Callable[[Image], _Answer]) -> _Answer:
    from PIL import Image, UnidentifiedImageError

    try:
        with _strictly(), Image.open(io.BytesIO(data), formats=tuple(KINDS)) as image:
            _check_size(image)
            return work(image)
    except PictureRefused:
        raise
    except UnidentifiedImageError:
        raise _unknown(data) from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_large(f"more than {MOST_PIXELS:,} pixels") from None
    except Exception as error:  # noqa: BLE001 - decoders raise what they like on damaged bytes
        reason = f"it is damaged or truncated ({str(error)[:120] or type(error).__name__})"
        raise PictureRefused("pictures", reason, "export the picture again") from None


@contextmanager
def _strictly() -> Iterator[None]:
    """Pillow's warnings: a bomb is an error, and a harmless oddity (bad EXIF) is none."""
    from PIL import Image

    with warnings.catch_warnings():  # of the whole process, hence one decoding at a time
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        yield


def _check_size(image: Image) -> int:
    pixels = image.width * image.height
    if pixels > MOST_PIXELS:
        raise _too_large(f"{image.width:,} × {image.height:,} pixels")
    if not pixels:
        raise PictureRefused("pictures", "it has no pixels", "export the picture again")
    return pixels


def _inspect(image: Image) -> Picture:
    image.load()  # before anything else: a second attempt on a damaged file passes, with part of the picture black
    width, height = image.width, image.height
    if _orientation(image) in _TURNED:
        width, height = height, width
    transparent = is_transparent(image)
    media_type, suffix = KINDS[image.format or ""]
    return Picture(
        media_type=media_type,
        suffix=suffix,
        width=width,
        height=height,
        frames=_count_frames(image),
        transparent=transparent,
    )


def _count_frames(image: Image) -> int:
    """Decode each frame, and count those before the end or the first damaged one: a viewer shows no more either.

    The first frame is decoded already; the picture is at a later one afterwards.
    """
    frames, pixels = 1, _check_size(image)
    while more := _decode_frame(image, frames):
        frames, pixels = frames + 1, pixels + more
        if frames > MOST_FRAMES or pixels > MOST_FRAME_PIXELS:
            raise _too_large(f"more than {frames - 1:,} frames of {image.width:,} × {image.height:,} pixels")
    return frames


def _decode_frame(image: Image, index: int) -> int:
    """The pixels of a frame, or 0 where there is none or it is damaged."""
    try:
        image.seek(index)
        pixels = _check_size(image)
        image.load()
    except (EOFError, OSError, SyntaxError):
        return 0
    return pixels


def _look(image: Image) -> Looks:
    from PIL.Image import Resampling

    image.draft(None, (2 * SIDE, 2 * SIDE))  # a JPEG is decoded at a part of its size, which is much faster
    small = in_eight_bits(_upright(image))
    small.thumbnail((SIDE, SIDE), Resampling.BOX)
    return looks_of(small)


def _rings(image: Image, inks: Sequence[Ink]) -> tuple[float | None, ...]:
    from PIL import Image

    picture = in_eight_bits(_upright(image))
    if picture.mode == "RGBA":
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture).convert("RGB")
    return tuple(ring_share(picture, ink.box, ink.colour, ink.ratio) for ink in inks)


def _fit(image: Image, width: int, height: int) -> bytes:
    from PIL.Image import Resampling

    profile = image.info.get("icc_profile") if image.mode in {"RGB", "RGBA"} else None
    plain = in_eight_bits(image)
    plain.thumbnail((width, height), Resampling.LANCZOS)
    out = io.BytesIO()
    plain.save(
        out, "PNG", compress_level=1, icc_profile=profile
    )  # a fifth of the time of the default, for copies to look at
    return out.getvalue()


def _upright(image: Image) -> Image:
    from PIL import ImageOps

    image.load()
    return image if _orientation(image) == 1 else ImageOps.exif_transpose(image)


def _cut(image: Image, box: Box) -> Image:
    """The pixels that a part of a picture touches, and at least one."""
    left, right = _span(box[0], box[2], image.width)
    top, bottom = _span(box[1], box[3], image.height)
    return image.crop((left, top, right, bottom))


def _span(start: float, end: float, length: int) -> tuple[int, int]:
    first = min(max(math.floor(start * length), 0), length - 1)
    return first, min(max(math.ceil(end * length), first + 1), length)


def _orientation(image: Image) -> int:
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except Exception:  # noqa: BLE001 - damaged EXIF says nothing, as in a browser
        return 1


def _unknown(data: bytes) -> PictureRefused:
    found = next((name for start, name in _OTHERS.items() if data.lstrip()[: len(start)] == start), "")
    if not data:
        return PictureRefused("pictures", "it is empty", "upload the picture again")
    reason = f"{found} is not shown by browsers and mail clients" if found else "it is not a picture that we know"
    return PictureRefused("pictures", reason, "export it as PNG or JPEG")


def _too_large(what: str) -> PictureRefused:
    cure = f"at most {MOST_PIXELS:,} pixels a frame and {MOST_FRAMES:,} frames are decoded; scale it down"
    return PictureRefused("pictures", f"it is too large: {what}", cure)
