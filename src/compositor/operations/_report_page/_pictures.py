"""The pictures: embedded, set out in one scale, with the findings marked where they are."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compositor._values import Json
from compositor.operations._report_page._html import Markup, tag, text, together
from compositor.operations._report_page._words import count

MAX_EMBEDDED_BYTES = 16 * 1024 * 1024
"""Most bytes of pictures in one page: browsers open a page of some 20 MB without delay. What does not fit is named."""

STAGE = 1072
"""Width of the space for pictures on a wide screen, in CSS pixels: the page (1136) less the stage's own margins."""
GAP = 32
ROW = 4
"""Up to so many pictures stand in one row, in one scale; more of them stand two in a row."""
FOLD = 840
"""Height, in CSS pixels, at which a picture is cut off until the reader asks for the whole (`.tall` in page.css)."""

_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A finding that has a box, under the number that it has on the page."""

    number: int
    severity: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One embedded picture.

    Attributes:
        id: of its element on the page.
        name: the label without its folder.
        width, height: pixels.
        data: PNG bytes.
    """

    id: str
    name: str
    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Album:
    """The pictures of a result: those on the page by label, and the labels of those that did not fit."""

    shots: Mapping[str, Shot]
    left_out: tuple[str, ...]


NO_PICTURES = Album(shots={}, left_out=())


def album(pictures: Mapping[str, bytes]) -> Album:
    """The pictures that go into the page, in their order, as far as there is room."""
    shots: dict[str, Shot] = {}
    left_out: list[str] = []
    room = MAX_EMBEDDED_BYTES
    for number, (label, data) in enumerate(pictures.items(), start=1):
        size = _png_size(data)
        if size is None or len(data) > room:
            left_out.append(label)
            continue
        room -= len(data)
        name = label.rpartition("/")[2]
        shots[label] = Shot(id=f"picture-{number}", name=name, width=size[0], height=size[1], data=data)
    return Album(shots=shots, left_out=tuple(left_out))


def gallery(shown: Album, marks: Mapping[str, Sequence[Mark]]) -> Markup | None:
    """The section of the pictures, or None where there are none."""
    if not shown.shots and not shown.left_out:
        return None
    return tag(
        "section",
        tag(
            "div",
            tag("h2", "What was made", id="made"),
            whole_switch() if has_tall(shown) else None,
            class_="row",
        ),
        stage(shown, marks) if shown.shots else None,
        tag("p", f"Too large for this page, see the files: {', '.join(shown.left_out)}.", class_="muted")
        if shown.left_out
        else None,
        aria_labelledby="made",
        class_="made",
    )


def stage(shown: Album, marks: Mapping[str, Sequence[Mark]], *, width: int = STAGE, embedded: bool = True) -> Markup:
    """The pictures side by side.

    Args:
        shown: what is shown.
        marks: label → the findings that are marked in the picture.
        width: of the space for them, in CSS pixels.
        embedded: whether the pictures come with it; else they stand elsewhere on the page, under their ids.
    """
    scales = _scales(list(shown.shots.values()), width)
    figures = (
        _figure(shot, scales[shot.id], marks.get(label, ()), embedded=embedded) for label, shot in shown.shots.items()
    )
    return tag("div", *figures, class_="stage" if len(shown.shots) <= ROW else "stage many")


def has_tall(shown: Album) -> bool:
    """Whether any picture is cut off until the reader asks for the whole."""
    scales = _scales(list(shown.shots.values()), STAGE)
    return any(_is_tall(shot, scales[shot.id]) for shot in shown.shots.values())


def crop(shot: Shot, mark: Mark) -> Markup:
    """The place of one finding, cut out of the picture that is on the page already."""
    x, y, width, height = _around(shot, mark)
    return tag(
        "svg",
        tag("use", href=f"#{shot.id}"),
        _outline(mark),
        viewBox=f"{x:g} {y:g} {width:g} {height:g}",
        width=round(width),
        height=round(height),
        class_="crop",
        role="img",
        aria_label=f"The place of finding {mark.number} in the picture {shot.name}",
    )


