"""Capabilities: one folder per bundle, independent of each other. This module is all that an author imports."""

from __future__ import annotations

from compositor.authoring import *  # noqa: F403 - the face of this floor is the face of authoring
from compositor.authoring import __all__ as __all__
