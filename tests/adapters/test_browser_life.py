"""The life of the browser: lazily started, shared, bounded, restarted after a crash, and gone without a trace."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import anyio
import pytest

from compositor.adapters.browser import BROWSER_VARIABLE, Chromium, find_browser
from compositor.adapters.sandbox import jail_fault
from compositor.errors import EnvironmentUnfit, PortError
from compositor.workspace.ports import Page, Resource, Screen
from tests.adapters.machine import descendants, left_of, open_folder

WINDOW = [Screen(name="window", width=300, height=200)]


async def nothing(url: str) -> Resource | None:
    return None


def page(body: str, *, scripts: bool = False) -> Page:
    return Page(html=f"<!doctype html><body>{body}", fulfil=nothing, scripts=scripts)


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


async def need_jail() -> None:
    if reason := await jail_fault():
        pytest.skip(f"no jail here: {reason}")


LIVES = """
import sys, anyio
from compositor.adapters.browser import Chromium
from compositor.workspace.ports import Page, Screen

async def nothing(url):
    return None

async def main():
    renderer = Chromium(isolation=sys.argv[1])
    await renderer.render(Page(html="<p>alive", fulfil=nothing), [Screen(name="window", width=300)])
    print("drawn", flush=True)
    await anyio.sleep(600)

