"""The pictures that the designer has cut: those of a row to one shape, and what is too tall or too wide for its place.

What fits stays whole. A cut picture stands in the plan in the place of the whole one as soon as it is there; its alt
and its link stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log

from compositor._values import sha256
from compositor.capabilities.email._assets import made_picture
from compositor.capabilities.email._cuts import Cut, cut_of
from compositor.capabilities.email._deliverable import PICTURES
from compositor.capabilities.email._designer._elements import WIDEST_PHONE_COLUMN
from compositor.capabilities.email._designer._material import Picture
from compositor.capabilities.email._designer._plan import Part, Plan, Section
from compositor.capabilities.email._designer._style import COLUMN, WIDTH
from compositor.capabilities.email._pictures import CUT, MOST_CUTS
from compositor.workspace.assets import asset_url

TALLEST, WIDEST = Fraction(4, 5), Fraction(5, 2)
"""Bounds of a picture that stands alone: a taller one pushes its words away, a wider one is a stripe."""
WIDEST_CARD = Fraction(3, 2)
_PANORAMA = Fraction(2)
"""What a picture from edge to edge becomes that is too wide."""
_USUAL = tuple(Fraction(*sides) for sides in ((4, 5), (1, 1), (5, 4), (4, 3), (3, 2)))
_UNEVEN, _EVEN = 0.05, 0.01
"""How far the shapes of a row may differ: more than the first is seen, less than the second is not."""
_LONGEST_SLUG = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Crop:
    """A picture of the request that should be cut to a ratio."""

    picture: Picture
    ratio: Fraction

    @property
    def name(self) -> str:
        """Says which picture and which ratio; another file or focal point has another name."""
        slug = re.sub(r"[^a-z0-9]+", "-", self.picture.id.lower())[:_LONGEST_SLUG].strip("-")
        mark = sha256(f"{self.picture.url} {self.picture.focal_point}".encode())[:6]
        return f"{CUT}{slug}-{self.ratio.numerator}x{self.ratio.denominator}-{mark}"

    @property
    def words(self) -> str:
        """The ratio as the tool takes it."""
        return f"{self.ratio.numerator}:{self.ratio.denominator}"

    @property
    def cut(self) -> Cut:
        """Which part of the picture it is."""
        return cut_of(self.picture.width, self.picture.height, self.ratio, self.picture.focal_point)

    def made(self, url: str) -> Picture:
        """The cut picture, which stands at an address."""
        width, height = self.cut.shown
        return replace(self.picture, id=self.name, url=url, width=width, height=height, whole=True)


def crops_of(plan: Plan) -> tuple[Crop, ...]:
    """What should be cut for a plan, in the order in which it is read."""
    found = {crop.name: crop for section in plan.sections for crop in _crops(section, plan) if crop}
    return tuple(found.values())[:MOST_CUTS]


def cut_pictures(plan: Plan, files: Mapping[str, bytes], base: str, without: frozenset[str]) -> Plan:
    """The plan with each cut picture that is there and may be used.

    Args:
        plan: with whole pictures.
        files: of the workspace.
        base: the beginning of all addresses of pictures.
        without: beginnings of the digests of pictures that must not be used.
    """
    wanted, paths = crops_of(plan), {_name(path): path for path in files if path.startswith(PICTURES)}
    addresses = {
        crop.name: asset_url(made_picture(path, files[path]), base) for crop in wanted if (path := paths.get(crop.name))
    }
    usable = {name: url for name, url in addresses.items() if not any(digest in url for digest in without)}
    sections = tuple(replace(each, parts=tuple(_parts(each, plan, usable))) for each in plan.sections)
    return replace(plan, sections=sections)


def missing(plan: Plan, files: Mapping[str, bytes]) -> tuple[Crop, ...]:
    """What should be cut for a plan and is not there."""
    there = {_name(path) for path in files if path.startswith(PICTURES)}
    return tuple(crop for crop in crops_of(plan) if crop.name not in there)


def _name(path: str) -> str:
    return path.removeprefix(PICTURES).rpartition(".")[0]


def _parts(section: Section, plan: Plan, usable: Mapping[str, str]) -> Iterator[Part]:
    for part, crop in zip(section.parts, _crops(section, plan), strict=True):
        url = usable.get(crop.name) if crop else None
        yield replace(part, picture=crop.made(url)) if crop and url else part


def _crops(section: Section, plan: Plan) -> Sequence[Crop | None]:
    """For each part of a section how its picture should be cut, or None."""
    pictures = [part.picture for part in section.parts]
    if section.role == "cards":
        return _of_row([picture for picture in pictures if picture]) if all(pictures) else [None] * len(pictures)
    if section.role == "hero":
        edge_to_edge = plan.layout.opening in ("poster", "plain")
        wide, place = (_PANORAMA, WIDTH) if edge_to_edge else (WIDEST_CARD, COLUMN // 2)
        return [_alone(picture, wide, place) for picture in pictures]
    if section.role == "feature":
        return [_alone(picture, WIDEST_CARD, COLUMN // 2) for picture in pictures]
    return [None] * len(pictures)


def _alone(picture: Picture | None, wide: Fraction, place: int) -> Crop | None:
    """The crop of a picture that stands alone, where it is out of bounds.

    Args:
        picture: whole.
        wide: what it becomes if it is too wide.
        place: pixels that it fills: it is not cut if it would no longer fill them.
    """
    if picture is None or picture.whole or TALLEST * (1 - _EVEN) <= picture.aspect <= WIDEST * (1 + _EVEN):
        return None
    crop = Crop(picture=picture, ratio=TALLEST if picture.aspect < TALLEST else wide)
    return None if crop.cut.too_small or crop.cut.width < min(place, picture.width) else crop


def _of_row(pictures: Sequence[Picture]) -> Sequence[Crop | None]:
    """The crops of a row to one ratio, where its shapes differ."""
    ratio = _common(pictures)
    if all(_apart(picture, ratio) <= _UNEVEN for picture in pictures):
        return [None] * len(pictures)
    crops = [Crop(picture=picture, ratio=ratio) for picture in pictures]
    return [
        None if crop.picture.whole or _apart(crop.picture, ratio) <= _EVEN or crop.cut.too_small else crop
        for crop in crops
    ]


def _common(pictures: Sequence[Picture]) -> Fraction:
    """The ratio for which the least of a row is cut away: the shape of one of its pictures, within bounds.

    The shape of one that must stay whole goes before. Where a picture would become too narrow to fill a phone, as it
    did whole, a usual ratio is taken for which none does.
    """
    fixed = [picture for picture in pictures if picture.whole]
    own = [_named(min(max(each.aspect, float(TALLEST)), float(WIDEST_CARD))) for each in fixed or pictures]
    filling = [ratio for ratio in (*own, *_USUAL) if all(_fills_as_before(each, ratio) for each in pictures)]
    known = own if fixed else filling or own
    return min(known, key=lambda ratio: round(sum(abs(log(each.aspect / ratio)) for each in pictures), 6))


def _named(shape: float) -> Fraction:
    """The usual ratio that a shape looks like, or its own in small numbers."""
    usual = min(_USUAL, key=lambda ratio: abs(log(shape / ratio)))
    return usual if abs(shape / usual - 1) <= _EVEN else Fraction(shape).limit_denominator(100)


def _fills_as_before(picture: Picture, ratio: Fraction) -> bool:
    width = Crop(picture=picture, ratio=ratio).cut.width
    return width >= min(picture.width, WIDEST_PHONE_COLUMN)


def _apart(picture: Picture, ratio: Fraction) -> float:
    return abs(picture.aspect / ratio - 1)
