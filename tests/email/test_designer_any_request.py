"""Whatever a small request holds, the designer's draft is legal, compiles, is planned as drawn, and can be read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element, fromstring

import pytest
from coloraide import Color
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compositor._values import Json
from compositor.capabilities.email._plan import read_plan
from compositor.workspace.request import Request
from tests.email.bench import Bench
from tests.email.designing import SHOP, asset, written

pytestmark = pytest.mark.anyio

MEASURED_WITHOUT_A_BROWSER = ("mjml-structure", "html-document", "links", "plan", "delivery", "compiled-size")

WORDS = st.one_of(
    st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=60),
    st.sampled_from(
        ["Light & shade", "「光」的夜，很長。", "A <b>bold</b> claim", "x" * 90, "{{ first_name }}, hello there"]
    ),
)
LINES = WORDS.filter(lambda text: "\n" not in text and "\r" not in text and text.strip())
LINKS = st.fixed_dictionaries(
    {"text": LINES}, optional={"url": st.sampled_from([f"{SHOP}/a?b=1&c=2", "mailto:a@lumen.test"])}
)
COLOURS = st.integers(min_value=0, max_value=0xFFFFFF).map(lambda number: f"#{number:06x}")
ASSETS = ("one", "two", "three")

MESSAGES = st.fixed_dictionaries(
    {"text": WORDS.filter(str.strip)}, optional={"headline": LINES, "asset": st.sampled_from(ASSETS), "cta": LINKS}
)
MESSAGING = st.fixed_dictionaries(
    {},
    optional={
        "headline": LINES,
        "tagline": LINES,
        "cta": LINKS,
        "key_messages": st.lists(MESSAGES, max_size=8),
        "details": st.lists(st.fixed_dictionaries({"label": LINES, "value": LINES}), max_size=5),
        "quote": st.fixed_dictionaries({"text": LINES}, optional={"attribution": LINES}),
    },
)
BRANDS = st.fixed_dictionaries(
    {"name": LINES},
    optional={
        "url": st.just(SHOP),
        "tagline": LINES,
        "colors": st.dictionaries(st.sampled_from(["primary", "secondary", "accent", "background", "text"]), COLOURS),
        "fonts": st.just({"heading": "Canela, serif"}),
    },
)
SIZES = st.integers(min_value=1, max_value=2400)
REQUESTS = st.fixed_dictionaries(
    {
        "operation": st.just("generate"),
        "content": st.just("email"),
        "locale": st.sampled_from(["en", "en-GB", "de-AT", "ar", "he", "ja", "zh-Hant-TW", "th"]),
        "brief": st.fixed_dictionaries(
            {
                "name": LINES,
                "objective": st.sampled_from(["awareness", "consideration", "conversion", "retention", "engagement"]),
                "messaging": MESSAGING,
            }
        ),
        "assets": st.builds(
            lambda sizes, roles: [
                asset(name, role=role, width=size[0], height=size[1])
                for name, size, role in zip(ASSETS, sizes, roles, strict=True)
            ],
            st.lists(st.tuples(SIZES, SIZES), min_size=3, max_size=3),
            st.lists(st.sampled_from(["logo", "hero", "product", "picture"]), min_size=3, max_size=3),
        ),
        "delivery": st.fixed_dictionaries(
            {"asset_base_url": st.just("https://pictures.lumen.test/")},
            optional={"postal_address": LINES, "unsubscribe": st.just(f"{SHOP}/u"), "subject": LINES},
        ),
    },
    optional={
        "brand": BRANDS,
        "rules": st.fixed_dictionaries(
            {
                "required_disclosures": st.lists(
                    st.fixed_dictionaries(
                        {"id": st.just("a"), "text": LINES, "position": st.sampled_from(["prominent", "footer"])}
                    ),
                    max_size=1,
                )
            }
        ),
    },
)
MANY = settings(max_examples=60, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@given(REQUESTS)
@MANY
async def test_any_draft_is_legal_compiles_and_is_what_was_planned(request: dict[str, Json]) -> None:
    whole = Request.model_validate_json(json.dumps(request)).model_dump(mode="json", exclude_none=True)
    files = written(whole)
    bench = await Bench(whole).lay(files)
    built = await bench.build()
    assert not built.findings
    assert read_plan(files["plan.json"]).sections
    for check in MEASURED_WITHOUT_A_BROWSER:
        verdict = await bench.check(check)
        assert verdict.status == "passed" or not unforced(verdict.findings), (check, verdict.findings)


@given(REQUESTS)
@MANY
async def test_any_text_can_be_read_on_its_ground(request: dict[str, Json]) -> None:
    mail = fromstring(written(request)["email.mjml"])
    for ink, ground in (*texts_on_grounds(mail), *buttons(mail)):
        assert Color(ink).contrast(Color(ground), method="wcag21") >= 4.5, (ink, ground)


def unforced(findings: tuple[Json, ...]) -> list[str]:
    """Blocking findings that the request did not force: it may itself hold words that no mail should have."""
    return [each.code for each in findings if each.severity == "blocking" and each.code != "missing-preheader"]


def texts_on_grounds(mail: Element) -> Iterator[tuple[str, str]]:
    for wrapper in mail.iter("mj-wrapper"):
        for column in wrapper.iter("mj-column"):
            ground = column.get("background-color") or wrapper.get("background-color", "")
            yield from ((str(text.get("color")), str(ground)) for text in column.iter("mj-text"))
            yield from ((colour, str(ground)) for colour in inline_colours(column))


def inline_colours(column: Element) -> Iterator[str]:
    for each in column.iter():
        styles: Mapping[str, str] = dict(part.split(":", 1) for part in each.get("style", "").split(";") if ":" in part)
        if "color" in styles:
            yield styles["color"]


def buttons(mail: Element) -> Iterator[tuple[str, str]]:
    for wrapper in mail.iter("mj-wrapper"):
        for button in wrapper.iter("mj-button"):
            fill = button.get("background-color", "")
            ground = wrapper.get("background-color", "") if fill == "transparent" else fill
            yield button.get("color", ""), ground
