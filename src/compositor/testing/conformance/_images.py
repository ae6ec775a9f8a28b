"""The suite of the port `ImageModel`."""

from __future__ import annotations

from compositor.errors import PictureRefused
from compositor.testing.conformance._must import must, must_raise
from compositor.workspace import ImageModel, ImageWish, Pictures
from compositor.workspace.ports import LEAST_WISHED, MOST_WISHED, MOST_WISHED_PIXELS

_ABOUT = "A quiet morning by the lake"
_WISHES = (
    ImageWish(about=_ABOUT, width=600, height=400, colours=("#1f3d36", "#b4532f", "#f4ede2"), mood="calm"),
    ImageWish(about=_ABOUT, width=LEAST_WISHED, height=LEAST_WISHED, colours=("#0969da",)),
    ImageWish(about="静かな湖の朝", width=MOST_WISHED, height=LEAST_WISHED, colours=("#000000", "#ffffff")),
    ImageWish(about="", width=LEAST_WISHED, height=MOST_WISHED),
    ImageWish(about=_ABOUT, width=MOST_WISHED, height=MOST_WISHED_PIXELS // MOST_WISHED),
)
_ABSURD = ((LEAST_WISHED - 1, 400), (400, MOST_WISHED + 1), (MOST_WISHED, MOST_WISHED), (0, 0), (-600, 400))


async def check_image_model(model: ImageModel, pictures: Pictures) -> None:
    """Check an image model; it makes five pictures, from the smallest to the largest.

    Args:
        model: it may refuse a wish for what it is about, with PictureRefused.
        pictures: decodes what it made.

    Raises:
        AssertionError: with the sentence that does not hold.
    """
    must(bool(model.name), "an image model has a name")
    must(isinstance(model.disclosure, str), "what a person must know is a text, which may be empty")
    for width, height in _ABSURD:
        with must_raise(PictureRefused, f"nobody is asked for {width}×{height} pixels"):
            ImageWish(about=_ABOUT, width=width, height=height)
    refused = 0
    for wish in _WISHES:
        try:
            data = await model.make(wish)
        except PictureRefused:
            refused += 1
            continue
        picture = await pictures.inspect(data)
        must(picture.media_type in {"image/png", "image/jpeg"}, "a made picture is a PNG or a JPEG")
        size = (picture.width, picture.height)
        must(size == (wish.width, wish.height), f"{wish.width}×{wish.height} pixels were wished, {size} were made")
        must(picture.frames == 1, "a made picture stands still")
    must(refused < len(_WISHES), "some of five harmless wishes are met")
