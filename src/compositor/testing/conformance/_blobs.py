"""The suite of the port `Blobs`."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import anyio

from compositor._values import sha256
from compositor.errors import PortError
from compositor.testing.conformance._must import must, must_raise
from compositor.workspace import Blobs

SAMPLES = (b"", b"words", "\u4e16\u754c".encode(), bytes(range(256)) * 4096)


async def check_blobs(make: Callable[[], AbstractAsyncContextManager[Blobs]]) -> None:
    """Check an implementation of `Blobs`.

    Args:
        make: opens an empty one.

    Raises:
        AssertionError: with the sentence that does not hold.
    """
    async with make() as blobs:
        for data in SAMPLES:
            address = await blobs.put(data)
            must(address == sha256(data), "the address of a blob is the hex SHA-256 of its bytes")
            must(await blobs.get(address) == data, f"what was put comes back, all {len(data)} bytes of it")
            must(await blobs.put(data) == address, "the same bytes have one address")
        with must_raise(PortError, "an address without a blob is a PortError"):
            await blobs.get(sha256(b"never put"))
        with must_raise(PortError, "what is no address is a PortError"):
            await blobs.get("../../elsewhere")
        await _side_by_side(blobs)


async def _side_by_side(blobs: Blobs) -> None:
    addresses: dict[int, str] = {}

    async def put(number: int) -> None:
        addresses[number] = await blobs.put(b"%d" % (number // 2))  # each content twice at the same time

    async with anyio.create_task_group() as writers:
        for number in range(16):
            writers.start_soon(put, number)
    for number, address in addresses.items():
        must(await blobs.get(address) == b"%d" % (number // 2), "blobs that are put side by side do not mix")
