"""The doctor proves by doing, and each proof can fail."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
import typer
from typer.testing import CliRunner

from compositor.adapters import shipped, system
from compositor.cli._doctor import doctor
from compositor.errors import CompileFailed, EnvironmentUnfit, PortError, Problem
from compositor.operations._doctor import Proof, prove
from compositor.operations._egress import escaping_page
from compositor.workspace import Isolation, Page, Rendering, Screen

pytestmark = pytest.mark.anyio


@dataclass(frozen=True, slots=True, kw_only=True)
class Painter:
    """A renderer that draws the letters of a page as bytes: a glyph that it has no font for as a box.

    Attributes:
        lacks: characters without a font.
        plain: characters drawn in the colour of the text, as all are but colour emoji.
        isolation: its level.
        leak: what a page with scripts reaches: `tcp`, `udp` or nothing.
        seconds: how long it takes.
        missing: whether there is no browser at all.
    """

    lacks: str = "\u0378"
    plain: str = ""
    isolation: Isolation = "jail"
    leak: str = ""
    seconds: float = 0.0
    missing: bool = False

    async def prepare(self) -> Isolation:
        if self.missing:
            cure = "install a browser"
            raise EnvironmentUnfit("this machine", [Problem(code="no-browser", message="no browser", cure=cure)])
        return self.isolation

    def processes(self) -> frozenset[int]:
        return frozenset()

    async def render(self, page: Page, screens: Sequence[Screen]) -> tuple[Rendering, ...]:
        await anyio.sleep(self.seconds)
        assert not (page.scripts and self.isolation == "closed")
        if page.scripts:
            await self._escape(page.html)
        return tuple(
            Rendering(screen=screen, picture=self._draw(page.html), width=screen.width, height=screen.height)
            for screen in screens
        )

    def _draw(self, html: str) -> bytes:
        colour = found[1] if (found := re.search(r"color:(#\w+)", html)) else ""
        text = re.sub(r"<title>.*?</title>|<script>.*?</script>|<[^>]*>", "", html, flags=re.DOTALL).strip()
        return "".join(self._glyph(char, colour) for char in text).encode()

    def _glyph(self, char: str, colour: str) -> str:
        if char in self.lacks:
            return f"box {colour}"
        return char if char == "🎉" and char not in self.plain else f"{char} {colour}"

    async def _escape(self, html: str) -> None:
        ports = {
            "tcp": re.search(r"127\.0\.0\.1:(\d+)/beacon", html),
            "udp": re.search(r"stun:127\.0\.0\.1:(\d+)", html),
        }
        if self.leak and (port := ports[self.leak]) and self.leak == "tcp":
            async with await anyio.connect_tcp("127.0.0.1", int(port[1])) as stream:
                await stream.send(b"POST /beacon HTTP/1.1\r\n\r\n")
        elif self.leak and port:
            async with await anyio.create_connected_udp_socket("127.0.0.1", int(port[1])) as socket:
                await socket.send(b"stun")


@dataclass(frozen=True, slots=True, kw_only=True)
class Copier:
    """A compiler that gives the source back, or something else, or fails."""

    gives: str = ""
    fails: bool = False

    async def compile(self, source: str, language: str) -> str:
        if self.fails:
            raise CompileFailed("compiler", "the library is broken", 1)
        return self.gives or source


HEALTHY = Painter()
COPIER = Copier()
SAMPLE = shipped.Sample(source="to be or not", language="plain", expected="or")


async def proofs(
    data: Path, painter: Painter = HEALTHY, copier: Copier = COPIER, seconds: float = 30
) -> dict[str, Proof]:
    found = await prove(data, renderer=painter, compiler=copier, sample=SAMPLE, seconds=seconds)
    return {proof.name: proof for proof in found}


def failed(found: dict[str, Proof]) -> list[str]:
    assert all(proof.cure for proof in found.values() if not proof.ok), "a failure without a cure helps nobody"
    return [name for name, proof in found.items() if not proof.ok]


async def test_a_machine_that_has_everything_passes_every_proof_and_needs_no_cure(tmp_path: Path) -> None:
    found = await proofs(tmp_path)
    assert list(found) == ["render", "egress", "glyphs", "compile", "data"]
    assert failed(found) == []
    assert {proof.cure for proof in found.values()} == {""}


async def test_a_machine_without_a_jail_passes_but_is_told_why_and_what_it_cannot_do(tmp_path: Path) -> None:
    found = await proofs(tmp_path, Painter(isolation="closed"))
    assert failed(found) == []
    assert "pages with scripts are refused" in found["render"].detail
    assert found["render"].cure


async def test_without_a_browser_nothing_is_claimed_about_pages_and_the_rest_is_still_tried(tmp_path: Path) -> None:
    found = await proofs(tmp_path, Painter(missing=True))
    assert failed(found) == ["render", "egress", "glyphs"]
    assert {found[name].cure for name in failed(found)} == {"install a browser"}


@pytest.mark.parametrize(("leak", "way"), [("tcp", "beacon"), ("udp", "a datagram")])
async def test_a_page_that_gets_out_is_caught_with_its_way(tmp_path: Path, leak: str, way: str) -> None:
    found = await proofs(tmp_path, Painter(leak=leak))
    assert failed(found) == ["egress"]
    assert way in found["egress"].detail


@pytest.mark.parametrize(
    "painter",
    [Painter(lacks="\u0378永言"), Painter(lacks="\u0378言"), Painter(lacks="\u0378🎉"), Painter(plain="🎉")],
    ids=["no Chinese", "half the Chinese", "no emoji", "emoji without colour"],
)
async def test_a_missing_glyph_is_told_from_a_drawn_one(tmp_path: Path, painter: Painter) -> None:
    assert failed(await proofs(tmp_path, painter)) == ["glyphs"]


@pytest.mark.parametrize("copier", [Copier(gives="nothing of it"), Copier(fails=True)])
async def test_a_compiler_that_fails_or_loses_the_text_is_caught(tmp_path: Path, copier: Copier) -> None:
    assert failed(await proofs(tmp_path, copier=copier)) == ["compile"]


async def test_a_data_folder_that_cannot_be_is_caught_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    found = await proofs(tmp_path / "file" / "data")
    assert failed(found) == ["data"]
    assert "file" in found["data"].detail


async def test_the_proof_of_the_data_folder_leaves_no_trace(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("kept")
    await proofs(tmp_path)
    await proofs(tmp_path / "new" / "folder")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


async def test_a_part_that_never_answers_is_a_failed_proof(tmp_path: Path) -> None:
    found = await proofs(tmp_path, Painter(seconds=3600), seconds=0.05)
    assert failed(found) == ["render", "egress", "glyphs"]
    assert "no end within 0.05 s" in found["render"].detail


@pytest.mark.browser
async def test_the_trying_page_does_get_out_of_an_ordinary_browser() -> None:
    """The control of the egress proof: its page is no straw man."""
    from playwright.async_api import async_playwright

    from compositor.adapters.browser import find_browser
    from compositor.operations._egress import listening

    async with listening() as ears, async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        page = await browser.new_page()
        await page.set_content(escaping_page(ears.tcp, ears.udp))
        ways = frozenset({"beacon", "socket", "picture", "a datagram"})
        assert await ears.hear(20, until=ways) >= ways
        await browser.close()


app = typer.Typer()
app.command()(doctor)


@pytest.mark.browser
def test_this_very_machine_passes(tmp_path: Path) -> None:
    answer = CliRunner().invoke(app, ["--json", "--data", str(tmp_path)])
    found = json.loads(answer.stdout)
    assert (answer.exit_code, found["ok"]) == (0, True), found
    assert [proof["name"] for proof in found["proofs"]] == ["render", "egress", "glyphs", "compile", "data"]


@pytest.mark.browser
def test_a_failure_prints_its_cure_and_exits_with_the_code_of_the_environment(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    answer = CliRunner().invoke(app, [], env={"COMPOSITOR_HOME": str(tmp_path / "file" / "data")})
    assert answer.exit_code == 4
    assert "✗ data" in answer.stdout
    assert "→ choose another folder" in answer.stdout


def test_apt_installs_what_it_offers_and_playwright_the_browser_that_it_does_not() -> None:
    everything = system.recipe(system.PARTS)
    without_browser = system.recipe(system.PARTS[1:])
    nothing = system.recipe(())
    assert [command[0] for command in everything] == ["apt-get"]
    assert everything[0][-4:] == system.PARTS
    assert [command[0] == "apt-get" for command in without_browser] == [True, False]
    assert system.BROWSER not in without_browser[0]
    assert nothing == (without_browser[1],)
    assert nothing[0][-4:] == ("playwright", "install", "--only-shell", "chromium")


@pytest.fixture
def apt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Debian whose apt only writes down what it is told, and fails where a file `broken` stands beside it."""
    log = tmp_path / "log"
    for name in ("apt-get", "apt-cache"):
        script = tmp_path / name
        breaks = f'[ ! -e {tmp_path}/broken ] || {{ echo "no space left"; exit 100; }}'
        script.write_text(f'#!/bin/sh\necho "{name} $*" >>{log}\n{breaks}\n')
        script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    return log


async def test_root_on_debian_updates_then_installs_and_says_each_command(apt: Path) -> None:
    said: list[str] = []
    await system.install(said.append)
    done = [line for line in apt.read_text().splitlines() if line.startswith("apt-get")]
    assert [line.split()[1] for line in done] == ["update", "install"]
    assert all(part in done[1] for part in system.PARTS)
    assert said == [f"$ {line}" for line in done]


async def test_a_failed_installation_says_what_apt_said_and_the_command_to_run(apt: Path) -> None:
    (apt.parent / "broken").touch()
    with pytest.raises(PortError, match="no space left") as caught:
        await system.install(lambda _: None)
    assert "apt-get install" in caught.value.cure


def test_who_is_not_root_is_told_to_ask_for_it(apt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert system.by_hand().startswith("sudo sh -c 'apt-get update && apt-get install")
