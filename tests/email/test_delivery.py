"""Measurement `delivery`: what a sender and the law need around the words."""

from __future__ import annotations

import pytest

from compositor._values import Json
from tests.email.bench import (
    REQUEST,
    Bench,
    clean_mail,
    codes,
    mail,
    plan_text,
    verdict_on,
    verdict_on_html,
    with_delivery,
)

pytestmark = pytest.mark.anyio


async def delivery_codes(source: str, *, plan: str = "", **fields: Json) -> list[tuple[str, str]]:
    verdict = await verdict_on(source, "delivery", plan=plan or plan_text(), request=with_delivery(**fields))
    return [(finding.code, finding.severity) for finding in verdict.findings]


def header(subject: str, preheader: str) -> str:
    return plan_text(header={"subject": subject, "preheader": preheader})


async def test_a_mail_needs_a_subject_and_a_preheader() -> None:
    source = mail("<mj-text>x</mj-text>", head="<mj-head><mj-title>x</mj-title></mj-head>")
    found = await delivery_codes(source, plan=header("", ""))
    assert found == [("missing-subject", "blocking"), ("missing-preheader", "blocking")]


async def test_the_preheader_adds_something_and_is_short() -> None:
    same = clean_mail().replace("New lamps, old prices", "Spring is here!")
    assert ("preheader-repeats-subject", "warning") in await delivery_codes(same, plan=header("Spring is here!", "x"))
    long = "word " * 30
    found = await delivery_codes(clean_mail().replace("New lamps, old prices", long), plan=header("Spring", long))
    assert found == [("preheader-long", "warning")]


async def test_the_preheader_of_the_plan_is_the_preview_of_the_mail() -> None:
    assert await delivery_codes(clean_mail(), plan=header("Spring", "Other words")) == [
        ("preheader-differs", "warning")
    ]


async def test_the_unsubscribe_link_is_visible() -> None:
    gone = clean_mail().replace('<a href="https://shop.lumen.test/unsubscribe">Unsubscribe</a>', "")
    assert await delivery_codes(gone) == [("unsubscribe-missing", "blocking")]
    hidden = clean_mail().replace('unsubscribe">', 'unsubscribe" style="display:none">')
    assert await delivery_codes(hidden) == [("unsubscribe-missing", "blocking")]


async def test_a_merge_tag_unsubscribes_too() -> None:
    source = clean_mail().replace("https://shop.lumen.test/unsubscribe", "{{ unsubscribe_url }}")
    found = await delivery_codes(source, unsubscribe="{{ unsubscribe_url }}", merge_tags="handlebars")
    assert found == []


async def test_the_postal_address_is_visible_however_it_is_set() -> None:
    gone = clean_mail().replace("1 Mill Lane", "somewhere")
    assert await delivery_codes(gone) == [("postal-address-missing", "blocking")]
    broken = clean_mail().replace("Lumen, 1 Mill Lane, York", "Lumen,<br/>1&nbsp;Mill <b>Lane</b>,\n York")
    assert await delivery_codes(broken) == []


async def test_what_the_request_does_not_give_is_a_warning_for_the_sender() -> None:
    verdict = await verdict_on(clean_mail(), "delivery", request={"brief": REQUEST["brief"]})
    assert [(finding.code, finding.severity) for finding in verdict.findings] == [
        ("missing-sender", "warning"),
        ("missing-list-unsubscribe", "warning"),
        ("no-postal-address", "warning"),
    ]


async def test_words_that_the_brief_requires_are_visible() -> None:
    brief = {**REQUEST["brief"], "must_include": ["Lamps for “light” evenings", "Terms apply"]}
    source = clean_mail().replace("for light", 'for "light"')
    verdict = await verdict_on(source, "delivery", request={**REQUEST, "brief": brief})
    assert [(finding.code, finding.threshold) for finding in verdict.findings] == [
        ("required-words-missing", "Terms apply")
    ]


async def test_a_mail_without_words_has_an_empty_text_part() -> None:
    bench = await Bench({"brief": REQUEST["brief"]}).lay(
        {"outside.html": "<html><img src='x'></html>"}, by_writer=False
    )
    await bench.build()
    assert ("empty-text-part", "blocking") in [(f.code, f.severity) for f in (await bench.check("delivery")).findings]


async def test_a_text_part_that_lost_the_call_to_action_is_refused() -> None:
    bench = await Bench().lay({"email.mjml": clean_mail(), "plan.json": plan_text()})
    await bench.build()
    text = await bench.text("email.txt")
    await bench.lay({"email.txt": text.replace("See the lamps", "")}, by_writer=False)
    assert codes((await bench.check("delivery")).findings) == ["text-part-lacks"]


async def test_a_mail_from_outside_may_lack_a_subject() -> None:
    verdict = await verdict_on_html("<html><p>x</p></html>", "delivery", request={"brief": REQUEST["brief"]})
    assert verdict.status == "passed"
