"""Killed at any point, an operation is resumed in another process and comes to the same end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from compositor._values import Json

CHECKOUT = Path(__file__).parents[2]

REPLIES = [f"writer/{turn}/{step}" for turn in (1, 2, 3) for step in (1, 2)] + ["judge/2/1", "judge/3/1"]
PARTS = [f"{part}/{number}" for part in ("tool", "build", "check") for number in (1, 2, 3)]
TRANSACTIONS = 24
"""The first creates the operation, the last ends it, and each of the others records an effect."""

STORES = [f"store/{number}/{when}" for number in range(1, TRANSACTIONS + 1) for when in ("before", "after")]
TWICE = ["writer/1/2+store/4/before", "check/1+check/1+judge/2/1", "store/22/after+store/1/after+store/1/before"]
POINTS = [*REPLIES, *PARTS, *STORES, *TWICE]


@dataclass(frozen=True, slots=True, kw_only=True)
class Killed:
    """What was found at each point, and what a process that was not killed comes to."""

    found: Mapping[str, Json]
    left_in_temporary_folder: list[str]

    @property
    def whole(self) -> Json:
        """The run that nobody killed."""
        return self.found["nowhere"]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    """All points, tried once."""
    data, temporary = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("temporary")
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT / "src"), "TMPDIR": str(temporary)}
    command = [sys.executable, "-m", "tests.frame.killed", str(data), *POINTS]
    ran = subprocess.run(command, cwd=CHECKOUT, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-3000:]
    return Killed(found=json.loads(ran.stdout), left_in_temporary_folder=[path.name for path in temporary.iterdir()])


def same_in_both(found: Json) -> Json:
    """A result without what differs from run to run: its own name and its time."""
    return {name: value for name, value in found["result"].items() if name not in {"operation", "seconds"}}


@pytest.mark.promise("O5", "O12", "O14")
def test_a_note_that_nobody_kills_is_measured_repaired_judged_repaired_and_saved(killed: Killed) -> None:
    whole = killed.whole
    assert whole["ended"] == "ended"
    result = whole["result"]
    assert (result["status"], result["verification"], result["ending"]) == ("succeeded", "passed", "passed")
    assert whole["files"] == {"note.txt": "hello Ada, a short note", "note.upper.txt": "HELLO ADA, A SHORT NOTE"}
    assert whole["kinds"].count("draft_rejected") == 2
    assert whole["log"] == [
        "writer/1/1", "tool", "writer/1/2", "build", "check",
        "writer/2/1", "tool", "writer/2/2", "build", "check", "judge/2/1",
        "writer/3/1", "tool", "writer/3/2", "build", "check", "judge/3/1",
    ]  # fmt: skip


@pytest.mark.promise("O14")
@pytest.mark.parametrize("point", POINTS)
def test_killed_at_this_point_it_comes_to_the_same_end_and_pays_nothing_twice(killed: Killed, point: str) -> None:
    found, whole = killed.found[point], killed.whole
    assert (found["killed"], found["ended"]) == (["killed"] * (point.count("+") + 1), "ended")
    assert found["files"] == whole["files"]
    assert same_in_both(found) == same_in_both(whole)
    assert (found["operations"], found["versions"], found["state"]) == (1, 1, "ended")
    assert found["seqs"] == list(range(1, len(found["seqs"]) + 1))
    assert found["kinds"].count("operation_ended") == 1
    assert [kind for kind in found["kinds"] if kind != "operation_resumed"] == whole["kinds"]
    assert found["leases"] == []
    paid_again = found["log"][len(found["before"]["done"]) :]
    assert [call for call in paid_again if recorded_as(call) in found["before"]["recorded"]] == []


def recorded_as(call: str) -> str:
    """The key of the effect that a model call is recorded under."""
    role, _, place = call.partition("/")
    draft, _, step = place.partition("/")
    return f"model/{place}" if role == "writer" else f"evaluate/{draft}/judgments/rubric/1/{step}"


@pytest.mark.promise("O14")
def test_what_is_on_record_is_used_and_not_done_again(killed: Killed) -> None:
    after_all = killed.found[f"store/{TRANSACTIONS}/before"]
    assert after_all["log"] == killed.whole["log"]  # killed before the very last transaction: all else is on record
    for point in REPLIES:
        assert sorted(killed.found[point]["log"]) == sorted([*killed.whole["log"], point])
    paid = {recorded_as(call) for call in killed.whole["log"] if "/" in call}
    assert paid <= set(after_all["before"]["recorded"])


@pytest.mark.promise("O13")
def test_after_all_these_kills_no_temporary_file_is_left(killed: Killed) -> None:
    assert killed.left_in_temporary_folder == []
