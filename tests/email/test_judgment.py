"""The judgment: yes-or-no items that follow from the brief."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from compositor.verifiers import Answer, Criterion, Opinion
from tests.email.bench import (
    REQUEST,
    Bench,
    clean_mail,
    codes,
    plan_text,
)

pytestmark = pytest.mark.anyio


class Strict:
    """A judge that finds one criterion unmet."""

    def __init__(self, unmet: str) -> None:
        self.unmet, self.asked = unmet, list[Criterion]()

    async def review(self, criteria: Sequence[Criterion], *, show: Sequence[str] = ()) -> Opinion:
        self.asked = list(criteria)
        answers = tuple(
            Answer(criterion=c.id, met=c.id != self.unmet, evidence="seen", recommendation="change it")
            for c in criteria
        )
        return Opinion(answers=answers)


async def test_the_rubric_asks_what_the_brief_asks() -> None:
    messaging = {
        "headline": "Spring is here",
        "cta": {"text": "See the lamps"},
        "key_messages": [{"text": "Half price"}],
    }
    brief = {**REQUEST["brief"], "messaging": messaging, "tone": "warm", "avoid": ["puns"]}
    request = {**REQUEST, "brief": brief, "audience": {"description": "people who move house"}}
    bench = await Bench(request).lay({"email.mjml": clean_mail(), "plan.json": plan_text()})
    await bench.build()
    judge = Strict("message-1")
    verdict = await bench.check("email-rubric", judge=judge)
    asked = {criterion.id: criterion.asks for criterion in judge.asked}
    assert {
        "headline",
        "message-1",
        "call-to-action",
        "tone",
        "avoids-1",
        "audience",
        "nothing-invented",
        "language",
    } <= set(asked)
    assert "See the lamps" in asked["call-to-action"]
    assert codes(verdict.findings) == ["unmet-message-1"]


async def test_a_judged_preference_does_not_reject() -> None:
    bench = await Bench().lay({"email.mjml": clean_mail(), "plan.json": plan_text()})
    await bench.build()
    verdict = await bench.check("email-rubric", judge=Strict("looks-sent"))
    assert (verdict.status, verdict.findings[0].severity) == ("passed", "warning")
