"""Processes that tools, checks and builds leave behind: found, ended with all that they started, and told of."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path

import anyio
import psutil
import pytest

from compositor.capabilities import BuildContext, Built, CheckContext, Report, Scope, ToolContext, ToolResult, tool
from compositor.errors import OperationStopped
from compositor.runtime import Answer
from compositor.testing import PlainRenderer, Scripted, calls, verdict
from compositor.tools import Tool
from tests.runtime.bench import (
    GOOD,
    LENGTH,
    Run,
    agent,
    answers,
    begin,
    build,
    criteria,
    finished,
    judgment,
    made,
    measurement,
    place,
    write,
    write_poem,
    writes,
)

pytestmark = pytest.mark.anyio

SLEEP = (sys.executable, "-c", "import time; time.sleep(60)")
_PARENT = """
import subprocess, sys, time
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
print("started", flush=True)
time.sleep(60)
"""
FAMILY = (sys.executable, "-c", _PARENT)


class Started:
    """Children that a test started: held until it is over, so that no garbage is collected in the middle."""

    def __init__(self) -> None:
        self.processes: list[subprocess.Popen[bytes]] = []

    def start(self, command: tuple[str, ...] = SLEEP) -> subprocess.Popen[bytes]:
        """A child that lives for a minute."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        self.processes.append(process)
        return process

    @property
    def alive(self) -> list[int]:
        return [process.pid for process in self.processes if process.poll() is None]


@pytest.fixture
def started() -> Iterator[Started]:
    children = Started()
    yield children
    for process in children.processes:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def acts(does: Callable[[ToolContext], Awaitable[None]], name: str = "act", *, seconds: float = 10) -> Tool:
    """A tool that does this and answers."""

    async def run(ctx: ToolContext) -> ToolResult:
        """Do what the test says."""
        await ctx.files.write("poem.txt", "half done")
        await does(ctx)
        return ToolResult(text="done")

    run.__name__ = name
    return tool(seconds=seconds)(run)


async def acted(*tools: Tool) -> tuple[list[Answer], Run]:
    """What each of these tools is answered in one reply, and the run, which goes on to its good end."""
    writer = Scripted({(1, 1): calls(*((one.name, {}) for one in tools)), (1, 2): write(GOOD)})
    run = await made(writer, tools=(*tools, write_poem))
    assert (await run.text("poem.txt"), run.result.status) == (GOOD, "succeeded")
    return answers(writer)[:-1], run


LEFT = "it left running what it had started (python"


async def test_a_tool_that_leaves_a_child_is_broken_and_the_child_is_gone_before_the_answer(started: Started) -> None:
    async def leaves(ctx: ToolContext) -> None:
        started.start()

    begun = time.monotonic()
    (answer,), run = await acted(acts(leaves))
    assert answer.failed
    assert answer.text.startswith(f"act is broken: {LEFT}")
    assert "that was ended" in answer.text
    assert run.of("tool_answered")[0].changed == ()
    assert started.alive == []
    assert time.monotonic() - begun < 10  # two seconds are promised, on a machine that is not busy


async def test_all_that_the_child_started_goes_with_it(started: Started) -> None:
    family: list[psutil.Process] = []

    async def leaves(ctx: ToolContext) -> None:
        parent = started.start(FAMILY)
        assert parent.stdout is not None
        await anyio.to_thread.run_sync(parent.stdout.readline)
        family.extend([psutil.Process(parent.pid), *psutil.Process(parent.pid).children(recursive=True)])

    (answer,), _ = await acted(acts(leaves))
    assert answer.failed
    assert len(family) == 2
    assert [process for process in family if lives(process)] == []


def await_end(process: subprocess.Popen[bytes]) -> None:
    """Wait until it has ended, and leave its exit status where it is."""
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)


