"""What changed between two snapshots, as a person and as a tool read it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compositor.operations._changes import MAX_DIFF_LINES, changes_between
from compositor.testing import MemoryBlobs
from compositor.workspace import Entry, Snapshot

pytestmark = pytest.mark.anyio


async def changed(before: Mapping[str, bytes], after: Mapping[str, bytes], *, compared: bool = True) -> Any:
    blobs = MemoryBlobs()

    async def kept(files: Mapping[str, bytes]) -> Snapshot:
        return Snapshot(files={p: Entry(sha256=await blobs.put(data), size=len(data)) for p, data in files.items()})

    return await changes_between(await kept(before), await kept(after), blobs, compared=compared)


async def test_changes_are_told_in_path_order_and_what_stayed_is_not() -> None:
    before = {"b": b"1\n2\n", "gone": b"x\n", "same": b"s"}
    changes = await changed(before, {"b": b"1\n3\n4\n", "a": b"new\n", "same": b"s"})
    assert [(c.path, c.extent, c.added, c.removed) for c in changes] == [
        ("a", "new, 4 bytes", 1, 0),
        ("b", "4 → 6 bytes", 2, 1),
        ("gone", "removed", 0, 1),
    ]
    assert changes[1].diff == ("--- b", "+++ b", "@@ -1,2 +1,3 @@", " 1", "-2", "+3", "+4")
    assert changes[0].diff[:2] == ("--- /dev/null", "+++ a")


async def test_a_missing_line_end_is_told_as_every_diff_tells_it() -> None:
    (change,) = await changed({"a": b"one"}, {"a": b"one\n"})
    assert change.diff[2:] == ("@@ -1 +1 @@", "-one", "\\ No newline at end of file", "+one")


@pytest.mark.parametrize("data", [b"\xff\xfe", b"a\0b", b"\n" * (MAX_DIFF_LINES + 1)])
async def test_what_is_no_text_or_too_long_has_sizes_and_no_diff(data: bytes) -> None:
    (change,) = await changed({"a": b"text"}, {"a": data})
    assert change.diff is None
    assert (change.added, change.removed) == (0, 0)
    assert f"{len(data):,} bytes" in change.extent
    assert change.as_json()["diff"] is None


async def test_what_is_not_to_be_compared_is_not() -> None:
    (change,) = await changed({"a": b"abc"}, {"a": b"xyz"}, compared=False)
    assert (change.diff, change.extent) == (None, "3 bytes, as before")


def patched(old: str, diff: Sequence[str]) -> str:
    """The text that a unified diff makes of another: a small and independent reading of the format."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", old)
    out: list[str] = []
    at, last = 0, ""
    for line in diff[2:]:
        if hunk := re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+.* @@", line):
            start = int(hunk[1]) - (hunk[2] != "0")
            out += lines[at:start]
            at = start
        elif line.startswith("\\"):
            if last == "+":
                out[-1] = out[-1].removesuffix("\n")
            continue
        else:
            text = line[1:] + "\n"
            if line[0] in "- ":
                assert lines[at].removesuffix("\n") == line[1:]
                text = lines[at]
                at += 1
            if line[0] in "+ ":
                out.append(text)
        last = line[0]
    return "".join([*out, *lines[at:]])


TEXTS = st.text(st.sampled_from(["a", "b", "\n", "\r", "\u2028", "\\", "-", "+", "é", " "]), max_size=40)


@given(TEXTS, TEXTS)
def test_a_diff_leads_from_the_one_text_to_the_other(old: str, new: str) -> None:
    async def whole() -> None:
        changes = await changed({"f": old.encode()}, {"f": new.encode()})
        assert [patched(old, change.diff) for change in changes] == ([new] if old != new else [])

    anyio.run(whole)
