"""What the designer makes of a request: which sections, in which order, and how they are drawn."""

from __future__ import annotations

import json
import re
from typing import Any
from xml.etree.ElementTree import Element

import pytest
from coloraide import Color

from tests.email.designing import SHOP, asset, columns_of, mail_of, message, request, sections, words_of, written

LONG = "It takes a while to tell what is so good about this one, and that is why these words go on and on. " * 2


def roles(given: dict[str, object]) -> list[str]:
    return [section["role"] for section in json.loads(written(given)["plan.json"])["sections"]]


def test_an_email_opens_with_the_brand_and_the_one_headline_and_ends_with_the_way_out() -> None:
    assert roles(request()) == ["header", "hero", "footer"]
    assert [h.tag for h in mail_of(request()).iter("h1")] == ["h1"]


def test_what_is_planned_stands_in_the_mail_in_the_same_order() -> None:
    given = request(
        said={
            "key_messages": [message(), message(asset="lamp"), message("b", headline="B"), message(LONG, asset="lamp")],
            "details": [
                {"label": "Where", "value": "In the large hall of the old mill"},
                {"label": "19:00", "value": "x"},
            ],
            "quote": {"text": "It glows."},
        },
        assets=[asset("lamp")],
    )
    planned = json.loads(written(given)["plan.json"])["sections"]
    assert [section["id"] for section in planned] == list(sections(mail_of(given)))


def test_the_action_comes_back_at_the_end_of_a_mail_that_has_something_to_say() -> None:
    assert roles(request(said={"key_messages": [message()]})) == ["header", "hero", "lead", "footer"]
    assert "closing" in roles(request(said={"key_messages": [message(headline="Oak")]}))


def test_a_first_message_of_words_alone_leads() -> None:
    assert "lead" in roles(request(said={"key_messages": [message(), message(headline="Oak")]}))


def test_three_short_messages_with_pictures_stand_side_by_side() -> None:
    given = request(said={"key_messages": [message("Oak.", asset="lamp") for _ in range(3)]}, assets=[asset("lamp")])
    assert list(columns_of(sections(mail_of(given))["message-1"])) == [3]


@pytest.mark.parametrize(("count", "rows"), [(2, [2]), (4, [2, 3]), (5, [2, 3]), (6, [3, 3]), (8, [2, 3, 3])])
def test_many_cards_stand_in_rows_of_three_after_what_is_left_over(count: int, rows: list[int]) -> None:
    given = request(said={"key_messages": [message("Oak.", asset="lamp")] * count}, assets=[asset("lamp")])
    found = sections(mail_of(given))
    drawn = [columns for name in found if name.startswith("message") for columns in columns_of(found[name])]
    assert drawn == rows


def test_messages_with_much_to_say_stand_beside_their_picture_on_alternate_sides() -> None:
    given = request(said={"key_messages": [message(LONG, asset="lamp")] * 3}, assets=[asset("lamp")])
    drawn = [wrapper.find("mj-section") for name, wrapper in sections(mail_of(given)).items() if "message" in name]
    assert [row.get("direction") for row in drawn if row is not None] == [None, "rtl", None]


def test_a_wide_picture_is_not_squeezed_into_a_card() -> None:
    given = request(
        said={"key_messages": [message("Oak.", asset="lamp")] * 3}, assets=[asset("lamp", width=1200, height=500)]
    )
    assert roles(given).count("feature") == 3


def test_short_facts_stand_side_by_side_also_on_a_phone() -> None:
    details = [{"label": "Save", "value": "20%"}, {"label": "Until", "value": "3 May"}]
    strip = sections(mail_of(request(said={"details": details})))["details"]
    assert strip.find(".//mj-group") is not None


def test_long_facts_stand_in_a_table_whose_labels_are_headers_of_their_rows() -> None:
    details = [{"label": "Where", "value": "The large hall of the old mill by the river"}]
    table = sections(mail_of(request(said={"details": details})))["details"]
    assert [(th.get("scope"), th.text) for th in table.iter("th")] == [("row", "Where")]


@pytest.mark.parametrize("label", ["18:30", "9.15", "7 pm", "11 a.m."])
def test_facts_whose_label_is_a_time_make_an_agenda(label: str) -> None:
    assert "agenda" in roles(request(said={"details": [{"label": label, "value": "Doors"}]}))


def test_an_invitation_opens_on_the_colour_of_the_brand_and_an_offer_on_its_paper() -> None:
    brand = {"name": "Lumen", "colors": {"primary": "#123456", "background": "#fffdf9"}}
    given = request(assets=[asset("lamp", role="hero")], brand=brand)
    invitation = {**given, "brief": {**given["brief"], "objective": "engagement"}}
    assert sections(mail_of(given))["hero"].get("background-color") == "#fffdf9"
    assert sections(mail_of(invitation))["hero"].get("background-color") == "#123456"