def lives(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    return False


async def test_who_started_the_child_still_learns_how_it_ended(started: Started) -> None:
    learned: list[int] = []

    async def leaves(ctx: ToolContext) -> None:
        process = started.start()
        waiting.start_soon(wait, process)

    async def wait(process: subprocess.Popen[bytes]) -> None:
        learned.append(await anyio.to_thread.run_sync(process.wait))

    async with anyio.create_task_group() as waiting:
        await acted(acts(leaves))
    assert learned == [-9]


async def test_a_child_that_nobody_waits_for_leaves_no_entry_behind(started: Started) -> None:
    async def leaves(ctx: ToolContext) -> None:
        started.start()

    await acted(acts(leaves))
    assert [child for child in psutil.Process().children() if child.pid == started.processes[0].pid] == []


@pytest.mark.parametrize("how", ["raises", "hangs"])
async def test_a_tool_that_fails_otherwise_too_is_told_of_both(how: str, started: Started) -> None:
    async def leaves(ctx: ToolContext) -> None:
        started.start()
        if how == "raises":
            raise RuntimeError("lost")
        await anyio.sleep_forever()

    (answer,), _ = await acted(acts(leaves, seconds=0.05 if how == "hangs" else 10))
    reason = "act failed: RuntimeError: lost" if how == "raises" else "act was stopped after 0.05 s."
    assert answer.text.startswith(reason)
    assert LEFT in answer.text
    assert started.alive == []


async def test_children_of_a_tool_that_is_interrupted_are_gone(started: Started) -> None:
    began = anyio.Event()

    async def leaves(ctx: ToolContext) -> None:
        started.start()
        began.set()
        await anyio.sleep_forever()

    async with place() as environment:
        made_by = agent(tools=(acts(leaves), acts(leaves, "too"), write_poem))
        handle = begin(Scripted({(1, 1): calls(("act", {}))}), environment, made_by=made_by)
        async with handle:
            await began.wait()
            await handle.interrupt()
            with pytest.raises(OperationStopped):
                await handle.result()
    assert len(started.processes) == 1
    assert started.alive == []


async def test_what_has_ended_or_was_there_before_or_is_waited_for_is_no_fault(started: Started) -> None:
    started.start()

    async def starts_and_waits(ctx: ToolContext) -> None:
        await anyio.run_process([sys.executable, "-c", ""])
        await_end(started.start((sys.executable, "-c", "")))

    (answer,), _ = await acted(acts(starts_and_waits))
    assert (answer.failed, answer.text) == (False, "done")
    assert len(started.alive) == 1


class Driven(PlainRenderer):
    """A renderer that keeps a process from its first call on."""

    def __init__(self, started: Started) -> None:
        super().__init__()
        self._started = started

    def processes(self) -> frozenset[int]:
        return frozenset(process.pid for process in self._started.processes)


async def test_a_process_that_the_renderer_keeps_is_nobodys_fault_though_a_call_was_the_first_to_need_it(
    started: Started,
) -> None:
    async def draws(ctx: ToolContext) -> None:
        started.start()

    async with place(renderer=Driven(started)) as environment:
        writer = Scripted({(1, 1): calls(("act", {})), (1, 2): write(GOOD)})
        handle = begin(writer, environment, made_by=agent(tools=(acts(draws), write_poem)))
        await finished(handle, environment, writer)
    assert answers(writer)[0].text == "done"
    assert len(started.alive) == 1


def beside(name: str, does: Callable[[], Awaitable[None]]) -> Tool:
    """A tool that writes nothing, so that it runs beside others of its kind."""

    async def run(ctx: ToolContext) -> ToolResult:
        """Do what the test says."""
        await does()
        return ToolResult(text="done")

    run.__name__ = name
    return tool(reads=(), writes=(), seconds=10)(run)


async def test_a_child_of_a_call_beside_is_waited_for_and_no_fault_where_that_call_ends_it(started: Started) -> None:
    there, seen = anyio.Event(), anyio.Event()

    async def starts() -> None:
        process = started.start()
        there.set()
        await seen.wait()
        await anyio.sleep(0.1)
        process.kill()
        await anyio.to_thread.run_sync(process.wait)

    async def ends_first() -> None:
        await there.wait()
        seen.set()

    told, _ = await acted(beside("starts", starts), beside("ends_first", ends_first))
    assert [answer.text for answer in told] == ["done", "done"]


async def test_where_nobody_ends_it_the_call_that_started_it_is_told_and_no_other(started: Started) -> None:
    there = anyio.Event()

    async def starts() -> None:
        started.start()
        there.set()
        await anyio.sleep(0.1)

    async def ends_first() -> None:
        await there.wait()

    told, _ = await acted(beside("starts", starts), beside("ends_first", ends_first))
    assert [LEFT in answer.text for answer in told] == [True, False]
    assert started.alive == []


@pytest.mark.parametrize("found_by", ["its path", "its name"])
async def test_a_script_that_its_interpreter_runs_is_found_too(
    found_by: str, started: Started, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "waits"
    script.write_text("#!/bin/sh\nwhile :; do sleep 1; done\n")
    script.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    async def starts() -> None:
        started.start((str(script) if found_by == "its path" else "waits", "long"))

    told, _ = await acted(beside("starts", starts))
    assert "it left running what it had started (" in told[0].text
    assert started.alive == []


async def test_what_the_application_starts_beside_a_call_is_its_own(started: Started) -> None:
    began, go = anyio.Event(), anyio.Event()

    async def works() -> None:
        began.set()
        await go.wait()

    async def application() -> None:
        await began.wait()
        started.start()
        go.set()

    async with anyio.create_task_group() as side_by_side:
        side_by_side.start_soon(application)
        told, _ = await acted(beside("works", works))
    assert [answer.text for answer in told] == ["done"]
    assert len(started.alive) == 1


async def test_of_two_calls_that_start_the_same_command_both_are_told(started: Started) -> None:
    async def leaves() -> None:
        started.start()

    told, _ = await acted(beside("one", leaves), beside("other", leaves))
    assert [LEFT in answer.text for answer in told] == [True, True]
    assert started.alive == []


async def test_calls_that_are_interrupted_together_leave_the_last_one_to_end_what_they_left(started: Started) -> None:
    began = [anyio.Event(), anyio.Event()]

    async def leaves() -> None:
        started.start()
        next(event for event in began if not event.is_set()).set()
        await anyio.sleep_forever()

    async with place() as environment:
        made_by = agent(tools=(beside("one", leaves), beside("other", leaves), write_poem))
        handle = begin(Scripted({(1, 1): calls(("one", {}), ("other", {}))}), environment, made_by=made_by)
        async with handle:
            for event in began:
                await event.wait()
            await handle.interrupt()
    assert (len(started.processes), started.alive) == (2, [])


async def test_an_interruption_while_a_call_waits_for_another_ends_it_all_too(started: Started) -> None:
    there = anyio.Event()

    async def starts() -> None:
        started.start()
        there.set()
        await anyio.sleep_forever()

    async def ends_first() -> None:
        await there.wait()

    async with place() as environment:
        made_by = agent(tools=(beside("starts", starts), beside("ends_first", ends_first), write_poem))
        handle = begin(Scripted({(1, 1): calls(("starts", {}), ("ends_first", {}))}), environment, made_by=made_by)
        async with handle:
            await there.wait()
            await anyio.sleep(0.1)
            await handle.interrupt()
    assert started.alive == []


async def test_an_interrupted_operation_ends_its_children_though_another_one_is_under_way(started: Started) -> None:
    there, goes, over = anyio.Event(), anyio.Event(), anyio.Event()

    async def starts() -> None:
        started.start()
        there.set()
        await anyio.sleep_forever()

    async def goes_on() -> None:
        goes.set()
        await over.wait()

    async with place() as environment:
        writer = Scripted({(1, 1): calls(("goes_on", {})), (1, 2): write(GOOD)})
        starting = Scripted({(1, 1): calls(("starts", {}))})
        long = begin(writer, environment, made_by=agent(tools=(beside("goes_on", goes_on), write_poem)))
        short = begin(starting, environment, made_by=agent(tools=(beside("starts", starts), write_poem)))
        async with long, short:
            await goes.wait()
            await there.wait()
            await short.interrupt()
            assert started.alive == []
            over.set()
            await long.result()
    assert answers(writer)[0].text == "done"


async def test_an_interrupted_operation_leaves_a_child_to_another_that_started_the_same_command(
    started: Started,
) -> None:
    there, over = [anyio.Event(), anyio.Event()], anyio.Event()

    async def starts() -> None:
        started.start()
        there[0].set()
        await anyio.sleep_forever()

    async def goes_on() -> None:
        started.start()
        there[1].set()
        await over.wait()

    async with place() as environment:
        writer = Scripted({(1, 1): calls(("goes_on", {})), (1, 2): write(GOOD)})
        starting = Scripted({(1, 1): calls(("starts", {}))})
        long = begin(writer, environment, made_by=agent(tools=(beside("goes_on", goes_on), write_poem)))
        short = begin(starting, environment, made_by=agent(tools=(beside("starts", starts), write_poem)))
        async with long, short:
            for event in there:
                await event.wait()
            await short.interrupt()
            assert started.alive
            over.set()
            await long.result()
    assert started.alive == []
    assert LEFT in answers(writer)[0].text


async def test_a_check_and_a_build_that_leave_children_are_errored_and_the_writer_is_not_charged(
    started: Started,
) -> None:
    async def checks(ctx: CheckContext) -> Report:
        started.start()
        return Report(examined=1)

    async def builds(ctx: BuildContext) -> Built:
        started.start()
        return await build(ctx)

    run = await made(writes(GOOD), verifiers=(LENGTH, measurement(checks)))
    assert run.report("measure")["status"] == "errored"
    assert run.report("measure")["reason"].startswith("it left processes running: python")
    run = await made(writes(GOOD), build=builds)
    assert run.report("build")["reason"].startswith("the build left processes running: python")
    assert (run.of("draft_rejected"), started.alive) == ([], [])


async def test_a_tool_of_a_judge_does_not_wait_for_the_check_that_it_is_a_part_of(started: Started) -> None:
    @tool(reads=("poem.txt",), writes=())
    async def peers(ctx: ToolContext) -> ToolResult:
        """Look closely."""
        started.start()
        return ToolResult(text="seen")

    async def asks(ctx: CheckContext) -> Report:
        return Report(examined=len((await ctx.judge.review(criteria(ctx.view))).answers))

    reads = Scope(fields=("brief",), files=("poem.txt",), labels=("copy",))
    judge = Scripted({(1, 1): calls(("peers", {})), (1, 2): verdict({"rhymes": True})}, name="judge")
    run = await made(writes(GOOD), judge=judge, verifiers=(LENGTH, judgment(asks, tools=(peers,), reads=reads)))
    (answer,) = answers(judge)
    assert answer.text.startswith(f"peers is broken: {LEFT}")
    assert (run.result.verification, started.alive) == ("passed", [])


async def test_where_the_system_cannot_be_asked_for_children_they_are_found_all_the_same(
    started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def leaves(ctx: ToolContext) -> None:
        started.start()

    monkeypatch.delattr(os, "waitid")
    (answer,), _ = await acted(acts(leaves))
    assert answer.failed


@pytest.mark.browser
async def test_a_browser_that_is_started_by_a_call_stays_and_draws_for_the_next_one(tmp_path: Path) -> None:
    from compositor.adapters.browser import Chromium
    from compositor.workspace import Page, Screen

    async def nothing(url: str) -> None:
        """Refuse every URL."""

    async with Chromium() as renderer:

        async def draws() -> None:
            page = Page(html="<p>hello", fulfil=nothing)
            await renderer.render(page, [Screen(name="small", width=40, height=40)])

        async with place(renderer=renderer) as environment:
            tools = (beside("draws", draws), beside("draws_too", draws), write_poem)
            writer = Scripted({(1, 1): calls(("draws", {}), ("draws_too", {}), ("draws", {})), (1, 2): write(GOOD)})
            run = await finished(begin(writer, environment, made_by=agent(tools=tools)), environment, writer)
        assert [answer.text for answer in answers(writer)][:3] == ["done"] * 3
        assert run.result.status == "succeeded"
        (driver,) = renderer.processes()
        assert psutil.Process(driver).ppid() == os.getpid()
    assert renderer.processes() == frozenset()
    assert not psutil.pid_exists(driver)


@pytest.mark.browser
async def test_while_a_browser_starts_no_child_is_taken_for_left_behind(started: Started) -> None:
    """Its driver is a child whose id nobody knows yet, and whose start may belong to another operation."""
    from compositor.adapters.browser import Chromium

    other = started.start().pid
    ready = anyio.Event()

    async with Chromium() as renderer, anyio.create_task_group() as beside:

        async def prepares() -> None:
            await renderer.prepare()
            ready.set()

        beside.start_soon(prepares)
        kept: list[bool] = []
        while not ready.is_set():
            await anyio.sleep(0.001)
            kept.append(other in renderer.processes())
        assert True in kept
        assert other not in renderer.processes()
