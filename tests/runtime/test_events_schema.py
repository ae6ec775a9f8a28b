"""The published schema of events: it only grows within a version, and what was recorded once can be read for ever."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from compositor._values import Json
from compositor.runtime.events import Event, event_schema

CHECKOUT = Path(__file__).parents[2]
PUBLISHED = CHECKOUT / "docs" / "reference" / "events-1.schema.json"
GOLDEN = Path(__file__).parent / "events"
FIRST = json.loads((GOLDEN / "1" / "schema.json").read_text(encoding="utf-8"))
"""The schema as version 1 was first published; it is never edited."""

SAID = {"title", "description"}
"""What a schema says to people."""


def kinds(schema: Json) -> set[str]:
    """Every kind of event that a schema knows."""
    return set(schema["properties"]["what"]["discriminator"]["mapping"])


def one_of_each(version: str) -> dict[str, Json]:
    """The golden events of a version: kind → the event."""
    files = sorted((GOLDEN / version).glob("*.json"))
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files if file.name != "schema.json"}


def operations(version: str) -> dict[str, list[Json]]:
    """The whole recorded operations of a version: file → its events."""
    files = sorted((GOLDEN / version).glob("*.jsonl"))
    return {file.name: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] for file in files}


VERSIONS = sorted(folder.name for folder in GOLDEN.iterdir())
RECORDED = [
    pytest.param(event, id=f"{version}-{name}-{event['seq']}")
    for version in VERSIONS
    for name, events in ({n: [e] for n, e in one_of_each(version).items()} | operations(version)).items()
    for event in events
]


def breaks(old: Json, new: Json, place: str = "$") -> Iterator[str]:
    """Every change that is neither a new kind nor a field that may be left out: a reader of old may stumble over it."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        if old != new:
            yield f"{place}: {old!r} became {new!r}"
        return
    for key in old.keys() | new.keys():
        before, after, at = old.get(key), new.get(key), f"{place}.{key}"
        if key in {"properties", "$defs", "mapping"}:
            before, after = before or {}, after or {}
            yield from (f"{at}.{name}: removed" for name in before.keys() - after.keys())
            for name in before.keys() & after.keys():
                yield from breaks(before[name], after[name], f"{at}.{name}")
        elif key == "oneOf":
            yield from (f"{at}: {one} removed" for one in before or () if one not in (after or ()))
        elif key == "required":
            differs: set[str] = set(before or ()) ^ set(after or ())
            yield from (f"{at}: {name} is required in one of them only" for name in sorted(differs))
        elif key not in SAID or isinstance(before, dict):  # a field may be called `title`
            yield from breaks(before, after, at)


def test_the_published_schema_is_what_the_command_prints() -> None:
    cure = "`compositor events schema` prints it anew, if the change is one that the version allows"
    assert json.loads(PUBLISHED.read_text(encoding="utf-8")) == event_schema(), cure
    assert json.dumps(event_schema(), indent=2, ensure_ascii=False) + "\n" == PUBLISHED.read_text(encoding="utf-8")


def test_within_version_1_the_schema_only_grows() -> None:
    assert list(breaks(FIRST, event_schema())) == []


def add_a_kind(schema: Json) -> None:
    schema["$defs"]["Napped"] = {"type": "object", "properties": {"kind": {"const": "napped"}}, "required": ["kind"]}
    what = schema["properties"]["what"]
    what["oneOf"].append({"$ref": "#/$defs/Napped"})
    what["discriminator"]["mapping"]["napped"] = "#/$defs/Napped"


def add_an_optional_field(schema: Json) -> None:
    schema["$defs"]["StepTaken"]["properties"]["mood"] = {"type": "string", "default": ""}


def say_it_better(schema: Json) -> None:
    schema["$defs"]["StepTaken"]["description"] = "The model spoke."
    schema["properties"]["seq"]["title"] = "Number"


def add_a_required_field(schema: Json) -> None:
    add_an_optional_field(schema)
    schema["$defs"]["StepTaken"]["required"].append("mood")


def remove_a_field(schema: Json) -> None:
    del schema["$defs"]["ToolAnswered"]["properties"]["notes"]


