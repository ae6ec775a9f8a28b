"""Measurement `plan`: it can be read, rests on the request, and is what the mail became."""

from __future__ import annotations

import pytest

from compositor._values import Json
from tests.email.bench import (
    REQUEST,
    clean_mail,
    codes,
    plan_text,
    verdict_on,
    with_delivery,
    with_picture,
)

pytestmark = pytest.mark.anyio


def planned(**section: Json) -> str:
    hero = {"id": "hero", "role": "hero", "evidence": ["brief.messaging.headline"], **section}
    return plan_text(sections=[hero, {"id": "footer", "role": "footer"}])


@pytest.mark.parametrize(
    ("plan", "code", "severity"),
    [
        ("{", "plan-form", "blocking"),
        ("[]", "plan-form", "blocking"),
        ('{"a": 1, "a": 2}', "plan-form", "blocking"),
        (plan_text(schema_version="2"), "plan-form", "blocking"),
        (plan_text(header={"subject": "x"}), "plan-form", "blocking"),
        (plan_text(header=["x"]), "plan-form", "blocking"),
        (plan_text(sections={}), "plan-form", "blocking"),
        (plan_text(sections=["hero"]), "plan-form", "blocking"),
        (planned(id="Hero!"), "plan-form", "blocking"),
        (planned(id="footer"), "plan-form", "blocking"),
        (planned(microcopy=["x"]), "plan-form", "blocking"),
        (planned(surprise=1), "plan-form", "blocking"),
        (planned(evidence="brief"), "plan-form", "blocking"),
        (planned(id="intro"), "planned-section-missing", "blocking"),
        (planned(evidence=["claim-9"]), "unknown-evidence", "blocking"),
        (planned(evidence=["brief.messaging.tagline"]), "unknown-evidence", "blocking"),
        (planned(evidence=["policy.budgets"]), "unknown-evidence", "blocking"),
        (planned(assets=["lamp"]), "unknown-asset", "blocking"),
        (planned(references=["r1"]), "unknown-reference", "warning"),
        (planned(microcopy={"cta": "Words that are not there"}), "planned-words-missing", "warning"),
    ],
)
async def test_a_plan_that_does_not_hold_is_told(plan: str, code: str, severity: str) -> None:
    findings = (await verdict_on(clean_mail(), "plan", plan=plan)).findings
    assert (code, severity) in {(finding.code, finding.severity) for finding in findings}
    assert all(finding.remedy for finding in findings)


async def test_an_empty_plan_and_an_unplanned_section_are_told() -> None:
    findings = (await verdict_on(clean_mail(), "plan", plan=plan_text(sections=[]))).findings
    assert codes(findings) == ["empty-plan", "unplanned-section", "unplanned-section"]
    assert str(findings[1].where) == "email.mjml:4"


@pytest.mark.parametrize(
    "evidence",
    ["brief", "brief.messaging", "brief.messaging.key_messages.0.text", "brief.messaging.key_messages[1]", "c1", "d1"],
)
async def test_evidence_is_a_field_that_has_a_value_or_an_id(evidence: str) -> None:
    messaging = {"headline": "Spring is here", "key_messages": [{"text": "One"}, {"text": "Two"}]}
    request = {
        **REQUEST,
        "brief": {**REQUEST["brief"], "messaging": messaging},
        "claims": [{"id": "c1", "text": "x"}],
        "rules": {"required_disclosures": [{"id": "d1", "text": "y"}]},
    }
    verdict = await verdict_on(clean_mail(), "plan", plan=planned(evidence=[evidence]), request=request)
    assert verdict.findings == ()


async def test_a_planned_picture_is_shown() -> None:
    plan = planned(assets=["lamp"])
    verdict = await verdict_on(clean_mail(), "plan", plan=plan, request=with_picture())
    assert codes(verdict.findings) == ["planned-asset-missing"]


async def test_the_subject_of_the_request_is_used_word_for_word() -> None:
    verdict = await verdict_on(clean_mail(), "plan", request=with_delivery(subject="Summer is here"))
    assert [(f.code, f.severity) for f in verdict.findings] == [("subject-differs", "blocking")]
