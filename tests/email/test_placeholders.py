"""Measurement `placeholders`: nothing stands in for words that were never written."""

from __future__ import annotations

import pytest

from tests.email.bench import (
    HEAD,
    mail,
    plan_text,
    verdict_on,
    with_delivery,
)

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    "words",
    [
        "Lorem ipsum dolor sit amet",
        "LOREM  IPSUM",
        "and consectetur adipiscing elit",
        "Only xxx pounds",
        "XXXX off",
        "TODO: write this",
        "The price is TBD.",
        "Dear [Name],",
        "Dear [first name]",
        "Visit us at [Insert address here]",
        "Dear &lt;First Name&gt;",
        "Your headline here",
        "Text goes here",
        "Sample text",
        "Click to edit",
        "Call ____ now",
        "Hello {{ first_name }}",
        "Hello *|FNAME|*",
        "Hello %%first_name%%",
        "Hello ${name}",
        "Hello [[name]]",
        "Hello {% if a %}x",
        "Hello {{ name",
    ],
)
async def test_words_that_stand_in_for_others_are_refused_at_their_line(words: str) -> None:
    verdict = await verdict_on(mail(f"<mj-text>fine</mj-text>\n<mj-text>{words}</mj-text>"), "placeholders")
    assert verdict.status == "failed"
    assert {str(finding.where) for finding in verdict.findings} == {"email.mjml:6"}


@pytest.mark.parametrize(
    "words",
    [
        "Size XXL and XXX",
        "A [Sponsored] message",
        "The 100% cotton lamp [1]",
        "50%% off is a typing error",
        "See the placeholderless wonder",
        "Todo el año, todo nuevo",
        "TODO EL VERANO",
        "Add to basket here, add colour",
        "Your text message arrived",
        "5 &lt; 6",
    ],
)
async def test_ordinary_words_are_no_placeholders(words: str) -> None:
    assert (await verdict_on(mail(f"<mj-text>{words}</mj-text>"), "placeholders")).findings == ()


@pytest.mark.parametrize(
    ("words", "syntax", "ok"),
    [
        ("Hello {{ first_name }}", "handlebars", True),
        ("Hello {{#if a}}x{{/if}}", "handlebars", True),
        ("Hello *|FNAME|*", "mailchimp", True),
        ("Hello %%first_name%%", "salesforce", True),
        ("Hello *|FNAME|*", "handlebars", False),
        ("Hello {{ first_name }}", "mailchimp", False),
    ],
)
async def test_the_merge_tags_that_the_request_declares_are_fine(words: str, syntax: str, ok: bool) -> None:
    verdict = await verdict_on(
        mail(f"<mj-text>{words}</mj-text>"), "placeholders", request=with_delivery(merge_tags=syntax)
    )
    assert (verdict.findings == ()) is ok


async def test_hidden_words_alt_and_header_are_looked_at_too() -> None:
    source = mail('<mj-image src="https://a.test/x.png" alt="[image]"/>', head=HEAD.replace("old prices", "TODO"))
    plan = plan_text(header={"subject": "Lorem ipsum", "preheader": "xxxx"})
    found = {finding.measured for finding in (await verdict_on(source, "placeholders", plan=plan)).findings}
    assert {"[image]", "TODO", "Lorem ipsum", "xxxx"} <= found
