"""The suite of the port `Store`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime

import anyio

from compositor.errors import OperationBusy, OperationUnknown, PortError
from compositor.runtime import DELETED, Closing, Effect, OperationRecord, Store, Version
from compositor.runtime.events import Event, OperationInterrupted
from compositor.testing.conformance._must import must, must_raise


async def check_store(make: Callable[[], AbstractAsyncContextManager[Store]]) -> None:
    """Check an implementation of `Store`.

    Args:
        make: opens an empty one; it is called once for each part of the suite.

    Raises:
        AssertionError: with the sentence that does not hold.
    """
    for check in _CHECKS:
        async with make() as store:
            await check(store)


def _record(name: str = "one", *, document: str = "doc", opened_at: str = "2026-01-01T00:00:00Z") -> OperationRecord:
    return OperationRecord(
        id=name,
        operation="generate",
        content="note",
        document=document,
        state="open",
        attempt=1,
        opened_at=opened_at,
        opening="0" * 64,
    )


def _events(operation: str, *seqs: int) -> tuple[Event, ...]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return tuple(Event(operation=operation, seq=seq, attempt=1, at=at, what=OperationInterrupted()) for seq in seqs)


def _effect(key: str = "call/1/0") -> Effect:
    arguments = {"tool": "write", "deep": [1, 2.5, None, True, {"é": "\U0001f378 'quoted' \"twice\""}]}
    return Effect(key=key, name="tool_call", arguments=arguments, result={"ok": True}, seconds=0.25)


def _version(number: int, parent: int | None, *, operation: str = "one") -> Version:
    return Version(
        document="doc",
        number=number,
        parent=parent,
        operation=operation,
        snapshot="1" * 64,
        artifacts="2" * 64,
        verification="passed",
        isolation=None,
        saved_at="2026-01-01T00:00:01Z",
    )


def _closing(version: Version | None, events: Sequence[Event] = ()) -> Closing:
    effect = Effect(key="commit/1/0", name="commit_version", arguments={}, result={})
    return Closing(effect=effect, result="3" * 64, status="succeeded", version=version, events=events)


async def _an_operation_is_kept(store: Store) -> None:
    await store.create(_record(), _events("one", 1))
    must(await store.load("one") == _record(), "an operation is loaded as it was created")
    must(await store.events("one") == _events("one", 1), "its first events are kept with it")
    must(await store.effects("one") == {}, "it begins without effects")
    with must_raise(OperationUnknown, "an operation that was never created is unknown"):
        await store.load("two")
    must(await store.events("two") == (), "an unknown operation has no events")
    with must_raise(OperationBusy, "an id is given once"):
        await store.create(_record(document="elsewhere"), ())


async def _the_newest_comes_first(store: Store) -> None:
    for day in (2, 3, 1):
        await store.create(_record(f"op-{day}", document=f"doc-{day}", opened_at=f"2026-01-0{day}T00:00:00Z"), ())
    names = [record.id for record in await store.operations()]
    must(names == ["op-3", "op-2", "op-1"], "operations are listed from the newest on")


async def _a_document_has_one_active_operation(store: Store) -> None:
    await store.create(_record(), ())
    for state in ("open", "interrupted"):
        await store.mark("one", "open" if state == "open" else "interrupted", 1, ())
        with must_raise(OperationBusy, f"a document with an {state} operation takes no second one"):
            await store.create(_record("two"), _events("two", 1))
    with must_raise(OperationUnknown, "of a refused operation nothing remains"):
        await store.load("two")
    must(await store.events("two") == (), "of a refused operation no event remains")
    await store.close_operation("one", _closing(None))
    await store.create(_record("two"), ())
    with must_raise(OperationBusy, "an ended operation is not opened again beside another one"):
        await store.mark("one", "open", 2, ())


async def _effects_come_back_in_order(store: Store) -> None:
    await store.create(_record(), ())
    await store.create(_record("other", document="elsewhere"), ())
    keys = ["model/1/1", "call/1/0", "a", "model/1/2"]
    for seq, key in enumerate(keys, start=1):
        await store.record("one", _effect(key), _events("one", seq))
    found = await store.effects("one")
    must(list(found) == keys, "effects come back in the order of recording")
    must(found["call/1/0"] == _effect("call/1/0"), "an effect comes back as it was recorded")
    must(await store.effects("other") == {}, "another operation's effects are its own")
    must([event.seq for event in await store.events("one", 2)] == [3, 4], "events are read from any seq on")


async def _an_effect_is_recorded_once(store: Store) -> None:
    await store.create(_record(), ())
    await store.record("one", _effect(), _events("one", 1))
    with must_raise(PortError, "an effect whose key is known is refused"):
        await store.record("one", _effect(), _events("one", 2))
    must(await store.events("one") == _events("one", 1), "events of a refused effect are not kept")


async def _marks_and_ends(store: Store) -> None:
    await store.create(_record(), ())
    await store.request_cancel("one")
    await store.mark("one", "interrupted", 2, _events("one", 1))
    with must_raise(OperationUnknown, "an unknown operation cannot be marked"):
        await store.mark("two", "interrupted", 2, ())
    marked = await store.load("one")
    must((marked.state, marked.attempt) == ("interrupted", 2), "state and attempt are set")
    await store.close_operation("one", _closing(_version(1, None), _events("one", 2)))
    ended = await store.load("one")
    must((ended.state, ended.result, ended.status) == ("ended", "3" * 64, "succeeded"), "the end is kept")
    must("commit/1/0" in await store.effects("one"), "the commit is an effect")
    must(not await store.cancel_requested("one"), "a wish to cancel ends with the operation")
    must([event.seq for event in await store.events("one")] == [1, 2], "the last events are kept")
    await store.request_cancel("one")
    await store.mark("one", "open", 3, ())
    must(not await store.cancel_requested("one"), "a wish that came after the end is not heeded later")
    again = await store.load("one")
    must((again.state, again.result, again.status) == ("open", None, None), "opened again, it has no result")


async def _the_wish_to_cancel_is_kept(store: Store) -> None:
    await store.create(_record(), ())
    must(not await store.cancel_requested("one"), "nobody wishes an operation cancelled at first")
    await store.request_cancel("one")
    await store.request_cancel("one")
    must(await store.cancel_requested("one"), "a wish to cancel is kept, however often it is said")
    must(await store.load("one") == _record(), "and changes nothing else")
    with must_raise(OperationUnknown, "nobody can wish an unknown operation cancelled"):
        await store.request_cancel("two")


async def _what_is_deleted_is_gone_but_for_its_number(store: Store) -> None:
    await store.create(_record(), _events("one", 1))
    await store.record("one", _effect(), _events("one", 2))
    await store.close_operation("one", _closing(_version(1, None), _events("one", 3)))
    must("1" * 64 in await store.references(), "what a version refers to is among the references")
    await store.delete("one")
    await store.delete("one")
    gone = await store.load("one")
    must((gone.state, gone.status, gone.opening, gone.result) == ("ended", DELETED, "", None), "a name is left")
    must((await store.effects("one"), await store.events("one")) == ({}, ()), "effects and events are gone")
    head = await store.head("doc")
    must(head is not None and head.erased and head.number == 1, "the version keeps its number, without content")
    must(await store.references() == frozenset(), "nothing is referred to any more")
    must(await store.faults() == (), "and nothing is wrong")
    with must_raise(OperationUnknown, "an unknown operation cannot be deleted"):
        await store.delete("two")


async def _versions_form_a_line(store: Store) -> None:
    must(await store.head("doc") is None, "a document without a version has no head")
    must(await store.version("doc", 1) is None, "a version that was never saved is None")
    for number, parent in ((1, None), (2, 1)):
        name = f"op-{number}"
        await store.create(_record(name), ())
        await store.close_operation(name, _closing(_version(number, parent, operation=name)))
    must(await store.head("doc") == _version(2, 1, operation="op-2"), "the head is the newest version")
    must(await store.version("doc", 1) == _version(1, None, operation="op-1"), "an older version stays as it was")


async def _a_stale_parent_is_refused_whole(store: Store) -> None:
    await store.create(_record(), ())
    await store.close_operation("one", _closing(_version(1, None)))
    await store.create(_record("two"), _events("two", 1))
    for parent in (None, 7):
        with must_raise(OperationBusy, "a version whose parent is not the head is refused"):
            await store.close_operation("two", _closing(_version(2, parent, operation="two"), _events("two", 2)))
    must((await store.load("two")).state == "open", "an operation whose end was refused is open")
    must(await store.effects("two") == {}, "of a refused end no effect is kept")
    must(await store.events("two") == _events("two", 1), "of a refused end no event is kept")
    must(await store.head("doc") == _version(1, None), "of a refused end no version is kept")


async def _a_lease_has_one_owner(store: Store) -> None:
    async with store.lease("one"), store.lease("two"):
        with must_raise(OperationBusy, "a lease that is held is refused"):
            async with store.lease("one"):
                pass
    with must_raise(ZeroDivisionError, "an error inside a lease comes through"):
        async with store.lease("one"):
            _break_down()
    async with store.lease("one"):
        pass


def _break_down() -> None:
    raise ZeroDivisionError


async def _writers_side_by_side_lose_nothing(store: Store) -> None:
    await store.create(_record(), ())

    async def write(number: int) -> None:
        await store.record("one", _effect(f"call/1/{number}"), _events("one", number + 1))

    async with anyio.create_task_group() as writers:
        for number in range(20):
            writers.start_soon(write, number)
    must(len(await store.effects("one")) == 20, "effects that are recorded side by side are all kept")
    must([event.seq for event in await store.events("one")] == list(range(1, 21)), "events are read in order of seq")


_CHECKS: tuple[Callable[[Store], Awaitable[None]], ...] = (
    _an_operation_is_kept,
    _the_newest_comes_first,
    _a_document_has_one_active_operation,
    _effects_come_back_in_order,
    _an_effect_is_recorded_once,
    _marks_and_ends,
    _the_wish_to_cancel_is_kept,
    _what_is_deleted_is_gone_but_for_its_number,
    _versions_form_a_line,
    _a_stale_parent_is_refused_whole,
    _a_lease_has_one_owner,
    _writers_side_by_side_lose_nothing,
)