def inside(shot: Shot, box: Json) -> tuple[float, float, float, float] | None:
    """The box of a finding, if it is one and lies at least partly in the picture."""
    if not isinstance(box, Sequence) or len(box) != 4 or not all(isinstance(side, int | float) for side in box):
        return None
    x, y, width, height = (max(-1e6, min(1e6, float(side))) for side in box)
    seen = x < shot.width and y < shot.height and x + width > 0 and y + height > 0
    return (x, y, max(width, 1.0), max(height, 1.0)) if seen else None


def _png_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the header (PNG specification, 11.2.2); None where it is no PNG with an area."""
    if len(data) < 24 or not data.startswith(_PNG):
        return None
    width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    return (width, height) if width and height else None


def _scales(shots: Sequence[Shot], width: int) -> dict[str, float]:
    """How large each picture is shown. One row is in one scale, so that sizes can be compared; none is enlarged."""
    if len(shots) <= ROW:
        room = width - GAP * (len(shots) - 1)
        scale = min([1.0, room / sum(shot.width for shot in shots)]) if shots else 1.0
        return {shot.id: scale for shot in shots}
    column = (width - GAP) / 2
    return {shot.id: min(1.0, column / shot.width) for shot in shots}


def _figure(shot: Shot, scale: float, marks: Sequence[Mark], *, embedded: bool) -> Markup:
    found = f", {count(len(marks), 'finding')} marked" if marks else ""
    return tag(
        "figure",
        tag(
            "div",
            _canvas(shot, scale, marks, picture_of(shot) if embedded else tag("use", href=f"#{shot.id}")),
            class_="frame tall" if _is_tall(shot, scale) else "frame",
        ),
        tag("figcaption", tag("strong", shot.name), f" {shot.width:,} × {shot.height:,} px{found}"),
    )


def _is_tall(shot: Shot, scale: float) -> bool:
    return shot.height * scale > FOLD


def picture_of(shot: Shot) -> Markup:
    """The picture itself, to stand in an `svg`; once on a page, under its id."""
    address = "data:image/png;base64," + base64.b64encode(shot.data).decode("ascii")
    return tag("image", id=shot.id, href=Markup(address), width=shot.width, height=shot.height)


def _canvas(shot: Shot, scale: float, marks: Sequence[Mark], picture: Markup) -> Markup:
    found = f", with {count(len(marks), 'finding')} marked" if marks else ""
    return tag(
        "svg",
        picture,
        *(together(_outline(mark), _badge(shot, mark)) for mark in marks),
        viewBox=f"0 0 {shot.width} {shot.height}",
        width=round(shot.width * scale),
        height=round(shot.height * scale),
        role="img",
        aria_label=f"The picture {shot.name}, {shot.width} by {shot.height} pixels{found}",
    )


def _outline(mark: Mark) -> Markup:
    x, y, width, height = (f"{side:g}" for side in mark.box)
    place = {"x": x, "y": y, "width": width, "height": height}
    return together(tag("rect", class_="halo", **place), tag("rect", class_=f"outline {mark.severity}", **place))


def _badge(shot: Shot, mark: Mark) -> Markup:
    """The number of a finding at the upper left corner of its box, as large as the picture asks for."""
    radius = max(10.0, min(shot.width, shot.height) / 36)
    x = min(max(mark.box[0], radius), shot.width - radius)
    y = min(max(mark.box[1], radius), shot.height - radius)
    return together(
        tag("circle", cx=f"{x:g}", cy=f"{y:g}", r=f"{radius:g}", class_=f"badge {mark.severity}"),
        tag(
            "text",
            text(str(mark.number)),
            x=f"{x:g}",
            y=f"{y + radius * 0.36:g}",
            font_size=f"{radius:g}",
            text_anchor="middle",
            class_="badge-number",
        ),
    )


def _around(shot: Shot, mark: Mark) -> tuple[float, float, float, float]:
    """A window around a box: some of what surrounds it, never outside the picture."""
    x, y, width, height = mark.box
    margin = max(24.0, 0.15 * min(width, height))
    left, top = max(0.0, x - margin), max(0.0, y - margin)
    right, bottom = min(float(shot.width), x + width + margin), min(float(shot.height), y + height + margin)
    return left, top, right - left, bottom - top


def whole_switch() -> Markup:
    """The one switch of a page that folds its tall pictures out."""
    return tag("label", tag("input", type="checkbox", id="whole"), " Show the pictures in full length", class_="switch")
