"""Files as one caller sees them: what it may touch, what it changed, and what it looked at."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor._values import NotJson, sha256
from compositor.errors import FileMissing, NotOwned, PathRefused, StaleWrite
from compositor.testing import MemoryBlobs
from compositor.workspace import EVERYTHING, Entry, Files, Snapshot, Trace
from tests.workspace.memory import snapshot_of

pytestmark = pytest.mark.anyio


@pytest.fixture
def blobs() -> MemoryBlobs:
    return MemoryBlobs()


@pytest.fixture
async def snapshot(blobs: MemoryBlobs) -> Snapshot:
    return await snapshot_of(blobs, mail_txt="Dear all", art__a_svg="<svg/>", art__b_svg="<svg></svg>", plan_json="{}")


@pytest.fixture
def files(snapshot: Snapshot, blobs: MemoryBlobs) -> Files:
    """What a tool sees that may read `art/` and write the mail and `notes/`."""
    return Files(snapshot, blobs, reads=("art/",), writes=("mail.txt", "notes/"))


async def test_a_caller_reads_what_it_declared_and_what_it_writes(files: Files) -> None:
    assert await files.read("art/a.svg") == b"<svg/>"
    assert await files.read_text("mail.txt") == "Dear all"
    assert files.list() == ("art/a.svg", "art/b.svg", "mail.txt")


@pytest.mark.parametrize("path", ["plan.json", "art", "notes"])
async def test_what_a_caller_did_not_declare_it_can_neither_read_nor_find(files: Files, path: str) -> None:
    with pytest.raises(NotOwned) as refused:
        await files.read(path)
    assert (refused.value.path, refused.value.action, refused.value.allowed) == (path, "read", ("art/",))
    with pytest.raises(NotOwned):
        files.exists(path)


@pytest.mark.parametrize("path", ["art/a.svg", "plan.json", "mail.txt.bak", "notes"])
async def test_what_a_caller_does_not_own_it_can_neither_write_nor_remove(files: Files, path: str) -> None:
    with pytest.raises(NotOwned) as refused:
        await files.write(path, "mine")
    assert refused.value.action == "write"
    with pytest.raises(NotOwned):
        files.remove(path)
    assert files.delta == {}


@pytest.mark.parametrize("path", ["../mail.txt", "/mail.txt", "notes/../mail.txt", "notes//a"])
async def test_an_odd_path_is_refused_before_anything_else(files: Files, path: str) -> None:
    for look in (files.exists, files.remove):
        with pytest.raises(PathRefused):
            look(path)
    with pytest.raises(PathRefused):
        await files.write(path, "x")
    with pytest.raises(PathRefused):
        await files.read(path)


async def test_a_caller_sees_its_own_changes_and_the_snapshot_does_not(files: Files, snapshot: Snapshot) -> None:
    before = snapshot.digest
    await files.write("notes/a.txt", "first")
    await files.write("notes/a.txt", "second")
    files.remove("mail.txt")
    assert await files.read_text("notes/a.txt") == "second"
    assert not files.exists("mail.txt")
    assert files.list() == ("art/a.svg", "art/b.svg", "notes/a.txt")
    assert files.delta == {"notes/a.txt": Entry(sha256=sha256(b"second"), size=6), "mail.txt": None}
    assert snapshot.digest == before


async def test_what_ends_as_it_began_is_no_change(files: Files) -> None:
    await files.write("mail.txt", "otherwise")
    await files.write("mail.txt", "Dear all")
    await files.write("notes/a.txt", "gone soon")
    files.remove("notes/a.txt")
    assert files.delta == {}


async def test_a_missing_file_is_named_with_what_is_there_instead(files: Files) -> None:
    with pytest.raises(FileMissing) as missing:
        await files.read("art/c.svg")
    assert missing.value.present == ("art/a.svg", "art/b.svg", "mail.txt")
    with pytest.raises(FileMissing):
        files.remove("notes/a.txt")


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("notes/a.TXT", "only the case differs"),
        ("Notes/../x", "climbs"),
        ("notes/A.txt/b", "a file and a folder"),
    ],
)
async def test_a_name_that_some_system_takes_for_another_is_refused(files: Files, path: str, reason: str) -> None:
    await files.write("notes/a.txt", "x")
    with pytest.raises(PathRefused, match=reason):
        await files.write(path, "y")
    assert sorted(files.delta) == ["notes/a.txt"]


async def test_a_folder_is_not_replaced_by_a_file_of_its_name(blobs: MemoryBlobs, snapshot: Snapshot) -> None:
    with pytest.raises(PathRefused, match="a file and a folder"):
        await Files(snapshot, blobs, writes=("art",)).write("art", "x")


async def test_a_name_is_free_again_once_its_twin_is_removed(files: Files) -> None:
    await files.write("notes/a.txt", "x")
    files.remove("notes/a.txt")
    await files.write("notes/A.txt", "y")
    assert sorted(files.delta) == ["notes/A.txt"]


async def test_text_is_utf_8_and_never_refused(files: Files) -> None:
    await files.write("notes/a.txt", "Cheers \U0001f378 \ud83c")
    assert await files.read_text("notes/a.txt") == "Cheers \U0001f378 ?"
    await files.write("notes/b.bin", b"\xffx")
    assert await files.read_text("notes/b.bin") == "\ufffdx"


async def test_json_is_read_strictly(files: Files) -> None:
    await files.write("notes/a.json", '{"a": [1]}')
    assert await files.read_json("notes/a.json") == {"a": [1]}
    await files.write("notes/a.json", '{"a": NaN}')
    with pytest.raises(NotJson, match="NaN"):
        await files.read_json("notes/a.json")


# Stale writes: what was prepared on an older state


@pytest.fixture
async def newer(blobs: MemoryBlobs, snapshot: Snapshot) -> Snapshot:
    """The state after somebody else changed the mail, took the plan away and added a note."""
    added = await snapshot_of(blobs, mail_txt="Dear friends", notes__a_txt="first")
    return snapshot.merged({**added.files, "plan.json": None})


@pytest.fixture
def stale(newer: Snapshot, blobs: MemoryBlobs, snapshot: Snapshot) -> Files:
    """What a tool sees whose call was prepared before that."""
    return Files(newer, blobs, writes=("mail.txt", "plan.json", "notes/", "art/"), base=snapshot)


@pytest.mark.parametrize("path", ["mail.txt", "plan.json", "notes/a.txt"])
async def test_what_has_changed_is_not_written_over_by_who_has_not_seen_it(
    stale: Files, newer: Snapshot, path: str
) -> None:
    with pytest.raises(StaleWrite, match="Read it and write again") as refused:
        await stale.write(path, "mine")
    assert refused.value.path == path
    if path in newer.files:
        with pytest.raises(StaleWrite):
            stale.remove(path)
    with pytest.raises(StaleWrite):
        stale.refuse_stale(path)
    assert stale.delta == {}


@pytest.mark.parametrize("path", ["mail.txt", "plan.json", "notes/a.txt"])
async def test_who_has_read_what_it_is_now_may_change_it_but_not_by_position(stale: Files, path: str) -> None:
    if stale.exists(path):
        await stale.read(path)
    await stale.write(path, "mine")
    await stale.write(path, "mine again")
    with pytest.raises(StaleWrite):
        stale.refuse_stale(path)
    stale.remove(path)


async def test_finding_a_file_gone_is_knowing_what_it_is_now(stale: Files) -> None:
    with pytest.raises(FileMissing):
        await stale.read("plan.json")
    await stale.write("plan.json", "{}")


async def test_knowing_that_a_file_is_there_is_not_knowing_what_is_in_it(stale: Files) -> None:
    assert stale.exists("mail.txt")
    assert "mail.txt" in stale.list()
    with pytest.raises(StaleWrite):
        await stale.write("mail.txt", "mine")


async def test_writing_the_very_same_bytes_is_no_fault(stale: Files) -> None:
    await stale.write("mail.txt", "Dear friends")
    assert stale.delta == {}


async def test_what_has_not_changed_is_written_unread(stale: Files) -> None:
    await stale.write("art/a.svg", "<g/>")
    stale.refuse_stale("art/a.svg")
    stale.remove("art/b.svg")
    assert set(stale.delta) == {"art/a.svg", "art/b.svg"}


# The trace


async def test_every_look_is_logged_also_in_vain(blobs: MemoryBlobs, snapshot: Snapshot) -> None:
    files = Files(snapshot, blobs)
    await files.read("mail.txt")
    files.exists("plan.json")
    files.exists("none.txt")
    files.list("art")
    assert files.trace.files == {
        "mail.txt": sha256(b"Dear all"),
        "plan.json": sha256(b"{}"),
        "none.txt": None,
    }
    assert list(files.trace.listings) == ["art/"]


async def test_a_folder_is_listed_with_or_without_its_slash(files: Files) -> None:
    await files.write("notes/art.txt", "x")
    assert files.list("art") == files.list("art/") == ("art/a.svg", "art/b.svg")


async def test_what_a_caller_wrote_itself_says_nothing_about_the_snapshot(files: Files) -> None:
    await files.write("notes/a.txt", "x")
    await files.read("notes/a.txt")
    assert files.trace.files == {}


async def test_two_scopes_can_share_one_trace(blobs: MemoryBlobs, snapshot: Snapshot) -> None:
    trace = Trace()
    await Files(snapshot, blobs, trace=trace).read("mail.txt")
    Files(snapshot, blobs, trace=trace).exists("plan.json")
    assert sorted(trace.files) == ["mail.txt", "plan.json"]


PATHS = st.sampled_from(["mail.txt", "plan.json", "art/a.svg", "art/b.svg", "art/c.svg", "notes/a.txt"])
LOOKS = st.lists(st.tuples(st.sampled_from(["read", "exists", "list"]), PATHS), max_size=4)
DELTAS = st.dictionaries(PATHS, st.none() | st.sampled_from(["", "a", "b"]), max_size=4)


async def look(files: Files, what: str, path: str) -> object:
    if what == "list":
        return files.list(path.rpartition("/")[0])
    return await files.read(path) if what == "read" and files.exists(path) else files.exists(path)


@settings(deadline=None)
@given(looks=LOOKS, delta=DELTAS)
async def test_a_trace_holds_only_where_every_look_would_find_the_same(
    looks: list[tuple[str, str]], delta: dict[str, str | None]
) -> None:
    blobs = MemoryBlobs()
    before = await snapshot_of(blobs, mail_txt="a", art__a_svg="a", art__b_svg="")
    after = before.merged(
        {p: c if c is None else Entry(sha256=await blobs.put(c.encode()), size=len(c)) for p, c in delta.items()}
    )
    first, again = Files(before, blobs, reads=EVERYTHING), Files(after, blobs, reads=EVERYTHING)
    seen = [await look(first, *one) for one in looks]
    assert first.trace.holds(before, {})
    if first.trace.holds(after, {}):
        assert [await look(again, *one) for one in looks] == seen
    elif all(what != "exists" for what, _ in looks):
        assert [await look(again, *one) for one in looks] != seen
