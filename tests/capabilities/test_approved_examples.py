"""The support capability `approved-examples`: shown closest first, followed in looks and tone, never in facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor._values import Json, sha256
from compositor.authoring import Section, ToolError
from compositor.capabilities.approved_examples import approved_examples
from compositor.testing import PlainPictures, flat_png
from compositor.verifiers import Verdict
from compositor.workspace import Ports
from tests.capabilities.copy_bench import passages, verdict_on_copy
from tests.email.bench import Bench, codes

pytestmark = pytest.mark.anyio

PICTURE = flat_png(1500, 3000)
PATH = f"assets/{sha256(PICTURE)}.png"
LENT = "Our glaze was mixed by three potters in one winter."
REQUEST: Mapping[str, Any] = {
    "content": "email",
    "locale": "en-GB",
    "brief": {
        "name": "Lamps",
        "objective": "conversion",
        "description": "Sell lamps for long evenings. The sale ends on March 30. 25 lamps, and two years to decide.",
        "must_include": ["We answer within 12 hours."],
    },
    "audience": {"description": "Readers who bought ceramics", "segments": ["loyal customers"]},
    "assets": [
        {
            "id": "shot",
            "sha256": sha256(PICTURE),
            "media_type": "image/png",
            "alt": "A vase beside a window",
        },
    ],
    "examples": [
        {"id": "far", "note": "A recall notice", "text": "Please return the kettle at once."},
        {"id": "near", "note": "Lamps for readers of the journal", "text": f"Soft light.\n{LENT} Save 40 % today."},
        {"id": "dear", "asset": "shot", "note": "For loyal customers", "text": "It holds 1,200 ml of tea. See more."},
        {"id": "last", "note": "An invitation"},
    ],
}


def with_(**fields: Json) -> Mapping[str, Any]:
    return {**REQUEST, **fields}


def bench(request: Mapping[str, Any] = REQUEST) -> Bench:
    made = Bench(request, capability=approved_examples)
    made.ports = Ports(pictures=PlainPictures())
    return made


# --- what is shown ---------------------------------------------------------------------------------------------------


def files(request: Mapping[str, Any] = REQUEST) -> Mapping[str, str]:
    return {path: str(file.content) for path, file in approved_examples.files(bench(request).view).items()}


def test_the_three_closest_examples_are_given_the_closest_first() -> None:
    assert list(files()) == ["examples/1-dear.md", "examples/2-near.md", "examples/3-far.md"]


def test_an_example_is_given_with_its_note_its_words_and_the_path_of_its_picture() -> None:
    told = files()["examples/1-dear.md"]
    for words in ("For loyal customers", "It holds 1,200 ml of tea.", f"Picture: {PATH}"):
        assert words in told
    assert "Picture" not in files()["examples/2-near.md"]


def test_examples_that_are_equally_close_stand_in_the_order_of_the_request() -> None:
    bare = {"content": "email", "examples": [{"id": name, "note": "A mail"} for name in "dcba"]}
    assert list(files(bare)) == ["examples/1-d.md", "examples/2-c.md", "examples/3-b.md"]


def test_the_writer_is_told_to_follow_them_and_to_look_only_where_there_is_a_picture() -> None:
    told = str(approved_examples.instructions(bench().view))
    assert "`look_at_example()`" in told
    assert "Never take over their facts" in told
    blind = with_(examples=REQUEST["examples"][:2])
    assert "look_at_example" not in str(approved_examples.instructions(bench(blind).view))
    assert approved_examples.instructions(bench(with_(examples=[])).view).paragraphs == ()
    assert files(with_(examples=[])) == {}


async def test_a_look_at_an_example_shows_its_picture_at_most_1200_pixels_high() -> None:
    shown = await (await bench().lay({PATH: PICTURE}, by_writer=False)).call("look_at_example", example="dear")
    (label,) = shown.images
    facts = shown.artifacts[label].facts
    assert (label, facts["width"], facts["height"]) == ("examples/dear", 600, 1200)


@pytest.mark.parametrize(
    ("example", "told"),
    [("near", "has no picture"), ("last", "there is dear, near, far"), ("x" * 500, "there is no example")],
)
async def test_what_cannot_be_looked_at_is_said_with_what_can(example: str, told: str) -> None:
    with pytest.raises(ToolError, match=told):
        await bench().call("look_at_example", example=example)


async def test_without_examples_there_is_nothing_to_look_at() -> None:
    with pytest.raises(ToolError, match="none at all"):
        await bench({"content": "email"}).call("look_at_example", example="a")


# --- what is borrowed ------------------------------------------------------------------------------------------------


async def verdict(sections: Sequence[Section], request: Mapping[str, Any] = REQUEST) -> Verdict:
    return await verdict_on_copy(approved_examples, "borrowed-claims", sections, request)


async def found(*texts: str, role: str = "body", **request: Json) -> list[str]:
    return codes((await verdict(passages(*texts, role=role), with_(**request))).findings)


@pytest.mark.parametrize(
    "text",
    [LENT, LENT.upper(), LENT.replace("Our", "“Our").replace(".", "”!"), f"Lamps. {LENT} Good.", f"So: {LENT[:-1]}¹"],
    ids=["as it stands", "in capitals", "in quotes", "among others", "with a mark"],
)
async def test_a_sentence_of_an_example_that_nothing_gives_is_borrowed(text: str) -> None:
    told = await verdict(passages("Soft evenings.", text))
    assert [(f.code, f.severity, f.where.line, f.measured) for f in told.findings] == [
        ("borrowed-sentence", "blocking", 2, LENT)
    ]
    assert told.status == "failed"


async def test_a_sentence_that_is_wrapped_over_lines_in_the_example_is_one_and_told_once() -> None:
    wrapped = [{"id": "a", "text": LENT.replace("by three", "by\nthree")}]
    assert await found(LENT, examples=wrapped) == ["borrowed-sentence"]


@pytest.mark.parametrize(
    "text",
    ["Soft light.", "Our glaze was mixed by four potters over one winter.", "Save today, and see more tea."],
    ids=["a short one", "another one", "its words in another order"],
)
async def test_how_an_example_sounds_may_be_followed(text: str) -> None:
    assert await found(text) == []


@pytest.mark.parametrize(
    "request_part",
    [
        {"brief": {**REQUEST["brief"], "description": f"It is so: {LENT}"}},
        {"claims": [{"id": "c", "text": LENT}]},
        {"rules": {"required_disclosures": [{"id": "d", "text": LENT}]}},
        {"brand": {"name": "X", "disclaimers": [{"text": LENT}]}},
        {"sources": [{"id": "s", "title": "T", "citation": LENT}]},
        {"delivery": {"preheader": LENT}},
        {"assets": [{"id": "shot", "alt": LENT}]},
    ],
    ids=lambda part: str(next(iter(part))),
)
async def test_what_the_request_gives_itself_is_not_borrowed(request_part: Mapping[str, Json]) -> None:
    assert await found(LENT, **request_part) == []


async def test_buttons_and_small_print_are_alike_in_all_work_but_their_numbers_are_not() -> None:
    for role in ("action", "legal"):
        assert await found(LENT, role=role) == []
        assert await found("Save 40 % today", role=role) == ["borrowed-number"]


@pytest.mark.parametrize(
    ("lent", "said"),
    [
        ("Save 40 % today.", "Now 40% off"),
        ("Save 40 percent.", "Now 40 % off"),
        ("Only €49.90 each.", "Yours for 49,90 €"),
        ("It holds 1,200 ml.", "1200 ml of tea"),
        ("Within 8 weeks.", "An 8-week course"),
        ("A disk of 4 TB.", "4 TB for you"),
        ("限定30日間。", "30日でお届け"),
    ],
)
async def test_a_number_with_its_unit_is_borrowed_however_it_is_set(lent: str, said: str) -> None:
    told = await verdict(passages(said), with_(examples=[{"id": "a", "text": lent}]))
    assert [(f.code, f.severity) for f in told.findings] == [("borrowed-number", "blocking")]


async def test_a_number_is_told_once_in_a_section_and_in_each() -> None:
    assert await found("Save 40 %. Yes, 40 %.", "40 %!") == ["borrowed-number"] * 2


@pytest.mark.parametrize(
    ("lent", "said"),
    [
        ("Ends 30 March.", "Ends 30 March."),
        ("Now 30 march days.", "30 march days"),
        ("12 hours a day", "12 hours"),
        ("25 lamps", "25 lamps"),
        ("40 weeks", "40 % off"),
        ("Step 2 Open the box", "Step 2 Open the lid"),
        ("Room 7 is open", "7 days"),
    ],
)
async def test_a_number_that_is_given_or_counts_something_else_is_not_borrowed(lent: str, said: str) -> None:
    assert await found(said, examples=[{"id": "a", "text": lent}]) == []


async def test_german_nouns_are_units() -> None:
    assert await found("Nach 8 Wochen", locale="de", examples=[{"id": "a", "text": "In 8 Wochen"}]) == [
        "borrowed-number"
    ]


async def test_without_the_words_of_an_example_there_is_nothing_to_borrow() -> None:
    for examples in ([], [{"id": "last", "note": LENT}]):
        assert (await verdict(passages(LENT), with_(examples=examples))).status == "not_applicable"


CLEAN: Mapping[str, tuple[str, Sequence[str]]] = {
    "en-GB": ("Our glaze was mixed by three potters.", ("Longer evenings, softer light", "25 lamps, mixed by light.")),
    "en-US": ("Fall asleep 30 minutes sooner than ever.", ("Five quiet habits", "Sleep is a skill to be learned.")),
    "de": ("In 8 Wochen zu besserem Schlaf, ohne Mühe.", ("Das Licht wird weicher", "Unsere Lampen sind nun da.")),
    "fr": ("Plus que 3 jours pour en profiter.", ("Des soirées plus douces", "Une lampe pour les longs soirs.")),
    "es": ("Quedan 3 días para aprovechar la oferta.", ("Tardes más largas", "Una lámpara para las noches.")),
    "ja": ("限定30日間、すべての器が半額です。", ("灯りがやわらぐ、秋の夜", "手で仕上げたランプです。")),
    "zh-Hans": ("仅限30天，所有瓷器一律半价出售。", ("夜更长，光更柔", "每一盏灯都由手工完成。")),
}


@pytest.mark.parametrize("role", ["headline", "body", "legal"])
@pytest.mark.parametrize("locale", CLEAN)
async def test_work_in_its_own_words_has_no_findings_in_any_language(locale: str, role: str) -> None:
    lent, said = CLEAN[locale]
    told = await verdict(passages(*said, role=role), with_(locale=locale, examples=[{"id": "a", "text": lent}]))
    assert (told.status, codes(told.findings), told.examined) == ("passed", [], len(said))
    lending = await verdict(passages(*said, lent), with_(locale=locale, examples=[{"id": "a", "text": lent}]))
    assert lending.status == "failed"


@given(st.lists(st.text(max_size=60), max_size=5), st.text(min_size=1, max_size=80))
async def test_any_words_are_checked_without_a_crash(texts: list[str], lent: str) -> None:
    told = await verdict(passages(*texts), with_(examples=[{"id": "a", "text": lent}]))
    assert told.status in ({"passed", "failed"} if texts else {"inconclusive"})
