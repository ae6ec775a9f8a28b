"""The picture that the designer has made, where the request brings none and there is something to show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compositor.capabilities.email._assets import made_picture
from compositor.capabilities.email._deliverable import PICTURES
from compositor.capabilities.email._designer._layout import TYPE, Layout
from compositor.capabilities.email._designer._material import Material, Picture
from compositor.capabilities.email._designer._typography import ems
from compositor.workspace.assets import asset_url

MOST_ABOUT = 400
"""Characters of the description that say what to show: its beginning, where it says what it is about."""
_SHORT_EMS = 22
"""Up to here a headline stands well under a wide picture; a longer one needs the room beside a tall one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A picture to be made: its name, what it shows, and its pixels, twice those that the mail shows."""

    name: str
    about: str
    width: int
    height: int


WIDE, TALL = ("hero-wide", 1200, 760), ("hero-tall", 840, 1000)
"""The two shapes in which a picture can open an email: name, width and height."""


def wish_of(material: Material, layout: Layout, headline: str) -> Wish | None:
    """The picture that would open the email; None where it has one, does without, or nobody says what it is about."""
    description = str(material.block("brief").get("description") or "")
    if layout is not TYPE or not description.strip():
        return None
    name, width, height = WIDE if ems(headline) <= _SHORT_EMS else TALL
    return Wish(name=name, about=description[:MOST_ABOUT], width=width, height=height)


def made_heroes(files: Mapping[str, bytes], base: str) -> Iterator[Picture]:
    """The pictures that were made to open this email. They set a mood and say nothing, so they have no words."""
    for path, data in sorted(files.items()):
        name = path.removeprefix(PICTURES).rpartition(".")[0]
        for known, width, height in (WIDE, TALL):
            if path.startswith(PICTURES) and name == known:
                url = asset_url(made_picture(path, data), base)
                yield Picture(id=name, url=url, width=width, height=height, alt="", role="hero", whole=True)
