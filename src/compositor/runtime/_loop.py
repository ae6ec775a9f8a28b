"""The loop of an operation: turns and steps of the writer, evaluation, rejection, and the end.

The model chooses its own steps. This code only counts them, evaluates what they left, and says when it is over. All of
its decisions follow from recorded effects, so driving it again after a kill leads to the same place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compositor.authoring import DesignedCall, Designer, Finding
from compositor.runtime._adapter import ModelAdapter
from compositor.runtime._completion import Ended, StopReason, ended
from compositor.runtime._conversation import BudgetSpent, Conversation, calls_made
from compositor.runtime._evaluation import Evaluation
from compositor.runtime._evaluator import Evaluator
from compositor.runtime._host import Host
from compositor.runtime._journal import Done, Effects
from compositor.runtime._messages import Answer, Reply, Role
from compositor.runtime._prompting import Rejection, feedback, opening
from compositor.runtime._spending import Spending
from compositor.runtime._work import Work
from compositor.runtime.events import DraftRejected, StepTaken
from compositor.workspace import Snapshot

NO_PROGRESS_AFTER = 3
"""How often the same calls on an unchanged snapshot are met before the operation ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an operation came to.

    Attributes:
        evaluation: of the last draft.
        ended: verification, status and ending.
        spending: what it took.
        stop: why the work stopped.
        limit: the budget that ended it, or empty.
        unfinished: follow-up work that was asked for and is still open.
    """

    evaluation: Evaluation
    ended: Ended
    spending: Spending
    stop: StopReason
    limit: str = ""
    unfinished: tuple[str, ...] = ()


class Loop:
    """Drives one operation from its first prompt to its outcome.

    Args:
        work, journal: of the operation.
        adapters: role → model; a writer must be there.
    """

    __slots__ = (
        "_again",
        "_calls_here",
        "_conversation",
        "_draft",
        "_evaluation",
        "_evaluator",
        "_findings",
        "_followed",
        "_here",
        "_host",
        "_journal",
        "_limit",
        "_spending",
        "_unreviewed",
        "_work",
    )

    def __init__(self, work: Work, journal: Effects, adapters: Mapping[Role, ModelAdapter]) -> None:
        self._work, self._journal = work, journal
        self._spending = Spending(budget=work.composition.budget)
        self._host = Host(work, journal)
        self._evaluator = Evaluator(work, journal, self._spending, adapters.get("judge"))
        self._conversation = Conversation(
            adapters["writer"],
            journal,
            work.blobs,
            role="writer",
            instructions=work.composition.instructions,
            tools=self._host.specs,
        )
        self._draft = self._again = 0
        self._evaluation: Evaluation | None = None
        self._findings: tuple[Finding, ...] = ()
        self._followed: Counter[str] = Counter()
        self._here, self._calls_here = Snapshot(), Counter[tuple[tuple[str, str], ...]]()
        self._unreviewed = False
        self._limit = ""

    @property
    def again(self) -> int:
        """How often the last draft was evaluated again because a part had broken down."""
        return self._again

    async def drive(self) -> Outcome:
        """Work until the operation ends.

        Raises:
            AdapterError: the writer's model failed; the operation stays open.
        """
        self._conversation.say(opening(self._work.composition))
        turn, review = 0, False
        while True:
            turn += 1
            stop = await self._turn(turn)
            before = self._evaluation
            evaluation = await self._evaluated(stop, review=review)
            if stop != "done":
                return self._outcome(evaluation, stop)
            by = self._rejection(evaluation, unchanged=evaluation is before)
            if by is None:
                if not evaluation.unpaid:
                    return self._outcome(evaluation, "done")
                self._limit = self._spending.paid_out(self._journal.seconds) or ""
                return self._outcome(evaluation, "exhausted")
            if by != "follow-up" and self._spending.rejections >= self._spending.budget.rejections:
                self._limit = "rejections"
                return self._outcome(evaluation, "exhausted")
            review = await self._reject(turn, by, evaluation)

    async def _turn(self, turn: int) -> StopReason:
        """From a prompt until the model stops calling tools, or something else stops it."""
        answers: list[Answer] = []
        step = 0
        while True:
            self._limit = self._spending.spent_out(self._journal.seconds) or ""
            if self._limit:
                return "exhausted"
            step += 1
            try:
                reply = await self._reply(turn, step, answers)
            except BudgetSpent as spent:
                self._limit = spent.limit
                return "exhausted"
            if reply.calls:
                repeated = self._repeated(reply)
                answers = [*answers, *await self._answered(reply, repeated=repeated)]
                if repeated:
                    return "no-progress"
            if reply.stop in {"filtered", "refused"}:
                return "errored"
            if reply.stop == "length" and not reply.calls:
                self._conversation.say("Your reply was cut. Go on.")
            elif not reply.calls:
                return "done"

    async def _reply(self, turn: int, step: int, answers: Sequence[Answer]) -> Reply:
        def happened(reply: Reply) -> StepTaken:
            return StepTaken(
                turn=turn,
                step=step,
                text=reply.text[:400],
                calls=calls_made(reply.calls),
                stop=reply.stop,
                usage=reply.usage.as_json(),
            )

        designer = self._work.composition.content.capability.designer
        reply = await self._conversation.reply(
            f"model/{turn}/{step}",
            turn=turn,
            step=step,
            happened=happened,
            findings=self._findings,
            design=None if designer is None else lambda: self._designed(designer, answers),
            seconds=self._spending.seconds_left(self._journal.seconds),
        )
        self._spending.steps += 1
        self._spending.add(reply.usage)
        return reply

    async def _answered(self, reply: Reply, *, repeated: bool) -> tuple[Answer, ...]:
        step = self._spending.steps
        if repeated:
            reason = f"was not run: the same calls came {NO_PROGRESS_AFTER} times on unchanged work"
            answers = await self._host.refuse_all(reply, step, reason)
        else:
            answers = await self._host.run(reply, step)
        self._conversation.add(*answers)
        return answers

    def _repeated(self, reply: Reply) -> bool:
        """Whether these calls were met too often on this very snapshot."""
        here = self._work.standing
        if here != self._here:
            self._here, self._calls_here = here, Counter()
        calls = tuple((call.name, call.arguments) for call in reply.calls)
        self._calls_here[calls] += 1
        return self._calls_here[calls] >= NO_PROGRESS_AFTER

    async def _designed(self, designer: Designer, answers: Sequence[Answer]) -> Sequence[DesignedCall]:
        snapshot = self._work.snapshot
        files = {path: await self._work.blobs.get(entry.sha256) for path, entry in sorted(snapshot.files.items())}
        tools = tuple(entry.name for entry in self._work.composition.roster)
        return designer(self._work.composition.content.view, files, self._findings, tools, tuple(answers))

    async def _evaluated(self, stop: StopReason, *, review: bool) -> Evaluation:
        """The evaluation of the work as it stands: a new one only if a written output changed, or a review is owed.

        A fresh review that was asked for is owed until judges have looked.
        """
        known = self._evaluation
        unchanged = known is not None and known.written == self._work.written.digest
        if known is not None and unchanged and not (review and stop == "done"):
            return known
        self._unreviewed = self._unreviewed or review
        self._draft, self._again = self._draft + 1, 0
        evaluation = await self._evaluate(stop)
        while evaluation.errored and self._journal.recorded(reopening(self._draft, self._again)):
            self._again += 1
            evaluation = await self._evaluate(stop)
        self._unreviewed = self._unreviewed and not evaluation.reviewed
        self._evaluation = evaluation
        return evaluation

    async def _evaluate(self, stop: StopReason) -> Evaluation:
        spent = stop in {"exhausted", "no-progress"}
        return await self._evaluator.evaluate(self._draft, spent=spent, again=self._again, fresh=self._unreviewed)

    def _rejection(self, evaluation: Evaluation, *, unchanged: bool) -> Rejection | None:
        """Why the draft goes back, or None. Broken or undecided checks never send it back."""
        if evaluation.blocking:
            if unchanged:
                return "unchanged"
            return "judged" if evaluation.judged else "measured"
        if evaluation.errored or unchanged:
            return None
        return "follow-up" if self._open_follow_ups(evaluation) else None

    def _open_follow_ups(self, evaluation: Evaluation) -> list[str]:
        follow_ups = evaluation.follow_ups.items()
        return [name for name, follow_up in follow_ups if self._followed[name] < follow_up.rounds]

    async def _reject(self, turn: int, by: Rejection, evaluation: Evaluation) -> bool:
        """Send the draft back; whether a fresh review is owed for it."""
        asked = [evaluation.follow_ups[name] for name in self._open_follow_ups(evaluation)]
        self._followed.update(self._open_follow_ups(evaluation))
        if by != "follow-up":
            self._spending.rejections += 1
        self._findings = evaluation.blocking
        happened = DraftRejected(
            draft=evaluation.draft,
            by=by,
            rejections=self._spending.rejections,
            allowed=self._spending.budget.rejections,
            findings=tuple(finding.as_json() for finding in evaluation.blocking),
        )

        async def perform() -> Done:
            return Done(result={}, happened=(happened,))

        await self._journal.effect("reject", f"reject/{turn}", {"by": by, "draft": evaluation.draft}, perform)
        left = self._spending.budget.rejections - self._spending.rejections
        self._conversation.say(feedback(by, evaluation.blocking, [one.instruction for one in asked], left))
        return any(follow_up.fresh_review for follow_up in asked)

    def _outcome(self, evaluation: Evaluation, stop: StopReason) -> Outcome:
        composition = self._work.composition
        return Outcome(
            evaluation=evaluation,
            ended=ended(evaluation.verdicts, complete=evaluation.complete, stop=stop, policy=composition.completion),
            spending=self._spending,
            stop=stop,
            limit=self._limit,
            unfinished=tuple(evaluation.follow_ups[name].instruction for name in self._open_follow_ups(evaluation)),
        )


def reopening(draft: int, again: int) -> str:
    """The key of the effect that says: evaluate this draft again, a part had broken down."""
    return f"reopen/{draft}/{again}"
