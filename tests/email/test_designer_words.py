"""The designer's words: those of the request, set with care, and nothing of its own but a few functional ones."""

from __future__ import annotations

import json
import re

import pytest

from tests.email.designing import asset, mail_of, message, request, sections, words_of, written


def test_every_word_comes_from_the_request_or_is_functional() -> None:
    given = request(
        said={
            "tagline": "Lamps for light evenings.",
            "key_messages": [message("Made of oak.", headline="Oak"), message("Made of ash.", headline="Ash")],
            "details": [{"label": "Until", "value": "3 May"}, {"label": "18:00", "value": "Doors"}],
            "quote": {"text": "It glows.", "attribution": "A reader"},
        }
    )
    spoken = set(re.findall(r"\w+", json.dumps(given))) | {"Unsubscribe"}
    body = mail_of(given).find("mj-body")
    assert body is not None
    assert set(re.findall(r"\w+", words_of(body))) <= spoken


def test_required_words_stand_exactly_as_they_came() -> None:
    text = 'Was "£40" - 10 %  off; it\'s <b>not</b> & never was'
    rules = {"required_disclosures": [{"id": "a", "text": text, "position": "footer"}]}
    assert text in "".join(sections(mail_of(request(rules=rules)))["legal"].itertext())


def test_prominent_required_words_stand_before_the_messages_in_the_size_of_the_body() -> None:
    rules = {"required_disclosures": [{"id": "a", "text": "Do not cover the lamp.", "position": "prominent"}]}
    found = sections(mail_of(request(rules=rules, said={"key_messages": [message(headline="Oak")]})))
    assert list(found).index("notice") < list(found).index("message-1")
    assert {text.get("mj-class") for text in found["notice"].iter("mj-text")} == {"body"}


def test_required_words_for_another_country_are_left_out() -> None:
    rules = {
        "required_disclosures": [
            {"id": "a", "text": "For Germany.", "jurisdictions": ["DE"]},
            {"id": "b", "text": "For the state.", "jurisdictions": ["US-CA"]},
            {"id": "c", "text": "For everybody."},
        ]
    }
    shown = words_of(mail_of(request(rules=rules, audience={"territory": ["US"]})))
    assert "For Germany." not in shown
    assert "For the state." in shown
    assert "For everybody." in shown


def test_required_words_in_another_language_say_so() -> None:
    rules = {"required_disclosures": [{"id": "a", "text": "Nur solange Vorrat reicht.", "language": "de"}]}
    (span,) = sections(mail_of(request(rules=rules)))["legal"].iter("span")
    assert span.get("lang") == "de"


def test_what_must_be_included_and_is_not_said_is_added() -> None:
    given = request()
    given["brief"] = {**given["brief"], "must_include": ["SPRING IS here", "Code LIGHT"]}
    assert words_of(sections(mail_of(given))["notes"]) == "Code LIGHT"


def test_a_required_disclaimer_of_the_brand_stands_at_the_end() -> None:
    disclaimers = [{"text": "Lumen is a trade mark.", "required": True}, {"text": "Not this.", "required": False}]
    legal = sections(mail_of(request(brand={"name": "Lumen", "disclaimers": disclaimers})))["legal"]
    assert words_of(legal) == "Lumen is a trade mark."


def test_english_quotes_and_apostrophes_are_typographic() -> None:
    mail = mail_of(request(said={"headline": "\"It's light\" isn't all"}))
    assert words_of(sections(mail)["hero"]).startswith("“It’s light” isn’t")


def test_a_unit_does_not_part_from_its_figure() -> None:
    given = request(said={"key_messages": [message("A lamp of 3 kg and 40 cm.")]})
    assert "3\N{NO-BREAK SPACE}kg and 40\N{NO-BREAK SPACE}cm" in written(given)["email.mjml"]


