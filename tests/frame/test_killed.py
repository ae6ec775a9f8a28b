"""Killed anywhere and resumed by another process, an operation comes to the same end and pays nothing twice."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compositor.testing.conformance import EMBEDDED, check_kills

pytestmark = pytest.mark.anyio

CHECKOUT = Path(__file__).parents[2]
MARK = "COMPOSITOR_TEST_OF_KILLS"


@pytest.mark.promise("O5", "O12", "O13", "O14")
async def test_killed_at_every_point_and_at_random_times_it_comes_to_the_same_end_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setenv(MARK, str(tmp_path))
    kills = await check_kills(EMBEDDED, tmp_path / "trials", random_kills=20)
    print(kills)
    assert kills.swept == sum(kills.points.values())
    assert set(kills.points) == {
        *("effect.begin", "effect.performed", "commit.begin", "commit.written"),
        *("store.migrating", "store.begin", "store.written", "store.committed"),
        *("blob.begin", "blob.written", "blob.named", "blob.kept"),
        *("lease.taken", "lease.removed"),
    }
    assert list(temporary.iterdir()) == []
    assert list(tmp_path.glob("trials/**/leases/*")) == []
    assert processes_marked(str(tmp_path)) == []


def processes_marked(value: str) -> list[int]:
    """Processes that were started, directly or not, by the trials."""
    mark = f"{MARK}={value}".encode()
    return [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/environ") if mark in _environ(path)]


def _environ(path: Path) -> bytes:
    """The environment that a process was started with; this one's own is not asked."""
    if path.parent.name == str(os.getpid()):
        return b""
    try:
        return path.read_bytes()
    except OSError:  # it has just ended, or is another user's
        return b""


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        ("of_effects", "was on record and was done again|each thing happened once|every call is on record"),
        ("of_events", "numbered without a gap"),
        ("of_everything", "transactions, 0 events"),
    ],
)
async def test_a_place_that_forgets_is_found_out(
    place: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(CHECKOUT)
    with pytest.raises(AssertionError, match=sentence):
        await check_kills(f"tests.frame.forgetful:{place}", tmp_path, every=12, random_kills=0)
