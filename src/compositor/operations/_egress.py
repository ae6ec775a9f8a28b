"""The trial of the jail: a page that tries to get out, and two ports that listen for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from compositor.errors import PortError
from compositor.operations._trials import SCREEN, Seen, nothing
from compositor.workspace import Page, Renderer

if TYPE_CHECKING:
    from anyio.abc import SocketStream, UDPSocket
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

PATIENCE = 0.3
"""Seconds in which a request that got out would have arrived; outside a jail they all have when the page is drawn."""

CONTROL = frozenset({"control", "a datagram"})
"""What the listener must hear when it is called from here."""


async def stay_inside(renderer: Renderer) -> Seen:
    """Draw a page that tries to get out, with its scripts where the isolation allows them, and listen."""
    isolation = await renderer.prepare()
    async with listening() as ears:
        page = Page(html=escaping_page(ears.tcp, ears.udp), fulfil=nothing, scripts=isolation != "closed")
        await renderer.render(page, [SCREEN])
        heard = await ears.hear(PATIENCE)
        await ears.call()
        if await ears.hear(PATIENCE, until=CONTROL) != CONTROL:
            raise PortError("network", "the listener does not hear its own control, so its silence proves nothing")
    if heard:
        raise PortError(
            "renderer", f"a page reached the network by {', '.join(sorted(heard))}", "do not render on this machine"
        )
    return Seen(detail="a page that tries to get out reached nobody; the listener heard its control")


def escaping_page(tcp: int, udp: int) -> str:
    """A page that tries to reach these two ports of the loopback address, by markup and by script.

    Routes that refuse a request do not hold back beacons, sockets and peer connections; having no network does.
    """
    there = f"http://127.0.0.1:{tcp}"
    return f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Trial</title>
<link rel="prefetch" href="{there}/prefetch"><link rel="stylesheet" href="{there}/stylesheet">
<body><img src="{there}/picture" alt=""><iframe src="{there}/frame"></iframe>
<script>
  fetch("{there}/fetch", {{mode: "no-cors"}}).catch(() => 0);
  navigator.sendBeacon("{there}/beacon");
  new WebSocket("ws://127.0.0.1:{tcp}/socket");
  const call = new RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.1:{udp}"}}]}});
  call.createDataChannel("trial");
  call.createOffer().then(offer => call.setLocalDescription(offer));
</script></body></html>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ears:
    """Two ports of the loopback address that listen, and the calls that arrived and were not asked for yet."""

    tcp: int
    udp: int
    calls: MemoryObjectReceiveStream[str]

    async def hear(self, seconds: float, *, until: frozenset[str] = frozenset()) -> frozenset[str]:
        """What arrives within so many seconds, or until all of these have."""
        from anyio import move_on_after

        heard = set[str]()
        with move_on_after(seconds):
            while not until or not until <= heard:
                heard.add(await self.calls.receive())
        return frozenset(heard)

    async def call(self) -> None:
        """Call both ports from here. Who does not hear that would not have heard a page either."""
        from anyio import connect_tcp, create_connected_udp_socket

        async with await connect_tcp("127.0.0.1", self.tcp) as stream:
            await stream.send(b"GET /control HTTP/1.1\r\n\r\n")
        async with await create_connected_udp_socket("127.0.0.1", self.udp) as socket:
            await socket.send(b"control")


@asynccontextmanager
async def listening() -> AsyncIterator[Ears]:
    """Listen on two free ports until left."""
    from anyio import create_memory_object_stream, create_task_group, create_tcp_listener, create_udp_socket
    from anyio.abc import SocketAttribute

    told, calls = create_memory_object_stream[str](max_buffer_size=1000)
    async with (
        told,
        calls,
        await create_tcp_listener(local_host="127.0.0.1") as streams,
        await create_udp_socket(local_host="127.0.0.1") as datagrams,
        create_task_group() as tasks,
    ):
        tasks.start_soon(streams.serve, partial(_note_request, told))
        tasks.start_soon(_note_datagrams, told, datagrams)
        tcp, udp = (port.extra(SocketAttribute.local_port) for port in (streams, datagrams))
        yield Ears(tcp=tcp, udp=udp, calls=calls)
        tasks.cancel_scope.cancel()


async def _note_request(told: MemoryObjectSendStream[str], stream: SocketStream) -> None:
    """The path of a request; what does not speak HTTP has reached us, too."""
    async with stream:
        words = (await stream.receive()).decode(errors="replace").split()
        await told.send(words[1].strip("/") if len(words) > 1 else "a connection")


async def _note_datagrams(told: MemoryObjectSendStream[str], datagrams: UDPSocket) -> None:
    async for _ in datagrams:
        await told.send("a datagram")
