"""The surface that motifs draw on: outlines are filled with paint, with smooth or soft edges, one over the other."""

from __future__ import annotations

import io
from collections.abc import Callable
from math import ceil, floor
from random import Random

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFilter

from compositor.adapters.painter._outlines import Outline
from compositor.adapters.painter._paint import Box, Paint, through

_SMALL = 150_000
"""Pixels up to which edges are smoothed from four by four points each; above, from two by two."""
_QUALITY = 88
"""Of the JPEG: grain and flat colours stay clean, and 1200 × 800 pixels have some 200 kB."""
_FIELD = 96
"""Points along the longer side at which a field is computed; between them it is smooth."""


class Canvas:
    """A picture in the making.

    Args:
        width: pixels.
        height: pixels.
        ground: what it begins with.

    Attributes:
        unit: a hundredth of the shorter side: the measure of things.
    """

    def __init__(self, width: int, height: int, ground: str = "#808080") -> None:
        self.width, self.height = width, height
        self.unit = min(width, height) / 100
        self._picture = Image.new("RGB", (width, height), ground)

    def wash(self, paint: Paint) -> None:
        """Lay paint over everything."""
        whole = (0, 0, self.width, self.height)
        self._lay(paint, whole, None)

    def fill(
        self,
        paint: Paint | str,
        *outlines: Outline,
        opacity: float = 1.0,
        soft: float = 0.0,
        within: tuple[Outline, ...] = (),
        rim: float = 0.0,
    ) -> None:
        """Fill outlines, together, with one paint.

        Args:
            paint: or one colour.
            outlines: their insides are one area: where they overlap, nothing shows.
            opacity: of the whole, 0 to 1.
            soft: pixels over which the edges fade, as a shadow or a blur.
            within: outlines that it is seen inside of.
            rim: pixels over which the edges of these fade.
        """
        box = self._box(outlines, 3 * soft + 1)
        if box is None:
            return
        mask = _mask(outlines, box, soft)
        if within:
            mask = ImageChops.multiply(mask, _mask(within, box, rim))
        if opacity < 1:
            mask = mask.point([round(level * opacity) for level in range(256)])
        self._lay(paint, box, mask)

    def field(self, height_at: Callable[[float, float], float], colours: tuple[str, ...]) -> None:
        """Cover everything with a ramp of colours that follows a smooth function.

        Args:
            height_at: of x and y as parts of the longer side; 0 gives the first colour, 1 the last.
            colours: of the ramp.
        """
        longer = max(self.width, self.height)
        columns, rows = (max(4, round(_FIELD * side / longer)) for side in (self.width, self.height))
        points = ((column / _FIELD, row / _FIELD) for row in range(rows) for column in range(columns))
        levels = bytes(min(255, max(0, round(255 * height_at(x, y)))) for x, y in points)
        grid = Image.frombytes("L", (columns, rows), levels)
        grown = grid.resize((self.width, self.height), Image.Resampling.BICUBIC)
        self._picture.paste(through(grown, colours))

    def grain(self, chance: Random, strength: float) -> None:
        """Fine noise over everything: it hides the steps of gradients, and looks printed. 1 is what film has."""
        noise = Image.frombytes("L", (self.width, self.height), chance.randbytes(self.width * self.height))
        reach = 14 * strength
        levels = noise.point([round(level / 255 * 2 * reach) for level in range(256)])
        self._picture = ImageChops.add(self._picture, Image.merge("RGB", [levels] * 3), 1, -round(reach))

    def mirror(self) -> None:
        """Turn left and right round."""
        self._picture = self._picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)

    def jpeg(self) -> bytes:
        """The picture as it is sent."""
        out = io.BytesIO()
        self._picture.save(out, "JPEG", quality=_QUALITY, subsampling=0, optimize=True, progressive=True)
        return out.getvalue()

    def _lay(self, paint: Paint | str, box: Box, mask: Image.Image | None) -> None:
        if isinstance(paint, str):
            self._picture.paste(ImageColor.getrgb(paint), box, mask)
            return
        layer = paint.over(box)
        if layer.mode == "RGBA":
            alpha = layer.getchannel("A")
            mask = alpha if mask is None else ImageChops.multiply(mask, alpha)
        self._picture.paste(layer, box[:2], mask)

    def _box(self, outlines: tuple[Outline, ...], margin: float) -> Box | None:
        xs = [x for outline in outlines for x, _ in outline]
        ys = [y for outline in outlines for _, y in outline]
        if not xs:
            return None
        left, top = max(0, floor(min(xs) - margin)), max(0, floor(min(ys) - margin))
        right, bottom = min(self.width, ceil(max(xs) + margin)), min(self.height, ceil(max(ys) + margin))
        return (left, top, right, bottom) if left < right and top < bottom else None


def _mask(outlines: tuple[Outline, ...], box: Box, soft: float) -> Image.Image:
    return _soft_mask(outlines, box, soft) if soft > 1 else _sharp_mask(outlines, box)


def _sharp_mask(outlines: tuple[Outline, ...], box: Box) -> Image.Image:
    width, height = box[2] - box[0], box[3] - box[1]
    finer = 4 if width * height <= _SMALL else 2
    return _drawn(outlines, box, (width * finer, height * finer), finer).reduce(finer)


def _soft_mask(outlines: tuple[Outline, ...], box: Box, soft: float) -> Image.Image:
    """Drawn small, where a blur costs little: what is soft has no detail to lose.

    The margins of the box are taken along, so that what lies outside of the picture fades in from there.
    """
    coarser = max(1.0, soft / 2)
    spread = ceil(3 * soft)
    outer = (box[0] - spread, box[1] - spread, box[2] + spread, box[3] + spread)
    size = (ceil((outer[2] - outer[0]) / coarser), ceil((outer[3] - outer[1]) / coarser))
    blurred = _drawn(outlines, outer, size, 1 / coarser).filter(ImageFilter.GaussianBlur(soft / coarser / 1.6))
    part = (spread / coarser, spread / coarser, (box[2] - outer[0]) / coarser, (box[3] - outer[1]) / coarser)
    return blurred.resize((box[2] - box[0], box[3] - box[1]), Image.Resampling.BICUBIC, box=part)


def _drawn(outlines: tuple[Outline, ...], box: Box, size: tuple[int, int], scale: float) -> Image.Image:
    mask = Image.new("L", size)
    draw = ImageDraw.Draw(mask)
    for outline in outlines:
        draw.polygon([((x - box[0]) * scale, (y - box[1]) * scale) for x, y in outline], fill=255)
    return mask
