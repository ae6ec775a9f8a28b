"""Nothing that a page asks for leaves the machine, and no file of the machine appears in a picture.

One page tries every way to the network that a page has, towards a server and a UDP socket on this machine. It is drawn
by the product's browser in the jail (with scripts, and as shipped) and at level `closed`; a plain browser without any
of this is the positive control, which shows that the page would get through.
"""

from __future__ import annotations

import io
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import anyio.abc
import pytest
from PIL import Image
from playwright.async_api import Page as BrowserPage
from playwright.async_api import async_playwright

from compositor.adapters.browser import Chromium, find_browser
from compositor.adapters.sandbox import jail_fault
from compositor.workspace.ports import Isolation, Page, Rendering, Resource, Screen
from tests.adapters.machine import open_folder

pytestmark = [pytest.mark.browser, pytest.mark.anyio]

MARKUP = {
    "image": '<img src="URL">',
    "image-set": '<img srcset="URL 1x">',
    "picture-source": '<picture><source srcset="URL"><img src="data:,"></picture>',
    "background": '<div style="width:9px;height:9px;background:url(URL)"></div>',
    "style-import": '<style>@import url("URL");</style>',
    "stylesheet": '<link rel="stylesheet" href="URL">',
    "preload": '<link rel="preload" as="image" href="URL">',
    "prefetch": '<link rel="prefetch" href="URL">',
    "icon": '<link rel="icon" href="URL">',
    "manifest": '<link rel="manifest" href="URL">',
    "module-preload": '<link rel="modulepreload" href="URL">',
    "font": '<style>@font-face{font-family:far;src:url("URL")}</style><p style="font-family:far">far</p>',
    "frame": '<iframe src="URL"></iframe>',
    "object": '<object data="URL"></object>',
    "embed": '<embed src="URL">',
    "video-poster": '<video poster="URL"></video>',
    "audio": '<audio src="URL" preload="auto"></audio>',
    "captions": '<video controls><track default kind="captions" src="URL"></video>',
    "image-button": '<input type="image" src="URL">',
    "svg-image": '<svg width="9" height="9"><image href="URL" width="9" height="9"/></svg>',
    "svg-use": '<svg><use href="URL#part"/></svg>',
    "svg-filter": '<svg><filter id="x"><feImage href="URL"/></filter><rect width="9" filter="url(#x)"/></svg>',
    "table-background": '<table background="URL"><tr><td>cell</td></tr></table>',
    "list-image": '<ul style="list-style-image:url(URL)"><li>item</li></ul>',
    "cursor": '<div style="cursor:url(URL),auto">pointer</div>',
    "mask": '<div style="width:9px;height:9px;background:#000;-webkit-mask-image:url(URL)"></div>',
    "content": '<style>.made::after{content:url("URL")}</style><p class="made"></p>',
    "border-image": '<div style="border:9px solid;border-image:url(URL) 3">framed</div>',
}
"""Ways that need no JavaScript."""

SCRIPTS = {
    "script": '<script src="URL"></script>',
    "fetch": '<script>fetch("URL", { mode: "no-cors" })</script>',
    "request": '<script>const r = new XMLHttpRequest(); r.open("GET", "URL"); r.send()</script>',
    "beacon": '<script>navigator.sendBeacon("URL", "gone")</script>',
    "event-source": '<script>new EventSource("URL")</script>',
    "web-socket": '<script>new WebSocket("URL".replace("http", "ws"))</script>',
    "import": '<script>import("URL").catch(() => 0)</script>',
    "form": '<iframe name="f"></iframe><form id="form" target="f" action="URL"></form><script>form.submit()</script>',
    "speculation": '<script type="speculationrules">{"prefetch": [{"source": "list", "urls": ["URL"]}]}</script>',
    "window": '<script>window.open("URL")</script>',
    "rtc": """<script>
        const p = new RTCPeerConnection({ iceServers: [{ urls: "stun:127.0.0.1:UDP" }] });
        p.createDataChannel("way"); p.createOffer().then((offer) => p.setLocalDescription(offer))
    </script>""",
}
"""Ways that JavaScript has; the last is over UDP."""

SILENT = {
    "preconnect": '<link rel="preconnect" href="URL">',
    "lookup": '<link rel="dns-prefetch" href="URL">',
    "refresh": '<meta http-equiv="refresh" content="0;url=URL">',
    "ping": '<a id="ping" ping="URL" href="#here">ping</a><script>ping.click()</script>',
    "worker": "<script>new Worker(URL.createObjectURL(new Blob([\"importScripts('URL')\"])))</script>",
}
"""Further ways, which not every browser takes at once, or which lead away from the page: not asked of the control."""

EVERYTHING = {**MARKUP, **SCRIPTS, **SILENT}

FILES = """
    <img src="file://PATH" width="200" height="200">
    <iframe src="file://PATH" width="200" height="200"></iframe>
    <object data="file://PATH" width="200" height="200"></object>
    <div style="width:200px;height:200px;background:url(file://PATH)"></div>
"""
SIGNAL = (255, 0, 171)
"""A colour that stands in the file alone."""

SCREEN = [Screen(name="window", width=600)]