def test_a_wide_picture_opens_the_mail_from_edge_to_edge() -> None:
    hero = sections(mail_of(request(assets=[asset("lamp", role="hero")])))["hero"]
    assert images(hero)[0].get("width") == "600px"


def test_a_picture_is_never_drawn_wider_than_it_is() -> None:
    given = request(
        said={"key_messages": [message(LONG, asset="mug")]},
        assets=[asset("lamp", role="hero", width=420, height=300), asset("mug", width=90, height=90)],
    )
    assert [image.get("width") for image in images(mail_of(given))] == ["248px", "90px"]


def test_a_very_tall_picture_does_not_push_the_headline_away() -> None:
    hero = sections(mail_of(request(assets=[asset("lamp", role="hero", width=600, height=1800)])))["hero"]
    assert int(images(hero)[0].get("width", "").removesuffix("px")) * 3 <= 600


def test_the_logo_keeps_the_space_that_the_brand_wants_around_it() -> None:
    def header(space: float) -> str:
        logo = {"asset": "logo", "min_width": 120, "clear_space": space}
        given = request(brand={"name": "Lumen", "logos": [logo]}, assets=[asset("logo", width=320, height=80)])
        (row,) = sections(mail_of(given))["header"].iter("mj-section")
        return row.get("padding", "")

    assert header(0.5).startswith("0px")
    assert header(1.5).startswith("36px")


def test_a_logo_for_light_grounds_is_chosen_before_one_for_dark_ones() -> None:
    logos = [{"asset": "white", "background": "dark-bg"}, {"asset": "black", "background": "light-bg"}]
    pictures = [asset("white", width=320, height=80), asset("black", width=320, height=80)]
    mail = mail_of(request(brand={"name": "Lumen", "logos": logos}, assets=pictures))
    assert images(mail)[0].get("alt") == "The black"


def test_on_a_dark_page_a_logo_for_light_grounds_brings_one_along() -> None:
    colours = {"background": "#101418", "text": "#eeeeee"}
    brand = {"name": "Lumen", "colors": colours, "logos": [{"asset": "logo", "background": "light-bg"}]}
    mail = mail_of(request(brand=brand, assets=[asset("logo", width=320, height=80)]))
    (column,) = sections(mail)["header"].iter("mj-column")
    assert column.get("background-color") == "#ffffff"


def test_without_a_logo_the_name_stands_in_its_place() -> None:
    assert words_of(sections(mail_of(request()))["header"]) == "Lumen"


def test_a_picture_that_mail_programs_do_not_draw_is_left_out() -> None:
    given = request(assets=[asset("lamp", role="hero", media_type="image/avif")])
    assert not images(mail_of(given))


def test_an_asset_that_was_not_opened_is_left_out() -> None:
    assert not images(mail_of(request(assets=[{"id": "lamp", "role": "hero", "path": "lamp.png"}])))


def test_a_long_headline_is_set_smaller_than_a_short_one() -> None:
    def size(headline: str) -> int:
        style = next(mail_of(request(said={"headline": headline})).iter("h1")).get("style", "")
        return int(style.split("font-size:")[1].split("px")[0])

    assert size("Light") > size("Light " * 12) >= size("Light " * 60) >= 20


def test_an_arabic_mail_runs_from_right_to_left() -> None:
    given = request(locale="ar", said={"key_messages": [message(headline="ضوء"), message(headline="ليل")]})
    mail = mail_of(given)
    assert (mail.get("dir"), mail.get("lang")) == ("rtl", "ar")
    rows = [row for row in sections(mail)["message-1"].iter("mj-section") if len(row) > 1]
    assert {row.get("direction") for row in rows} == {"rtl"}


def test_a_chinese_mail_is_set_in_the_forms_of_its_region() -> None:
    families = next(mail_of(request(locale="zh-Hant-TW")).iter("mj-all")).get("font-family", "")
    assert families == "'PingFang TC', 'Microsoft JhengHei', 'Noto Sans CJK TC', sans-serif"


def test_the_families_of_the_brand_come_first() -> None:
    fonts = {"heading": "Canela, Georgia, serif", "body": "Inter, sans-serif"}
    mail = mail_of(request(brand={"name": "Lumen", "fonts": fonts}))
    assert next(mail.iter("mj-all")).get("font-family", "").startswith("Inter, ")
    display = next(each for each in mail.iter("mj-class") if each.get("name") == "display")
    assert display.get("font-family", "").startswith("Canela, Georgia, ")


def test_a_family_name_cannot_leave_its_attribute() -> None:
    mail = mail_of(request(brand={"name": "Lumen", "fonts": {"body": "Evil'; background: url(//x"}}))
    assert "url(" not in next(mail.iter("mj-all")).get("font-family", "")


