"""Upkeep of the place where operations live: forget one, free space, and look whether all is whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from compositor._values import Json, addresses_in
from compositor.errors import CompositorError, OperationBusy, StorageFailed
from compositor.operations._environment import Environment
from compositor.operations._generate import stored_result
from compositor.runtime import DELETED, Effect, OperationRecord, get_json
from compositor.workspace import Freed

GRACE = timedelta(hours=1)
"""A running operation keeps blobs some time before it records them: longer than any tool, build or reply may take."""


async def delete_operation(operation: str, environment: Environment) -> None:
    """Forget what was said in an operation, and the content of the versions that it saved: for personal data.

    Its id, its document and the numbers of its versions stay. Its blobs go with the next `free_space`. To delete it
    again does no harm, and takes out of the medium what an earlier try could not.

    Raises:
        OperationUnknown
        OperationBusy: it has not ended, or somebody is at work on it.
        StorageFailed: it is deleted, and somebody reads the medium in which it still stands.
    """
    store = environment.store
    await store.load(operation)
    async with store.lease(operation):
        record = await store.load(operation)
        if record.state != "ended":
            raise OperationBusy(operation, f"it is {record.state}", f"`compositor cancel {operation}` ends it")
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


async def faults(environment: Environment) -> tuple[str, ...]:
    """Everything that is wrong with what is kept: the medium, the order of events, blobs that are gone or damaged."""
    found = list(await environment.store.faults())
    try:
        records = await environment.store.operations()
    except StorageFailed as error:
        return (*found, str(error))
    for record in records:
        if record.status != DELETED:
            found += [f"{record.id}: {fault}" for fault in await _of_operation(record, environment)]
    for document in sorted({record.document for record in records}):
        found += await _of_versions(document, environment)
    return tuple(found)


async def _of_operation(record: OperationRecord, environment: Environment) -> list[str]:
    store, blobs = environment.store, environment.blobs
    try:
        await stored_result(record, environment)
        await store.events(record.id)
        opening = await get_json(blobs, record.opening)
        effects = await store.effects(record.id)
    except (CompositorError, ValueError) as error:
        return [str(error)]
    needed = [(path, entry[0]) for path, entry in opening["snapshot"].items()]
    needed += [(key, address) for key, effect in effects.items() for address in _of_effect(effect)]
    return await _lost(needed, environment)


async def _of_versions(document: str, environment: Environment) -> list[str]:
    store, blobs = environment.store, environment.blobs
    found: list[str] = []
    try:
        head = await store.head(document)
        for number in range(1, head.number + 1 if head else 1):
            version = await store.version(document, number)
            if version is None:
                found.append(f"{document} has no version {number}")
            elif not version.erased:
                files, artifacts = await get_json(blobs, version.snapshot), await get_json(blobs, version.artifacts)
                needed = [(f"{version.id} {path}", entry[0]) for path, entry in files.items()]
                needed += [(f"{version.id} {label}", artifact["sha256"]) for label, artifact in artifacts.items()]
                found += await _lost(needed, environment)
    except (CompositorError, ValueError) as error:
        found.append(f"{document}: {error}")
    return found


async def _lost(needed: Sequence[tuple[str, str]], environment: Environment) -> list[str]:
    """Which blobs cannot be had, by what needs them."""
    found = []
    for by, address in needed:
        try:
            await environment.blobs.get(address)
        except CompositorError as error:
            found.append(f"{by}: {error}")
    return found


def _of_effect(effect: Effect) -> Iterator[str]:
    """The addresses in an effect's result: see the effects of the runtime for their shapes."""
    result: Json = effect.result
    for name in ("reply", "looked"):
        if isinstance(result.get(name), str):
            yield result[name]
    yield from (entry[0] for entry in result.get("delta", {}).values() if entry)
    for name in ("made", "artifacts"):
        yield from (artifact["sha256"] for artifact in result.get(name, {}).values())
    yield from (image["image"] for image in result.get("images", ()))  # a smaller copy may be what was shown
