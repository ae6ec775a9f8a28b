"""Snapshots: immutable states of all files, merged by deltas, kept as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor._values import sha256
from compositor.workspace import Artifact, Delta, Entry, Snapshot, Trace, delta_as_json, delta_from_json

ENTRIES = st.sampled_from([Entry(sha256=sha256(text.encode()), size=len(text)) for text in ("", "a", "bb")])
PATHS = st.sampled_from(["a", "b/c", "b/d", "照片.png"])
snapshots = st.dictionaries(PATHS, ENTRIES).map(lambda files: Snapshot(files=files))
deltas = st.dictionaries(PATHS, st.none() | ENTRIES)


@settings(deadline=None)
@given(snapshot=snapshots, delta=deltas)
def test_a_merged_snapshot_holds_what_the_delta_says_and_all_else_as_before(snapshot: Snapshot, delta: Delta) -> None:
    digest = snapshot.digest
    merged = snapshot.merged(delta)
    assert all(merged.files.get(path) == entry for path, entry in delta.items())
    assert all(merged.files[path] == entry for path, entry in snapshot.files.items() if path not in delta)
    assert merged.merged(delta) == merged
    assert snapshot.digest == digest


@settings(deadline=None)
@given(one=snapshots, other=snapshots)
def test_equal_contents_and_only_they_have_equal_digests(one: Snapshot, other: Snapshot) -> None:
    assert (one.digest == other.digest) == (one == other)


@settings(deadline=None)
@given(snapshot=snapshots, delta=deltas)
def test_snapshots_and_deltas_survive_json(snapshot: Snapshot, delta: Delta) -> None:
    assert Snapshot.from_json(json.loads(json.dumps(snapshot.as_json()))) == snapshot
    assert delta_from_json(json.loads(json.dumps(delta_as_json(delta)))) == delta


def test_the_order_in_which_files_came_changes_no_digest() -> None:
    one, other = Entry(sha256="0" * 64, size=0), Entry(sha256="1" * 64, size=1)
    assert Snapshot(files={"a": one, "b": other}).digest == Snapshot(files={"b": other, "a": one}).digest


def artifact(**facts: Any) -> Artifact:
    return Artifact(media_type="image/png", sha256=sha256(b"png"), size=3, facts=facts)


@pytest.fixture
def trace() -> Trace:
    return Trace(files={"a": None}, record="r1")


def test_a_trace_that_looked_at_the_record_of_tool_runs_holds_for_that_record_alone(trace: Trace) -> None:
    assert trace.holds(Snapshot(), {}, "r1")
    assert not trace.holds(Snapshot(), {}, "r2")
    assert Trace().holds(Snapshot(), {}, "r2")


def test_a_file_that_was_looked_for_in_vain_breaks_the_trace_when_it_comes(trace: Trace) -> None:
    assert not trace.holds(Snapshot(files={"a": Entry(sha256="0" * 64, size=0)}), {}, "r1")


def test_a_trace_survives_json(trace: Trace) -> None:
    trace.listings[""] = "d"
    trace.labels["copy"] = None
    assert Trace.from_json(json.loads(json.dumps(trace.as_json()))) == trace


def test_a_trace_takes_in_what_another_look_found(trace: Trace) -> None:
    trace.include(Trace(files={"b": "0"}, listings={"": "d"}, labels={"copy": None}))
    assert trace == Trace(files={"a": None, "b": "0"}, listings={"": "d"}, labels={"copy": None}, record="r1")
    trace.include(Trace(record="r2"))
    assert trace.record == "r2"
