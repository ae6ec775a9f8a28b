"""What the painter can draw: each motif is a function of a canvas, a palette and chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from compositor.adapters.painter._canvas import Canvas
from compositor.adapters.painter._motifs._flow import folds, lines, mesh
from compositor.adapters.painter._motifs._geometry import arcs, blocks, pattern
from compositor.adapters.painter._motifs._landscape import hills, sea
from compositor.adapters.painter._motifs._paper import confetti, cutouts
from compositor.adapters.painter._motifs._plants import leaves, window
from compositor.adapters.painter._motifs._scenes import arches, still_life
from compositor.adapters.painter._motifs._sky import sky
from compositor.adapters.painter._palette import Palette

MOTIFS: Mapping[str, Callable[[Canvas, Palette, Random], None]] = {
    "arches": arches,
    "arcs": arcs,
    "blocks": blocks,
    "confetti": confetti,
    "cutouts": cutouts,
    "folds": folds,
    "hills": hills,
    "leaves": leaves,
    "lines": lines,
    "mesh": mesh,
    "pattern": pattern,
    "sea": sea,
    "sky": sky,
    "still_life": still_life,
    "window": window,
}
"""All motifs, by name. Each covers the whole canvas, keeps an area calm, and draws no words."""
