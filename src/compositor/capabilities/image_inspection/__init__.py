"""Image inspection: what the pictures of the request are, how far they carry, and a look at each of them."""

from __future__ import annotations

from compositor.capabilities import Capability, Reads
from compositor.capabilities.image_inspection._inspected import given_files
from compositor.capabilities.image_inspection._instructions import instructions
from compositor.capabilities.image_inspection._look import look_at_image

__all__ = ["image_inspection"]

image_inspection = Capability(
    name="image-inspection",
    kind="support",
    about="tells the size, colours, focal point and rights of every picture of the request, and shows it",
    reads=Reads(optional=("assets",)),
    tools=(look_at_image,),
    ports=("pictures",),
    files=given_files,
    instructions=instructions,
)
"""The support capability of the request's pictures."""
