"""Any writer at all: whatever it sends, nothing crashes, nothing passes that is wrong, and each call has one answer."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from compositor._values import read_json
from compositor.agents import Agent, Budget
from compositor.operations import Environment, Result, generate
from compositor.runtime import Answer, Call, ModelAdapter, Prompt, Replied, Reply, Role
from compositor.runtime.events import StepTaken, ToolAnswered
from compositor.testing import (
    MemoryBlobs,
    MemoryStore,
    PlainCompiler,
    PlainPictures,
    PlainRenderer,
    Scripted,
    history_faults,
    verdict,
)
from compositor.workspace import Snapshot
from tests.frame.note import MAX_WORDS, note

EXAMPLES = 1000
DOCUMENT = "greeting"
BRIEF = {"name": "Ada", "objective": "awareness"}
REQUEST = {"operation": "generate", "content": "note", "document": DOCUMENT, "brief": BRIEF}
GREETING = "hello Ada"

TEXTS = st.one_of(
    st.sampled_from(
        ["", GREETING, "hello Ada, a short note", "hello Ada" + " word" * 40, "\ud83c", "\x00", "~" * 70_000]
    ),
    st.text(max_size=60),
)
ARGUMENTS = st.one_of(
    st.sampled_from(
        [
            "",
            "null",
            "[]",
            "{",
            '{"text": ',
            '{"text": "a", "text": "b"}',
            '{"text": NaN}',
            '{"text": 1e999}',
            '{"text": ["a"]}',
            '"{\\"text\\": \\"a\\"}"',
            '{"words": "a"}',
            "{" * 5000,
            '{"text": ' + "[" * 5000,
            '{"text": "\\ud83c"}',
        ]
    ),
    st.text(max_size=20),
)
ARGUMENTS_THAT_FIT = TEXTS.map(lambda text: json.dumps({"text": text}))
NAMES = st.one_of(
    st.just("write_note"),
    st.just("write_note"),
    st.sampled_from(["functions.write_note", "Write_Note", "write", "", "submit_verdict", "\ud83c"]),
    st.text(max_size=10),
)
IDS = st.one_of(st.sampled_from(["", "call-1", "call-1", "\ud83c"]), st.text(max_size=5))
CALLS = st.builds(Call, id=IDS, name=NAMES, arguments=ARGUMENTS)
CALLS_THAT_FIT = st.builds(Call, id=IDS, name=st.just("write_note"), arguments=ARGUMENTS_THAT_FIT)
STOPS = st.sampled_from(["end"] * 6 + ["calls"] * 8 + ["length", "length", "filtered", "refused"])
REPLIES = st.builds(
    Reply,
    text=st.one_of(st.just("Done."), st.text(max_size=10), st.just("\ud83c")),
    calls=st.lists(CALLS_THAT_FIT | CALLS, max_size=4).map(tuple),
    stop=STOPS,
)
WRITERS = st.lists(REPLIES, max_size=12) | st.builds(lambda reply, times: [reply] * times, REPLIES, st.integers(2, 8))
"""Writers that send anything, and such as send the same again and again."""


class Writer(Scripted):
    """Sends its replies in order, and says that it is done when it has no more."""

    def __init__(self, replies: list[Reply]) -> None:
        super().__init__({})
        self._replies = replies

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        self.prompts.append(prompt)
        sent = len(self.prompts) - 1
        return self._replies[sent] if sent < len(self._replies) else Reply(text="Done.")


class Judge(Scripted):
    """Is content where the words that it is shown greet Ada."""

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        self.prompts.append(prompt)
        shown = json.dumps([message.as_json() for message in prompt.messages])
        return verdict({"greets": "hello Ada" in shown}, feedback="say hello Ada")


async def made(replies: list[Reply]) -> tuple[Result, Writer, str | None]:
    """What came of it: the result, who wrote, and the words of the note, where there is one."""
    writer, judge = Writer(replies), Judge({}, name="judge")
    models: dict[Role, ModelAdapter] = {"writer": writer, "judge": judge}
    agent = Agent(operation="generate", content=note, budget=Budget(steps=8))
    environment = Environment(
        Path("never-used"),
        store=MemoryStore(),
        blobs=MemoryBlobs(),
        renderer=PlainRenderer(),
        compiler=PlainCompiler(),
        pictures=PlainPictures(),
    )
    async with environment:
        result = await generate(REQUEST, agents=[agent], models=models, environment=environment)
        events = await environment.store.events(result.operation)
        effects = await environment.store.effects(result.operation)
        words = await _saved(result, environment)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    for prompt in (*writer.prompts, *judge.prompts):
        assert history_faults(prompt.messages) == ()
    made = [call.id for event in events if isinstance(event.what, StepTaken) for call in event.what.calls]
    answered = [event.what.call for event in events if isinstance(event.what, ToolAnswered)]
    assert sorted(answered) == sorted(made)
    assert len(made) == sum(len(reply.calls) for reply in replies[: len(writer.prompts)])
    assert len(made) == sum(1 for effect in effects.values() if effect.name == "tool_call")
    for event in events:
        event.model_dump_json().encode("utf-8")
    return result, writer, words


async def _saved(result: Result, environment: Environment) -> str | None:
    """The words of the note as they are kept: those of the version, where one was saved."""
    address = next((artifact.sha256 for artifact in result.artifacts if artifact.label == "note.txt"), None)
    version = await environment.store.head(DOCUMENT)
    assert (version is not None) == (result.version is not None) == (result.status in {"succeeded", "incomplete"})
    if version is not None:
        snapshot = read_json((await environment.blobs.get(version.snapshot)).decode())
        assert Snapshot.from_json(snapshot).files["note.txt"].sha256 == address
    return None if address is None else (await environment.blobs.get(address)).decode()


def _must_be_right(result: Result, writer: Writer, words: str | None) -> None:
    """An oracle of its own: what is called good greets, and is short."""
    good = words is not None and 0 < len(words.split()) <= MAX_WORDS and GREETING in words
    assert (result.status == "succeeded") <= good, (result.summary, words)
    assert (result.verification == "passed") <= good
    assert result.usage.steps == len(writer.prompts) <= 8
    assert result.usage.rejections <= 2
    errors = [m.text for m in writer.prompts[-1].messages if isinstance(m, Answer) and m.failed]
    assert all(0 < len(text) <= 1000 for text in errors)
    replied = [message for message in writer.prompts[-1].messages if isinstance(message, Replied)]
    assert len(replied) == len(writer.prompts) - 1


@pytest.mark.promise("O4", "O10", "O15")
@seed(20261201)
@settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(replies=WRITERS)
def test_no_writer_crashes_the_frame_or_passes_with_what_is_wrong(replies: list[Reply]) -> None:
    result, writer, words = anyio.run(made, replies)
    _must_be_right(result, writer, words)


def main(examples: int) -> int:
    """So many writers; prints how their operations ended."""
    ends: Counter[str] = Counter()

    @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(replies=WRITERS)
    def hold(replies: list[Reply]) -> None:
        result, writer, words = anyio.run(made, replies)
        _must_be_right(result, writer, words)
        ends[f"{result.status}/{result.ending}"] += 1

    hold()
    print(f"{ends.total()} writers, 0 crashes, 0 false passes: {dict(ends.most_common())}")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[-1])))
