"""The procedural painter: pictures by rules, from words, colours and a digest. Nothing is fetched or traced."""

from __future__ import annotations

from random import Random

import anyio
import anyio.to_thread

from compositor._values import digest
from compositor.workspace.ports import ImageWish


class Painter:
    """Implements `ImageModel`. The same wish always gives the same picture; in another size it is a near relative.

    Words choose one of fifteen motifs, from mesh gradients to hills, still life and sky; a wish without a word that it
    knows gets an abstract one. Colours are tones of two or three hues of those that are wished, without black or
    white; without any it has some of its own. It draws no words. One picture is drawn at a time, in a thread.
    """

    name = "painter"
    disclosure = (
        "Pictures were painted by fixed rules, not by a model or a photographer: they set a mood, and show no real"
        " product, place or person."
    )

    def __init__(self) -> None:
        self._turns = anyio.CapacityLimiter(1)

    async def make(self, wish: ImageWish) -> bytes:
        """A JPEG of exactly the wished pixels."""
        return await anyio.to_thread.run_sync(_painted, wish, limiter=self._turns)


def _painted(wish: ImageWish) -> bytes:
    from compositor.adapters.painter._canvas import Canvas
    from compositor.adapters.painter._choice import is_dark, motif_for
    from compositor.adapters.painter._motifs import MOTIFS
    from compositor.adapters.painter._palette import palette_of

    seed = digest({"about": wish.about, "mood": wish.mood, "colours": list(wish.colours)})
    chance = Random(seed)  # noqa: S311 - it keeps no secret: the same wish must give the same picture
    motif = motif_for(wish.about, wish.mood, chance)
    palette = palette_of(wish.colours, chance, dark=is_dark(wish.about, wish.mood))
    canvas = Canvas(wish.width, wish.height)
    MOTIFS[motif](canvas, palette, chance)
    if chance.random() < _MIRRORED:
        canvas.mirror()
    canvas.grain(chance, _GRAIN)
    return canvas.jpeg()


_MIRRORED = 0.3
"""How often left and right are turned round."""
_GRAIN = 0.4
"""Of the grain of film: seen when one looks for it, and enough to hide the steps of a gradient."""
