"""The compiler: MJML to HTML without the engine's traps, whatever the source."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor.adapters.compiler import MjmlCompiler
from compositor.errors import CompileFailed, PortError

pytestmark = pytest.mark.anyio


def document(body: str, *, head: str = "", attributes: str = "") -> str:
    return (
        f"<mjml{attributes}><mj-head>{head}</mj-head><mj-body>\n<mj-section>\n<mj-column>\n{body}\n"
        "</mj-column>\n</mj-section>\n</mj-body></mjml>"
    )


async def compiled(source: str) -> str:
    return await MjmlCompiler().compile(source, "mjml")


async def failure(source: str) -> CompileFailed:
    with pytest.raises(CompileFailed) as caught:
        await compiled(source)
    return caught.value


async def test_a_document_is_compiled_in_the_language_that_it_names() -> None:
    html = await compiled(document("<mj-text>您好</mj-text>", attributes=' lang="zh-Hant-TW"'))
    assert '<html lang="zh-Hant-TW"' in html
    assert 'lang="und"' not in html


async def test_another_language_than_mjml_is_refused() -> None:
    with pytest.raises(PortError, match="latex"):
        await MjmlCompiler().compile("x", "latex")


async def test_a_byte_order_mark_is_no_fault() -> None:
    assert "hello" in await compiled("\ufeff" + document("<mj-text>hello</mj-text>"))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("a\n  b", "a b"),
        ("tab\there", "tab here"),
        ("no\u00a0break", "no\u00a0break"),
        ("soft\u00adhyphen", "soft\u00adhyphen"),
        ("\u2764\ufe0f \U0001f469\u200d\U0001f4bb", "\u2764\ufe0f \U0001f469\u200d\U0001f4bb"),
        ("back\\slash", "back\\slash"),
        ("e\u0301", "e\u0301"),
        ("春の“光”—燈", "春の“光”—燈"),
    ],
)
@pytest.mark.parametrize("inside", ['<mj-image src="s" alt="{}"/>', '<mj-text><img src="s" alt="{}"/></mj-text>'])
async def test_attribute_values_reach_the_reader_as_they_were_meant(written: str, read: str, inside: str) -> None:
    import html

    found = re.search(r'alt="([^"]*)"', await compiled(document(inside.format(written))))
    assert found is not None
    assert html.unescape(found[1]) == read


async def test_a_quote_in_an_attribute_does_not_end_it() -> None:
    html = await compiled(document("<mj-image src='s' alt='the \"best\" lamp'/>"))
    assert 'alt="the &quot;best&quot; lamp"' in html


async def test_a_quote_in_the_title_does_not_end_the_label() -> None:
    html = await compiled(document("<mj-text>x</mj-text>", head='<mj-title>The "best" lamps</mj-title>'))
    assert 'aria-label="The &quot;best&quot; lamps"' in html


async def test_a_style_over_several_lines_stays_one_style() -> None:
    html = await compiled(document('<mj-text><p style="margin:0;\n    color:red">x</p></mj-text>'))
    assert 'style="margin:0; color:red"' in html


@pytest.mark.parametrize("alt", ['alt=""', "alt"])
async def test_an_empty_alt_is_kept(alt: str) -> None:
    html = await compiled(document(f'<mj-image src="s" {alt}/><mj-text><img src="t" {alt}></mj-text>'))
    assert html.count('alt=""') == 2


async def test_rules_marked_inline_are_inlined_and_others_stay() -> None:
    head = '<mj-style inline="inline">p { color: #112233 }</mj-style><mj-style>.kept { color: red }</mj-style>'
    html = await compiled(document("<mj-text><p>x</p></mj-text>", head=head))
    assert re.search(r"<p style=\"color:\s*#112233;?\"", html)
    assert "p { color: #112233 }" not in html
    assert ".kept { color: red }" in html


async def test_comments_for_one_mail_program_survive() -> None:
    html = await compiled(document("<mj-raw><!--[if mso]><b>x</b><![endif]--></mj-raw>"))
    assert "<!--[if mso]><b>x</b><![endif]-->" in html


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("<mj-text>\na < b</mj-text>", 5, "bare"),
        ("<mj-text>a <b>x</mj-text>", 4, "</mj-text> closes <b>"),
        ("<mj-text>\n\n<a href=x>x</a></mj-text>", 6, "'href' stands without quotes"),
        ("<mj-text>x</mj-text>\n<!-- a -- b -->", 5, "comment"),
        ('<mj-text title="a\n\nb é">x</mj-text>\n<?php ?>', 7, "unexpected"),
        ('<mj-text>x</mj-text>\n<mj-text title="never', 5, "never ends"),
        ("<mj-text>x</mj-text>\n<mj-include path='other.mjml'/>", 5, "mj-include"),
        ("<mj-text>\ud800</mj-text>", 4, "surrogate"),
    ],
)
async def test_a_fault_is_told_with_its_line(body: str, line: int, words: str) -> None:
    error = await failure(document(body))
    assert error.line == line
    assert words in error.reason


@pytest.mark.parametrize("source", ["", "plain words", "<html></html>", "<mjml>", "<mjml><mj-body>"])
async def test_what_is_no_document_is_a_failure_and_no_crash(source: str) -> None:
    await failure(source)


async def test_an_include_in_the_head_does_not_panic() -> None:
    error = await failure("<mjml><mj-head><mj-include path='/etc/passwd'/></mj-head><mj-body></mj-body></mjml>")
    assert "mj-include is refused" in error.reason


async def test_long_sources_are_refused() -> None:
    error = await failure(document(f"<mj-text>{'x' * 600_000}</mj-text>"))
    assert "at most 524,288" in error.reason


async def test_a_small_source_cannot_grow_without_bounds() -> None:
    long_font = f'<mj-attributes><mj-all font-family="{"A" * 100_000}"/></mj-attributes>'
    error = await failure(document("<mj-text/>" * 1000, head=long_font))
    assert "copied into other elements" in error.reason


async def test_rules_to_inline_are_bounded() -> None:
    rules = "p { color: red } " * 2000
    error = await failure(document("<mj-text>x</mj-text>", head=f'<mj-style inline="inline">{rules}</mj-style>'))
    assert "rules to inline" in error.reason


HOSTILE = {
    "bold": document("<mj-text>" + "<b>" * 10_000 + "</b>" * 10_000 + "</mj-text>"),
    "wrappers": "<mjml><mj-body>" + "<mj-wrapper>" * 10_000,
    "upper case": "<mjml><mj-body>" + "<MJ-SECTION>" * 10_000,
    "hidden in style": document("<mj-text><style>" + "<b>" * 10_000 + "</style></mj-text>"),
    "hidden in script": document("<mj-raw><script>" + "<i>" * 10_000 + "</script></mj-raw>"),
    "hidden in mj-style": document("", head="<mj-style>" + "<b>" * 10_000 + "</mj-style>"),
    "hidden in the title": document("", head="<mj-title>" + "<b>" * 10_000 + "</mj-title>"),
    "closed by others": document("<mj-text>" + "<b></br>" * 10_000 + "</mj-text>"),
    "odd comment": "<mjml><mj-body><!-->" + "<mj-section>" * 10_000,
    "in CDATA": document("<mj-text><![CDATA[" + "<b>" * 10_000 + "]]></mj-text>"),
    "roots": "<mjml>" * 10_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_source_ends_the_process(kind: str) -> None:
    """In a process of its own: what happens here, unguarded, is SIGSEGV."""
    code = (
        "import sys, anyio\n"
        "from compositor.adapters.compiler import MjmlCompiler\n"
        "from compositor.errors import CompileFailed\n"
        "try:\n    anyio.run(MjmlCompiler().compile, sys.stdin.read(), 'mjml')\n"
        "except CompileFailed as error:\n    print('refused:', error.reason)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=HOSTILE[kind], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert done.stdout.startswith("refused:")


PIECES = (
    *("<mjml>", "</mjml>", "<mj-body>", "<mj-section>", "<mj-column>", "<mj-text a='", "<mj-text>", "</mj-text>", "<b"),
    *(">", "<", "'", '"', "&", "<!--", "-->", "é", "\u200d", "\n", "<br>", "</x>", "<![CDATA[", "{{x}}"),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40))
async def test_any_pieces_compile_or_fail_with_an_error_of_ours(pieces: list[str]) -> None:
    with contextlib.suppress(CompileFailed):
        assert "<html" in await compiled("".join(pieces))