anyio.run(main)
"""


@contextmanager
def a_process_that_drew(isolation: str, temporary: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", LIVES, isolation],
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "drawn\n"
            yield process
        finally:
            process.kill()


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.parametrize("isolation", ["jail", "closed"])
async def test_killing_us_ends_the_browser_and_leaves_no_folder(isolation: str, tmp_path: Path) -> None:
    if isolation == "jail":
        await need_jail()
    with a_process_that_drew(isolation, tmp_path) as process:
        below = descendants(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert below
        assert left_of(below) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.parametrize("isolation", ["jail", "closed"])
async def test_killing_us_and_the_driver_at_once_leaves_no_process(isolation: str, tmp_path: Path) -> None:
    if isolation == "jail":
        await need_jail()
    with a_process_that_drew(isolation, tmp_path) as process:
        below = descendants(process.pid)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert left_of(below) == []
    if isolation == "jail":
        assert list(tmp_path.iterdir()) == []


@pytest.mark.browser
@pytest.mark.anyio
async def test_nothing_remains_after_closing() -> None:
    before = descendants(os.getpid())
    async with Chromium() as renderer:
        await renderer.render(page("<p>here"), WINDOW)
        during = [pid for pid in descendants(os.getpid()) if pid not in before]
        assert during
    assert left_of(during) == []


@pytest.mark.browser
@pytest.mark.anyio
async def test_nothing_is_started_before_it_is_needed_and_closing_twice_is_harmless() -> None:
    before = descendants(os.getpid())
    renderer = Chromium()
    assert descendants(os.getpid()) == before
    await renderer.aclose()
    await renderer.aclose()
    with pytest.raises(PortError, match="closed"):
        await renderer.render(page("<p>late"), WINDOW)


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.parametrize("part", [b"--type=renderer", b"--remote-debugging-pipe"])
async def test_what_was_killed_is_started_again(part: bytes) -> None:
    before = descendants(os.getpid())
    async with Chromium() as renderer:
        await renderer.render(page("<p>one"), WINDOW)
        killed = [pid for pid in descendants(os.getpid()) if pid not in before and part in command_of(pid)]
        assert killed
        for pid in killed:
            with suppress(ProcessLookupError):  # it may have gone with one before it
                os.kill(pid, signal.SIGKILL)
        assert left_of(killed) == []
        assert await first_drawn(renderer, page("<p>two")) == "two"


@pytest.mark.browser
@pytest.mark.anyio
@pytest.mark.filterwarnings("ignore")  # Playwright leaves a future behind when its driver dies
async def test_a_driver_that_was_killed_is_started_again() -> None:
    before = descendants(os.getpid())
    async with Chromium() as renderer:
        await renderer.render(page("<p>one"), WINDOW)
        drivers = [pid for pid in descendants(os.getpid()) if pid not in before and b"run-driver" in command_of(pid)]
        assert len(drivers) == 1
        os.kill(drivers[0], signal.SIGKILL)
        assert left_of(drivers) == []
        assert await first_drawn(renderer, page("<p>two")) == "two"


@pytest.mark.browser
@pytest.mark.anyio
async def test_a_browser_that_was_jailed_is_never_started_again_without_the_jail(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await need_jail()
    before = descendants(os.getpid())
    async with Chromium(executable=find_browser()) as renderer:
        assert await renderer.prepare() == "jail"
        killed = [pid for pid in descendants(os.getpid()) if pid not in before and b"bwrap" in command_of(pid)]
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        assert left_of(killed) == []
        monkeypatch.setenv("PATH", str(tmp_path))
        for _ in range(2):
            with pytest.raises(PortError):
                await renderer.render(page("<p>outside"), WINDOW)


async def first_drawn(renderer: Chromium, wanted: Page) -> str:
    """The text of a page, drawn by a renderer that lost a part of itself: one call may fail, and none may hang."""
    with anyio.fail_after(30):
        try:
            (drawn,) = await renderer.render(wanted, WINDOW)
        except PortError:
            (drawn,) = await renderer.render(wanted, WINDOW)
    return str(drawn.facts["texts"][0]["text"])


@pytest.mark.browser
@pytest.mark.anyio
async def test_a_page_that_wants_all_memory_fails_alone() -> None:
    await need_jail()
    greedy = "<script>const kept = []; for (;;) kept.push(new Array(1e7).fill(0.5));</script>"
    async with Chromium(seconds=60) as renderer:
        with pytest.raises(PortError, match="memory"):
            await renderer.render(page(greedy, scripts=True), WINDOW)
        (drawn,) = await renderer.render(page("<p>modest"), WINDOW)
    assert drawn.facts["texts"][0]["text"] == "modest"


@pytest.mark.browser
@pytest.mark.anyio
async def test_a_page_that_never_ends_is_stopped_and_the_next_is_drawn() -> None:
    await need_jail()
    async with Chromium(seconds=3) as renderer:
        await renderer.prepare()
        with pytest.raises(PortError, match="not drawn in 3 s"):
            await renderer.render(page("<script>for (;;) {}</script>", scripts=True), WINDOW)
        (drawn,) = await renderer.render(page("<p>quick"), WINDOW)
    assert drawn.facts["texts"][0]["text"] == "quick"


@pytest.mark.browser
@pytest.mark.anyio
async def test_a_cancelled_render_leaves_the_browser_usable_and_its_answers_ended() -> None:
    asked, answered = anyio.Event(), anyio.Event()

    async def never(url: str) -> Resource | None:
        asked.set()
        try:
            await anyio.sleep_forever()
        finally:
            answered.set()
        return None

    slow = Page(html='<img src="https://assets.invalid/slow.png">', fulfil=never)
    async with Chromium(pages=1) as renderer:
        async with anyio.create_task_group() as group:
            group.start_soon(renderer.render, slow, WINDOW)
            await asked.wait()
            group.cancel_scope.cancel()
        with anyio.fail_after(5):
            await answered.wait()
        (drawn,) = await renderer.render(page("<p>after"), WINDOW)
    assert drawn.facts["texts"][0]["text"] == "after"


@pytest.mark.browser
@pytest.mark.anyio
async def test_no_more_pages_are_drawn_at_once_than_the_limit_says() -> None:
    open_now, most, both = 0, 0, anyio.Event()

    async def counted(url: str) -> Resource | None:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        if open_now == 2:
            both.set()
        await both.wait()  # the first waits for a second, so that two are open at once on any machine
        await anyio.sleep(0.05)  # time for a third to come, if one could
        open_now -= 1
        return None

    picture = Page(html='<img src="https://assets.invalid/one.png">', fulfil=counted)
    async with Chromium(pages=2) as renderer, anyio.create_task_group() as group:
        for _ in range(6):
            group.start_soon(renderer.render, picture, WINDOW)
    assert most == 2


@pytest.mark.browser
@pytest.mark.anyio
async def test_a_browser_outside_the_system_folders_is_jailed_too() -> None:
    await need_jail()
    with open_folder() as folder:
        mine = folder / "browser"
        mine.symlink_to(find_browser())
        async with Chromium(executable=mine, isolation="jail") as renderer:
            assert await renderer.prepare() == "jail"


@pytest.mark.anyio
async def test_a_browser_that_is_not_there_is_named_with_the_cure(tmp_path: Path) -> None:
    async with Chromium(executable=tmp_path / "no-browser") as renderer:
        with pytest.raises(EnvironmentUnfit, match=f"no-browser is not a program.*{BROWSER_VARIABLE}") as raised:
            await renderer.prepare()
    assert raised.value.codes == ("no-browser",)


@pytest.mark.anyio
async def test_a_program_that_is_no_browser_makes_the_machine_unfit() -> None:
    async with Chromium(executable=Path("/bin/false")) as renderer:
        with pytest.raises(EnvironmentUnfit) as raised:
            await renderer.prepare()
        with pytest.raises(PortError):
            await renderer.render(page("<p>never"), WINDOW)
    assert raised.value.codes == ("browser-unfit",)


def test_the_environment_can_name_the_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine = tmp_path / "browser"
    mine.touch(mode=0o755)
    monkeypatch.setenv(BROWSER_VARIABLE, str(mine))
    assert find_browser() == mine


def test_the_newest_download_of_playwright_is_found_where_the_system_has_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for revision in ("998", "1255"):
        program = tmp_path / f"chromium_headless_shell-{revision}" / "chrome-linux" / "headless_shell"
        program.parent.mkdir(parents=True)
        program.touch(mode=0o755)
    monkeypatch.delenv(BROWSER_VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    assert find_browser().parts[-3] == "chromium_headless_shell-1255"
