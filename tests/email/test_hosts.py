"""Measurement `hosts`: nothing is loaded from a host that is not that of the pictures."""

from __future__ import annotations

import pytest

from compositor.verifiers import Verdict
from tests.email.bench import clean_mail, mail, verdict_on, verdict_on_html, with_picture

pytestmark = pytest.mark.anyio

TEXT = "<mj-text>x</mj-text>"


def told(verdict: Verdict) -> list[tuple[str, str]]:
    return [(str(finding.measured), finding.severity) for finding in verdict.findings]


@pytest.mark.parametrize(
    ("head", "found"),
    [
        ('<mj-font name="Fancy" href="https://fonts.test/fancy.css"/>', ["fonts.test"]),
        ('<mj-raw><link rel="stylesheet" href="https://cdn.test/a.css"></mj-raw>', ["cdn.test"]),
        ('<mj-raw><link rel="stylesheet" href="//cdn.test/a.css"></mj-raw>', ["cdn.test"]),
        ("<mj-style>@import 'https://cdn.test/a.css';</mj-style>", ["cdn.test"]),
        ("<mj-style>@import url(https://cdn.test/a.css);</mj-style>", ["cdn.test"]),
        ("<mj-style>@font-face {{ src: url('https://cdn.test/a.woff2') }}</mj-style>", ["cdn.test"]),
        ("<mj-style>.a {{ background: url(https://cdn.test/a.png) }}</mj-style>", ["cdn.test"]),
        ("<mj-style>@font-face {{ src: url('https://pictures.lumen.test/a.woff2') }}</mj-style>", []),
        (
            "<mj-style>/* url(https://cdn.test/a.png) */ .a {{ background: url(data:image/gif;base64,R0) }}</mj-style>",
            [],
        ),
    ],
)
async def test_what_the_writer_loads_from_elsewhere_blocks(head: str, found: list[str]) -> None:
    font = '<mj-attributes><mj-all font-family="Fancy, Arial"/></mj-attributes>'
    source = mail(TEXT, head=f"<mj-head>{font}{head.replace('{{', '{').replace('}}', '}')}</mj-head>")
    assert told(await verdict_on(source, "hosts", request=with_picture())) == [(host, "blocking") for host in found]


async def test_what_the_compiler_adds_for_a_font_warns_once() -> None:
    result = await verdict_on(mail(TEXT, head=""), "hosts")
    assert told(result) == [("fonts.googleapis.com", "warning")]
    assert "the compiler adds it" in result.findings[0].message


@pytest.mark.parametrize(
    "html",
    [
        "<link rel='stylesheet' href='https://cdn.test/a.css'>",
        "<video poster='https://cdn.test/a.png'></video>",
        "<video><source src='https://cdn.test/a.mp4'></video>",
        "<img src='' srcset='https://cdn.test/a.png 1x, https://cdn.test/b.png 2x'>",
        "<svg><image xlink:href='https://cdn.test/a.png'/></svg>",
        '<style>a { background: url( "https://cdn.test/a.png" ) }</style>',
    ],
)
async def test_what_a_mail_from_outside_loads_is_noted(html: str) -> None:
    found = told(await verdict_on_html(f"<html>{html}</html>", "hosts"))
    assert set(found) == {("cdn.test", "note")}


@pytest.mark.parametrize(
    "html",
    [
        "<a href='https://cdn.test/'>a link is not loaded</a>",
        "<svg><use href='#mark'/></svg>",
        "<img src='https://a.test/x.png' srcset='cid:1 1x'>",
        "<link rel='stylesheet'>",
    ],
)
async def test_links_and_what_the_mail_holds_itself_are_not_loaded(html: str) -> None:
    assert (await verdict_on_html(f"<html>{html}</html>", "hosts")).status == "not_applicable"


async def test_a_mail_in_the_fonts_of_its_readers_loads_nothing() -> None:
    assert (await verdict_on(clean_mail(), "hosts")).status == "not_applicable"
