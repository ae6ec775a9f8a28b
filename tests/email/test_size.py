"""Measurement `compiled-size`: what Gmail shows of the mail."""

from __future__ import annotations

import pytest

from tests.email.bench import (
    FOOTER,
    HEAD,
    codes,
    verdict_on,
    verdict_on_html,
)

pytestmark = pytest.mark.anyio


def html_of(size: int) -> str:
    head, tail = "<html lang='en-GB'><head><title>x</title></head><body><p>", "</p></body></html>"
    return head + "x" * (size - len(head) - len(tail)) + tail


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (79_999, []),
        (80_000, [("html-heavy", "warning")]),
        (99_499, [("html-heavy", "warning")]),
        (99_500, [("html-too-heavy", "blocking")]),
        (150_000, [("html-too-heavy", "blocking")]),
    ],
)
async def test_a_mail_that_gmail_cuts_is_refused_from_99500_bytes_on(
    size: int, expected: list[tuple[str, str]]
) -> None:
    verdict = await verdict_on_html(html_of(size), "compiled-size")
    assert [(finding.code, finding.severity) for finding in verdict.findings] == expected
    assert verdict.measures["bytes"] == size


async def test_the_size_finding_has_the_number() -> None:
    (finding,) = (await verdict_on_html(html_of(100_000), "compiled-size")).findings
    assert finding.message == "100000 bytes, Gmail cuts from about 99.5 kB"
    assert (finding.measured, finding.threshold) == (100_000, 99_500)


async def test_forty_long_sections_are_too_heavy() -> None:
    section = f"<mj-section><mj-column><mj-text>{'word ' * 300}</mj-text></mj-column></mj-section>\n"
    source = f'<mjml lang="en-GB">{HEAD}<mj-body>{section * 40}{FOOTER}</mj-body></mjml>'
    assert codes((await verdict_on(source, "compiled-size")).findings) == ["html-too-heavy"]


async def test_bytes_are_counted_and_not_characters() -> None:
    html = html_of(40_000).replace("x" * 30_000, "春" * 30_000)
    assert codes((await verdict_on_html(html, "compiled-size")).findings) == ["html-too-heavy"]


@pytest.mark.parametrize(("rules", "found"), [(16_383, []), (16_384, ["style-rules-dropped"])])
async def test_style_rules_that_gmail_drops_are_a_warning(rules: int, found: list[str]) -> None:
    half = "x" * (rules // 2)
    sheets = f"<style>{half}</style><style>{'y' * (rules - len(half))}</style>"
    verdict = await verdict_on_html(f"<html><head>{sheets}</head><body>x</body></html>", "compiled-size")
    assert codes(verdict.findings) == found