def test_a_dark_setting_gets_dark_grounds_and_bright_ink() -> None:
    dark = next(rules for rules in style_rules(request()) if "prefers-color-scheme:dark" in rules)
    ground = re.search(r"\.on-surface, [^{]*\{ background:(#\w{6})", dark)
    ink = re.search(r"\.on-surface div, [^{]*\{ color:(#\w{6})", dark)
    assert ground
    assert ink
    assert Color(ink[1]).luminance() > 0.6 > 0.1 > Color(ground[1]).luminance()


def test_on_a_phone_the_action_is_as_wide_as_the_column() -> None:
    phone = next(rules for rules in style_rules(request()) if "max-width:479px" in rules)
    assert ".action table { width:100% !important; }" in phone


def style_rules(given: dict[str, object]) -> list[str]:
    return [style.text or "" for style in mail_of(given).iter("mj-style")]


def images(element: Element) -> list[Element]:
    return list(element.iter("mj-image"))


FACTS = {"details": [{"label": "When", "value": "Thursday 14 May"}]}
WORDS = [
    message("Warm water and a brush."),
    message("Look at the pads."),
    message("Charge them."),
    message("Less air."),
]
LAYOUTS: dict[str, dict[str, Any]] = {
    "poster": request(assets=[asset("lamp", role="hero")]),
    "stage": request(assets=[asset("lamp", role="hero")], brief={"objective": "awareness", "messaging": FACTS}),
    "beside": request(assets=[asset("lamp", role="product", width=800, height=1000)]),
    "type": request(),
    "letter": request(brief={"objective": "retention", "messaging": {"key_messages": [message(LONG)]}}),
    "ticket": request(brief={"objective": "engagement", "messaging": FACTS}),
    "figure": request(said={"headline": "Up to 30% off all lamps"}),
    "index": request(said={"key_messages": WORDS}),
    "plain": request(
        rules={
            "required_disclosures": [{"id": "s", "text": "Mind the glass.", "position": "prominent", "regulation": "X"}]
        }
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_what_is_to_be_said_chooses_one_of_the_layouts(name: str) -> None:
    body = mail_of(LAYOUTS[name]).find("mj-body")
    assert body is not None
    assert f"layout-{name}" in body.get("css-class", "").split()


def test_a_letter_has_one_action_after_what_it_says() -> None:
    given = LAYOUTS["letter"]
    given["brief"]["messaging"]["cta"] = {"text": "Visit us", "url": f"{SHOP}/visit"}
    found = sections(mail_of(given))
    assert [name for name, section in found.items() if section.find(".//mj-button") is not None] == ["closing"]
    assert "h2" not in [each.tag for each in found["closing"].iter()]


def test_the_figure_of_an_offer_is_the_largest_type_and_stays_in_its_headline() -> None:
    hero = sections(mail_of(LAYOUTS["figure"]))["hero"]
    (heading,) = hero.iter("h1")
    assert words_of(heading) == "Up to 30% off all lamps"
    sizes = {words_of(span): int(re.findall(r"font-size:(\d+)", span.get("style", ""))[0]) for span in heading}
    assert max(sizes, key=lambda words: sizes[words]) == "30%"
    assert sizes["30%"] >= 2 * max(size for words, size in sizes.items() if words != "30%")


CLAIMS = [
    {"id": "C-1", "text": "It lasts ten years.", "sources": [{"source": "S-2"}]},
    {"id": "C-2", "text": "It needs 4 W", "sources": [{"source": "S-1"}, {"source": "S-2"}]},
    {"id": "C-3", "text": "Made of glass", "sources": [{"source": "S-3"}]},
]
SOURCES = [
    {"id": "S-1", "title": "one", "citation": "Test house, report 1."},
    {"id": "S-2", "title": "two", "citation": "Test house, report 2."},
    {"id": "S-3", "title": "inner", "citation": None},
]


def test_claims_are_marked_with_their_references_in_the_order_in_which_they_are_cited() -> None:
    messages = [
        message("Good news: it lasts ten years. And more.", claims=["C-1"]),
        message("It needs 4 W. Made of glass.", claims=["C-2", "C-3"]),
        message("Light that is thrifty.", claims=["C-2"]),
    ]
    given = request(said={"key_messages": messages}, claims=CLAIMS, sources=SOURCES)
    found = sections(mail_of(given))
    told = " ".join(words_of(found[name]) for name in found if name.startswith(("lead", "message")))
    assert "it lasts ten years.¹ And more." in told
    assert "It needs 4 W.¹,² Made of glass." in told
    assert "Light that is thrifty.¹,²" in told
    entries = [words_of(each) for each in found["references"].iter("mj-text")]
    assert entries == ["1. Test house, report 2.", "2. Test house, report 1."]