@dataclass
class Ears:
    """What hears the page: the ways over which a request came, all connections, all datagrams."""

    tcp: int = 0
    udp: int = 0
    ways: set[str] = field(default_factory=set)
    connections: int = 0
    datagrams: int = 0
    most: anyio.Event = field(default_factory=anyio.Event)
    """Set when most ways that a browser takes by itself were heard, UDP among them."""

    def note(self, way: str) -> None:
        self.ways.add(way)
        if len(self.ways & {*MARKUP, *SCRIPTS}) >= 30 and self.datagrams:
            self.most.set()

    @property
    def silent(self) -> bool:
        return not (self.ways or self.connections or self.datagrams)

    def page(self, ways: Mapping[str, str]) -> str:
        there = f"http://127.0.0.1:{self.tcp}"
        return "".join(
            way.replace("URL", f"{there}/{name}").replace("UDP", str(self.udp)) for name, way in ways.items()
        )


@asynccontextmanager
async def ears() -> AsyncIterator[Ears]:
    heard = Ears()

    async def listen_to_one(stream: anyio.abc.SocketStream) -> None:
        heard.connections += 1
        async with stream:
            with anyio.move_on_after(3):
                line = (await stream.receive()).split(b"\r\n")[0].decode("latin-1").split(" ")
                heard.note(line[1].strip("/") if len(line) > 1 else "?")
                await stream.send(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")

    async def listen_to_datagrams(socket: anyio.abc.UDPSocket) -> None:
        async for _ in socket:
            heard.datagrams += 1
            heard.note("rtc")

    async with (
        await anyio.create_tcp_listener(local_host="127.0.0.1") as listener,
        await anyio.create_udp_socket(local_host="127.0.0.1") as socket,
        anyio.create_task_group() as group,
    ):
        heard.tcp = listener.extra(anyio.abc.SocketAttribute.local_port)
        heard.udp = socket.extra(anyio.abc.SocketAttribute.local_port)
        group.start_soon(listener.serve, listen_to_one)
        group.start_soon(listen_to_datagrams, socket)
        yield heard
        group.cancel_scope.cancel()


async def refuse(url: str) -> Resource | None:
    return None


async def draw(html: str, isolation: Isolation | None, *, scripts: bool) -> Rendering:
    async with Chromium(isolation=isolation) as renderer:
        (drawn,) = await renderer.render(Page(html=html, fulfil=refuse, scripts=scripts), SCREEN)
        await anyio.sleep(1)  # a beacon or a datagram may be late
    return drawn


async def need_jail() -> None:
    if reason := await jail_fault():
        pytest.skip(f"no jail here: {reason}")


async def test_in_the_jail_no_way_gets_out_even_with_scripts() -> None:
    await need_jail()
    async with ears() as heard:
        drawn = await draw(heard.page(EVERYTHING), "jail", scripts=True)
        assert heard.silent
    assert drawn.facts["texts"]


async def test_as_shipped_no_way_gets_out() -> None:
    async with ears() as heard:
        drawn = await draw(heard.page(EVERYTHING), None, scripts=False)
        assert heard.silent
    asked = {url.rpartition("/")[2].partition("#")[0] for url in drawn.refused}
    assert asked >= {"image", "background", "stylesheet", "font", "frame", "svg-image", "refresh"}


async def test_without_the_jail_the_closed_level_lets_nothing_out() -> None:
    async with ears() as heard:
        drawn = await draw(heard.page(EVERYTHING), "closed", scripts=False)
        assert heard.silent
    assert drawn.facts["texts"]


async def test_the_page_gets_out_where_nothing_holds_it() -> None:
    """The positive control."""
    async with ears() as heard, plain_browser() as page:
        await page.set_content(heard.page({**MARKUP, **SCRIPTS}), wait_until="commit")
        with anyio.fail_after(20):
            await heard.most.wait()
    assert {"image", "fetch", "beacon", "web-socket", "frame", "font", "rtc"} <= heard.ways


@asynccontextmanager
async def plain_browser() -> AsyncIterator[BrowserPage]:
    """A browser as Playwright starts it: no jail, no routing, JavaScript on."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_browser())
        yield await browser.new_page()
        await browser.close()


@pytest.fixture
def secret() -> Iterator[Path]:
    with open_folder() as folder:
        path = folder / "secret.png"
        Image.new("RGB", (200, 200), SIGNAL).save(path)
        path.chmod(0o644)
        yield path


def shows_the_secret(picture: bytes) -> bool:
    with Image.open(io.BytesIO(picture)) as image:
        colours = image.convert("RGB").getcolors(1 << 24) or []
    return any(colour == SIGNAL for _, colour in colours)


@pytest.mark.parametrize("isolation", ["jail", "closed"])
async def test_no_file_of_the_machine_is_drawn(isolation: Isolation, secret: Path) -> None:
    if isolation == "jail":
        await need_jail()
    for scripts in [False, True] if isolation == "jail" else [False]:
        drawn = await draw(FILES.replace("PATH", str(secret)), isolation, scripts=scripts)
        assert not shows_the_secret(drawn.picture)


async def test_the_file_would_be_drawn_where_nothing_holds_it(secret: Path, tmp_path: Path) -> None:
    """The positive control: the same page, opened as a file."""
    document = tmp_path / "page.html"
    document.write_text(FILES.replace("PATH", str(secret)))
    async with plain_browser() as page:
        await page.goto(document.as_uri())
        assert shows_the_secret(await page.screenshot(full_page=True))
