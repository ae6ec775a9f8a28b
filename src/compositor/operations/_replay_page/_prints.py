"""The pictures of a replay: each stands once on the page, under the address of its bytes, and is shown from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from compositor.operations._replay import Moment
from compositor.operations._report_page._html import Markup, tag
from compositor.operations._report_page._pictures import Album, Shot, album, has_tall, picture_of
from compositor.workspace import RENDER, Artifact

PNG = "image/png"
THUMB = (160, 200)
"""Largest width and height of a picture that was shown to a model, in CSS pixels; a longer one is cut at its foot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prints:
    """Every picture that found room, by address."""

    shots: Mapping[str, Shot]

    @staticmethod
    def of(pictures: Mapping[str, bytes]) -> Prints:
        """Those that found room."""
        return Prints(shots=album(pictures).shots)

    @property
    def library(self) -> Markup:
        """Where they stand on the page; itself not seen."""
        pictures = (picture_of(shot) for shot in self.shots.values())
        return tag("svg", tag("defs", *pictures), width=0, height=0, class_="library", aria_hidden="true")

    @property
    def tall(self) -> bool:
        """Whether any is cut off until the reader asks for the whole."""
        return has_tall(Album(shots=self.shots, left_out=()))

    def renders(self, made: Mapping[str, Artifact]) -> Album:
        """The pictures of a deliverable, under their labels."""
        drawn = {label: artifact.sha256 for label, artifact in made.items() if _drawn(label, artifact)}
        return Album(
            shots={
                label: replace(self.shots[address], name=label.removeprefix(RENDER))
                for label, address in drawn.items()
                if address in self.shots
            },
            left_out=tuple(label for label, address in drawn.items() if address not in self.shots),
        )

    def thumb(self, address: str, label: str) -> Markup:
        """A picture as small as a stamp, or its label where there was no room."""
        shot = self.shots.get(address)
        if shot is None:
            return tag("code", label)
        scale = min(1.0, THUMB[0] / shot.width)
        height = min(float(shot.height), THUMB[1] / scale)
        return tag(
            "svg",
            tag("use", href=f"#{shot.id}"),
            viewBox=f"0 0 {shot.width} {height:g}",
            width=round(shot.width * scale),
            height=round(height * scale),
            class_="thumb",
            role="img",
            aria_label=f"The picture {label}, {shot.width} by {shot.height} pixels",
        )


def wanted(moments: Sequence[Moment]) -> list[str]:
    """The addresses of the pictures that the page would show, the most important first, each once."""
    return list(dict.fromkeys(_addresses(moments)))


def _addresses(moments: Sequence[Moment]) -> Iterator[str]:
    """Of the deliverable, the latest draft first; then those that models were shown."""
    for moment in reversed(moments):
        if moment.event.what.kind == "deliverable_built":
            yield from (artifact.sha256 for label, artifact in moment.made.items() if _drawn(label, artifact))
    for moment in moments:
        yield from (image.sha256 for answer in moment.answers for image in answer.images if image.media_type == PNG)


def _drawn(label: str, artifact: Artifact) -> bool:
    return label.startswith(RENDER) and artifact.media_type == PNG
