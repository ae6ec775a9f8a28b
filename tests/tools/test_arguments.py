"""Arguments of calls: what was checked is what runs, and a refusal says which key, what was wanted and what came."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor._values import Json
from compositor.tools import ArgumentFault, checked_arguments, schema_faults
from compositor.tools._validator import validator_of

OVERLAY: Json = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "style": {
            "anyOf": [
                {
                    "type": "object",
                    "properties": {"size": {"type": "number", "maximum": 400}, "fill": {"pattern": "^#[0-9a-f]{6}$"}},
                    "additionalProperties": False,
                },
                {"type": "null"},
            ]
        },
        "boxes": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        "width": {"type": ["integer", "string"], "multipleOf": 0.5},
        "align": {"enum": ["left", "right"]},
        "notes": {
            "type": "object",
            "patternProperties": {"^n[0-9]$": {"type": "string"}},
            "additionalProperties": False,
        },
    },
    "required": ["text"],
    "additionalProperties": False,
}


def checked(text: str) -> Mapping[str, Json]:
    arguments = checked_arguments("set_overlay", OVERLAY, text)
    assert not isinstance(arguments, ArgumentFault), arguments.text
    return arguments


def refused(text: str) -> str:
    fault = checked_arguments("set_overlay", OVERLAY, text)
    assert isinstance(fault, ArgumentFault)
    fault.text.encode("utf-8")
    return fault.text


def test_arguments_come_out_as_they_were_sent() -> None:
    assert checked('{"text": "Sale", "style": {"size": 48.5}, "boxes": [[0, 0, 10, 10]]}') == {
        "text": "Sale",
        "style": {"size": 48.5},
        "boxes": [[0, 0, 10, 10]],
    }


@pytest.mark.parametrize("text", ["", "  \n", "{}"])
def test_no_text_stands_for_no_arguments(text: str) -> None:
    assert checked_arguments("render", {"type": "object"}, text) == {}
    assert "'text' is a required property" in refused(text)


@pytest.mark.parametrize(
    ("number", "kind"), [("600.0", int), ("6e2", int), ("600", int), ("600.5", float), ("1e300", float)]
)
def test_a_whole_number_is_an_integer_however_it_was_written(number: str, kind: type) -> None:
    arguments = checked_arguments("render", {"properties": {"width": {"type": "number"}}}, f'{{"width": {number}}}')
    assert isinstance(arguments, Mapping)
    assert type(arguments["width"]) is kind
    assert arguments["width"] == float(number)


def test_half_a_character_is_replaced_before_the_check_so_that_what_runs_was_checked() -> None:
    assert checked('{"text": "Cheers \\ud83c\\udf78 / \\ud83c"}')["text"] == "Cheers \U0001f378 / \ufffd"
    assert "style.fill" in refused('{"text": "", "style": {"fill": "#10203\\ud83c"}}')
    assert "'\ufffd' was unexpected" in refused('{"text": "", "\\udc00": 1}')


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '{"text": "Sale',
            "arguments of set_overlay are not valid JSON: Unterminated string starting at character 9",
        ),
        ("null", "must be one JSON object, not null"),
        ('["text", "A"]', "must be one JSON object, not array"),
        ("600", "must be one JSON object, not number"),
        ("true", "must be one JSON object, not boolean"),
        ('"A"', "must be one JSON object, not string"),
        ('"{\\"text\\": \\"A\\"}"', "not string: it is a JSON text in quotes; send it without the quotes"),
        ('{"text": 1}', "text must be string, not number"),
        ('{"text": null}', "text must be string, not null"),
        ('{"text": "", "style": "{\\"size\\": 48}"}', "style must be object or null, not string: it is a JSON text"),
        ('{"text": "", "style": {"size": "big"}}', "style.size must be number, not string"),
        ('{"text": "", "style": {"size": true}}', "style.size must be number, not boolean"),
        ('{"text": "", "style": {"size": 401}}', "style.size: 401 is greater than the maximum of 400"),
        ('{"text": "", "style": {"fill": "red"}}', "style.fill: 'red' does not match ^#[0-9a-f]{6}$"),
        ('{"text": "", "style": {"fill": "#102030\\n"}}', "style.fill: '#102030\\n' does not match"),
        ('{"text": "", "boxes": "[[0]]"}', "boxes must be array, not string: it is a JSON text in quotes"),
        ('{"text": "", "boxes": [[0], ["x"]]}', "boxes[1][0] must be integer, not string"),
        ('{"text": "", "width": null}', "width must be integer or string, not null"),
        ('{"text": "", "width": 0.3}', "width must be integer or string, not number"),
        ('{"text": "", "align": "middle"}', "align: 'middle' is not one of ['left', 'right']"),
        ('{"text": "", "notes": {"n1": "a", "n2\\n": "b"}}', "notes:"),
        ('{"text": "", "why": 1}', "the arguments: Additional properties are not allowed ('why' was unexpected)"),
    ],
)
def test_a_fault_names_the_key_what_was_wanted_and_what_came(text: str, said: str) -> None:
    assert said in refused(text)


@pytest.mark.parametrize("text", ['{"text": "", "n\\ud800": 1, "n\\udbff": 2}', '{"text": "", "a": 1, "a": 1}'])
def test_two_keys_that_come_out_as_one_are_refused_so_that_none_is_lost(text: str) -> None:
    assert "of one object" in refused(text) or "stands twice" in refused(text)


def test_where_two_alternatives_have_the_right_type_neither_is_taken_for_meant() -> None:
    either = {"properties": {"a": {"anyOf": [{"type": "integer", "minimum": 5}, {"type": "integer", "maximum": 1}]}}}
    fault = checked_arguments("set", either, '{"a": 3}')
    assert fault == ArgumentFault(
        text="set was not run: a: 3 is not valid under any of the given schemas. "
        "Correct this, and send the whole call again"
    )


def test_five_faults_are_told_and_the_rest_is_counted() -> None:
    text = refused(json.dumps({f"x{i}": i for i in range(3)} | {"boxes": [["a"] * 7]}))
    assert text.count("must be integer") == 5
    assert text.endswith("; and 4 more. Correct this, and send the whole call again")


@pytest.mark.parametrize(
    "text", ['{"text": "' + "x" * 5000, '{"align": "' + "x" * 5000 + '"}', '{"' + "k" * 5000 + '": 1}']
)
def test_an_error_is_short_enough_for_a_conversation_and_names_the_tool(text: str) -> None:
    assert len(refused(text)) <= 1000
    assert "set_overlay" in refused(text)


def test_a_text_of_one_fault_is_cut() -> None:
    assert "x…. Correct this" in refused('{"text": "", "align": "' + "x" * 500 + '"}')


def test_an_error_with_a_long_repeated_key_is_cut_as_a_whole() -> None:
    key = "k" * 5000
    text = refused(f'{{"{key}": 1, "{key}": 2}}')
    assert len(text) == 1000
    assert text.endswith("k…. Correct this, and send the whole call again")


@settings(deadline=None)
@given(text=st.text(max_size=30) | st.text(alphabet='{}[]":,truefalsn01.e-\\ ', max_size=30))
def test_no_text_breaks_the_check(text: str) -> None:
    outcome = checked_arguments("set_overlay", OVERLAY, text)
    assert isinstance(outcome, dict | ArgumentFault)


# Outside material


@pytest.mark.material
def test_recorded_calls_of_real_models_are_valid_against_the_tools_that_they_were_given(
    material: Callable[[str], Path],
) -> None:
    """209 are valid as they stand. The 210th has null for its arguments, which stands for none, and needs none."""
    recorded = json.loads(material("agent_faults/real_wire/real_tool_calls.json").read_text(encoding="utf-8"))["cases"]
    outcomes: Counter[tuple[str, bool]] = Counter()
    for case in recorded:
        schemas = {tool["name"]: tool["parameters"] for tool in case["tools"]}
        for call in case["calls"]:
            if call["name"] in schemas:
                outcome = checked_arguments(call["name"], schemas[call["name"]], call["arguments"] or "")
                sent = "null" if call["arguments"] is None else "text"
                outcomes[sent, not isinstance(outcome, ArgumentFault)] += 1
    assert outcomes == {("text", True): 209, ("null", True): 1}


@pytest.mark.material
def test_the_json_schema_suite_is_decided_as_it_says(material: Callable[[str], Path]) -> None:
    r"""Of the keywords that every validator must know, no verdict differs; a schema that we refuse decides nothing.

    What is refused: percent signs in references, references out of the schema, `$id`, and `\p{…}`. `format` is taken
    for an assertion here, and for an annotation by the suite.
    """
    verdicts = _verdicts(material("json_schema/draft2020-12"))
    required = [
        verdict for name, found in verdicts.items() if "/" not in name and name != "format" for verdict in found
    ]
    assert Counter(required) == {"agrees": 924, "refused": 65}


@pytest.mark.material
def test_beyond_the_required_keywords_only_known_verdicts_differ(material: Callable[[str], Path]) -> None:
    """Python's classes know more digits, letters and spaces than ECMA 262, and two formats are checked loosely."""
    verdicts = _verdicts(material("json_schema/draft2020-12/optional"))
    differing = {name: found.count("differs") for name, found in verdicts.items() if "differs" in found}
    assert differing == {"ecmascript-regex": 14, "format/email": 10, "format/uuid": 3}


def _verdicts(folder: Path) -> Mapping[str, list[str]]:
    return {
        path.relative_to(folder).with_suffix("").as_posix(): [
            _decided(group["schema"], case)
            for group in json.loads(path.read_text(encoding="utf-8"))
            for case in group["tests"]
        ]
        for path in sorted(folder.rglob("*.json"))
    }


def _decided(schema: Json, case: Json) -> str:
    if schema_faults(schema):
        return "refused"
    return "agrees" if validator_of(schema).is_valid(case["data"]) == case["valid"] else "differs"
