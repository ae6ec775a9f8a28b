"""The pictures in facts: one file for a program, and one for the writer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from compositor._values import Json, thaw
from compositor.capabilities import Given, View
from compositor.workspace.assets import SUFFIXES, asset_path

FACTS = "images/inspected.json"
PAGE = "images/inspected.md"

DARK, LIGHT = 0.38, 0.62
"""Mean CIE L* up to which a picture is dark, and from which it is light. White on a flat ground of 0.38, and black on
one of 0.62, have a contrast of 7:1, which WCAG 2.2 asks of text at level AAA (1.4.6)."""
LIKELY = 0.5
"""From here on words are likelier in a picture than not."""


def given_files(view: View) -> Mapping[str, Given]:
    """The facts and the page; nothing where the request has no pictures."""
    facts = [facts_of(asset) for asset in view.get("assets", ())]
    if not facts:
        return {}
    page = "\n\n".join(["# The pictures", *(f"## {fact['id']}\n\n{told(fact)}" for fact in facts)]) + "\n"
    text = json.dumps(facts, ensure_ascii=False, indent=2) + "\n"
    return {
        FACTS: Given(content=text, voice="upstream", about="what was measured of each picture, for programs"),
        PAGE: Given(content=page, voice="upstream", about="what each picture is, where it is sharp, and its rights"),
    }


def facts_of(asset: Mapping[str, Json]) -> dict[str, Json]:
    """What is known of an asset; what is not known is left out, but for `alt`: null where none was given.

    Sizes are in pixels of the upright picture. `sharp_up_to` is its largest width in CSS pixels on screens with one and
    with two pixels to each.
    """
    width, height, rights = asset.get("width"), asset.get("height"), asset.get("rights") or {}
    facts: dict[str, Json] = {"id": asset["id"], "role": asset.get("role") or "picture"}
    if asset.get("sha256") and asset.get("media_type") in SUFFIXES:
        facts["file"] = asset_path(asset)
    if width and height:
        sharp = {"1x": width, "2x": max(1, width // 2)}
        facts |= {"width": width, "height": height, "aspect": round(width / height, 3), "sharp_up_to": sharp}
    if asset.get("focal_point"):
        facts["focal_point"] = thaw(asset["focal_point"])
    if asset.get("colours"):
        facts["colours"] = list(asset["colours"])
    if asset.get("lightness") is not None:
        facts["lightness"] = _lightness(asset["lightness"])
    if asset.get("words_likely") is not None:
        facts["words"] = "likely" if asset["words_likely"] >= LIKELY else "unlikely"
    if limits := {key: thaw(rights[key]) for key in ("expires", "territory", "licence", "holder") if rights.get(key)}:
        facts["rights"] = limits
    return {**facts, "alt": asset.get("alt")}


def told(facts: Mapping[str, Json]) -> str:
    """The facts of one picture as a list in Markdown."""
    return "\n".join(f"- {line}" for line in _lines(facts))


def _lines(facts: Mapping[str, Json]) -> Iterator[str]:
    if "width" in facts:
        yield f"{facts['role']}, {facts['width']} × {facts['height']} pixels, {facts['aspect']:g} times as wide as high"
        sharp = facts["sharp_up_to"]
        yield f"sharp up to a width of {sharp['1x']} px, on dense screens (2x) of {sharp['2x']} px"
    else:
        yield f"{facts['role']}, not measured yet"
    if point := facts.get("focal_point"):
        yield f"focal point: {point['x']:.0%} from the left, {point['y']:.0%} from the top"
    if colours := facts.get("colours"):
        yield f"main colours, the largest first: {', '.join(colours)}"
    if "lightness" in facts:
        yield f"on the whole {facts['lightness']}"
    if facts.get("words") == "likely":
        yield "words are likely drawn in it: look at it, and say them in text too"
    yield _alt(facts["alt"])
    if rights := _rights(facts.get("rights") or {}):
        yield f"rights: {rights}"
    if "file" in facts:
        yield f"file: {facts['file']}"


def _lightness(value: float) -> str:
    if value <= DARK:
        return "dark"
    return "light" if value >= LIGHT else "of middle lightness"


def _alt(alt: str | None) -> str:
    if alt is None:
        return "alt text: none was given"
    return f"alt text: {json.dumps(alt, ensure_ascii=False)}" if alt else "alt text: empty, for it is decoration"


def _rights(rights: Mapping[str, Json]) -> str:
    parts = {
        "expires": "until {}",
        "territory": "only in {}",
        "licence": "licence {}",
        "holder": "holder {}",
    }
    shown = {key: ", ".join(value) if isinstance(value, list) else value for key, value in rights.items()}
    return "; ".join(words.format(shown[key]) for key, words in parts.items() if key in shown)
