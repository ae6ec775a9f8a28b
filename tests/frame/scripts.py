"""Scripts of a writer and a judge for an operation that dies and is resumed, and the record of what they were paid for.

Every text is one of its kind, since the place that it was said at stands in it, and so is every reply. So it can be
told which of them are on record, whatever the keys of effects are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import anyio.lowlevel
from hypothesis import strategies as st

from compositor._values import Json, digest
from compositor.agents import Agent, Budget, Completion
from compositor.capabilities import ToolContext, ToolResult
from compositor.errors import AdapterError
from compositor.runtime import ModelAdapter, Prompt, Reply, Role
from compositor.testing import Scripted, calls, history_faults, verdict
from tests.frame.mortal import Process
from tests.frame.note import MAX_WORDS, note

GREETING = "hello Ada"
STEPS, REJECTIONS = 8, 2

Step = Literal["good", "dull", "long", "crowd", "pair", "twins", "cut", "filtered", "stuck"]
"""What a writer sends in one reply.

A note that is good, dull or too long; one beside calls that are wrong; two notes; two notes under one id; a note in a
reply that was cut or filtered; a call of what is not there, the same each time.
"""
Temper = Literal["honest", "hard", "odd", "absent"]
"""A judge that wants a greeting, that is never content, that speaks in the wrong shape first; or there is none."""
Fault = Literal["writer is out", "judge is out", "judge babbles"]
"""What is wrong with a model in one life of an operation."""


KINDS: list[Step] = [
    "good",
    "good",
    "good",
    "dull",
    "dull",
    "long",
    "crowd",
    "pair",
    "twins",
    "cut",
    "filtered",
    "stuck",
]
TEMPERS: list[Temper] = ["honest", "honest", "hard", "odd", "absent"]
POLICIES: list[Completion] = ["draft_allowed", "draft_allowed", "verified_only"]


@dataclass(frozen=True, slots=True)
class Paid:
    """One reply: who was asked, a digest of what, and the word that stands in it."""

    role: Role
    asked: str
    word: str


@dataclass(slots=True)
class Script:
    """What the models of one operation say, however often it is begun, and what its present life has paid for.

    Attributes:
        turns: what the writer sends, turn by turn and step by step; then it says that it is done.
        temper: of the judge.
        policy: of the operation.
        fault: of this life.
        paid: replies, over all lives.
        life: index of the first of this life.
        ran: the places of the calls that ran in this life.
        broken: what was wrong with a history that a model was shown; raised there, it would only be a model's failure.
    """

    turns: list[list[Step]]
    temper: Temper
    policy: Completion
    fault: Fault | None = None
    paid: list[Paid] = field(default_factory=list)
    life: int = 0
    ran: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def begin_life(self, fault: Fault | None) -> None:
        """From here on it is another life."""
        self.fault, self.life, self.ran = fault, len(self.paid), []

    def models(self, process: Process) -> Mapping[Role, ModelAdapter]:
        """The models as a process has them."""
        writer, judge = Paying(self, process, "writer"), Paying(self, process, "judge")
        return {"writer": writer} if self.temper == "absent" else {"writer": writer, "judge": judge}

    def agent(self, process: Process) -> Agent:
        """The agent as a process has it; its tool notes where the call that it runs stood."""

        async def run(ctx: ToolContext, text: str) -> ToolResult:
            process.live()
            self.ran.append(text.rsplit(maxsplit=1)[-1])
            return await note.tools[0].run(ctx, text=text)

        writing = replace(note, tools=(replace(note.tools[0], run=run),))
        return Agent(
            operation="generate",
            content=writing,
            budget=Budget(steps=STEPS, rejections=REJECTIONS),
            completion=self.policy,
        )

    def said(self, prompt: Prompt) -> Reply:
        """The reply to a prompt."""
        if prompt.role == "judge":
            return self._judged(prompt)
        turn = self.turns[prompt.turn - 1] if prompt.turn <= len(self.turns) else []
        return _sent(turn[prompt.step - 1], prompt) if prompt.step <= len(turn) else Reply(text="Done.")

    def _judged(self, prompt: Prompt) -> Reply:
        if self.fault == "judge babbles":
            return Reply(text="Lovely.")
        if self.temper == "odd" and prompt.step == 1:
            return verdict({})
        greets = GREETING in str([message.as_json() for message in prompt.messages])
        return verdict({"greets": greets and self.temper != "hard"}, feedback="greet her")

    def may_pass(self, words: str) -> bool:
        """An oracle of its own: whether a note with these words may be called good."""
        return self._fits(words) and GREETING in words and self.temper in {"honest", "odd"}

    def may_succeed(self, words: str) -> bool:
        """Whether it may be handed over as done: it is good, or short where nobody judges and drafts are allowed."""
        unjudged = self.temper == "absent" and self.policy == "draft_allowed"
        return self.may_pass(words) or (unjudged and self._fits(words))

    @staticmethod
    def _fits(words: str) -> bool:
        return 0 < len(words.split()) <= MAX_WORDS


def _sent(step: Step, prompt: Prompt) -> Reply:
    def write(words: str, index: int = 0) -> tuple[str, Mapping[str, Json]]:
        return "write_note", {"text": f"{words} {prompt.turn}.{prompt.step}.{index}"}

    good, dull, again = f"{GREETING}, a note", "a note", f"{GREETING} again"
    pair = calls(write(good), write(again, 1))
    replies: Mapping[Step, Reply] = {
        "good": calls(write(good)),
        "dull": calls(write(dull)),
        "long": calls(write("word " * MAX_WORDS)),
        "crowd": calls(write(good), ("write_note", {"words": good}), ("print", {})),
        "pair": calls(write(dull), write(again, 1)),
        "twins": replace(pair, calls=tuple(replace(call, id="twin") for call in pair.calls)),
        "cut": replace(calls(write(good)), stop="length"),
        "filtered": replace(calls(write(good)), stop="filtered"),
        "stuck": calls(("print", {})),
    }
    return replies[step]


class Paying(Scripted):
    """Implements `ModelAdapter`: notes each reply that is paid for, and what is wrong with the history it is shown."""

    def __init__(self, script: Script, process: Process, role: Role) -> None:
        super().__init__({}, name=role)
        self._mine, self._process, self._role = script, process, role

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        await anyio.lowlevel.checkpoint()
        self._process.live()
        self._process.judged |= self._role == "judge"
        self._mine.broken += history_faults(prompt.messages)
        if self._mine.fault == f"{self._role} is out":
            raise AdapterError(self._role, "out")
        asked = digest([prompt.turn, [message.as_json() for message in prompt.messages]])
        paid = Paid(self._role, asked, f"<{len(self._mine.paid) + 1}>")
        self._mine.paid.append(paid)
        reply = self._mine.said(prompt)
        return replace(reply, text=f"{reply.text} {paid.word}")


def _often(steps: list[Step]) -> list[Step]:
    """The same steps, where one who is stuck is stuck thrice."""
    return [each for step in steps for each in ([step] * 3 if step == "stuck" else [step])]


TURNS = st.lists(st.sampled_from(KINDS), max_size=3).map(_often)
SCRIPTS = st.builds(
    Script,
    turns=st.lists(TURNS, min_size=1, max_size=3),
    temper=st.sampled_from(TEMPERS),
    policy=st.sampled_from(POLICIES),
)
FAULTS: st.SearchStrategy[Fault | None] = st.sampled_from(
    [None, None, None, "writer is out", "judge is out", "judge is out", "judge babbles"]
)
