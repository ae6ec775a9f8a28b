"""The support capability `domain-rules`: required words, prohibited words, and packs of rules with their sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor._values import Json
from compositor.authoring import Section
from compositor.capabilities.domain_rules import domain_rules
from compositor.capabilities.domain_rules._packs import packs
from compositor.verifiers import Verdict
from compositor.workspace.request import is_field
from tests.capabilities.copy_bench import passages, verdict_on_copy
from tests.email.bench import Bench, codes

pytestmark = pytest.mark.anyio

SAFETY = "Important safety information: Noctal may cause drowsiness. Do not drive after taking it."
REQUEST: Mapping[str, Any] = {
    "content": "email",
    "locale": "en-US",
    "audience": {"territory": ["US"]},
    "delivery": {
        "postal_address": "Lumen, 1 Mill Lane, York",
        "unsubscribe": "https://lumen.test/stop",
        "sender": {"name": "Lumen"},
    },
    "rules": {
        "required_disclosures": [{"id": "safety", "text": SAFETY, "position": "prominent"}],
        "prohibited_claims": [{"text": "drowsiness", "reason": "only in the safety information"}, {"text": "free"}],
    },
    "sources": [{"id": "S", "title": "Trial", "citation": "Drowsiness under Noctal. Journal of Rest 2026; 12: 101."}],
}
BODY = passages("Sleep comes sooner.", SAFETY, "See how.")


async def verdict(check: str, sections: Sequence[Section] = BODY, request: Mapping[str, Any] = REQUEST) -> Verdict:
    return await verdict_on_copy(domain_rules, check, sections, request)


def with_(block: str, **fields: Json) -> Mapping[str, Any]:
    return {**REQUEST, block: {**REQUEST[block], **fields}}


# --- required words --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        SAFETY,
        SAFETY.upper().replace(" ", "\u00a0"),
        SAFETY.replace("drowsiness", "drow\u00adsi\u200bness").replace("not", "ｎｏｔ"),
        f"Read this. {SAFETY} And this.",
    ],
    ids=["as given", "another case and spaces", "soft hyphens and wide letters", "among other words"],
)
async def test_required_words_may_be_set_in_any_way(text: str) -> None:
    assert codes((await verdict("disclosures", passages("Hello.", text))).findings) == []


async def test_required_words_may_run_over_several_paragraphs() -> None:
    first, second = SAFETY.split(": ")
    assert codes((await verdict("disclosures", passages("Hi.", f"{first}:", second, "Bye."))).findings) == []
    apart = passages("Hi.", f"{first}:", "By the way,", second)
    assert codes((await verdict("disclosures", apart)).findings) == ["disclosure-missing"]


@pytest.mark.parametrize(
    ("old", "new"), [("may cause", "can cause"), ("Do not drive", "Do drive"), (" Do not drive after taking it.", "")]
)
async def test_one_changed_word_is_one_finding_at_the_place_that_was_meant(old: str, new: str) -> None:
    found = await verdict("disclosures", passages("Sleep comes sooner.", SAFETY.replace(old, new), "See how."))
    assert codes(found.findings) == ["disclosure-missing"]
    assert found.findings[0].where.line == 2
    assert found.findings[0].remedy == f"write them: {SAFETY}"


async def test_words_that_are_there_and_not_seen_are_found() -> None:
    hidden = replace(BODY[1], box=None, size=None)
    found = await verdict("disclosures", (BODY[0], hidden, BODY[2]))
    assert codes(found.findings) == ["disclosure-hidden"]
    preview = replace(BODY[1], role="hidden")
    assert codes((await verdict("disclosures", (BODY[0], preview))).findings) == ["disclosure-missing"]


async def test_required_words_are_large_enough_to_read() -> None:
    small = await verdict("disclosures", (BODY[0], replace(BODY[1], size=10.9)))
    assert [(f.code, f.measured, f.threshold) for f in small.findings] == [("disclosure-small", 10.9, 11.0)]
    assert codes((await verdict("disclosures", (BODY[0], replace(BODY[1], size=11)))).findings) == []


async def test_prominent_words_do_not_stand_in_the_small_print() -> None:
    legal = await verdict("disclosures", (BODY[0], replace(BODY[1], role="legal")))
    assert codes(legal.findings) == ["disclosure-not-prominent"]
    footer = {"required_disclosures": [{"id": "safety", "text": SAFETY}]}
    at_the_end = await verdict("disclosures", (BODY[0], replace(BODY[1], role="legal")), with_("rules", **footer))
    assert codes(at_the_end.findings) == []


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"jurisdictions": ["US"]}, True),
        ({"jurisdictions": ["US-CA"]}, True),
        ({"jurisdictions": ["DE"]}, False),
        ({"language": "en-GB"}, True),
        ({"language": "de"}, False),
    ],
)
async def test_words_are_required_in_their_market_and_language_only(fields: Json, wanted: bool) -> None:
    request = with_("rules", required_disclosures=[{"id": "safety", "text": SAFETY, **fields}])
    found = await verdict("disclosures", passages("Hello."), request)
    assert codes(found.findings) == (["disclosure-missing"] if wanted else [])


async def test_what_the_brand_requires_is_required_too() -> None:
    brand = {"name": "Lumen", "disclaimers": [{"text": "Bulbs not included", "required": True}, {"text": "Perhaps"}]}
    found = await verdict("disclosures", BODY, {**REQUEST, "brand": brand})
    assert codes(found.findings) == ["disclosure-missing"]
    assert "the brand" in found.findings[0].message


async def test_where_nothing_is_required_there_is_nothing_to_check() -> None:
    request = {"content": "email", "locale": "en"}
    assert [(await verdict(check, BODY, request)).status for check in ("disclosures", "prohibited-words")] == [
        "not_applicable"
    ] * 2


# --- prohibited words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("No drowsiness at all.", ["prohibited-words"]),
        ("FREE for you", ["prohibited-words"]),
        ("Freedom for you", []),
        ("A carefree night", []),
        ("Fr\u00adee for you", ["prohibited-words"]),
        (f"{SAFETY} No drowsiness?", ["prohibited-words"]),
        (SAFETY, []),
    ],
)
async def test_prohibited_words_are_found_as_whole_words_outside_of_mandated_ones(text: str, wanted: list[str]) -> None:
    assert codes((await verdict("prohibited-words", passages(text))).findings) == wanted


async def test_titles_of_references_may_say_what_is_prohibited() -> None:
    entry = passages("1. Drowsiness under Noctal. Journal of Rest 2026; 12: 101.", role="legal")
    assert codes((await verdict("prohibited-words", entry)).findings) == []


# --- rule packs ------------------------------------------------------------------------------------------------------

RX = with_("rules", packs=["us-rx-promotion"])


def test_every_pack_names_its_sources_and_each_rule_where_it_stands() -> None:
    assert set(packs()) >= {"us-can-spam", "eu-mail", "uk-mail", "us-rx-promotion"}
    for pack in packs().values():
        assert pack.sources
        assert len({rule.id for rule in pack.rules}) == len(pack.rules)
        for rule in pack.rules:
            assert rule.source
            assert rule.cure
            assert rule.kind != "given" or is_field(rule.field)
            assert rule.kind != "prohibits" or rule.prohibited


@pytest.mark.parametrize(
    ("territory", "wanted"),
    [
        (["US"], ["us-can-spam"]),
        (["GB"], ["uk-mail"]),
        (["DE", "FR"], ["eu-mail"]),
        (["US-CA", "AT"], ["eu-mail", "us-can-spam"]),
    ],
)
async def test_packs_follow_from_the_markets(territory: list[str], wanted: list[str]) -> None:
    found = await verdict("rule-packs", BODY, {**REQUEST, "audience": {"territory": territory}})
    assert (found.status, list(found.measures["packs"])) == ("passed", wanted)
    assert codes(found.findings) == []


async def test_a_market_without_a_pack_is_told_and_not_passed_over() -> None:
    found = await verdict("rule-packs", BODY, {**REQUEST, "audience": {"territory": ["BR"]}})
    assert [(f.code, f.severity, f.measured) for f in found.findings] == [("no-rule-pack", "warning", "BR")]
    assert found.status == "not_applicable"  # no rule was examined


@pytest.mark.parametrize("field", ["postal_address", "unsubscribe", "sender"])
async def test_what_only_the_request_can_give_leaves_it_undecided_and_is_not_the_writers_fault(field: str) -> None:
    delivery = {name: value for name, value in REQUEST["delivery"].items() if name != field}
    found = await verdict("rule-packs", BODY, {**REQUEST, "delivery": delivery})
    assert found.status == "inconclusive"
    assert [(f.severity, f.remedy) for f in found.findings] == [("warning", f"give delivery.{field}")]
    assert "CAN-SPAM" in found.reason


async def test_a_subject_that_pretends_to_be_an_answer_is_prohibited_in_a_subject_only() -> None:
    subject = Section(id="header-subject", role="subject", text="RE: your order", place="plan.json")
    found = await verdict("prohibited-words", (subject, *passages("Re: the lamps, look.")))
    assert codes(found.findings) == ["honest-subject"]
    assert "15 U.S.C." in found.findings[0].message


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It is completely safe.", ["unqualified-safety"]),
        ("Without side effects", ["unqualified-safety"]),
        ("A miracle for the night", ["unqualified-effect"]),
        ("Noctal cures bad nights", ["unqualified-effect"]),
        ("Cure yourself of doubt? No. Sleep safely.", ["unqualified-effect"]),
        ("The city is safe at night", []),
    ],
)
async def test_a_medicine_is_not_promised_to_be_safe_or_to_work_for_all(text: str, wanted: list[str]) -> None:
    assert codes((await verdict("prohibited-words", passages(text), RX)).findings) == wanted


async def test_a_medicine_needs_safety_information_of_comparable_size_and_a_way_to_report() -> None:
    report = "Report side effects at www.fda.gov/medwatch or 1-800-FDA-1088."
    whole = await verdict("rule-packs", (*BODY, *passages(report, role="legal")), RX)
    assert (whole.status, codes(whole.findings)) == ("passed", [])
    silent = await verdict("rule-packs", BODY, RX)
    assert [(f.code, f.severity) for f in silent.findings] == [("report-side-effects", "warning")]
    small = await verdict("rule-packs", (BODY[0], replace(BODY[1], size=12), *passages(report)), RX)
    assert [(f.code, f.measured, f.threshold) for f in small.findings] == [("safety-prominence", 12, 12.8)]
    none = await verdict("rule-packs", BODY, {**RX, "rules": {"packs": ["us-rx-promotion"]}})
    assert none.status == "inconclusive"
    assert "safety information" in none.reason


async def test_a_pack_that_there_is_not_is_named() -> None:
    found = await verdict("rule-packs", BODY, with_("rules", packs=["us-rx"]))
    assert [(f.code, f.measured) for f in found.findings] == [("unknown-rule-pack", "us-rx")]


def test_the_writer_is_told_the_rules_with_their_sources_and_the_words_to_write() -> None:
    view = Bench(RX, capability=domain_rules).view
    told = str(domain_rules.files(view)["rules/applying.md"].content)
    for words in (SAFETY, "US: CAN-SPAM Act", "21 CFR 202.1", "prescription medicines"):
        assert words in told
    assert "rules/applying.md" in str(domain_rules.instructions(view))


@given(st.lists(st.text(max_size=60), max_size=5))
async def test_any_words_are_checked_without_a_crash(texts: list[str]) -> None:
    for check in ("disclosures", "prohibited-words", "rule-packs"):
        assert (await verdict(check, passages(*texts), RX)).status in {"passed", "failed", "inconclusive"}
