"""The layouts of the house: how an email opens, on which grounds it stands, and how its parts take turns.

What is to be said chooses the layout, never chance: one that fits what the request gives, asked in a fixed order.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from compositor.capabilities.email._designer._material import Material, Picture
from compositor.capabilities.email._designer._typography import ems

Opening = Literal["poster", "beside", "type", "letter", "ticket", "figure", "index", "plain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One way to set an email.

    Attributes:
        name: stands in the source as the class `layout-NAME`.
        opening: how the hero is drawn.
        centred: whether short display text stands on the middle axis; longer text never does.
        hero: the ground of the opening.
        grounds: role → ground, where it is another than usual.
        closes: whether the action comes back at the end.
    """

    name: str
    opening: Opening
    centred: bool = False
    hero: str = "surface"
    grounds: Mapping[str, str] = field(default_factory=dict)
    closes: bool = True


POSTER = Layout(name="poster", opening="poster", centred=True)
"""A wide picture from edge to edge, and what it is about on the middle axis below it."""
STAGE = Layout(name="stage", opening="poster", hero="band", grounds={"details": "raised", "quote": "surface"})
"""An occasion with a picture: the picture from edge to edge, and its words on the brand's colour below it."""
BESIDE = Layout(name="beside", opening="beside", hero="raised", grounds={"quote": "surface"})
"""One thing, shown beside its words on a quiet ground."""
TYPE = Layout(name="type", opening="type", hero="band", grounds={"closing": "raised"})
"""No picture: the brand's colour, and type that is the picture."""
LETTER = Layout(
    name="letter",
    opening="letter",
    grounds={"header": "surface", "quote": "surface", "closing": "surface"},
    closes=False,
)
"""A letter: words in one column, read from top to bottom, one action at the end of what is said."""
TICKET = Layout(name="ticket", opening="ticket", hero="band", grounds={"details": "raised", "quote": "surface"})
"""An invitation: the occasion on the brand's colour, the facts of it on a ticket right below."""
FIGURE = Layout(name="figure", opening="figure", centred=True, hero="band", grounds={"closing": "raised"})
"""An offer with a figure in it: the figure is set so large that it is seen first."""
INDEX = Layout(name="index", opening="index", grounds={"quote": "band", "closing": "raised"})
"""Many things: a quiet opening that says what is inside, then one after the other."""
PLAIN = Layout(name="plain", opening="plain", grounds={"closing": "raised", "quote": "surface"})
"""What has to be read with care: no colour fields, no play of sizes, the required words near the top."""

LAYOUTS = (POSTER, STAGE, BESIDE, TYPE, LETTER, TICKET, FIGURE, INDEX, PLAIN)

MANY = 4
"""Messages from which an email is a digest."""
WIDE = 1.1
"""Aspect from which a picture can reach from edge to edge without pushing the headline off the first screen."""
EDGE_TO_EDGE = 600
"""Pixels that such a picture needs: it is never drawn larger than it is."""
_FESTIVE = ("awareness", "engagement")
_FEW_EMS = 420
"""Ems of text that make a letter rather than a notice: some ten lines."""
FIGURES = re.compile(r"(?:[£$€¥]\s?\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?\s?(?:%|€|£|kr\b|zł)|\b\d{1,3}\s?[x×]\b)")
"""What an offer is about: a share or a price, with its sign."""


def layout_of(material: Material, opening: Picture | None, headline: str) -> Layout:
    """The layout for what a request gives.

    Args:
        material: the request.
        opening: the picture that it can open with.
        headline: the one headline.
    """
    said, objective = material.block("brief", "messaging"), material.block("brief").get("objective")
    messages = said.get("key_messages") or ()
    if _careful(material):
        return PLAIN
    if opening is not None:
        if opening.role == "product" or opening.aspect < WIDE or opening.width < EDGE_TO_EDGE:
            return BESIDE
        return STAGE if objective in _FESTIVE else POSTER
    if objective in _FESTIVE and said.get("details"):
        return TICKET
    if objective == "conversion" and FIGURES.search(headline):
        return FIGURE
    if len(messages) >= MANY:
        return INDEX
    if _is_letter(material):
        return LETTER
    return TYPE


def _careful(material: Material) -> bool:
    """Whether the rules of a field apply, or a regulation wants words where everybody sees them."""
    rules = material.block("rules")
    wanted = rules.get("required_disclosures") or ()
    return bool(rules.get("packs")) or any(
        one.get("regulation") and one.get("position") == "prominent" for one in wanted
    )


def _is_letter(material: Material) -> bool:
    """Whether there is a text to read and nothing to look at."""
    said = material.block("brief", "messaging")
    texts = [message["text"] for message in said.get("key_messages") or () if not message.get("headline")]
    kept = material.block("brief").get("objective") in ("retention", "consideration")
    return (kept and bool(texts)) or sum(map(ems, texts)) >= _FEW_EMS
