"""One suite per port and per bundle: what a backend's own store or adapter, or a third party's capability, must keep.

Each check is a plain async function that raises AssertionError with the sentence that does not hold, so that it runs
under any test runner: `await check_store(my_store)`.
"""

from __future__ import annotations

from compositor.testing.conformance._blobs import check_blobs
from compositor.testing.conformance._capability import check_capability
from compositor.testing.conformance._images import check_image_model
from compositor.testing.conformance._kills import EMBEDDED, Kills, check_kills
from compositor.testing.conformance._model import check_model_adapter
from compositor.testing.conformance._store import check_store

__all__ = [
    "EMBEDDED",
    "Kills",
    "check_blobs",
    "check_capability",
    "check_image_model",
    "check_kills",
    "check_model_adapter",
    "check_store",
]
