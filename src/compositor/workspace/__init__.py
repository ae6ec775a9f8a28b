"""Files, views of the request, snapshots, artifacts, and the ports to the outside world."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compositor.workspace._artifacts import (
    COPY,
    DISCLOSURE,
    RENDER,
    Artifact,
    ColourPair,
    ColourUse,
    Placement,
    Section,
    copy_json,
    copy_sections,
)
from compositor.workspace._files import EVERYTHING, Artifacts, Files, made
from compositor.workspace._outputs import Given, Output, Voice
from compositor.workspace._paths import checked_path, covered, covers, fold, overlap, overlaps
from compositor.workspace._problem_list import ProblemList
from compositor.workspace._snapshot import Delta, Entry, Snapshot, delta_as_json, delta_from_json
from compositor.workspace._trace import Trace
from compositor.workspace._view import Reads, View, field_value, within_field
from compositor.workspace.ports import (
    PORT_NAMES,
    Blobs,
    Box,
    Compiler,
    Freed,
    Fulfil,
    ImageModel,
    ImageWish,
    Ink,
    Isolation,
    Looks,
    Page,
    Picture,
    Pictures,
    Ports,
    Renderer,
    Rendering,
    Resource,
    Screen,
)

if TYPE_CHECKING:
    from compositor.workspace.request import Request

__all__ = [
    "COPY",
    "DISCLOSURE",
    "EVERYTHING",
    "PORT_NAMES",
    "RENDER",
    "Artifact",
    "Artifacts",
    "Blobs",
    "Box",
    "ColourPair",
    "ColourUse",
    "Compiler",
    "Delta",
    "Entry",
    "Files",
    "Freed",
    "Fulfil",
    "Given",
    "ImageModel",
    "ImageWish",
    "Ink",
    "Isolation",
    "Looks",
    "Output",
    "Page",
    "Picture",
    "Pictures",
    "Placement",
    "Ports",
    "ProblemList",
    "Reads",
    "Renderer",
    "Rendering",
    "Request",
    "Resource",
    "Screen",
    "Section",
    "Snapshot",
    "Trace",
    "View",
    "Voice",
    "checked_path",
    "copy_json",
    "copy_sections",
    "covered",
    "covers",
    "delta_as_json",
    "delta_from_json",
    "field_value",
    "fold",
    "made",
    "overlap",
    "overlaps",
    "within_field",
]


def __getattr__(name: str) -> Any:
    """`Request` is found on first use: it needs pydantic, and authors of capabilities do not."""
    if name == "Request":
        from compositor.workspace.request import Request

        return Request
    raise AttributeError(f"module 'compositor.workspace' has no attribute {name!r}")
