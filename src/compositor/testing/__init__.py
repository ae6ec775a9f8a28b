"""The public test kit: a scripted model, ports and stores in memory, points to kill at. Suites are in `conformance`."""

from __future__ import annotations

from compositor._points import point, watched
from compositor.testing._history import history_faults
from compositor.testing._memory import MemoryBlobs, MemoryStore
from compositor.testing._ports import PlainCompiler, PlainImages, PlainPictures, PlainRenderer, flat_png
from compositor.testing._scripted import Script, Scripted, calls, verdict

__all__ = [
    "MemoryBlobs",
    "MemoryStore",
    "PlainCompiler",
    "PlainImages",
    "PlainPictures",
    "PlainRenderer",
    "Script",
    "Scripted",
    "calls",
    "flat_png",
    "history_faults",
    "point",
    "verdict",
    "watched",
]
