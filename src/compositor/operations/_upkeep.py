"""Upkeep of the place where operations live: forget one, free space, and look whether all is whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from compositor._values import Json, addresses_in
from compositor.errors import CompositorError, OperationBusy, OperationEnded, StorageFailed
from compositor.operations._environment import Environment
from compositor.operations._generate import stored_result
from compositor.runtime import DELETED, Effect, OperationRecord, get_json
from compositor.workspace import Freed

GRACE = timedelta(hours=1)
"""A running operation keeps blobs some time before it records them: longer than any tool, build or reply may take."""


async def delete_operation(operation: str, environment: Environment) -> None:
    """Forget what was said in an operation, and the content of the versions that it saved: for personal data.

    Its id, its document and the numbers of its versions stay. Its blobs go with the next `free_space`.

    Raises:
        OperationUnknown
        OperationBusy: it has not ended, or somebody is at work on it.
        OperationEnded: it was deleted before.
    """
    store = environment.store
    async with store.lease(operation):
        record = await store.load(operation)
        if record.state != "ended":
            raise OperationBusy(operation, f"it is {record.state}; `compositor cancel {operation}` ends it")
        if record.status == DELETED:
            raise OperationEnded(operation, DELETED)
        await store.delete(operation)


async def free_space(environment: Environment, *, grace: timedelta = GRACE) -> Freed:
    """Remove the blobs that nothing refers to and that were not put within the grace period.

    What could be an address counts as one, in blobs too, so that nothing that is needed can go.

    Args:
        environment: where operations live.
        grace: shorten it only while nobody is at work.
    """
    since = environment.clock.now() - grace
    keep: set[str] = set()
    found = set(await environment.store.references())
    while found:
        keep |= found
        deeper = [addresses_in(await _text(address, environment)) for address in sorted(found)]
        found = {address for addresses in deeper for address in addresses} - keep
    return await environment.blobs.forget(keep, untouched_since=since)


async def _text(address: str, environment: Environment) -> str:
    """The blob's text where it is JSON, which may refer to others; else nothing."""
    try:
        data = await environment.blobs.get(address)
    except StorageFailed:  # a digest of something else
        return ""
    return data.decode("utf-8", "replace") if data[:1] in {b"{", b"["} else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Needed:
    """A blob that something refers to."""

    address: str
    by: str


async def faults(environment: Environment) -> tuple[str, ...]:
    """Everything that is wrong with what is kept: the medium, the order of events, blobs that are gone or damaged."""
    found = list(await environment.store.faults())
    for record in await environment.store.operations():
        if record.status == DELETED:
            continue
        try:
            await stored_result(record, environment)
            needed = await _needed(record, environment)
        except (CompositorError, ValueError) as error:
            found.append(f"{record.id}: {error}")
            continue
        for blob in needed:
            try:
                await environment.blobs.get(blob.address)
            except CompositorError as error:
                found.append(f"{record.id}, {blob.by}: {error}")
    return tuple(found)


async def _needed(record: OperationRecord, environment: Environment) -> list[_Needed]:
    store, blobs = environment.store, environment.blobs
    opening = await get_json(blobs, record.opening)
    needed = [_Needed(address=entry[0], by=path) for path, entry in opening["snapshot"].items()]
    for key, effect in (await store.effects(record.id)).items():
        needed += [_Needed(address=address, by=key) for address in _of_effect(effect)]
    head = await store.head(record.document)
    for number in range(1, head.number + 1 if head else 1):
        version = await store.version(record.document, number)
        if version is not None and version.operation == record.id:
            files, artifacts = await get_json(blobs, version.snapshot), await get_json(blobs, version.artifacts)
            needed += [_Needed(address=entry[0], by=f"{version.id} {path}") for path, entry in files.items()]
            needed += [_Needed(address=a["sha256"], by=f"{version.id} {label}") for label, a in artifacts.items()]
    return needed


def _of_effect(effect: Effect) -> Iterator[str]:
    """The addresses in an effect's result: see the effects of the runtime for their shapes."""
    result: Json = effect.result
    for name in ("reply", "looked"):
        if isinstance(result.get(name), str):
            yield result[name]
    yield from (entry[0] for entry in result.get("delta", {}).values() if entry)
    for name in ("made", "artifacts"):
        yield from (artifact["sha256"] for artifact in result.get(name, {}).values())