def test_the_last_word_of_a_headline_is_never_alone() -> None:
    (headline,) = mail_of(request(said={"headline": "Spring light is here"})).iter("h1")
    assert "".join(headline.itertext()).endswith("is\N{NO-BREAK SPACE}here")


def test_merge_tags_stay_as_they_are() -> None:
    tag = '{{ name | default: "friend" }}'
    given = request(said={"headline": f"Good evening {tag}"})
    assert tag in "".join(sections(mail_of(given))["hero"].itertext())


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("zh-Hant-TW", "取消訂閱"),
        ("zh-CN", "退订"),
        ("pt-BR", "Cancelar inscrição"),
        ("de-AT", "Abmelden"),
        ("xh", "Unsubscribe"),
    ],
)
def test_the_way_out_is_named_in_the_language_of_the_reader(locale: str, words: str) -> None:
    footer = sections(mail_of(request(locale=locale)))["footer"]
    assert [link.text for link in footer.iter("a")] == [words]


def test_a_headline_in_chinese_is_not_broken_inside_a_name() -> None:
    given = request(locale="zh-Hant-TW", said={"headline": "「光的地圖」開幕之夜"})
    (span,) = next(mail_of(given).iter("h1")).iter("span")
    assert (span.text, span.get("style")) == ("「光的地圖」", "white-space:nowrap;")


def test_a_quotation_gets_the_marks_of_its_language() -> None:
    given = request(locale="de", said={"quote": {"text": "Es leuchtet."}})
    assert words_of(sections(mail_of(given))["quote"]) == "„Es leuchtet.“"


def test_a_line_break_of_the_request_is_kept() -> None:
    given = request(said={"key_messages": [message("One line\nand the next.\n\nA paragraph.")]})
    breaks = sections(mail_of(given))["lead"].iter("br")
    assert [br.tail for br in breaks] == ["and the next.", None, "A paragraph."]


def test_pieces_that_must_not_be_broken_have_no_space_between_them() -> None:
    given = request(locale="zh-Hant-TW", said={"tagline": "天色暗下來，燈就亮了。我們等您。"})
    assert "天色暗下來，燈就亮了。我們等您。" in "".join(sections(mail_of(given))["hero"].itertext())


@pytest.mark.parametrize("address", ["#", "https://example.com/x", "www.lumen.test", "javascript:alert(1)"])
def test_an_action_whose_address_a_mail_may_not_carry_is_only_words(address: str) -> None:
    mail = mail_of(request(said={"cta": {"text": "See the lamps", "url": address}}, brand={"name": "Lumen"}))
    assert not list(mail.iter("mj-button"))
    assert "See the lamps" in words_of(sections(mail)["hero"])


def test_an_action_without_an_address_leads_to_the_site_of_the_brand() -> None:
    (button,) = mail_of(request(said={"cta": {"text": "See the lamps"}})).iter("mj-button")
    assert button.get("href") == "https://shop.lumen.test"


def test_the_preheader_says_something_beside_the_subject() -> None:
    given = request(said={"headline": "Lamps for spring", "tagline": "Lamps for spring", "key_messages": [message()]})
    assert json.loads(written(given)["plan.json"])["header"] == {
        "subject": "Lamps for spring",
        "preheader": "Light for the long table.",
    }


def test_a_tagline_that_is_too_long_for_the_inbox_gives_its_first_sentence() -> None:
    given = request(said={"tagline": "Light comes back. " + "And stays for a long while. " * 6})
    assert json.loads(written(given)["plan.json"])["header"]["preheader"] == "Light comes back."


def test_a_linked_picture_without_words_is_named_by_where_it_leads() -> None:
    shown = message("Text.", asset="lamp", cta={"text": "See it", "url": "https://shop.lumen.test/lamp"})
    mail = mail_of(request(said={"key_messages": [shown]}, assets=[asset("lamp", alt="")]))
    assert [image.get("alt") for image in sections(mail)["message-1"].iter("mj-image")] == ["See it"]
