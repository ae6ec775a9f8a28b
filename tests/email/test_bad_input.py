"""What goes into a mail is seldom as it should be: the result is good all the same, or says what to change."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from compositor.errors import RequestError
from compositor.operations import Environment, Result, generate

pytestmark = [pytest.mark.anyio, pytest.mark.browser]


def request(**blocks: Any) -> dict[str, Any]:
    """A whole request, with some blocks replaced and the messaging changed."""
    messaging = {
        "headline": "Spring is here",
        "tagline": "Lamps for light evenings.",
        "cta": {"text": "See the lamps", "url": "https://lumen.test/lamps"},
        "key_messages": [{"headline": "Made to last", "text": "Each one can be repaired."}],
        **blocks.pop("said", {}),
    }
    return {
        "operation": "generate",
        "content": "email",
        "locale": "en-GB",
        "brief": {"name": "Spring", "objective": "conversion", "messaging": messaging},
        "audience": {"territory": ["GB"]},
        "brand": {"name": "Lumen", "url": "https://lumen.test/", "colors": {"primary": "#175747"}},
        "delivery": {
            "sender": {"name": "Lumen"},
            "postal_address": "Lumen, 1 Mill Lane, York",
            "unsubscribe": "https://lumen.test/stop",
        },
        **blocks,
    }


def with_delivery(**fields: Any) -> dict[str, Any]:
    return {**request()["delivery"], **fields}


CLAIMS = [
    {"id": f"C-{number}", "text": f"Reason number {number}: it is made of parts that can be had one by one."}
    for number in range(1, 15)
]
TEXT = " ".join(claim["text"] for claim in CLAIMS)
LONG = "A disclosure that goes on for longer than all the rest of the mail, since somebody had a lot to say. " * 30
HEADLINE = ("Everything that we have ever made for long tables and short evenings " * 5)[:300].strip()

FINE: Mapping[str, dict[str, Any]] = {
    "no picture": request(),
    "fourteen claims for one section": request(
        said={"key_messages": [{"text": TEXT, "claims": [claim["id"] for claim in CLAIMS]}]}, claims=CLAIMS
    ),
    "a disclosure longer than the message": request(rules={"required_disclosures": [{"id": "long", "text": LONG}]}),
    "a prominent disclosure longer than the message": request(
        rules={"required_disclosures": [{"id": "long", "text": LONG, "position": "prominent"}]}
    ),
    "a headline of 300 characters": request(said={"headline": HEADLINE}),
    "a brand without colours": request(brand={"name": "Lumen"}),
    "a palette that cannot reach contrast": request(
        brand={
            "name": "Lumen",
            "colors": {"primary": "#c8c8c8", "accent": "#bdbdbd", "background": "#d6d6d6", "text": "#aaaaaa"},
        }
    ),
    "a palette that cannot reach contrast and is binding": request(
        brand={
            "name": "Lumen",
            "colors": {"primary": "#f2d0d0", "accent": "#f4c6c6", "background": "#ffffff", "text": "#f0b0b0"},
            "palette": {"severity": "must"},
        }
    ),
    "Arabic with Latin names": request(
        locale="ar",
        said={
            "headline": "مصابيح Lumen للأمسيات الطويلة",
            "tagline": "ضوء هادئ من York.",
            "cta": {"text": "شاهد المصابيح", "url": "https://lumen.test/ar"},
            "key_messages": [{"headline": "صنع ليدوم", "text": "يمكن إصلاح كل مصباح مع Lumen Care."}],
        },
    ),
    "Chinese with Latin and Thai": request(
        locale="zh-Hant-TW",
        said={
            "headline": "長夜裡的一盞 Lumen 燈",
            "tagline": "โคมไฟ 手工吹製，每盞都不一樣。",
            "cta": {"text": "看看燈具", "url": "https://lumen.test/tw"},
            "key_messages": [{"headline": "能修就修", "text": "每一個零件都可以單獨更換。"}],
        },
    ),
    "merge tags that become long": request(
        said={"headline": "{{ first_name }}, spring is here", "tagline": "A lamp for {{ company }}."},
        delivery=with_delivery(merge_tags="handlebars"),
    ),
    "a word of 90 letters": request(said={"headline": "Lumen" * 18}),
}


def blocking(result: Result) -> list[tuple[str, str]]:
    return [
        (finding["code"], finding["message"])
        for report in result.reports
        for finding in report["findings"]
        if finding["severity"] == "blocking"
    ]


@pytest.mark.parametrize("kind", FINE)
async def test_it_becomes_a_mail_with_which_nothing_is_wrong(kind: str, tmp_path: Path) -> None:
    async with Environment(tmp_path) as environment:
        result = await generate(FINE[kind], environment=environment)
    assert blocking(result) == []
    assert result.status == "succeeded"


async def test_a_picture_of_20_000_pixels_is_shown_as_wide_as_the_mail(tmp_path: Path) -> None:
    picture = io.BytesIO()
    Image.new("RGB", (20_000, 4_000), "#c8552b").save(picture, "PNG")
    async with Environment(tmp_path) as environment:
        address = await environment.blobs.put(picture.getvalue())
        asset = {"id": "wide", "sha256": address, "role": "hero", "alt": "A wall of clay"}
        result = await generate(request(assets=[asset]), environment=environment)
    assert blocking(result) == []
    assert result.status == "succeeded"


async def test_a_market_without_rules_is_told(tmp_path: Path) -> None:
    async with Environment(tmp_path) as environment:
        result = await generate(request(audience={"territory": ["BR"]}), environment=environment)
    told = [f for report in result.reports for f in report["findings"] if f["code"] == "no-rule-pack"]
    assert [finding["remedy"] for finding in told] == ["have a person check it"]
    assert result.status == "succeeded"


async def test_an_expired_claim_that_is_required_is_refused_before_anything_is_paid(tmp_path: Path) -> None:
    claims = [{**CLAIMS[0], "expires": "2020-01-31"}]
    said = {"key_messages": [{"text": CLAIMS[0]["text"], "claims": ["C-1"]}]}
    async with Environment(tmp_path) as environment:
        with pytest.raises(RequestError, match=r"it expired on 2020-01-31.*renew the claim"):
            await generate(request(said=said, claims=claims), environment=environment)
        assert await environment.store.operations() == ()
