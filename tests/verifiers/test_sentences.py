"""Sentences and words, in scripts that set spaces and in those that do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor.verifiers.sentences import count, sentences, texts, within, words


def test_every_text_of_a_value_is_given_in_order() -> None:
    assert list(texts({"a": "one", "b": [{"c": "two"}, 3, None, ("three",)], "d": True})) == ["one", "two", "three"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It helps. It lasts! Does it? Yes…", ["It helps.", "It lasts!", "Does it?", "Yes…"]),
        ("A headline\nA line below", ["A headline", "A line below"]),
        ("Es hilft z. b. am Tag. Und nachts.", ["Es hilft z. b. am Tag.", "Und nachts."]),
        ("It costs 1.50 here. “Fine.” Good.", ["It costs 1.50 here.", "“Fine.”", "Good."]),
        ("新款上市。欢迎光临！", ["新款上市。", "欢迎光临！"]),
        (" \n ", []),
    ],
)
def test_a_text_is_cut_into_its_sentences(text: str, wanted: list[str]) -> None:
    assert list(sentences(text)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted", "number"),
    [
        ("“Don’t”, she said — twice!", ("don't", "she", "said", "twice"), 4),
        ("30 % off / now", ("30", "off", "now"), 3),
        ("नींद अच्छी है", ("नींद", "अच्छी", "है"), 3),
        ("新款 A5 上市。", ("新", "款", "a5", "上", "市"), 3),
        ("ใหม่", ("ใ", "ห", "ม"), 0.6),
        ("❤️ ✂", (), 0),
    ],
)
def test_words_are_folded_bare_and_counted_alike_in_all_scripts(
    text: str, wanted: tuple[str, ...], number: float
) -> None:
    assert words(text) == wanted
    assert count(words(text)) == pytest.approx(number)


def test_words_stand_in_a_text_only_next_to_each_other_and_in_order() -> None:
    text = words("a lamp for the long evenings")
    assert within(words("For the long"), text)
    assert not within(words("the for long"), text)
    assert not within(words("a lamp evenings"), text)
    assert not within((), text)


@given(st.text(max_size=200))
def test_no_word_is_lost_between_the_sentences(text: str) -> None:
    assert words(" ".join(sentences(text))) == words(text)
