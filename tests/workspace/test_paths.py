"""Names of files: one grammar, and one way to compare."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from compositor.errors import PathRefused
from compositor.workspace import checked_path, covered, covers, fold, overlap, overlaps

PLAIN = ("a", "a.txt", ".hidden", "folder/a b.txt", "照片/東京.png", "caf\u00e9.txt", "a" * 255, "/".join("a" * 16))

REFUSED = {
    "": "it is empty",
    "/etc/passwd": "it is absolute",
    "c:/x": "it is absolute",
    "C:x": "it is absolute",
    "a\\b": "it has a backslash",
    "a\x00b": "control",
    "a\nb": "control",
    "a\u2028b": "line break",
    "a\u202eb": "format",
    "half\ud83c": "surrogate",
    "../a": "it climbs",
    "a/../b": "it climbs",
    "./a": "it climbs",
    "a//b": "a part of it is empty",
    "a/": "a part of it is empty",
    " a": "begins or ends with a space",
    "a /b": "begins or ends with a space",
    "a./b": "ends with a dot",
    "a" * 256: "it is too long",
    "\u6771" * 86: "it is too long",
    "/".join("a" * 17): "it is too long",
    "cafe\u0301.txt": "normal form C",
}

anything = st.text(max_size=12) | st.text(alphabet="aA./\\: é\u0301", max_size=12)
names = st.text(alphabet="abAB.é ßẞ", min_size=1, max_size=4)
patterns = st.builds(
    lambda parts, end: "/".join(parts) + end, st.lists(names, max_size=3), st.sampled_from(["", "/"])
).filter(lambda pattern: pattern != "/")


@pytest.mark.parametrize("path", PLAIN)
def test_a_plain_relative_path_is_taken_as_it_is(path: str) -> None:
    assert checked_path(path) == path


@pytest.mark.parametrize("path", REFUSED)
def test_an_odd_path_is_refused_with_its_reason(path: str) -> None:
    with pytest.raises(PathRefused) as refused:
        checked_path(path)
    assert REFUSED[path] in refused.value.reason
    assert refused.value.path == path
    str(refused.value).encode("utf-8")


@settings(deadline=None)
@given(path=anything)
def test_what_is_taken_stays_below_its_folder_on_every_system(path: str) -> None:
    try:
        checked_path(path)
    except PathRefused:
        assume(condition=False)
    assert not PurePosixPath(path).is_absolute()
    assert not PureWindowsPath(path).drive
    assert ".." not in PurePosixPath(path).parts + PureWindowsPath(path).parts
    assert str(PurePosixPath(path)) == path
    assert unicodedata.is_normalized("NFC", path)
    path.encode("utf-8")


@settings(deadline=None)
@given(one=patterns, other=patterns)
@example(one="", other="a")
@example(one="a", other="a/b")
@example(one="STRASSE/", other="straße/x")
def test_overlap_and_coverage_fit_together(one: str, other: str) -> None:
    assert overlap(one, other) == overlap(other, one)
    assert overlap(one, one)
    assert covers(one, one)
    if covers(one, other):
        assert overlap(one, other)
    if fold(one) == fold(other):
        assert overlap(one, other)


@settings(deadline=None)
@given(one=patterns, middle=patterns, last=patterns)
def test_what_is_covered_covers_no_more(one: str, middle: str, last: str) -> None:
    if covers(one, middle) and covers(middle, last):
        assert covers(one, last)


@pytest.mark.parametrize(
    ("pattern", "path", "is_covered"),
    [
        ("a.txt", "a.txt", True),
        ("a.txt", "A.txt", False),
        ("a", "a/b", False),
        ("a/", "a/b/c", True),
        ("a/", "ab", False),
        ("", "a/b", True),
    ],
)
def test_a_pattern_stands_for_a_path_a_folder_or_everything(pattern: str, path: str, is_covered: bool) -> None:
    assert covers(pattern, path) == is_covered
    assert covered(path, ("other", pattern)) == is_covered


@pytest.mark.parametrize(
    ("one", "other", "collide"),
    [
        ("a.txt", "A.TXT", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("straße", "STRASSE", True),
        ("a/", "a", True),
        ("a", "a/b", True),
        ("a/b", "a/c", False),
        ("a", "ab", False),
        ("", "a/", True),
    ],
)
def test_patterns_overlap_where_two_systems_could_mean_one_file(one: str, other: str, collide: bool) -> None:
    assert overlap(one, other) == collide
    assert overlaps((one,), ("elsewhere/", other)) == collide


def test_no_patterns_overlap_nothing() -> None:
    assert not overlaps((), ("a",))
    assert not overlaps(("a",), ())
