"""Faults that people met with agents, each with its smallest input and its whole kind (D01 to D13)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

import compositor
from compositor._values import Json
from compositor.agents import Budget
from compositor.capabilities import Capability, CheckContext, Criterion, Report, ToolContext, ToolResult, rubric, tool
from compositor.errors import CompositionError, OperationStopped
from compositor.operations import Environment, resume
from compositor.runtime import Answer, ModelAdapter, Reply, Role
from compositor.testing import MemoryBlobs, MemoryStore, PlainPictures, PlainRenderer, Scripted, calls, verdict
from tests.cases.desk import MAIL, Desk, call, sent
from tests.runtime.bench import Run, answers, finished, place

pytestmark = pytest.mark.anyio

CHECKOUT = Path(__file__).parents[2]
WHOLE = {"path": MAIL, "content": "<mjml>Alpha … Omega</mjml>"}


def write(path: str, content: str) -> Reply:
    """A reply that writes one file."""
    return calls(("write_file", {"path": path, "content": content}))


def told(writer: Scripted) -> list[tuple[bool, str]]:
    """Whether each answer that the writer got is good, and its text."""
    return [(not answer.failed, answer.text) for answer in answers(writer)]


# D01


@tool(writes=())
async def read_asset(ctx: ToolContext, path: str) -> ToolResult:
    """Read an asset, up to a limit."""
    return ToolResult(text=(await ctx.files.read_text(path))[:65_536])


INSPECT = Capability(name="image-inspect", kind="support", tools=(read_asset,))
GUIDE = Capability(name="brand-guide", kind="support", tools=(replace(read_asset, about="Read an asset, all of it."),))


@pytest.mark.promise("C3")
@pytest.mark.parametrize("beside", [(INSPECT, GUIDE), (GUIDE, INSPECT)])
async def test_d01_two_owners_of_one_tool_are_refused_by_name_before_anything_is_made(
    beside: tuple[Capability, ...],
) -> None:
    writer = Scripted({})
    blobs, store = MemoryBlobs(), MemoryStore()
    async with Environment(store=store, blobs=blobs, renderer=PlainRenderer(), pictures=PlainPictures()) as environment:
        desk = Desk(beside=beside)
        with pytest.raises(CompositionError) as refused:
            await desk.begin(writer, environment)
        assert await store.operations() == ()
    (problem,) = refused.value.problems
    assert (problem.code, problem.concerns) == ("tool-collision", ("brand-guide", "image-inspect"))
    assert {"read_asset", "brand-guide", "image-inspect"} <= set(str(problem).replace(",", " ").split())
    assert writer.prompts == []


# D02


@tool(seconds=5)
async def edit_file(ctx: ToolContext, old: str, new: str, pause: float = 0) -> ToolResult:
    """Replace a piece of the mail."""
    text = await ctx.files.read_text(MAIL)
    await anyio.sleep(pause)
    await ctx.files.write(MAIL, text.replace(old, new))
    return ToolResult(text="replaced")


FIRST, SECOND = {"old": "Alpha", "new": "Anfang"}, {"old": "Omega", "new": "Ende"}


@pytest.mark.promise("O2")
@pytest.mark.parametrize(
    "edits",
    [
        (FIRST | {"pause": 0.05}, SECOND),
        (SECOND | {"pause": 0.05}, FIRST),
        (FIRST, SECOND | {"pause": 0.05}),
    ],
)
async def test_d02_two_edits_of_one_file_in_one_reply_are_both_kept(edits: tuple[Mapping[str, Json], ...]) -> None:
    writer = Scripted({(1, 1): calls(("write_file", WHOLE)), (1, 2): calls(*(("edit_file", edit) for edit in edits))})
    run = await Desk(more=(edit_file,)).made(writer)
    assert told(writer)[1:] == [(True, "replaced"), (True, "replaced")]
    assert await run.text(MAIL) == "<mjml>Anfang … Ende</mjml>"


async def test_d02_of_two_whole_writes_of_one_file_in_one_reply_the_second_is_told_that_it_is_stale() -> None:
    one, other = WHOLE, {"path": MAIL, "content": "<mjml>other</mjml>"}
    writer = Scripted({(1, 1): calls(("write_file", one), ("write_file", other))})
    run = await Desk().made(writer)
    assert [good for good, _ in told(writer)] == [True, False]
    assert "has changed since this call was prepared" in told(writer)[1][1]
    assert await run.text(MAIL) == one["content"]


# D03


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"path":"email.mjml","content":"<mj', "write_file are not valid JSON: Unterminated string starting at"),
        ("", "write_file was not run: the arguments: 'content' is a required property"),
        (None, "write_file was not run: the arguments: 'content' is a required property"),
        ("null", "the arguments of write_file must be one JSON object, not null"),
        ('["email.mjml", "<mjml/>"]', "the arguments of write_file must be one JSON object, not array"),
        ("7", "the arguments of write_file must be one JSON object, not number"),
    ],
)
async def test_d03_arguments_that_are_cut_or_no_object_are_answered_with_the_place_and_not_run(
    arguments: str | None, said: str
) -> None:
    desk, writer = Desk(), Scripted({(1, 1): sent(call("write_file", arguments)), (1, 2): calls(("write_file", WHOLE))})
    run = await desk.made(writer)
    (bad, text), (good, _) = told(writer)
    assert (bad, good, desk.runs, run.result.status) == (False, True, ["write_file"], "succeeded")
    assert said in text
    assert len(text) <= 1000


async def test_d03_the_position_of_the_cut_is_told() -> None:
    writer = Scripted({(1, 1): sent(call("write_file", '{"path":"email.mjml","content":"<mj'))})
    await Desk().made(writer)
    assert "at character 31" in told(writer)[0][1]


# D04


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('{"text":"Sale","style":"{\\"size\\":48}"}', "style must be object, not string"),
        ('{"text":"Sale","boxes":"[[0,0,10,10]]"}', "boxes must be array, not string"),
        ('"{\\"text\\":\\"Sale\\"}"', "must be one JSON object, not string"),
    ],
)
async def test_d04_json_in_quotes_is_told_by_its_key_and_never_parsed_in_silence(arguments: str, said: str) -> None:
    desk, writer = Desk(), Scripted({(1, 1): sent(call("set_overlay", arguments))})
    await desk.made(writer)
    assert said in told(writer)[0][1]
    assert "it is a JSON text in quotes; send it without the quotes" in told(writer)[0][1]
    assert desk.runs == []


# D05


@pytest.mark.parametrize(
    ("name", "runs"), [("functions.write_file", 1), ("functions.functions.write_file", 0), ("tools.write_file", 0)]
)
async def test_d05_the_exact_prefix_is_taken_off_and_another_one_is_answered_with_the_right_name(
    name: str, runs: int
) -> None:
    desk = Desk()
    writer = Scripted({(1, 1): calls((name, WHOLE)), (1, 2): calls(("write_file", WHOLE))})
    run = await desk.made(writer)
    assert desk.runs.count("write_file") == runs + 1
    assert "write_file" in told(writer)[0][1] or runs
    assert run.result.status == "succeeded"


# D06


@pytest.mark.parametrize("ids", [("", ""), (None, None), ("same", "same"), ("", "call-1"), ("call-1", "")])
async def test_d06_calls_without_ids_of_their_own_all_run_and_are_answered_in_order(
    ids: tuple[str | None, str | None],
) -> None:
    first, second = ids
    reply = sent(
        call("write_file", '{"path":"a.txt","content":"a"}', first),
        call("write_file", '{"path":"b.txt","content":"b"}', second),
    )
    writer = Scripted({(1, 1): reply, (1, 2): calls(("write_file", WHOLE))})
    run = await Desk().made(writer)
    assert (await run.text("a.txt"), await run.text("b.txt")) == ("a", "b")
    assert [text for _, text in told(writer)][:2] == ["wrote a.txt", "wrote b.txt"]
    given = [answer.call_id for answer in answers(writer)]
    assert len(set(given)) == len(given)
    assert all(given)


# D07


async def test_d07_a_surrogate_pair_is_one_character_and_a_lone_half_neither_crashes_nor_loses_the_log() -> None:
    reply = sent(call("write_file", r'{"path":"c.txt","content":"Cheers \ud83c\udf78 / \ud83c"}'))
    run = await Desk().made(Scripted({(1, 1): reply, (1, 2): calls(("write_file", WHOLE))}))
    assert await run.text("c.txt") == "Cheers \U0001f378 / \ufffd"
    assert [event.model_dump_json().encode("utf-8") for event in run.events]
    assert run.result.model_dump_json().encode("utf-8")
    assert run.result.status == "succeeded"


# D08


@pytest.mark.promise("O10")
async def test_d08_an_interrupted_reply_has_an_answer_for_each_call_and_the_rest_never_runs() -> None:
    began, ran = anyio.Event(), []

    async def runs(ctx: ToolContext, name: str) -> ToolResult:
        """Write; the second call waits, for ever."""
        ran.append(name)
        if name == "second":
            began.set()
            await anyio.sleep_forever()
        await ctx.files.write(MAIL, f"<mjml>{name}</mjml>")
        return ToolResult(text=f"{name} wrote")

    runs.__name__ = "work"
    desk = Desk(more=(tool()(runs),))
    script = {(1, 1): calls(*(("work", {"name": name}) for name in ("first", "second", "third")))}
    async with place() as environment:
        async with desk.begin(Scripted(script), environment) as handle:
            await began.wait()
            await handle.interrupt()
            with pytest.raises(OperationStopped):
                await handle.result()
        again = Scripted(script)
        models: dict[Role, ModelAdapter] = {"writer": again}
        resumed = resume(handle.operation, agents=[desk.agent], models=models, environment=environment)
        run = await finished(resumed, environment, again)  # which looks whether the history is whole
    assert [text for _, text in told(again)] == ["first wrote", "work was interrupted", "work was interrupted"]
    assert (ran, run.result.status) == (["first", "second"], "succeeded")


# D09


@pytest.mark.promise("O14")
def test_d09_a_call_that_was_completed_before_the_process_died_is_not_run_again(tmp_path: Path) -> None:
    (tmp_path / "runs").touch()
    died = killed(tmp_path)
    assert died.returncode == -9, died.stderr
    assert runs_in(tmp_path) == ["write_file", "render"]
    (operation,) = anyio.run(operations_in, tmp_path)
    resumed = killed(tmp_path, operation)
    assert resumed.stdout.splitlines() == ["succeeded", "wrote email.mjml", "drawn"], resumed.stderr
    assert runs_in(tmp_path) == ["write_file", "render", "render"]


def killed(*arguments: Path | str) -> subprocess.CompletedProcess[str]:
    """A process of `tests.cases.killed`, after its end."""
    paths = os.pathsep.join([str(Path(compositor.__file__).parents[1]), str(CHECKOUT)])
    command = [sys.executable, "-m", "tests.cases.killed", *map(str, arguments)]
    return subprocess.run(
        command, cwd=CHECKOUT, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=False
    )


def runs_in(folder: Path) -> list[str]:
    return (folder / "runs").read_text(encoding="utf-8").split()


async def operations_in(folder: Path) -> list[str]:
    async with Environment(folder / "data", renderer=PlainRenderer(), pictures=PlainPictures()) as environment:
        return [record.id for record in await environment.store.operations()]


# D10


@pytest.mark.promise("O7", "O8")
@pytest.mark.parametrize(("completion", "published"), [("draft_allowed", True), ("verified_only", False)])
async def test_d10_a_check_that_said_passed_and_then_broke_down_has_not_passed(
    completion: str, published: bool
) -> None:
    async def breaks(ctx: CheckContext) -> Report:
        passed = Report(examined=1)
        await ctx.files.read(MAIL)
        raise RuntimeError(f"after {passed.examined}")

    run = await Desk(check=breaks, completion=completion).made(Scripted({(1, 1): calls(("write_file", WHOLE))}))
    report = run.report("look")
    assert (report["status"], report["reason"]) == ("errored", "RuntimeError: after 1")
    assert (run.result.verification, run.result.status) == ("errored", "incomplete")
    assert (run.result.version is not None) == published
    assert run.of("draft_rejected") == []


# D11


GREETS = Criterion(id="greets", asks="it greets Ada")
RUBRIC = rubric(fields=("brief", "evaluation"), derive=lambda _: [GREETS])


@pytest.mark.promise("O7")
async def test_d11_a_judge_that_twice_misses_the_shape_has_failed_and_the_draft_is_not_rejected() -> None:
    judge = Scripted({}, otherwise=calls(("submit_verdict", {"verdict": "looks good"})), name="judge")
    writer = Scripted({(1, 1): calls(("write_file", WHOLE))})
    run = await Desk(verifiers=(RUBRIC,)).made(writer, judge=judge)
    assert len(judge.prompts) == 2
    assert "its verdict had the wrong shape, twice" in run.report("rubric")["reason"]
    assert (run.result.verification, run.result.usage.rejections) == ("errored", 0)
    assert (await run.text(MAIL), len(writer.prompts)) == (WHOLE["content"], 2)


# D12


async def rejected_for_ever(completion: str) -> tuple[Run, Scripted]:
    judge = Scripted({}, otherwise=verdict({"greets": False}, feedback="say hello"), name="judge")
    script = {(turn, 1): write(MAIL, f"<mjml>{turn}</mjml>") for turn in range(1, 9)}
    desk = Desk(verifiers=(RUBRIC,), completion=completion, budget=Budget(rejections=2))
    return await desk.made(Scripted(script), judge=judge), judge


@pytest.mark.promise("O8", "O9")
async def test_d12_a_judge_that_always_rejects_ends_with_the_third_draft_and_its_reasons() -> None:
    run, judge = await rejected_for_ever("draft_allowed")
    assert len(judge.prompts) == 3
    assert await run.text(MAIL) == "<mjml>3</mjml>"
    assert (run.result.verification, run.result.status, run.result.ending) == ("failed", "incomplete", "exhausted")
    assert run.report("rubric")["findings"][0]["remedy"] == "say hello"
    assert run.result.version is not None


@pytest.mark.promise("O8", "O9")
async def test_d12_under_the_strict_policy_nothing_is_published_and_the_draft_can_still_be_had() -> None:
    run, _ = await rejected_for_ever("verified_only")
    assert run.result.version is None
    assert await run.text(MAIL) == "<mjml>3</mjml>"


# D13


@pytest.mark.promise("O4")
async def test_d13_words_make_no_file_and_after_the_budget_the_operation_has_failed() -> None:
    writer = Scripted({}, otherwise=Reply(text="Done, email.mjml is ready"))
    run = await Desk().made(writer)
    (finding,) = run.of("draft_rejected")[0].findings
    assert finding["message"] == f"required output {MAIL} is missing"
    assert any(f"required output {MAIL} is missing" in str(message) for message in writer.prompts[-1].messages)
    assert (run.result.status, run.result.exit_code, run.result.version) == ("failed", 1, None)
    assert not any(isinstance(message, Answer) for message in writer.prompts[-1].messages)


@pytest.mark.promise("O4")
async def test_d13_another_file_than_the_one_that_is_wanted_does_not_complete_the_work() -> None:
    run = await Desk().made(Scripted({(1, 1): write("orders.json", "[]")}))
    assert (run.result.status, run.result.exit_code) == ("failed", 1)
