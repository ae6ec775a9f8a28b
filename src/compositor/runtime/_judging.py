"""A judge at work: a private transcript, its own tools and steps, and a verdict of the right shape or none at all.

A judge that answers in the wrong shape is asked again within its own budget; then it has failed. That is never a
rejection of the draft.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from compositor._values import Json, digest
from compositor.agents import OwnedVerifier
from compositor.errors import AdapterError, JudgeFailed, NotOwned
from compositor.runtime._adapter import ModelAdapter
from compositor.runtime._conversation import BudgetSpent, Conversation, calls_made
from compositor.runtime._journal import Done, Effects
from compositor.runtime._messages import NOT_RUN, Answer, Call, Image, Part, Reply, Said, Text, ToolSpec, Usage
from compositor.runtime._prompting import JUDGE_INSTRUCTIONS, judge_opening
from compositor.runtime._running import run_tool
from compositor.runtime._scopes import CheckScope, judge_tool_scope
from compositor.runtime._spending import Spending
from compositor.runtime._work import Work
from compositor.runtime.events import Happening, JudgeReplied
from compositor.tools import ArgumentFault, Tool, checked_arguments
from compositor.verifiers import Answer as CriterionAnswer
from compositor.verifiers import Criterion, Opinion, Verdict
from compositor.workspace import COPY, Trace

SUBMIT = "submit_verdict"
_MISSHAPEN = "misshapen"
_CONTRADICTION = f"this reply holds two different verdicts; call {SUBMIT} once"
SUBMIT_ABOUT = "Give the verdict: one answer per criterion, each with the evidence seen, and a word to the writer."
SHAPE_RETRIES = 1
"""How often a judge may send a verdict of the wrong shape again (cases.md D11)."""


@dataclass(slots=True, kw_only=True)
class SeatedJudge:
    """Implements `Judge` for one judgment of one draft.

    Attributes:
        work, journal: of the operation.
        adapter: the model in the role of the judge.
        entry: the judgment verifier.
        scope: what the verifier may look at.
        measured: the verdicts of all measurements.
        key: prefix of its effects' keys.
        draft: which draft is judged.
        spending: of the operation; what these replies take is booked after the judgment.
        usages: what replies of this round of judgments took so far.
        reviews: how often it was asked so far.
        stopped: the limit that cut a review off, or empty.
        failed: why the last review gave no verdict, or empty.
    """

    work: Work
    journal: Effects
    adapter: ModelAdapter
    entry: OwnedVerifier
    measured: Sequence[Verdict]
    key: str
    draft: int
    scope: CheckScope
    spending: Spending
    usages: list[Usage] = field(default_factory=list)
    reviews: int = 0
    stopped: str = ""
    failed: str = ""

    async def review(self, criteria: Sequence[Criterion], *, show: Sequence[str] = ()) -> Opinion:
        """Hold a private conversation. Raises JudgeFailed, and BudgetSpent where a limit forbids the next reply."""
        self.failed = ""
        try:
            return await self._review(criteria, show)
        except JudgeFailed as error:
            self.failed = str(error)
            raise

    async def _review(self, criteria: Sequence[Criterion], show: Sequence[str]) -> Opinion:
        self.reviews += 1
        conversation = Conversation(
            self.adapter,
            self.journal,
            self.work.blobs,
            role="judge",
            instructions=JUDGE_INSTRUCTIONS,
            tools=(*(_spec(tool) for tool in self.entry.verifier.tools), _submit_spec(criteria)),
        )
        conversation.add(await self._opening(criteria, show))
        misshapen = 0
        for step in range(1, self.work.composition.budget.judge_steps + 1):
            reply = await self._reply(conversation, step)
            answers, opinion = await self._answered(reply, step, criteria)
            if isinstance(opinion, Opinion):
                return opinion
            conversation.add(*answers)
            if not reply.calls:
                conversation.say(f"Finish by calling {SUBMIT} with one answer per criterion.")
            misshapen += opinion == _MISSHAPEN or not reply.calls
            if misshapen > SHAPE_RETRIES:
                raise JudgeFailed(self.adapter.name, "its verdict had the wrong shape, twice")
        raise JudgeFailed(self.adapter.name, "it gave no verdict within its steps")

    async def _opening(self, criteria: Sequence[Criterion], show: Sequence[str]) -> Said:
        words = judge_opening(self.scope.view.data, await self._copy(), criteria, self.measured)
        pictures: list[Part] = []
        for label in show:
            artifact = self.scope.artifacts.get(label)
            if artifact is not None:
                pictures.append(Image(label=label, sha256=artifact.sha256, media_type=artifact.media_type))
        return Said(parts=(Text(text=words), *pictures))

    async def _copy(self) -> Json:
        """The words of the deliverable, where there are any and the verifier may look at them."""
        try:
            there = self.scope.artifacts.get(COPY) is not None
        except NotOwned:
            return None
        return await self.scope.artifacts.read_json(COPY) if there else None

    async def _reply(self, conversation: Conversation, step: int) -> Reply:
        def happened(reply: Reply) -> Happening:
            return JudgeReplied(
                draft=self.draft,
                verifier=self.entry.verifier.name,
                step=step,
                calls=calls_made(reply.calls),
                usage=reply.usage.as_json(),
            )

        try:
            left = self._affordable_seconds()
            place = self._place(step)
            reply = await conversation.reply(place, turn=self.draft, step=step, happened=happened, seconds=left)
        except AdapterError as error:
            raise JudgeFailed(self.adapter.name, error.reason) from error
        except BudgetSpent as error:
            self.stopped = error.limit
            raise
        self.usages.append(reply.usage)
        return reply

    def _affordable_seconds(self) -> float | None:
        """How long the next reply may take. Raises BudgetSpent where there may be none."""
        if limit := self.spending.paid_out(self.journal.seconds, self.usages):
            raise BudgetSpent(limit)
        return self.spending.seconds_left(self.journal.seconds)

    async def _answered(
        self, reply: Reply, step: int, criteria: Sequence[Criterion]
    ) -> tuple[list[Answer], Opinion | str]:
        """The answers to a reply's calls, and the verdict that it holds; else whether one had the wrong shape.

        A reply that holds two different verdicts contradicts itself: that is the wrong shape too.
        """
        verdicts = {call.id: _opinion(call, criteria) for call in reply.calls if _submits(reply, call)}
        opinions = tuple(dict.fromkeys(verdict for verdict in verdicts.values() if isinstance(verdict, Opinion)))
        if len(opinions) == 1:
            return [], opinions[0]
        answers: list[Answer] = []
        tools = {tool.name: tool for tool in self.entry.verifier.tools}
        for index, call in enumerate(reply.calls):
            if reply.stop in NOT_RUN:
                answers.append(_error(call, f"{call.name[:80]} {NOT_RUN[reply.stop]}"))
            elif call.name == SUBMIT:
                fault = verdicts[call.id]
                answers.append(_error(call, fault if isinstance(fault, str) else _CONTRADICTION))
            elif call.name in tools:
                answers.append(await self._run(tools[call.name], call, f"{self._place(step)}/{index}"))
            else:
                answers.append(_error(call, f"there is no tool {call.name[:80]!r}. Call {SUBMIT} to finish"))
        return answers, _MISSHAPEN if verdicts else ""

    def _place(self, step: int) -> str:
        return f"{self.key}/{self.reviews}/{step}"

    async def _run(self, tool: Tool, call: Call, key: str) -> Answer:
        """The answer of one of the judge's tools: an effect, so that a resumed judge reads the very same words."""
        arguments = checked_arguments(tool.name, tool.schema, call.arguments)
        if isinstance(arguments, ArgumentFault):
            return _error(call, arguments.text)

        async def perform() -> Done:
            trace = Trace()
            scope = judge_tool_scope(self.work, self.entry.verifier, self.scope, trace)
            ran = await run_tool(tool, scope, arguments, self.work.ports)
            images = [image.as_json() for image in ran.images]
            return Done(result={"text": ran.text, "failed": ran.failed, "images": images, "trace": trace.as_json()})

        named = {"tool": call.name, "call": digest(call.as_json())}
        result = await self.journal.effect("tool_call", key, named, perform, nested=True)
        self.scope.files.trace.include(Trace.from_json(result["trace"]))
        images = tuple(Image.from_json(image) for image in result["images"])
        return Answer(call_id=call.id, tool=tool.name, text=result["text"], failed=result["failed"], images=images)


