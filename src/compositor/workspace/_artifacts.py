"""Artifacts: labelled things that a tool or a build produced, and the two shapes that every content type shares.

`render/NAME` is a picture of the deliverable; `copy` is the words in it. Support capabilities read these and never a
format, so that one check serves all content types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from compositor._values import Json, canonical, freeze, thaw

COPY = "copy"
"""The label of the words of a deliverable; its bytes are the JSON of `copy_json`."""
RENDER = "render/"
"""The folder of labels that hold pictures of a deliverable."""
DISCLOSURE = "disclosure"
"""The fact of an artifact that says, in one sentence, what a person must know of how it was made: the result warns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """One labelled thing, by address.

    Attributes:
        media_type: for example `image/png`.
        sha256: hex address of the bytes.
        size: bytes.
        facts: small JSON that was measured when it was made. A `render/*` picture carries `width` and `height` (pixels)
            and lists: `colours` (see `ColourUse`), `pairs` (see `ColourPair`) and `images` (see `Placement`).
    """

    media_type: str
    sha256: str
    size: int
    facts: Mapping[str, Json] = field(default_factory=dict)

    def as_json(self) -> Json:
        """The artifact as a JSON object."""
        return {"media_type": self.media_type, "sha256": self.sha256, "size": self.size, "facts": thaw(self.facts)}

    @staticmethod
    def from_json(value: Json) -> Artifact:
        """The artifact that `as_json` wrote."""
        return Artifact(
            media_type=value["media_type"], sha256=value["sha256"], size=value["size"], facts=freeze(value["facts"])
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourUse:
    """One flat colour that a render draws, as it stands in `facts["colours"]`.

    Attributes:
        colour: `#rrggbb`.
        use: `text`, `background` or `border`.
        share: part of the picture's area that it covers, 0 to 1 (for text: of its line boxes).
    """

    colour: str
    use: str
    share: float

    def as_json(self) -> Json:
        """The use as a JSON object."""
        return {"colour": self.colour, "use": self.use, "share": round(self.share, 4)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourPair:
    """Text of one colour on a flat ground of another, as it stands in `facts["pairs"]` of a render; each pair once.

    Attributes:
        colour: of the text, `#rrggbb`.
        behind: of the ground, `#rrggbb`.
        text: the first words that are set so.
        box: of these words: `(x, y, width, height)` in pixels of the render.
    """

    colour: str
    behind: str
    text: str
    box: tuple[float, float, float, float]

    def as_json(self) -> Json:
        """The pair as a JSON object."""
        return {"colour": self.colour, "behind": self.behind, "text": self.text, "box": list(self.box)}

    @staticmethod
    def from_json(value: Json) -> ColourPair:
        """The pair that `as_json` wrote."""
        return ColourPair(**{**value, "box": tuple(value["box"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """A place where a render shows an asset of the request, as it stands in `facts["images"]`.

    Attributes:
        asset: its id.
        box: `(x, y, width, height)` in pixels of the render.
        clear: pixels around the box in which there is nothing else: no text, no picture, no edge of the render.
        nearest: what stands at that distance: `text`, `picture` or `edge`.
    """

    asset: str
    box: tuple[float, float, float, float]
    clear: float
    nearest: str

    def as_json(self) -> Json:
        """The placement as a JSON object."""
        return {"asset": self.asset, "box": list(self.box), "clear": round(self.clear, 1), "nearest": self.nearest}

    @staticmethod
    def from_json(value: Json) -> Placement:
        """The placement that `as_json` wrote."""
        return Placement(**{**value, "box": tuple(value["box"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One piece of the words of a deliverable.

    Attributes:
        id: unique in the deliverable.
        role: for example `headline`, `body`, `action`, `legal`, `hidden`.
        text: the words, white space collapsed.
        place: where it stands in its source, for a person (a line, a slide); may be empty.
        box: `(x, y, width, height)` in pixels of the first render, or None where it is not seen.
        size: of its smallest letters there, in pixels; None where it is not seen or no text.
        evidence: what the plan says that it rests on: ids of claims, and dotted paths of request fields.
        number: of an item of a numbered list, which is seen before its words; 0 for anything else.
    """

    id: str
    role: str
    text: str
    place: str = ""
    box: tuple[float, float, float, float] | None = None
    size: float | None = None
    evidence: tuple[str, ...] = ()
    number: int = 0

    def as_json(self) -> Json:
        """The section as a JSON object."""
        return {
            "id": self.id,
            "role": self.role,
            "text": self.text,
            "place": self.place,
            "box": list(self.box) if self.box else None,
            "size": self.size,
            "evidence": list(self.evidence),
            "number": self.number,
        }

    @staticmethod
    def from_json(value: Json) -> Section:
        """The section that `as_json` wrote."""
        box = tuple(value["box"]) if value["box"] else None
        return Section(**{**value, "box": box, "evidence": tuple(value["evidence"])})


def copy_json(sections: Sequence[Section]) -> bytes:
    """The bytes of the `copy` artifact: JSON."""
    return canonical({"sections": [section.as_json() for section in sections]})


def copy_sections(value: Json) -> tuple[Section, ...]:
    """The sections that `copy_json` wrote."""
    return tuple(map(Section.from_json, value["sections"]))
