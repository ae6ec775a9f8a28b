"""The one strict reader of JSON, and the one spelling in which values are hashed."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor._values import MAX_DEPTH, Json, NotJson, canonical, digest, freeze, read_json, thaw, well_formed

values: st.SearchStrategy[Json] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def reads(text: str) -> bool:
    try:
        read_json(text)
    except NotJson:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Expecting value at character 0"),
        ('{"a": 1,}', "at character 8"),
        ("[NaN]", "NaN is not JSON"),
        ("[-Infinity]", "-Infinity is not JSON"),
        ("[1e999]", "the number 1e999 is larger"),
        ("[-1e999]", "the number -1e999 is larger"),
        (f"[{'9' * 400}]", f"the number {'9' * 20} is larger"),
        (f"[{'9' * 5000}]", f"the number {'9' * 20} is larger"),
        ('{"a": {"b": 1, "c": 2, "b": 3}}', "the key 'b' stands twice"),
        ("[" * (MAX_DEPTH + 1), f"nested deeper than {MAX_DEPTH} levels at character {MAX_DEPTH}"),
        ("[" * 100_000, "nested deeper"),
        ('{"a":' * 100_000, "nested deeper"),
        ("\ufeff{}", "BOM"),
        ("{} {}", "Extra data at character 3"),
    ],
)
def test_what_is_not_json_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(NotJson) as refused:
        read_json(text)
    assert reason in str(refused.value)


def test_the_place_is_told_apart_from_the_reason() -> None:
    with pytest.raises(NotJson) as refused:
        read_json('{"a": tru}')
    assert (refused.value.reason, refused.value.position) == ("Expecting value", 6)


@pytest.mark.parametrize("deep", ["[" * MAX_DEPTH + "]" * MAX_DEPTH, json.dumps(["[{" * 500, '\\"[', "]"] * 50)])
def test_brackets_count_only_where_they_nest(deep: str) -> None:
    assert read_json(deep) == json.loads(deep)


def test_a_text_that_was_cut_off_among_brackets_is_told_as_cut_off() -> None:
    with pytest.raises(NotJson, match="Unterminated string"):
        read_json('{"content": "' + "{[" * 500)


@settings(deadline=None)
@given(value=values)
def test_every_value_is_read_as_it_was_written(value: Json) -> None:
    assert read_json(json.dumps(value)) == value
    assert reads(canonical(value).decode())


@settings(deadline=None)
@given(value=values)
def test_a_frozen_value_has_the_same_spelling_and_thaws_to_the_same(value: Json) -> None:
    assert thaw(freeze(value)) == value
    assert canonical(freeze(value)) == canonical(value)


def test_a_frozen_value_cannot_be_changed_and_is_no_window() -> None:
    inner = {"list": [1]}
    frozen = freeze({"inner": inner})
    inner["list"].append(2)
    assert frozen == {"inner": MappingProxyType({"list": (1,)})}
    with pytest.raises(TypeError):
        frozen["inner"]["x"] = 1


def test_a_spelling_sorts_keys_keeps_letters_and_leaves_no_spaces() -> None:
    assert canonical({"b": [1, 2.5], "a": "é"}) == '{"a":"é","b":[1,2.5]}'.encode()
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})


@pytest.mark.parametrize(("value", "error"), [(float("nan"), ValueError), ({1, 2}, TypeError), (b"x", TypeError)])
def test_what_is_no_json_value_has_no_spelling(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        canonical({"a": value})


def test_half_a_surrogate_pair_can_be_hashed_and_made_well() -> None:
    assert canonical("\ud83c") == b'"?"'
    assert well_formed("\ud83c\udf78 \ud83c") == "\U0001f378 \ufffd"


# Outside suites


@pytest.mark.material
def test_the_json_test_suite_is_decided_as_it_says(material: Callable[[str], Path]) -> None:
    """`y` and `transform` are read, `n` is not, `i` may be either; a key that stands twice is refused, come what may.

    Bytes that are no UTF-8 come here as a wire hands them on: with U+FFFD in their place.
    """
    suite = json.loads(material("agent_faults/json_parsing/jsontestsuite.json").read_text(encoding="utf-8"))
    read: dict[str, set[str]] = {"y": set(), "n": set(), "i": set(), "transform": set()}
    refused: dict[str, set[str]] = {"y": set(), "n": set(), "i": set(), "transform": set()}
    for case in suite["cases"]:
        taken = reads(_bytes_of(case).decode("utf-8", "replace"))
        (read if taken else refused)[case["verdict"]].add(case["file"])
    assert {name: len(read[name]) + len(refused[name]) for name in read} == {
        "y": 95,
        "n": 188,
        "i": 35,
        "transform": 22,
    }
    assert read["n"] == set()
    assert refused["y"] | refused["transform"] == {
        "object_same_key_different_values.json",
        "object_same_key_same_value.json",
        "object_same_key_unclear_values.json",
        "y_object_duplicated_key.json",
        "y_object_duplicated_key_and_value.json",
    }


def _bytes_of(case: Json) -> bytes:
    recipes = {
        "n_structure_100000_opening_arrays.json": b"[" * 100_000,
        "n_structure_open_array_object.json": b'[{"":' * 50_000 + b"\n",
    }
    return base64.b64decode(case["b64"]) if case["b64"] is not None else recipes[case["file"]]


@pytest.mark.material
def test_broken_json_of_models_is_never_repaired_in_silence(material: Callable[[str], Path]) -> None:
    pairs = json.loads(material("agent_faults/json_parsing/json_repair_pairs.json").read_text(encoding="utf-8"))[
        "cases"
    ]
    differs = [pair["input"] for pair in pairs if reads(pair["input"]) and not pair["strict_json_valid"]]
    assert differs == []
    assert len(pairs) > 200
