"""What stands beside and behind things: pairs of colours, and the room that a picture has."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from compositor._values import Json
from compositor.verifiers.surroundings import colour_pairs, placements
from tests.email.bench import seen

LOGO = "https://a.test/logo.png"


def page(*others: Mapping[str, Json], box: Json = (100, 40, 120, 40), images: Json = ()) -> Mapping[str, Json]:
    logo = {"src": LOGO, "box": list(box)}
    document = {"width": 600, "height": 900, "viewport": 600}
    return {"document": document, "texts": list(others), "images": [logo, *images]}


@pytest.mark.parametrize(
    ("other", "clear", "nearest"),
    [
        ([100, 90, 200, 20], 10, "text"),  # below
        ([240, 40, 200, 20], 20, "text"),  # to the right
        ([235, 90, 200, 20], 15, "text"),  # across the corner: the frame that just meets it
        ([150, 50, 20, 20], 0, "text"),  # over it
        ([100, 300, 200, 20], 40, "edge"),  # farther than the top of the page
    ],
)
def test_the_room_of_a_picture_ends_at_the_next_thing(other: Json, clear: float, nearest: str) -> None:
    (place,) = placements(page(seen("Words", box=other)), {LOGO: "logo"})
    assert (place.asset, place.clear, place.nearest) == ("logo", clear, nearest)


def test_other_pictures_count_and_spacers_and_hidden_words_do_not() -> None:
    pixel, photo = {"src": "x", "box": [221, 40, 1, 1]}, {"src": "y", "box": [100, 85, 300, 200]}
    hidden = seen("Preheader", box=[100, 30, 100, 10], visible=False)
    (place,) = placements(page(hidden, images=[pixel, photo]), {LOGO: "logo"})
    assert (place.clear, place.nearest) == (5, "picture")


def test_only_assets_of_the_request_have_a_placement() -> None:
    assert placements(page(), {}) == ()


def test_each_pair_of_colours_stands_once_with_its_first_words() -> None:
    listed = (seen("One"), seen("Two"), seen("Three", colour="#ffffff", behind="#000000"), seen("Four", behind=None))
    pairs = colour_pairs({"texts": [*listed, seen("Five", colour="#ff0000", visible=False)]})
    assert [(pair.text, pair.colour, pair.behind) for pair in pairs] == [
        ("One", "#222222", "#ffffff"),
        ("Three", "#ffffff", "#000000"),
    ]