def _spec(tool: Tool) -> ToolSpec:
    return ToolSpec(name=tool.name, about=tool.about, schema=tool.schema)


def _submit_spec(criteria: Sequence[Criterion]) -> ToolSpec:
    return ToolSpec(name=SUBMIT, about=SUBMIT_ABOUT, schema=_verdict_schema(criteria))


def _verdict_schema(criteria: Sequence[Criterion]) -> Json:
    answer = {
        "type": "object",
        "properties": {
            "criterion": {"enum": [criterion.id for criterion in criteria]},
            "met": {"type": "boolean"},
            "evidence": {"type": "string", "pattern": "\\S", "description": "words or a place in the work"},
            "recommendation": {"type": "string", "description": "what to do where it is not met"},
        },
        "required": ["criterion", "met", "evidence"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {"answers": {"type": "array", "items": answer}, "feedback": {"type": "string"}},
        "required": ["answers"],
        "additionalProperties": False,
    }


def _submits(reply: Reply, call: Call) -> bool:
    return call.name == SUBMIT and reply.stop not in NOT_RUN


def _opinion(call: Call, criteria: Sequence[Criterion]) -> Opinion | str:
    """The verdict of a call, or what is wrong with its shape."""
    arguments = checked_arguments(SUBMIT, _verdict_schema(criteria), call.arguments)
    if isinstance(arguments, ArgumentFault):
        return arguments.text
    answers: Sequence[Mapping[str, Json]] = arguments["answers"]
    answered = sorted(answer["criterion"] for answer in answers)
    wanted = sorted(criterion.id for criterion in criteria)
    if answered != wanted:
        return f"{SUBMIT} needs exactly one answer for each of: {', '.join(wanted)}"
    return Opinion(
        answers=tuple(
            CriterionAnswer(
                criterion=answer["criterion"],
                met=answer["met"],
                evidence=answer["evidence"],
                recommendation=answer.get("recommendation", ""),
            )
            for answer in answers
        ),
        feedback=arguments.get("feedback", ""),
    )


def _error(call: Call, text: str) -> Answer:
    return Answer(call_id=call.id, tool=call.name, text=text, failed=True)
