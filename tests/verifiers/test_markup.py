"""The tolerant reader of markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor.verifiers.markup import Token, collapsed, tokens


def kinds(source: str) -> list[tuple[str, str]]:
    return [(token.kind, token.name or token.raw) for token in tokens(source)]


def first(source: str) -> Token:
    return next(token for token in tokens(source) if token.kind == "open")


@given(st.text(alphabet="<>/!?-ab='\" \n&;{}é", max_size=120))
def test_tokens_cover_the_whole_document_in_order(source: str) -> None:
    read = list(tokens(source))
    assert "".join(token.raw for token in read) == source
    assert [token.line for token in read] == [source.count("\n", 0, token.start) + 1 for token in read]


def test_tags_text_comments_and_declarations_are_told_apart() -> None:
    assert kinds("<!DOCTYPE html><p>a<br/></p><!-- b -->") == [
        ("declaration", "<!DOCTYPE html>"),
        ("open", "p"),
        ("text", "a"),
        ("open", "br"),
        ("close", "p"),
        ("comment", "<!-- b -->"),
    ]


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("<a href='x>y'>", "x>y"),
        ('<a href="1 &amp; 2">', "1 & 2"),
        ("<a href=x/y>", "x/y"),
        ("<a HREF = 'x'>", "x"),
        ("<a\nclass='b'\nhref='x'\n/>", "x"),
        ("<a href='x' href='y'>", "x"),
        ("<a href>", ""),
        ("<a class='x'>", None),
    ],
)
def test_attributes_are_read_however_they_are_written(source: str, value: str | None) -> None:
    assert first(source).get("href") == value


def test_template_tags_do_not_confuse_it() -> None:
    assert kinds("{% if a < b %}<p {{#if c}}class='d'{{/if}}>{{ e }}</p>") == [
        ("text", "{% if a < b %}"),
        ("open", "p"),
        ("text", "{{ e }}"),
        ("close", "p"),
    ]


def test_a_tag_that_never_ends_is_broken_and_the_next_is_read() -> None:
    assert kinds("<p class='a <b>x") == [("broken", "p"), ("text", " class='a "), ("open", "b"), ("text", "x")]
    assert kinds("<p <b>x") == [("broken", "p"), ("text", " "), ("open", "b"), ("text", "x")]


def test_scripts_and_styles_hold_text() -> None:
    assert kinds("<style>a > b <i></style><p>") == [
        ("open", "style"),
        ("text", "a > b <i>"),
        ("close", "style"),
        ("open", "p"),
    ]
    assert ("open", "i") in [(token.kind, token.name) for token in tokens("<style><i></style>", frozenset())]


def test_white_space_collapses_and_no_break_spaces_stay() -> None:
    assert collapsed("  a \n\t b\u00a0c ") == "a b\u00a0c"
