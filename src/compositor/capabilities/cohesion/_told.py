"""What the writer is told about cohesion."""

from __future__ import annotations

from compositor.capabilities import Instructions, View
from compositor.capabilities.cohesion._given import asked_actions
from compositor.capabilities.cohesion._headlines import HEADLINE_WORDS


def instructions(view: View) -> Instructions:
    """How the work becomes one piece, in one paragraph."""
    several = len(set(asked_actions(view))) > 1
    actions = (
        "buttons for what the brief asks the reader to do, and no others"
        if several
        else "one thing to do, on one button"
    )
    return Instructions(
        f"## One piece\n\nThe work has one idea, {actions}, and one voice. Nothing is said twice, also not in other"
        f" words. The first headline leads and is the largest; none has more than {HEADLINE_WORDS} words. Names are"
        " written as the request writes them, and the reader is addressed in one way."
    )
