"""The support capability `claims`: approved words, where they may be said, and the references that they rest on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor._values import Json
from compositor.authoring import Section
from compositor.capabilities.claims import claims
from compositor.verifiers import Verdict
from tests.capabilities.copy_bench import passages, verdict_on_copy
from tests.email.bench import Bench, codes

pytestmark = pytest.mark.anyio

SLEEP = "Adults who took Noctal fell asleep 18 minutes sooner than those who took nothing."
SAFE = "Noctal was well tolerated in adults from 18 to 65 years of age."
REQUEST: Mapping[str, Any] = {
    "brief": {"name": "Noctal", "objective": "awareness", "messaging": {"headline": "Sleep comes sooner"}},
    "locale": "en-GB",
    "audience": {"territory": ["GB"], "segments": ["professionals"]},
    "delivery": {"send_on": "2027-03-01"},
    "claims": [
        {"id": "C-1", "text": SLEEP, "sources": [{"source": "S-1"}]},
        {"id": "C-2", "text": SAFE, "sources": [{"source": "S-2"}], "disclosures": ["safety"]},
    ],
    "sources": [
        {"id": "S-1", "title": "Sleep onset under Noctal", "citation": "Journal of Rest 2026; 12: 101–109."},
        {"id": "S-2", "title": "Product information", "citation": "Noctal: summary of product characteristics"},
    ],
    "rules": {"required_disclosures": [{"id": "safety", "text": "May cause drowsiness the next morning."}]},
}
SAID = passages(f"{SLEEP[:-1]}.¹", f"{SAFE[:-1]}². May cause drowsiness the next morning.")
LIST = passages(
    "1. Journal of Rest 2026; 12: 101–109.", "2. Noctal: summary of product characteristics, section 4.8.", role="legal"
)


async def verdict(sections: Sequence[Section], request: Mapping[str, Any] = REQUEST, check: str = "claims") -> Verdict:
    return await verdict_on_copy(claims, check, sections, request)


def changed(key: str, index: int, **fields: Json) -> Mapping[str, Any]:
    items = list(REQUEST[key])
    items[index] = {**items[index], **fields}
    return {**REQUEST, key: items}


def said(*texts: str) -> tuple[Section, ...]:
    return (*passages(*texts), *LIST)


async def test_claims_in_approved_words_with_their_references_pass() -> None:
    found = await verdict((*SAID, *LIST))
    assert (found.status, codes(found.findings)) == ("passed", [])
    assert found.measures == {"claims": 2, "uses": 2, "references": 2}


@pytest.mark.parametrize(
    "text",
    [
        SLEEP.replace(" took ", "\u00a0took  ").upper() + "¹",
        SLEEP.replace("sooner", "soo\u00adner") + " [1]",
        f"From a study: {SLEEP[0].lower()}{SLEEP[1:-1]} [1].",
        SLEEP.replace("fell asleep", "ｆｅｌｌ asleep") + "¹",
    ],
    ids=["spaces and case", "soft hyphen", "after a colon", "wide letters"],
)
async def test_the_way_that_words_are_set_does_not_matter(text: str) -> None:
    found = await verdict((*passages(text, SAID[1].text), *LIST))
    assert codes(found.findings) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("18 minutes", "28 minutes"),
        ("Adults who", "People who"),
        ("Adults who took", "Adults and children who took"),
        ("sooner than", "much sooner than"),
        ("those who took nothing", "those who took another remedy"),
        ("who took Noctal", "who took Noctal Extra"),
    ],
)
async def test_a_word_of_weight_that_was_changed_is_one_finding_that_shows_both(old: str, new: str) -> None:
    found = await verdict((*passages(SLEEP.replace(old, new) + "¹", SAID[1].text), *LIST))
    assert (found.status, codes(found.findings)) == ("failed", ["claim-altered"])
    finding = found.findings[0]
    assert "C-1" in finding.message
    assert finding.remedy == f"write it as approved: {SLEEP}"
    assert (finding.where.of, finding.where.line, finding.where.box) == ("email.mjml", 1, (0, 20, 300, 18))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{SLEEP[:-1]} in every age group.¹", "claim-altered"),
        (f"{SLEEP[:-1]}¹ and kept doing so for 12 months.", "claim-altered"),
        (f"In children and {SLEEP[0].lower()}{SLEEP[1:]}¹", "claim-altered"),
        (f"It is not shown that {SLEEP[0].lower()}{SLEEP[1:]}¹", "claim-altered"),
        (f"And {SLEEP[0].lower()}{SLEEP[1:]}¹", "claim-near"),
    ],
)
async def test_words_that_are_put_on_to_an_approved_sentence_are_one_finding(text: str, code: str) -> None:
    found = await verdict((*passages(text, SAID[1].text), *LIST))
    assert codes(found.findings) == [code]
    assert "is added" in found.findings[0].message


async def test_words_that_are_no_sentence_may_stand_within_one() -> None:
    request = changed("claims", 0, text="Halo lamp: £72, was £96")
    text = passages(
        f"Until Sunday, Halo lamp: £72, was £96 at every shop.¹ {SAFE}² May cause drowsiness the next morning."
    )
    assert codes((await verdict((*text, *LIST), request)).findings) == []


@pytest.mark.parametrize(
    "text", ["朝の湯は6時に始まり、8時に終わります。¹", "朝の湯は6時に始まらず、9時に終わります。¹"]
)
async def test_a_claim_in_a_script_without_spaces_is_compared_by_its_characters(text: str) -> None:
    request = changed("claims", 0, text="朝の湯は6時に始まり、9時に終わります。")
    assert codes((await verdict((*passages(text, SAID[1].text), *LIST), request)).findings) == ["claim-altered"]
    other = passages("朝の湯は6時に始まり、9時に終わります。¹", "駅から歩いて7分のところにあります。", SAID[1].text)
    assert codes((await verdict((*other, *LIST), request)).findings) == []


async def test_other_words_for_the_same_go_to_review_and_pass_where_they_are_allowed() -> None:
    only = {**REQUEST, "claims": [{**REQUEST["claims"][0], "text": SAFE}]}
    free = {**only, "claims": [{**only["claims"][0], "use": "paraphrase"}]}
    near = "Noctal is well tolerated by the adult from 18 to 65 years of age.¹"
    found = await verdict((*passages(near), *LIST[:1]), only)
    assert [(f.code, f.severity) for f in found.findings] == [("claim-near", "warning")]
    assert found.status == "passed"
    assert codes((await verdict((*passages(near), *LIST[:1]), free)).findings) == []
    worse = near.replace("is well", "is not well")
    assert codes((await verdict((*passages(worse), *LIST[:1]), free)).findings) == ["claim-altered"]


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        (changed("claims", 0, status="pending"), "its status is pending"),
        (changed("claims", 0, expires="2027-02-28"), "it expired on 2027-02-28, and this goes out on 2027-03-01"),
        (changed("claims", 0, markets=["DE", "AT"]), "it is not approved for GB, only for DE, AT"),
        (changed("claims", 0, audiences=["patients"]), "it may not be told to professionals, only to patients"),
    ],
    ids=["status", "expired", "market", "audience"],
)
async def test_a_claim_that_may_not_be_made_here_is_told_with_the_reason(request_: Mapping[str, Any], why: str) -> None:
    found = await verdict((*SAID, *LIST), request_)
    assert codes(found.findings) == ["claim-unusable"]
    assert why in found.findings[0].message
    files = claims.files(Bench(request_, capability=claims).view)
    unusable = json.loads(str(files["claims/unusable.json"].content))
    assert [(one["id"], why in one["why"]) for one in unusable] == [("C-1", True)]
    assert "C-1" not in str(files["claims/usable.json"].content)


@pytest.mark.parametrize(
    "fields", [{"expires": "2027-03-01"}, {"markets": ["GB"]}, {"audiences": ["professionals", "nurses"]}]
)
async def test_on_its_last_day_in_its_market_and_before_its_audience_a_claim_may_be_made(fields: Json) -> None:
    assert codes((await verdict((*SAID, *LIST), changed("claims", 0, **fields))).findings) == []


async def test_a_region_is_part_of_its_market() -> None:
    request = {**changed("claims", 0, markets=["US"]), "audience": {"territory": ["US-CA"]}}
    assert codes((await verdict((*SAID, *LIST), request)).findings) == []


MARKS: Mapping[str, tuple[Sequence[Section], Sequence[str]]] = {
    "no mark": ((*passages(SLEEP, SAID[1].text), *LIST), ["marker-missing", "reference-orphan"]),
    "another claim's mark": ((*passages(f"{SLEEP}²", SAID[1].text), *LIST), ["marker-wrong", "reference-orphan"]),
    "an entry left out": ((*SAID, LIST[0]), ["reference-missing"]),
    "an entry too many": (
        (*SAID, *passages(*(entry.text for entry in LIST), "3. Journal of Rest 2026; 12: 101–109.", role="legal")),
        ["reference-orphan"],
    ),
    "another order": (
        (
            *passages(f"{SLEEP}²", SAID[1].text.replace("²", "¹")),
            *passages(LIST[1].text.replace("2.", "1."), LIST[0].text.replace("1.", "2."), role="legal"),
        ),
        ["references-out-of-order"],
    ),
    "a list that jumps": (
        (*SAID, *passages(LIST[1].text, LIST[0].text, role="legal")),
        ["references-out-of-order"],
    ),
}


@pytest.mark.parametrize("fault", MARKS)
async def test_marks_and_the_list_of_references_belong_together(fault: str) -> None:
    sections, wanted = MARKS[fault]
    assert codes((await verdict(sections)).findings) == wanted


async def test_one_mark_may_name_several_references_and_a_range_of_them() -> None:
    sources = [{"source": "S-1"}, {"source": "S-2"}]
    request = changed("claims", 0, sources=sources)
    for mark in ("¹,²", "¹–²", "[1, 2]", "[1-2]"):
        found = await verdict((*passages(f"{SLEEP}{mark}", SAID[1].text), *LIST), request)
        assert codes(found.findings) == [], mark
    assert codes((await verdict((*SAID, *LIST), request)).findings) == ["marker-wrong"]


async def test_a_source_without_a_citation_is_not_cited_to_readers() -> None:
    request = {**REQUEST, "sources": [{"id": "S-1", "title": "Autumn price list"}, REQUEST["sources"][1]]}
    only = passages(LIST[1].text.replace("2.", "1."), role="legal")
    found = await verdict((*passages(SLEEP, SAID[1].text.replace("²", "¹")), *only), request)
    assert codes(found.findings) == []


async def test_a_claim_goes_with_its_disclosure() -> None:
    found = await verdict((*passages(SAID[0].text, f"{SAFE}²"), *LIST))
    assert codes(found.findings) == ["claim-disclosure-missing"]
    assert found.findings[0].remedy == "write word for word: May cause drowsiness the next morning."


async def test_a_subject_line_needs_no_mark() -> None:
    subject = Section(id="header-subject", role="subject", text=SLEEP, place="plan.json")
    assert codes((await verdict((subject, *SAID, *LIST))).findings) == []


async def test_the_plan_names_the_claims_of_a_section() -> None:
    planned = tuple(replace(section, evidence=("brief.name",)) for section in SAID)
    found = await verdict((*planned, *LIST))
    assert [(f.code, f.severity) for f in found.findings] == [("claim-not-planned", "warning")] * 2


async def test_without_claims_in_the_request_there_is_nothing_to_check() -> None:
    found = await verdict(SAID, {"brief": REQUEST["brief"]})
    assert found.status == "not_applicable"


@given(st.lists(st.text(max_size=80), max_size=6))
async def test_any_words_are_matched_without_a_crash(texts: list[str]) -> None:
    found = await verdict((*passages(*texts), *LIST))
    assert found.status in {"passed", "failed"}


# --- numbers, superlatives and comparisons --------------------------------------------------------------------------


async def unsupported(text: str, **brief: Json) -> list[str]:
    request = {**REQUEST, "brief": {**REQUEST["brief"], **brief}}
    return codes((await verdict((*passages(text), *SAID, *LIST), request, "assertions")).findings)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Now in 27 countries", ["unsupported-number"]),
        ("Up to 40 % off", ["unsupported-number"]),
        ("The best night of your life", ["unsupported-superlative"]),
        ("Clinically proven", ["unsupported-superlative"]),
        ("Better nights, every night", ["unsupported-comparison"]),
        ("It works faster than others", ["unsupported-comparison"]),
        ("Twice: 27 and 27", ["unsupported-number"]),
        ("With best regards from all of us", []),
        ("Good nights for all", []),
        ("限定30日、1,200円", ["unsupported-number", "unsupported-number"]),
    ],
)
async def test_what_nobody_gave_is_found(text: str, wanted: list[str]) -> None:
    assert await unsupported(text) == wanted


@pytest.mark.parametrize("text", ["Der größte Spaß des Jahres", "Die GRÖSSTE Auswahl", "Der günstigste Preis"])
async def test_words_are_known_in_every_way_that_they_are_spelled(text: str) -> None:
    request = {**REQUEST, "locale": "de-DE"}
    found = await verdict((*passages(text), *SAID, *LIST), request, "assertions")
    assert codes(found.findings) == ["unsupported-superlative"]


async def test_steps_and_items_are_counted_and_assert_nothing() -> None:
    request = {**REQUEST, "brief": {**REQUEST["brief"], "description": "How it is done."}}
    steps = passages("1. Open the box.", "2. Take out the lamp.", "3) Switch it on.")
    items = tuple(replace(step, text=step.text[3:], number=number) for number, step in enumerate(steps, 1))
    for counted in (steps, items):
        assert codes((await verdict((*counted, *SAID, *LIST), request, "assertions")).findings) == []
    alone = passages("37. Open the box.")
    assert codes((await verdict((*alone, *SAID, *LIST), request, "assertions")).findings) == ["unsupported-number"]


async def test_the_list_of_references_may_be_a_numbered_list() -> None:
    numbered = tuple(replace(one, text=one.text[3:], number=at) for at, one in enumerate(LIST, 1))
    assert codes((await verdict((*SAID, *numbered))).findings) == []
    assert "reference-missing" in codes((await verdict((*SAID, numbered[0]))).findings)


async def test_what_the_brief_gives_may_be_said_however_it_is_set() -> None:
    assert await unsupported("1.200 mg, 40 % more and the best", description="1,200 mg, 40% more, the best") == []


async def test_numbers_of_a_claim_may_not_be_said_without_its_words_only_where_nobody_gave_them() -> None:
    assert await unsupported("Only 18 minutes") == []  # the figure is given; whether it is said fairly, judges tell
    assert await unsupported("Only 17 minutes") == ["unsupported-number"]


# --- the label of a medicine, as it was filed -----------------------------------------------------------------------


def label(material: Callable[[str], Path]) -> tuple[Mapping[str, Any], list[str]]:
    """A request whose claims are the highlights of the label, each resting on the sections that it names; and texts."""
    filed = json.loads((material("briefs/claims") / "lipitor_label.json").read_text())
    lines = [one for one in filed["highlights"] if one["refs"]]
    numbers = list(dict.fromkeys(ref for one in lines for ref in one["refs"]))
    request = {
        "brief": {"name": "label", "objective": "awareness"},
        "locale": "en-US",
        "claims": [
            {"id": f"H-{at}", "text": _bare(one["claim"]), "sources": [{"source": ref} for ref in one["refs"]]}
            for at, one in enumerate(lines, 1)
        ],
        "sources": [
            {"id": ref, "title": ref, "citation": f"Prescribing information, section {ref} of the label"}
            for ref in numbers
        ],
    }
    marks = {ref: number for number, ref in enumerate(numbers, 1)}
    texts = [f"{_bare(one['claim'])} [{', '.join(str(marks[ref]) for ref in one['refs'])}]" for one in lines]
    return request, texts


def _bare(claim: str) -> str:
    return re.sub(r"\s*\((?:[0-9., ]|see)+\)", "", claim)


def _listed(request: Mapping[str, Any]) -> tuple[Section, ...]:
    return passages(*(f"{at}. {one['citation']}" for at, one in enumerate(request["sources"], 1)), role="legal")


@pytest.mark.material
@pytest.mark.promise("E1")
async def test_each_highlight_of_a_filed_label_is_supported_by_its_own_reference(
    material: Callable[[str], Path],
) -> None:
    request, texts = label(material)
    found = await verdict((*passages(*texts), *_listed(request)), request)
    assert codes(found.findings) == []
    assert found.measures["uses"] == len(texts) == 26


WIDER = {
    r"\badult patients\b": "patients",
    r"\bboys and postmenarchal girls\b": "children",
    r"\bpatients with type 2 diabetes\b": "patients",
    r"\bpatients with homozygous familial\b": "patients with",
    r"\bpatients with\b": "everybody with",
    r"\bWomen who are pregnant\b": "Women",
    r"\bpatients\b": "people",
}


@pytest.mark.material
async def test_a_changed_number_in_a_filed_label_is_exactly_one_finding(material: Callable[[str], Path]) -> None:
    request, texts = label(material)
    tried = 0
    for at, text in enumerate(texts):
        words, _, mark = text.rpartition(" [")
        number = re.search(r"(?<![\w-])\d+", words)
        if number is None:
            continue
        tried += 1
        mutated = f"{words[: number.start()]}{int(number[0]) + 7}{words[number.end() :]} [{mark}"
        found = await verdict((*passages(*texts[:at], mutated, *texts[at + 1 :]), *_listed(request)), request)
        assert codes(found.findings) == ["claim-altered"], (text, found.findings)
    assert tried >= 8


@pytest.mark.material
async def test_a_widened_population_in_a_filed_label_is_exactly_one_finding(material: Callable[[str], Path]) -> None:
    request, texts = label(material)
    tried = 0
    for at, text in enumerate(texts):
        for narrow, wide in WIDER.items():
            mutated = re.sub(narrow, wide, text, count=1)
            if mutated == text:
                continue
            tried += 1
            found = await verdict((*passages(*texts[:at], mutated, *texts[at + 1 :]), *_listed(request)), request)
            assert codes(found.findings) == ["claim-altered"], (mutated, found.findings)
            break
    assert tried >= 10


@pytest.mark.material
async def test_a_section_that_the_label_lacks_is_exactly_one_finding(material: Callable[[str], Path]) -> None:
    request, texts = label(material)
    listed = _listed(request)
    for gone in range(len(listed)):
        cited_once = sum(f"{gone + 1}" in re.findall(r"\d+", text.rpartition("[")[2]) for text in texts)
        found = await verdict((*passages(*texts), *listed[:gone], *listed[gone + 1 :]), request)
        assert codes(found.findings) == ["reference-missing"], (gone, cited_once, found.findings)
