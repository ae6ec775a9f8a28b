"""What stands beside and behind things on a page: the facts of a render that brands have rules about.

Pure: it makes them of the facts of a rendering (`compositor.verifiers.layout` describes those), for content
capabilities whose renders are pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.verifiers._report import Box
from compositor.workspace import ColourPair, Placement

_SMALLEST = 3
"""CSS pixels: a picture that is thinner is a spacer or a tracking pixel, and nobody sees it."""


def colour_pairs(facts: Mapping[str, Json]) -> tuple[ColourPair, ...]:
    """Each colour of a visible text with the flat colour behind it, once, in document order."""
    first: dict[tuple[str, str], ColourPair] = {}
    for text in facts.get("texts", ()):
        if text["visible"] and text.get("behind"):
            pair = ColourPair(
                colour=text["colour"], behind=text["behind"], text=text["text"][:60], box=_box(text["box"])
            )
            first.setdefault((pair.colour, pair.behind), pair)
    return tuple(first.values())


def placements(facts: Mapping[str, Json], assets: Mapping[str, str]) -> tuple[Placement, ...]:
    """Each place where the page shows an asset, with the room that it has there.

    Args:
        facts: of a rendering.
        assets: address in the page → id of the asset.
    """
    images = [image for image in facts.get("images", ()) if min(image["box"][2:]) >= _SMALLEST]
    return tuple(_placement(image, assets[image["src"]], images, facts) for image in images if image["src"] in assets)


def _placement(image: Json, asset: str, images: Sequence[Json], facts: Mapping[str, Json]) -> Placement:
    others = [("picture", other["box"]) for other in images if other is not image]
    others += [("text", text["box"]) for text in facts["texts"] if text["visible"]]
    around = (*_to_others(image["box"], others), _to_edge(image["box"], facts["document"]))
    nearest, clear = min(around, key=lambda one: one[1])
    return Placement(asset=asset, box=_box(image["box"]), clear=clear, nearest=nearest)


def _to_others(box: Json, others: Sequence[tuple[str, Json]]) -> Iterator[tuple[str, float]]:
    """What else stands there, and the width of the frame around the box that just meets it."""
    left, top, right, bottom = _sides(box)
    for kind, other in others:
        from_left, from_top, to_right, to_bottom = _sides(other)
        yield kind, max(from_left - right, left - to_right, from_top - bottom, top - to_bottom, 0.0)


def _to_edge(box: Json, page: Mapping[str, Json]) -> tuple[str, float]:
    left, top, right, bottom = _sides(box)
    return "edge", max(0.0, min(left, top, page["viewport"] - right, page["height"] - bottom))


def _sides(box: Json) -> tuple[float, float, float, float]:
    x, y, width, height = _box(box)
    return x, y, x + width, y + height


def _box(value: Json) -> Box:
    x, y, width, height = (float(part) for part in value)
    return x, y, width, height
