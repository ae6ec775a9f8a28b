"""What the writer is told of the pictures."""

from __future__ import annotations

from compositor.capabilities import Instructions, View
from compositor.capabilities.image_inspection._inspected import PAGE


def instructions(view: View) -> Instructions:
    """How to use the pictures; nothing where the request has none."""
    if not view.get("assets", ()):
        return Instructions()
    return Instructions(
        f"## The pictures\n\n`{PAGE}` says of each picture how large it is, what it looks like and what may be done"
        " with it. Never show one wider than it is sharp. Keep its proportions; in a crop, keep its focal point."
        " Leave out one whose rights have expired or do not reach the audience. Words that matter stand as text, never"
        " in a picture alone.",
        "Alt text says in a sentence what the picture tells the reader there, without “picture of” and without"
        " repeating the words beside it. Use the one that was given; leave it empty for decoration.",
        "Look at a picture with `look_at_image()` before you build on what is in it: `whole`, or `focal` for the part"
        " around its focal point.",
    )
