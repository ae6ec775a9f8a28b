"""Measurement `html-document`: nothing runs, and the mail says its language and title."""

from __future__ import annotations

import pytest

from tests.email.bench import (
    Bench,
    clean_mail,
    codes,
    mail,
    verdict_on,
    verdict_on_html,
)

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<script>x</script>", "active-content"),
        ("<iframe src='https://a.test'></iframe>", "active-content"),
        ("<object data='x'></object>", "active-content"),
        ("<base href='https://a.test/'>", "active-content"),
        ("<div style='width: expression(alert(1))'>x</div>", "active-content"),
        ("<a href='&#106;avascript:x()'>y</a>", "active-address"),
        ("<a href='java&#10;script:x()'>y</a>", "active-address"),
        ("<a href='vbscript:x'>y</a>", "active-address"),
        ("<img src='x' ONERROR='x()'>", "event-handler"),
        ("<body onload=x()>", "event-handler"),
        ("<svg onload='x()'></svg>", "event-handler"),
        ("<meta http-equiv='Refresh' content='0;url=https://a.test'>", "active-content"),
        ("<embed src='x'>", "active-content"),
        ("<form action='https://a.test'></form>", "form"),
        ("<input name='mail'>", "form"),
        ("<input type=hidden name='id'>", "form"),
        ("<textarea></textarea>", "form"),
        ("<select><option>1</option></select>", "form"),
        ("<button>Send</button>", "form"),
    ],
)
async def test_what_runs_in_a_compiled_mail_is_refused(html: str, code: str) -> None:
    verdict = await verdict_on_html(f"<html lang='en'><title>t</title>{html}</html>", "html-document")
    assert [(finding.code, finding.severity) for finding in verdict.findings] == [(code, "blocking")]


async def test_switches_of_menus_and_carousels_send_nothing_and_are_allowed() -> None:
    menu = '<mj-navbar hamburger="hamburger"><mj-navbar-link href="https://shop.lumen.test/">Shop</mj-navbar-link></mj-navbar>'
    bench = await Bench().lay({"email.mjml": mail(menu)})
    await bench.build()
    assert 'type="checkbox"' in await bench.text("email.html")
    assert codes((await bench.check("html-document")).findings) == []


@pytest.mark.parametrize(
    ("lang", "code"), [(' lang=""', "missing-language"), ("", "missing-language"), (' lang="de"', "wrong-language")]
)
async def test_a_mail_says_its_language(lang: str, code: str) -> None:
    source = clean_mail().replace(' lang="en-GB"', lang)
    (finding,) = (await verdict_on(source, "html-document")).findings
    assert (finding.code, finding.severity) == (code, "blocking")
    assert finding.remedy == 'write <mjml lang="en-GB">'


async def test_another_region_of_the_language_is_no_fault() -> None:
    verdict = await verdict_on(mail("<mj-text>x</mj-text>", lang="en-US"), "html-document")
    assert verdict.findings == ()


async def test_a_mail_from_outside_is_only_warned_about_its_language() -> None:
    verdict = await verdict_on_html("<html><title>t</title><p>x</p></html>", "html-document")
    assert [(finding.code, finding.severity) for finding in verdict.findings] == [("missing-language", "warning")]


async def test_a_missing_title_is_a_warning() -> None:
    verdict = await verdict_on(mail("<mj-text>x</mj-text>", head=""), "html-document")
    assert codes(verdict.findings) == ["missing-title"]


@pytest.mark.parametrize(
    ("css", "found"),
    [
        ("@media x { @font-face { a: b } }", ["nested-at-rule"]),
        ("@media x { @import 'y'; }", ["nested-at-rule"]),
        ("@media x{a{b:c}} @supports (a:b) { @media y { c{d:e} } }", ["nested-at-rule"]),
        ("@media x { .a { b: c } } @font-face { d: e }", []),
        ("/* { @x } */ a { b: '@c' }", []),
    ],
)
async def test_an_at_rule_inside_an_at_rule_is_a_warning(css: str, found: list[str]) -> None:
    html = f"<html lang='en'><title>t</title><style>{css}</style><p>x</p></html>"
    assert codes((await verdict_on_html(html, "html-document")).findings) == found
