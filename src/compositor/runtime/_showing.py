"""Pictures that a tool shows to a model: each is looked at and bounded. The artifact keeps its true bytes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compositor.errors import PortError, StorageFailed
from compositor.runtime._faults import without_machine
from compositor.runtime._messages import Image
from compositor.workspace import Artifact, Blobs, Picture, Pictures, Ports

MAX_SHOWN = 8
"""Pictures in one answer: three screens before and after, and two to spare. A house rule."""
MAX_PIXELS = 2048 * 2048
"""Pixels in all: 16 MiB once decoded. A tall page may be tall: made 2,048 high, its words could not be read."""
MAX_EDGE = 8000
"""Longest edge in pixels: what the strictest provider that we know of takes."""
MAX_PICTURE_BYTES = 4 * 1024 * 1024
"""Largest picture: the smallest limit of a provider that we know of is 5 MB."""
HALVINGS = 3
"""How often a picture that is still too heavy is halved: at an eighth, no PNG is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a model gets to see, and a line for each picture that is not shown as it is."""

    images: tuple[Image, ...] = ()
    notes: tuple[str, ...] = ()


async def shown(labels: Sequence[str], made: Mapping[str, Artifact], blobs: Blobs, ports: Ports) -> Shown:
    """The pictures under these labels as a model may see them.

    Args:
        labels: of the pictures, all of them in `made`.
        made: label → artifact.
        blobs: where their bytes are, and where smaller copies are kept.
        ports: everything that the operation was given; it looks at pictures, and makes the copies.
    """
    wanted = tuple(dict.fromkeys(labels))
    images: list[Image] = []
    notes: list[str] = []
    for label in wanted[:MAX_SHOWN]:
        try:
            image, note = await _one(label, made[label], blobs, ports.pictures)
        except StorageFailed:
            raise
        except PortError as error:
            notes.append(f"{label} is not shown: {without_machine(error.reason)}")
            continue
        images.append(image)
        notes += [note] if note else []
    if len(wanted) > MAX_SHOWN:
        notes.append(f"{len(wanted) - MAX_SHOWN} more are not shown: an answer has at most {MAX_SHOWN} pictures")
    return Shown(images=tuple(images), notes=tuple(notes))


async def _one(label: str, artifact: Artifact, blobs: Blobs, pictures: Pictures) -> tuple[Image, str]:
    data = await blobs.get(artifact.sha256)
    true = await pictures.inspect(data)
    if _share(true) == 1 and len(data) <= MAX_PICTURE_BYTES:
        return Image(label=label, sha256=artifact.sha256, media_type=true.media_type), ""
    copy = await _scaled(data, true, pictures)
    small = await pictures.inspect(copy)
    image = Image(label=label, sha256=await blobs.put(copy), media_type=small.media_type)
    size = f"{true.width}×{true.height}, {len(data) / 1e6:.1f} MB"
    return image, f"{label}: {size}, shown at {small.width}×{small.height}"


def _share(picture: Picture) -> float:
    """What part of its width and height a picture may have."""
    area, edge = picture.width * picture.height, max(picture.width, picture.height)
    return min(1.0, math.sqrt(MAX_PIXELS / area), MAX_EDGE / edge)


async def _scaled(data: bytes, true: Picture, pictures: Pictures) -> bytes:
    share = _share(true)
    for halved in range(HALVINGS + 1):
        width, height = (max(1, int(side * share / 2**halved)) for side in (true.width, true.height))
        copy = await pictures.fit(data, width, height)
        if len(copy) <= MAX_PICTURE_BYTES:
            return copy
    reason = f"{true.width}×{true.height}, {len(data) / 1e6:.1f} MB, could not be made small enough"
    raise PortError("pictures", reason, "make a smaller picture")