def rename_a_field(schema: Json) -> None:
    fields = schema["$defs"]["ToolAnswered"]["properties"]
    fields["remarks"] = fields.pop("notes")


def make_a_field_optional(schema: Json) -> None:
    schema["$defs"]["StepTaken"]["required"].remove("usage")


def change_a_type(schema: Json) -> None:
    schema["properties"]["seq"]["type"] = "string"


def narrow_the_words(schema: Json) -> None:
    schema["$defs"]["DraftRejected"]["properties"]["by"]["enum"].remove("judged")


def widen_the_words(schema: Json) -> None:
    schema["$defs"]["DraftRejected"]["properties"]["by"]["enum"].append("bored")


def remove_a_kind(schema: Json) -> None:
    what = schema["properties"]["what"]
    what["oneOf"].remove({"$ref": "#/$defs/Checked"})


def raise_the_version(schema: Json) -> None:
    schema["properties"]["schema_version"]["const"] = "2"


@pytest.mark.parametrize("change", [add_a_kind, add_an_optional_field, say_it_better])
def test_a_version_may_grow(change: Callable[[Json], None]) -> None:
    grown = copy.deepcopy(FIRST)
    change(grown)
    assert grown != FIRST
    assert list(breaks(FIRST, grown)) == []


@pytest.mark.parametrize(
    "change",
    [
        add_a_required_field,
        remove_a_field,
        rename_a_field,
        make_a_field_optional,
        change_a_type,
        narrow_the_words,
        widen_the_words,
        remove_a_kind,
        raise_the_version,
    ],
)
def test_any_other_change_is_found(change: Callable[[Json], None]) -> None:
    changed = copy.deepcopy(FIRST)
    change(changed)
    assert list(breaks(FIRST, changed)) != []


def test_each_version_has_one_event_of_each_kind_and_a_whole_operation() -> None:
    assert "1" in VERSIONS
    assert set(one_of_each("1")) == kinds(event_schema()), "a new kind needs a recorded event in tests/runtime/events"
    assert all(event["what"]["kind"] == name for name, event in one_of_each("1").items())
    assert all(operations(version) for version in VERSIONS)


@pytest.mark.parametrize("event", RECORDED)
@pytest.mark.promise("O11")
def test_a_recorded_event_is_valid_and_is_read_and_written_back_unchanged(event: Json) -> None:
    Draft202012Validator(event_schema(), format_checker=Draft202012Validator.FORMAT_CHECKER).validate(event)
    read = Event.model_validate_json(json.dumps(event))
    assert read.model_dump(mode="json", exclude_unset=True) == event
    assert Event.model_validate_json(read.model_dump_json()) == read


@pytest.mark.parametrize("version", VERSIONS)
def test_a_recorded_operation_is_whole(version: str) -> None:
    for events in operations(version).values():
        assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
        assert {event["schema_version"] for event in events} == {version}
        assert len({event["operation"] for event in events}) == 1
        assert events[0]["what"]["kind"] == "operation_opened"
        assert events[-1]["what"]["kind"] == "operation_ended"


@pytest.mark.parametrize(
    "broken",
    [
        {"seq": 0},
        {"seq": "1"},
        {"schema_version": "2"},
        {"mood": "good"},
        {"what": {"kind": "napped"}},
        {"what": {}},
        {"what": {"kind": "operation_interrupted", "why": "?"}},
        {"what": {"kind": "operation_resumed"}},
    ],
)
def test_what_is_no_event_is_not_valid(broken: dict[str, Json]) -> None:
    event = one_of_each("1")["operation_interrupted"]
    validator = Draft202012Validator(event_schema())
    assert validator.is_valid(event)
    assert not validator.is_valid({**event, **broken})
    assert not validator.is_valid({key: value for key, value in event.items() if key != next(iter(broken))} | broken)


def test_the_schema_is_one_itself_and_is_the_same_every_time() -> None:
    Draft202012Validator.check_schema(event_schema())
    assert json.dumps(event_schema()) == json.dumps(event_schema())
    assert "$id" not in event_schema()
