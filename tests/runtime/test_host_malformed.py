"""Calls as broken models and servers send them, through a whole operation: each has its right outcome."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from compositor._values import Json
from compositor.capabilities import ToolContext, ToolResult
from compositor.runtime import Answer, Replied
from compositor.testing import Scripted, calls, flat_png
from tests.cases.desk import MAIL, Desk, Does, call, drawn, sent
from tests.runtime.bench import Run

pytestmark = pytest.mark.anyio


async def heavy(ctx: ToolContext) -> ToolResult:
    """A picture of 7 MB."""
    picture = flat_png(600, 400) + b"\0" * 7_000_000
    made = await ctx.store(picture, "image/png")
    return ToolResult(text="see render/page", artifacts={"render/page": made}, images=("render/page",))


async def broken(ctx: ToolContext) -> ToolResult:
    raise RuntimeError("boom")


async def unstorable(ctx: ToolContext) -> ToolResult:
    made = await ctx.store(b"x", "text/plain", {"score": float("nan"), "raw": b"bytes"})
    return ToolResult(text="measured", artifacts={"render/score": made})


RENDERS: Mapping[str, Does] = {"result-huge": heavy, "result-raises": broken, "result-nonserialisable": unstorable}
GOOD = calls(("write_file", {"path": MAIL, "content": "<mjml>good</mjml>"}))

DECIDED: Mapping[str, tuple[str, int]] = {
    "args-lone-surrogate": ("run", 1),  # it becomes U+FFFD
    "args-not-a-string": ("run", 1),  # null stands for no arguments, as real providers send it; `render` needs none
    "name-prefix": ("run", 1),  # exactly `functions.` is taken off
    "parallel-same-target": ("second_refused", 1),  # it was prepared before the first one wrote
}
"""Where the fixtures leave a choice: what is done here, and how many tools run."""

NOT_JSON = "the arguments of {} are not valid JSON: {}"
ONE_OBJECT = "the arguments of {} must be one JSON object, not {}"
NOT_RUN = "{} was not run: {}"
NO_TOOL = "there is no tool {}. {}Call one of: ask_user, render, set_overlay, write_file"
QUOTED = "not string: it is a JSON text in quotes; send it without the quotes"
MEANT = "Did you mean write_file? "

SAID: Mapping[str, str] = {
    "args-empty-required": NOT_RUN.format("write_file", "the arguments: 'content' is a required property"),
    "args-truncated-string": NOT_JSON.format("write_file", "Unterminated string starting at character 31"),
    "args-truncated-length": NOT_RUN.format("write_file", "the reply was cut at the limit of its length"),
    "args-truncated-but-valid-json-length": "Send the call again, whole or in parts",
    "args-doubled-brace": NOT_JSON.format("set_overlay", "Expecting ':' delimiter at character 4"),
    "args-two-objects": NOT_JSON.format("set_overlay", "Extra data at character 12"),
    "args-trailing-comma": NOT_JSON.format("set_overlay", "Expecting property name"),
    "args-single-quotes": "Expecting property name enclosed in double quotes at character 1",
    "args-code-fence": NOT_JSON.format("set_overlay", "Expecting value at character 0"),
    "args-null": ONE_OBJECT.format("set_overlay", "null"),
    "args-array": ONE_OBJECT.format("set_overlay", "array"),
    "args-string": ONE_OBJECT.format("set_overlay", "string"),
    "args-number": ONE_OBJECT.format("render", "number"),
    "args-true": ONE_OBJECT.format("render", "boolean"),
    "args-double-encoded": ONE_OBJECT.format("set_overlay", QUOTED.removeprefix("not ")),
    "args-nested-object-as-string": NOT_RUN.format("set_overlay", f"style must be object, {QUOTED}"),
    "args-nested-array-as-string": NOT_RUN.format("set_overlay", f"boxes must be array, {QUOTED}"),
    "args-object-where-string": NOT_RUN.format("write_file", "content must be string, not object"),
    "args-number-as-string": NOT_RUN.format("render", "width must be integer, not string"),
    "args-bool-for-number": NOT_RUN.format("set_overlay", "style.size must be number, not boolean"),
    "args-nan": NOT_JSON.format("set_overlay", "NaN is not JSON"),
    "args-infinity": NOT_JSON.format("set_overlay", "-Infinity is not JSON"),
    "args-1e400": NOT_JSON.format("set_overlay", "the number 1e400 is larger"),
    "args-huge-int": NOT_JSON.format("render", "the number 99999999999999999999 is larger"),
    "args-duplicate-keys": NOT_JSON.format("write_file", "the key 'path' stands twice"),
    "args-extra-key": NOT_RUN.format("render", "the arguments: Additional properties are not allowed ('reasoning'"),
    "args-proto-key": NOT_RUN.format("render", "the arguments: Additional properties are not allowed ('__proto__'"),
    "args-deep-nesting": NOT_JSON.format("set_overlay", "nested deeper than 64 levels at character 71"),
    "args-lone-surrogate-in-key": "the arguments: Additional properties are not allowed ('\ufffd'",
    "args-nul": "write_file: the path 'a\\x00.txt' is refused: it has a control",
    "args-bad-pattern": NOT_RUN.format("set_overlay", "style.fill: 'red' does not match ^#[0-9A-Fa-f]{6}$"),
    "args-pattern-newline": NOT_RUN.format("set_overlay", "style.fill: '#102030\\n' does not match"),
    "name-unknown": NO_TOOL.format("'write_email'", ""),
    "name-prefix-collides": NO_TOOL.format("'multi_tool_use.parallel'", ""),
    "name-markup-tail": NO_TOOL.format("'write_file\" />'", MEANT),
    "name-empty": NO_TOOL.format("''", ""),
    "name-case": NO_TOOL.format("'Write_File'", MEANT),
    "name-suffix-ambiguous": NO_TOOL.format("'file'", ""),
    "name-hidden-by-mode": "there is no tool 'ask_user'. Call one of: render, set_overlay, write_file",
    "parallel-same-target": "write_file: 'email.mjml' has changed since this call was prepared. Read it",
    "parallel-one-bad": NOT_JSON.format("write_file", "Expecting value at character 8"),
    "path-dotdot": "write_file: the path 'output/../../x' is refused: it climbs out of its folder. Use a relative path",
    "path-absolute": "write_file: the path '/etc/x' is refused: it is absolute. Use a relative path",
    "path-owned-by-other": "write_file: may not write 'claims/claims.json' here. Allowed: email.mjml, a.txt",
    "result-raises": "render failed: RuntimeError: boom",
    "result-nonserialisable": "render failed: TypeError: bytes is not a JSON value",
}
"""What the writer is told: the tool, the place and, after that, the cure."""


@pytest.fixture
def fixtures(material: Callable[[str], Path]) -> Json:
    suite = json.loads(material("agent_faults/malformed_tool_calls.json").read_text(encoding="utf-8"))
    for fixture in suite["fixtures"]:
        if "recipe" in fixture:
            fixture["tool_calls"][0]["function"]["arguments"] = '{"text":' + "[" * 20_000
    return suite


@pytest.mark.material
@pytest.mark.promise("O2", "O10", "O11")
async def test_each_malformed_call_has_the_outcome_that_it_should_have(fixtures: Json) -> None:
    outcomes = {fixture["id"]: await meets(fixture) for fixture in fixtures["fixtures"]}
    assert len(outcomes) == 64
    assert {name: faults for name, faults in outcomes.items() if faults} == {}


async def meets(fixture: Json) -> list[str]:
    """What is wrong with the outcome of one fixture; that histories are whole is looked at for every run of a desk."""
    desk, writer = Desk(renders=RENDERS.get(fixture["id"], drawn)), writer_of(fixture)
    run = await desk.made(writer, mode="quiet" if "mode_allows" in fixture else None)
    before = "history_has_answered_id" in fixture
    told = answers_of(writer, before)
    outcome, runs = DECIDED.get(fixture["id"], (fixture["expect"]["outcome"], fixture["expect"]["tool_runs"]))
    ran = len(desk.runs) - before - (run.result.status == "succeeded")  # without those of the replies around it
    faults = [f"{ran} runs, not {runs}"] if ran != runs else []
    faults += [f"{fault}: {answer.text[:200]}" for answer in told if answer.failed for fault in faults_of(answer.text)]
    faults += ended_otherwise(outcome, run, len(writer.prompts))
    if [not answer.failed for answer in told] != wanted(outcome, len(fixture["tool_calls"])):
        faults.append(f"answered {told}")
    if SAID.get(fixture["id"], "") not in "".join(answer.text for answer in told):
        faults.append(f"not told: {[answer.text for answer in told]}")
    for event in run.events:
        event.model_dump_json().encode("utf-8")
    return faults


def writer_of(fixture: Json) -> Scripted:
    """A writer that sends exactly these calls, then writes as it should and stops; an empty reply it sends for ever."""
    reply = sent(*fixture["tool_calls"], stop=fixture["finish_reason"])
    if not reply.calls:
        return Scripted({}, otherwise=reply)
    earlier = fixture.get("history_has_answered_id")
    script = [*([sent(call("render", "{}", earlier))] if earlier else []), reply, GOOD]
    return Scripted({(1, step): said for step, said in enumerate(script, start=1)})


def answers_of(writer: Scripted, replies_before: int) -> list[Answer]:
    """The answers to the reply of the fixture, which carry the ids of its calls; none where the run ended with it."""
    history = writer.prompts[-1].messages
    replied = [place for place, message in enumerate(history) if isinstance(message, Replied)]
    if len(replied) <= replies_before:
        return []
    start = replied[replies_before]
    message = history[start]
    assert isinstance(message, Replied)
    answers = [one for one in history[start + 1 : start + 1 + len(message.reply.calls)] if isinstance(one, Answer)]
    assert [answer.call_id for answer in answers] == [made.id for made in message.reply.calls]
    return answers


def wanted(outcome: str, calls_sent: int) -> list[bool]:
    """Which of the calls should be answered well."""
    mixed = {"mixed": [True, False, True], "second_refused": [True, False], "stop_incomplete": []}
    return mixed.get(outcome, [outcome == "run"] * calls_sent)


def faults_of(error: str) -> list[str]:
    """What an error text may not be like."""
    return [
        *(["too long"] if len(error) > 1000 else []),
        *(["half a character"] if not error.isprintable() else []),
        *(["names no tool"] if not re.search("write_file|set_overlay|render", error) else []),
        *(["shows the machine"] if re.search(r"Traceback|site-packages|\.py\b|/(tmp|root|home|usr)/", error) else []),
    ]


def ended_otherwise(outcome: str, run: Run, prompts: int) -> list[str]:
    """How the run should have gone on, where it did not."""
    status, last = run.result.status, run.result.ending
    if outcome == "counts_as_empty_turn":
        return [] if (status, last, prompts) == ("failed", "exhausted", 3) else [f"{status} {last} after {prompts}"]
    if outcome == "stop_incomplete":
        return [] if (status, last, prompts) == ("failed", "errored", 1) else [f"{status} {last} after {prompts}"]
    return [] if status == "succeeded" else [f"the run did not go on: {status}"]


@pytest.mark.material
def test_the_tools_of_the_fixtures_are_the_tools_of_the_desk(fixtures: Json) -> None:
    derived = {tool.name: plain(tool.schema, tool.schema) for tool in Desk().tools}
    assert derived == {name: plain(schema, schema) for name, schema in fixtures["tools"].items()}


def plain(schema: Json, root: Json) -> Json:
    """A schema with its references followed, and without defaults, which allow and refuse nothing."""
    if isinstance(schema, list):
        return sorted(schema) if all(isinstance(item, str) for item in schema) else [plain(i, root) for i in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return plain(root["$defs"][schema["$ref"].rpartition("/")[2]], root)
    return {key: plain(value, root) for key, value in schema.items() if key not in {"$defs", "default"}}
