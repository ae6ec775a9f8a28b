"""What the request gives to an email: readers over the view. No word is added here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from compositor._values import Json
from compositor.capabilities.email._addresses import link_fault
from compositor.capabilities.email._checks._pictures import THRESHOLDS
from compositor.capabilities.email._cuts import Point, focal_point
from compositor.capabilities.email._designer._typography import plain, polished
from compositor.workspace.assets import asset_url

SHOWN_BY_MAIL = ("image/png", "image/jpeg", "image/gif", "image/webp")
"""Picture types that mail programs draw; AVIF is not one of them (caniemail: image-avif)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of the request.

    Attributes:
        id, url, alt, role: of the asset; `alt` is empty for decoration.
        width, height: pixels of the file.
        min_width: for a logo: the fewest pixels that the brand allows.
        clear_space: for a logo: the space that the brand wants around it, as a part of its height.
        focal_point: what a crop must keep, as parts of width and height.
        whole: whether it must not be cut: a logo, an icon, words, something that moves, or a picture that was made.
    """

    id: str
    url: str
    width: int
    height: int
    alt: str
    role: str
    min_width: float = 0
    clear_space: float = 0
    focal_point: Point = (0.5, 0.5)
    whole: bool = False

    @property
    def aspect(self) -> float:
        """Width by height."""
        return self.width / self.height


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """Words that lead somewhere; without an address that a mail may carry they are only words."""

    text: str
    url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The view as plain JSON, with its pictures found."""

    data: Mapping[str, Json]
    pictures: tuple[Picture, ...]

    @staticmethod
    def of(data: Mapping[str, Json], without: frozenset[str] = frozenset(), made: Iterable[Picture] = ()) -> Material:
        """Read a view.

        Args:
            data: of the view, as plain JSON.
            without: beginnings of the digests of pictures that must not be used.
            made: pictures that were made for this email.
        """
        known = (*_pictures(data), *made)
        usable = (each for each in known if not any(digest in each.url for digest in without))
        return Material(data=data, pictures=tuple(usable))

    @property
    def locale(self) -> str:
        """BCP 47 tag."""
        return self.data.get("locale") or "en"

    def block(self, *path: str) -> Mapping[str, Json]:
        """A block of the request; empty where it gives none."""
        found: Mapping[str, Json] = self.data
        for name in path:
            found = found.get(name) or {}
        return found

    def listed(self, *path: str) -> tuple[Mapping[str, Json], ...]:
        """A list of blocks; empty where the request gives none."""
        *above, name = path
        return tuple(self.block(*above).get(name) or ())

    def line(self, *path: str) -> str:
        """Words of the request, polished for the locale; empty where it gives none."""
        *above, name = path
        return self.words(self.block(*above).get(name))

    def words(self, text: str | None) -> str:
        """Words polished for the locale."""
        return polished(text or "", self.locale)

    def picture(self, asset: str | None) -> Picture | None:
        """The picture of an asset id, where it is one that mail programs draw."""
        return next((picture for picture in self.pictures if picture.id == asset), None)

    def link(self, given: Mapping[str, Json] | None, otherwise: str | None = None) -> Link | None:
        """A call to action of the request; `otherwise` is the address where it has none of its own."""
        if not given:
            return None
        addresses = (address for address in (given.get("url"), otherwise) if address)
        return Link(text=self.words(given["text"]), url=next((a for a in addresses if self.may_link(a)), None))

    def may_link(self, address: str) -> bool:
        """Whether the link check lets a mail carry the address."""
        syntax = self.block("delivery").get("merge_tags") or "none"
        return link_fault(address, syntax=syntax) is None

    @property
    def logo(self) -> Picture | None:
        """The brand's logo that suits a light, wide header best, with the brand's rules for it."""
        rules = sorted(self.listed("brand", "logos"), key=_unfitness)
        found = ((rule, self.picture(rule["asset"])) for rule in rules)
        ruled = next(((rule, picture) for rule, picture in found if picture), None)
        if ruled is None:
            return next((picture for picture in self.pictures if picture.role == "logo"), None)
        rule, picture = ruled
        return replace(picture, min_width=rule.get("min_width") or 0, clear_space=rule.get("clear_space") or 0)


def _pictures(data: Mapping[str, Json]) -> Iterator[Picture]:
    base = (data.get("delivery") or {}).get("asset_base_url") or "https://assets.invalid/"
    examples = {example.get("asset") for example in data.get("examples") or ()}
    logos = {rule["asset"] for rule in (data.get("brand") or {}).get("logos") or ()}
    for asset in data.get("assets") or ():
        known = asset.get("sha256") and asset.get("width") and asset.get("height") and asset["id"] not in examples
        if known and asset.get("media_type") in SHOWN_BY_MAIL:
            yield Picture(
                id=asset["id"],
                url=asset_url(asset, base),
                width=asset["width"],
                height=asset["height"],
                alt=plain(asset.get("alt") or ""),
                role=asset.get("role") or "picture",
                focal_point=focal_point(asset),
                whole=asset["id"] in logos or _must_stay_whole(asset),
            )


def _must_stay_whole(asset: Mapping[str, Json]) -> bool:
    words = (asset.get("words_likely") or 0) >= THRESHOLDS["words_likely"]
    return words or asset.get("role") in ("logo", "icon") or asset["media_type"] == "image/gif"


def _unfitness(rule: Mapping[str, Json]) -> tuple[bool, bool, bool]:
    return (
        rule.get("background") == "dark-bg",
        rule.get("orientation") not in ("horizontal", None),
        rule.get("variant") == "icon",
    )
