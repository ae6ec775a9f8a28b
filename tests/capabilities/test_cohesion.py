"""The support capability `cohesion`: one thing to do, nothing twice, one order, one spelling, one address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor._values import Json
from compositor.authoring import Section
from compositor.capabilities.cohesion import cohesion
from compositor.verifiers import Verdict
from tests.capabilities.copy_bench import passages, verdict_on_copy
from tests.email.bench import Bench, codes

pytestmark = pytest.mark.anyio

REQUEST: Mapping[str, Any] = {
    "content": "email",
    "locale": "en-GB",
    "brief": {
        "name": "Autumn_2027",
        "objective": "conversion",
        "messaging": {
            "headline": "Longer evenings, softer light",
            "cta": {"text": "See the lamps", "url": "https://shop.lumen.test/lamps"},
        },
    },
    "brand": {"name": "Fjord Light"},
}
PARAGRAPH = "All our lamps come from one small workshop by the harbour, where each is finished by hand."
LINE = "Made to last for many winters."


def copy(*parts: str | tuple[str, str] | tuple[str, str, float]) -> tuple[Section, ...]:
    """Pieces of copy in reading order: words alone are body; else role and words, and the size of the letters."""
    told = [("body", part) if isinstance(part, str) else part for part in parts]
    return tuple(
        Section(
            id=f"part-{number}",
            role=role,
            text=text,
            place=f"email.mjml:{number}",
            box=(0, number * 20, 300, 18),
            size=float(*size) if size else 16.0,
        )
        for number, (role, text, *size) in enumerate(told, 1)
    )


SEE = ("action", "See the lamps")


async def verdict(sections: Sequence[Section], request: Mapping[str, Any] = REQUEST) -> Verdict:
    return await verdict_on_copy(cohesion, "cohesion", sections, request)


async def found(*parts: str | tuple[str, str] | tuple[str, str, float], **request: Json) -> list[str]:
    """The codes of what is found in a copy that has the button that the brief asks for."""
    return codes((await verdict(copy(SEE, *parts), {**REQUEST, **request})).findings)


def brief(messaging: Json, **more: Json) -> Mapping[str, Json]:
    """The brief of the request with parts of its messaging changed."""
    return {**REQUEST["brief"], **more, "messaging": {**REQUEST["brief"]["messaging"], **messaging}}


# --- calls to action -------------------------------------------------------------------------------------------------


async def test_the_same_words_on_two_buttons_are_one_call_to_action() -> None:
    assert await found(PARAGRAPH, ("action", "SEE THE LAMPS →")) == []


async def test_a_second_call_to_action_of_equal_rank_is_told_at_its_place() -> None:
    told = await verdict(copy(SEE, PARAGRAPH, ("action", "Book a visit"), ("action", "Read our story")))
    assert [(f.code, f.severity, f.measured, f.threshold, f.where.line) for f in told.findings] == [
        ("several-actions", "warning", 3, 1, 3)
    ]
    assert "“See the lamps”, “Book a visit”, “Read our story”" in told.findings[0].message


@pytest.mark.parametrize(
    "parts",
    [
        (("action", "Book a visit", 12.0),),
        (("legal", "You get this as a customer."), ("action", "Unsubscribe")),
        (("action", "→"),),
    ],
    ids=["set smaller", "in the small print", "no words"],
)
async def test_what_does_not_compete_is_no_second_call_to_action(parts: tuple[Any, ...]) -> None:
    assert await found(*parts) == []


async def test_messages_may_have_calls_to_action_of_their_own_and_no_more_than_these() -> None:
    own = brief({"key_messages": [{"text": "A lamp", "cta": {"text": "See the lamp"}}, {"text": "A vase"}]})
    assert await found(PARAGRAPH, ("action", "See the lamp"), brief=own) == []
    more = await verdict(copy(SEE, ("action", "Buy now"), ("action", "See the lamp")), {**REQUEST, "brief": own})
    assert [(f.code, f.threshold, f.where.line) for f in more.findings] == [("several-actions", 2, 2)]


async def test_without_the_button_that_the_brief_asks_for_nothing_can_be_done() -> None:
    told = await verdict(copy(PARAGRAPH, "See the lamps"))
    assert [(f.code, f.severity, f.remedy) for f in told.findings] == [
        ("action-missing", "blocking", "add a button: See the lamps")
    ]
    assert told.status == "failed"


async def test_a_brief_that_asks_for_nothing_to_do_needs_no_button() -> None:
    quiet = {"brief": {"name": "A", "objective": "awareness"}}
    assert codes((await verdict(copy(PARAGRAPH), quiet)).findings) == []


async def test_a_button_that_the_request_gives_no_address_for_is_not_the_writers_fault() -> None:
    told = await verdict(copy(PARAGRAPH), {**REQUEST, "brief": brief({"cta": {"text": "See the lamps"}})})
    assert [(f.code, f.severity, f.remedy) for f in told.findings] == [
        ("action-missing", "warning", "give brief.messaging.cta.url")
    ]


# --- repeats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "again",
    [PARAGRAPH, PARAGRAPH.upper(), PARAGRAPH.replace(" ", "\u00a0").rstrip("."), f"“{PARAGRAPH}”"],
    ids=["as it was", "in capitals", "other spaces", "in quotes"],
)
async def test_a_paragraph_is_not_said_twice_however_it_is_set(again: str) -> None:
    told = await verdict(copy(SEE, PARAGRAPH, LINE, again))
    assert [(f.code, f.severity, f.where.line) for f in told.findings] == [("repeated", "blocking", 4)]
    assert "email.mjml:2" in told.findings[0].message


@pytest.mark.parametrize(
    ("first", "second"),
    [(LINE, LINE), (("headline", "Our lamps"), ("headline", "Our lamps")), (("headline", LINE), LINE)],
    ids=["a line", "a headline", "a headline as text"],
)
async def test_a_repeated_line_or_headline_is_told_and_does_not_block(first: Any, second: Any) -> None:
    told = await verdict(copy(SEE, first, PARAGRAPH, second))
    assert [(f.code, f.severity) for f in told.findings] == [("repeated", "warning")]


@pytest.mark.parametrize(
    "twice",
    [
        "Free delivery",
        "£49 with free delivery, was £65",
        ("headline", "25 % off"),
        ("legal", PARAGRAPH),
        ("action", "See the lamps"),
        ("picture", "A lamp on a table by the window"),
    ],
)
async def test_labels_prices_buttons_and_small_print_may_stand_twice(twice: Any) -> None:
    assert await found(twice, LINE, twice) == []


async def test_what_the_request_gives_twice_or_asks_for_word_for_word_may_stand_twice() -> None:
    messages = brief({"key_messages": [{"text": PARAGRAPH}, {"text": PARAGRAPH}]})
    assert await found(PARAGRAPH, LINE, PARAGRAPH, brief=messages) == []
    assert await found(PARAGRAPH, LINE, PARAGRAPH, LINE, PARAGRAPH, brief=messages) == ["repeated", "repeated"]
    assert await found(PARAGRAPH, "So it is.", PARAGRAPH, brief=brief({}, must_include=[PARAGRAPH])) == []
    rules = {"required_disclosures": [{"id": "d", "text": f"{PARAGRAPH} {LINE}"}]}
    assert await found(PARAGRAPH, LINE, "And so on.", PARAGRAPH, LINE, rules=rules) == []


async def test_a_passage_with_one_word_in_ten_changed_is_nearly_the_same() -> None:
    told = await verdict(copy(SEE, PARAGRAPH, PARAGRAPH.replace("finished", "polished")))
    assert [(f.code, f.severity, f.threshold) for f in told.findings] == [("nearly-repeated", "warning", 0.9)]
    other = PARAGRAPH.replace("lamps", "bowls").replace("harbour", "station").replace("hand", "fire")
    assert await found(PARAGRAPH, other) == []


async def test_lines_that_differ_in_a_figure_are_parallel_and_not_repeated() -> None:
    day = "Day {}: we meet in the great hall at the harbour and walk to the workshop."
    assert await found(day.format(1), day.format(2)) == []


async def test_repeats_are_found_without_spaces_between_words() -> None:
    line = "每一盏灯都由港口边的小作坊手工制作，陪伴您度过漫长的夜晚。"
    assert await found(line, "欢迎光临。", line) == ["repeated"]
    assert await found("包邮", "欢迎光临。", "包邮") == []


async def test_thousands_of_passages_are_compared_in_a_moment() -> None:
    many = [f"{'abcdefghij'[n % 10]} {n:b} lamps stand on shelf {n} of the long hall" for n in range(3000)]
    assert (await verdict(copy(SEE, *many))).examined == 3001


# --- headlines -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headline", "wanted"),
    [
        (" ".join(["light"] * 12), []),
        (" ".join(["light"] * 13), [("headline-long", 13, 12)]),
        ("o" * 90, []),
        ("o" * 91, [("headline-long", 91, 90)]),
        ("灯" * 24, []),
        ("灯" * 26, [("headline-long", 13, 12)]),
    ],
)
async def test_a_headline_has_twelve_words_and_ninety_characters_at_most(headline: str, wanted: Json) -> None:
    told = await verdict(copy(("headline", headline), SEE))
    assert [(f.code, f.measured, f.threshold) for f in told.findings] == wanted
    assert await found(headline) == []


async def test_a_long_headline_that_the_brief_asks_for_word_for_word_stands() -> None:
    long = " ".join(["light"] * 13)
    assert await found(("headline", long), brief=brief({}, must_include=[long])) == []


async def test_the_first_headline_is_set_the_largest() -> None:
    told = await verdict(
        copy(("headline", "A start", 24.0), SEE, ("headline", "And more", 26.4), ("headline", "X", 31.0))
    )
    assert [(f.code, f.severity, f.measured, f.threshold, f.where.line) for f in told.findings] == [
        ("headline-order", "warning", 31.0, 24.0, 4)
    ]


@pytest.mark.parametrize(
    "parts",
    [
        (("headline", "Fjord Light", 16.0), ("headline", "A start", 31.0)),
        (("headline", "A start", 24.0), ("headline", "25 % off", 48.0)),
        (("headline", "A start", 31.0), ("headline", "And more", 24.0)),
    ],
    ids=["the name of the brand", "a figure shown large", "smaller ones"],
)
async def test_what_is_no_step_in_the_order_of_headlines_is_left_alone(parts: tuple[Any, ...]) -> None:
    assert await found(*parts) == []


async def test_where_sizes_are_not_known_the_order_is_not_told() -> None:
    unseen = tuple(replace(s, size=None, box=None) for s in copy(("headline", "A"), SEE, ("headline", "B")))
    assert codes((await verdict(unseen)).findings) == []


# --- names -----------------------------------------------------------------------------------------------------------

NAMED = brief({"key_messages": [{"text": "SleepWell, the MX-5 and the iPhone"}]})


@pytest.mark.parametrize(
    "written",
    ["FjordLight", "Fjord-Light", "Fjordlight", "Sleepwell", "Sleep Well", "Sleep-Well", "MX5", "MX 5", "Iphone"],
)
async def test_a_name_that_is_written_in_a_second_way_is_told(written: str) -> None:
    told = await verdict(copy(SEE, f"{written} is here."), {**REQUEST, "brief": NAMED})
    assert [(f.code, f.severity, f.measured) for f in told.findings] == [("name-otherwise", "warning", written)]


@pytest.mark.parametrize(
    "written",
    [
        "Fjord Light’s lamps, and a Fjord-Light-Lampe",
        "FJORD LIGHT",
        "Fjord\u00a0Light",
        "IPhone at the beginning",
        "light on the fjord, fjord light",
        "S L E E P W E L L and SLEEPWELL",
        "write to sleep-well@fjordlight.test, see sleepwell.test, #fjordlight",
        "Sleepwellness",
        "{{sleepwell}} *|SLEEP-WELL|*",
    ],
)
async def test_a_style_a_common_word_or_an_address_is_no_second_way(written: str) -> None:
    assert await found(written, brief=NAMED) == []


async def test_the_request_may_write_a_name_in_two_ways_itself() -> None:
    brand = {"name": "Fjord Light", "tagline": "FjordLight. Since 1970."}
    assert await found("FjordLight is here.", brand=brand) == []


async def test_names_that_only_the_project_uses_and_ids_are_no_names() -> None:
    own = brief({"key_messages": [{"text": "A lamp", "asset": "heroPicture", "claims": ["pricePromise"]}]})
    assert await found("A hero picture and a price promise", brief=own) == []


# --- forms of address ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locale", "one", "other", "words"),
    [
        ("de", "Mach es dir gemütlich.", "Wir beraten Sie gern.", ("dir", "Sie")),
        ("de-AT", "Deine Lampen sind da.", "Entdecken Sie mehr, gern mit Ihrer Familie.", ("Deine", "Sie")),
        ("fr", "Tu vas aimer.", "Découvrez votre lampe.", ("Tu", "votre")),
        ("fr-CA", "Elle t’attend.", "Nous vous attendons.", ("t'attend", "vous")),
        ("es", "Tu lámpara está aquí.", "La elige usted.", ("Tu", "usted")),
    ],
)
async def test_two_forms_of_address_are_told_with_both_places(
    locale: str, one: str, other: str, words: tuple[str, str]
) -> None:
    told = await verdict(copy(SEE, one, other), {**REQUEST, "locale": locale})
    assert [(f.code, f.severity, f.where.line) for f in told.findings] == [("address-mixed", "warning", 2)]
    assert f"“{words[0]}” here and as “{words[1]}” at email.mjml:3" in told.findings[0].message
    for alone in (one, other):
        assert codes((await verdict(copy(SEE, alone), {**REQUEST, "locale": locale})).findings) == []


@pytest.mark.parametrize(
    ("locale", "parts"),
    [
        ("de", ("Mach es dir gemütlich.", "Sie leuchten lange. Ihre Form ist schlicht: Sie passt.")),
        ("de", ("Mach es dir gemütlich.", "„Ich frage Sie: gibt es Schöneres?“")),
        ("de", ("Mach es dir gemütlich.", ("legal", "Sie erhalten diese Mail, weil Sie Kunde sind."))),
        ("fr", ("Tu vas aimer.", "Un rendez-vous au bord du lac, un ton doux.")),
        ("es", ("Tu lámpara está aquí.", "Es para ustedes, con su luz.")),
        ("en", ("You and thou", "Sie, du, tu, vous, usted")),
    ],
)
async def test_words_that_speak_to_others_or_mean_something_else_mix_nothing(
    locale: str, parts: tuple[Any, ...]
) -> None:
    assert await found(*parts, locale=locale) == []


async def test_words_that_nobody_may_change_may_speak_otherwise() -> None:
    risks = "Zu Risiken fragen Sie Ihre Apotheke."
    rules = {"required_disclosures": [{"id": "r", "text": risks}]}
    assert await found("Mach es dir gemütlich.", risks, locale="de", rules=rules) == []
    quote = brief({"quote": {"text": "Ich kann sie Ihnen nur empfehlen."}})
    assert await found("Mach es dir gemütlich.", quote["messaging"]["quote"]["text"], locale="de", brief=quote) == []


# --- clean work ------------------------------------------------------------------------------------------------------

WORDS: Mapping[str, tuple[str, str, str, str, str]] = {
    "en-GB": ("Longer evenings, softer light", LINE, PARAGRAPH, "See the lamps", "You get this as a customer."),
    "en-US": ("Fall asleep sooner", "Five quiet habits for the night.", PARAGRAPH, "Read on", "© 2027 Fjord Light"),
    "de": (
        "Das Licht wird weicher",
        "Mach es dir gemütlich.",
        "Unsere Lampen entstehen in einer kleinen Werkstatt am Hafen, und sie leuchten viele Winter lang.",
        "Lampen ansehen",
        "Sie erhalten diese Mail als Kunde.",
    ),
    "fr": (
        "Des soirées plus douces",
        "Prenez rendez-vous avec la lumière.",
        "Toutes nos lampes naissent dans un petit atelier du port, où chacune est finie à la main pour vous.",
        "Voir les lampes",
        "Vous recevez ce message parce que vous êtes client.",
    ),
    "es": (
        "Tardes más largas, luz más suave",
        "Hechas para durar.",
        "Nuestras lámparas nacen en un pequeño taller del puerto, donde cada una se acaba a mano para ti.",
        "Ver las lámparas",
        "Recibes este mensaje porque eres cliente.",
    ),
    "ja": (
        "灯りがやわらぐ、秋の夜",
        "長い冬を越えて使える道具です。",
        "私たちのランプは港のそばの小さな工房で、ひとつずつ手で仕上げられています。",
        "ランプを見る",
        "このメールはお客様にお送りしています。",
    ),
    "zh-Hans": (
        "夜更长，光更柔",
        "陪你度过许多冬天。",
        "我们的灯都出自港口边的一间小作坊，每一盏都由手工完成。",
        "查看灯具",
        "您收到此邮件是因为您是我们的客户。",
    ),
    "ar": (
        "أمسيات أطول وضوء ألطف",
        "صُنعت لتدوم.",
        "تأتي كل مصابيحنا من ورشة صغيرة قرب الميناء حيث يُنهى كل مصباح باليد.",
        "شاهد المصابيح",
        "تصلك هذه الرسالة لأنك عميل لدينا.",
    ),
}
SHAPES: Mapping[str, Sequence[int]] = {
    "a letter": (0, 2, 1, 3, 4),
    "a hero with its button again": (0, 1, 3, 2, 3, 4),
    "words first, then the button": (0, 2, 3, 1, 4, 4),
}
ROLES = ("headline", "body", "body", "action", "legal")
SIZES = (31.0, 18.0, 16.0, 16.0, 12.0)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("locale", WORDS)
async def test_clean_work_has_no_findings_in_any_language(locale: str, shape: str) -> None:
    said = WORDS[locale]
    header = (("subject", said[0]), ("hidden", said[1]), ("body", "Fjord Light", 20.0))
    sections = copy(*header, *((ROLES[part], said[part], SIZES[part]) for part in SHAPES[shape]))
    told = await verdict(sections, {**REQUEST, "locale": locale, "brief": brief({"cta": {"text": said[3]}})})
    assert (told.status, codes(told.findings), told.examined) == ("passed", [], len(sections))


@given(st.lists(st.text(max_size=60), max_size=5), st.sampled_from(["de", "fr", "es", "en"]), st.text(max_size=20))
async def test_any_words_are_checked_without_a_crash(texts: list[str], locale: str, name: str) -> None:
    request = {**REQUEST, "locale": locale, "brand": {"name": name}, "brief": brief({"headline": " ".join(texts)})}
    for role in ("body", "headline", "action"):
        assert (await verdict(passages(*texts, role=role), request)).status in {"passed", "failed"}


# --- what writer and judge are told ----------------------------------------------------------------------------------


def view_of(**request: Json) -> Any:
    return Bench({**REQUEST, **request}, capability=cohesion).view


def test_the_writer_is_told_in_one_paragraph_how_many_buttons_there_are_to_be() -> None:
    one = cohesion.instructions(view_of()).paragraphs
    several = brief({"key_messages": [{"text": "A lamp", "cta": {"text": "See the lamp"}}]})
    assert (len(one), "on one button" in one[0]) == (1, True)
    assert "buttons for what the brief asks" in cohesion.instructions(view_of(brief=several)).paragraphs[0]
