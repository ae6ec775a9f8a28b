"""`replay()`: an operation told again from its journal, moment by moment, with all that the journal knows of each.

Nothing is run for it: no model, no browser, and none of the code that made the deliverable, which may have changed or
be gone. Everything follows from the recorded events and effects: each effect was recorded in one transaction with its
events, and both are kept in that order, so one walk over the two finds for each event the effect that it belongs to.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from compositor._values import Json, thaw
from compositor.errors import OperationEnded, OperationError
from compositor.operations._changes import Change, changes_between
from compositor.operations._environment import Environment
from compositor.runtime import DELETED, Answer, Call, Effect, Image, OperationRecord, Reply, get_json, reply_of
from compositor.runtime.events import (
    Checked,
    DeliverableBuilt,
    Event,
    JudgeReplied,
    OperationInterrupted,
    OperationOpened,
    OperationResumed,
    StepTaken,
    ToolAnswered,
)
from compositor.runtime.events import OperationEnded as EndedEvent
from compositor.workspace import Artifact, Blobs, Snapshot, Trace, covered, delta_from_json


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """An event, with what the journal knows beyond it. What does not belong to its kind is empty.

    Attributes:
        event: what happened, as it was shown then.
        snapshot: all files as they stand after it.
        artifacts: label → artifact, as they stand after it.
        outputs: patterns of the files that are the deliverable.
        key: of the effect that recorded it; empty where it was no effect.
        seconds: how long the effect took; where it has several events, all of them say so.
        opening: of an opening: the whole request, the facts of the composition, mode, isolation and adapters.
        reply: of a step and of a judge's reply: the whole reply.
        call: of an answer: the call, with its arguments as the model sent them.
        answers: of an answer: itself, whole; of a judge's reply: those of the judge's own tools.
        changes: of an answer and of a build: the files that it changed. What was compiled has no diff.
        made: of an answer and of a build: label → artifact.
        looked: of a check: everything that it looked at.
        result: of the last ending: the result document.
    """

    event: Event
    snapshot: Snapshot
    artifacts: Mapping[str, Artifact]
    outputs: tuple[str, ...]
    key: str = ""
    seconds: float | None = None
    opening: Json = None
    reply: Reply | None = None
    call: Call | None = None
    answers: tuple[Answer, ...] = ()
    changes: tuple[Change, ...] = ()
    made: Mapping[str, Artifact] = field(default_factory=dict)
    looked: Trace | None = None
    result: Json = None

    def as_json(self) -> Json:
        """The moment as a JSON object: the event and the files, and what else there is."""
        more = {
            "effect": self.key,
            "seconds": self.seconds,
            "opening": self.opening,
            "reply": self.reply.as_json() if self.reply else None,
            "call": self.call.as_json() if self.call else None,
            "answers": [answer.as_json() for answer in self.answers],
            "changes": [change.as_json() for change in self.changes],
            "made": {label: artifact.as_json() for label, artifact in sorted(self.made.items())},
            "looked": self.looked.as_json() if self.looked else None,
            "result": self.result,
        }
        told = {name: value for name, value in more.items() if value not in (None, "", [], {})}
        return thaw({"event": self.event.model_dump(mode="json"), "files": self.snapshot.as_json(), **told})


async def replay(operation: str, environment: Environment) -> AsyncGenerator[Moment]:
    """Tell an operation again, from its opening to the latest event on record.

    It may be open, interrupted, ended, cancelled, or at work in another process at this moment.

    Args:
        operation: its id.
        environment: where it is kept; nothing else of it is used.

    Raises:
        OperationUnknown
        OperationEnded: its contents were deleted.
        OperationError: an event has no effect on record, so the journal is damaged.
        PortError: bytes that the journal refers to are not there.
    """
    store, blobs = environment.store, environment.blobs
    record = await store.load(operation)
    if record.status == DELETED:
        raise OperationEnded(operation, DELETED)
    events = await store.events(operation)  # before the effects, so that there is one for each, if it is at work now
    effects = await store.effects(operation)
    last = next((event.seq for event in reversed(events) if isinstance(event.what, EndedEvent)), 0)
    teller = _Teller(record, effects, blobs)
    for event in events:
        moment = await teller.moment(event)
        if event.seq == last and record.result is not None:
            moment = replace(moment, result=await get_json(blobs, record.result))
        yield moment


_RECORDED_BY = {
    "step_taken": "model_call",
    "judge_replied": "model_call",
    "tool_answered": "tool_call",
    "deliverable_built": "build",
    "checked": "evaluate",
    "draft_rejected": "reject",
    "operation_ended": "commit_version",
}
"""Kind of an event → name of the effect that it was recorded with."""


class _Teller:
    """Walks over the effects beside the events, and keeps the files and artifacts as they stood."""

    def __init__(self, record: OperationRecord, effects: Mapping[str, Effect], blobs: Blobs) -> None:
        self._record, self._effects, self._blobs = record, effects, blobs
        self._telling: Iterator[Effect] = iter(tuple(effects.values()))
        self._looked: list[Json] = []
        self._effect: Effect | None = None
        self._outputs = _Outputs()
        self._snapshot = Snapshot()
        self._artifacts: dict[str, Artifact] = {}
        self._built: tuple[str, ...] = ()
        self._replies: list[Reply] = []

    async def moment(self, event: Event) -> Moment:
        """The next moment."""
        match event.what:
            case OperationOpened():
                return await self._opened(event)
            case StepTaken():
                return await self._stepped(event, await self._next(event))
            case JudgeReplied():
                return await self._judged(event, await self._next(event))
            case ToolAnswered():
                return await self._answered(event, await self._next(event))
            case DeliverableBuilt():
                return await self._build(event, await self._next(event))
            case Checked():
                return await self._checked(event)
            case OperationInterrupted() | OperationResumed():
                return self._as_it_stands(event)
            case _:
                return self._as_it_stands(event, await self._next(event))

    async def _next(self, event: Event) -> Effect:
        """The effect that an event was recorded with: the next one that has any."""
        effect = next((effect for effect in self._telling if _has_events(effect)), None)
        if effect is not None and effect.name == _RECORDED_BY[event.what.kind]:
            return effect
        raise OperationError(
            self._record.id,
            f"the journal of {self._record.id} is damaged: event {event.seq} ({event.what.kind}) has no effect on "
            "record. `compositor operations check` says how far; restore the data folder from a copy",
        )

    def _as_it_stands(self, event: Event, effect: Effect | None = None) -> Moment:
        return Moment(
            event=event,
            snapshot=self._snapshot,
            artifacts=dict(self._artifacts),
            outputs=self._outputs.all,
            key=effect.key if effect else "",
            seconds=effect.seconds if effect else None,
        )

    async def _opened(self, event: Event) -> Moment:
        opening = await get_json(self._blobs, self._record.opening)
        self._snapshot = Snapshot.from_json(opening["snapshot"])
        self._outputs = _Outputs.of(opening["composition"])
        told = {name: value for name, value in opening.items() if name != "snapshot"}
        return replace(self._as_it_stands(event), opening=told)

    async def _stepped(self, event: Event, effect: Effect) -> Moment:
        reply = await self._reply(effect)
        self._replies.append(reply)
        return replace(self._as_it_stands(event, effect), reply=reply)

    async def _judged(self, event: Event, effect: Effect) -> Moment:
        """With the answers of the judge's own tools, which are effects below its reply."""
        reply = await self._reply(effect)
        below = ((call, self._effects.get(f"{effect.key}/{index}")) for index, call in enumerate(reply.calls))
        answers = tuple(_answer(call, found.result) for call, found in below if found is not None)
        return replace(self._as_it_stands(event, effect), reply=reply, answers=answers)

    async def _reply(self, effect: Effect) -> Reply:
        return await reply_of(self._blobs, effect.result) or Reply()

    async def _answered(self, event: Event, effect: Effect) -> Moment:
        before, result = self._snapshot, effect.result
        _, step, index = effect.key.split("/")
        call = self._replies[int(step) - 1].calls[int(index)]
        made = {label: Artifact.from_json(value) for label, value in result["made"].items()}
        self._snapshot = before.merged(delta_from_json(result["delta"]))
        self._artifacts.update(made)
        return replace(
            self._as_it_stands(event, effect),
            call=call,
            answers=(_answer(call, result),),
            changes=await changes_between(before, self._snapshot, self._blobs, compared=True),
            made=made,
        )

    async def _build(self, event: Event, effect: Effect) -> Moment:
        before = self._snapshot
        self._forget_build()
        made = {label: Artifact.from_json(value) for label, value in effect.result["artifacts"].items()}
        self._snapshot = self._snapshot.merged(delta_from_json(effect.result["delta"]))
        self._artifacts.update(made)
        self._built = tuple(made)
        changes = await changes_between(before, self._snapshot, self._blobs, compared=False)
        return replace(self._as_it_stands(event, effect), changes=changes, made=made)

    async def _checked(self, event: Event) -> Moment:
        """One of the verdicts of an evaluation, which are recorded together."""
        if not self._looked:
            self._effect = await self._next(event)
            self._looked = await get_json(self._blobs, self._effect.result["looked"])
        looked = self._looked.pop(0)
        verdict = looked["verdict"]
        if verdict["verifier"] == "outputs" and verdict["status"] == "failed":  # so nothing was built of this draft
            self._forget_build()
        return replace(self._as_it_stands(event, self._effect), looked=Trace.from_json(looked["trace"]))

    def _forget_build(self) -> None:
        """Take out what the latest build made, as the host does before each build: nothing stale is delivered."""
        stale = {path: None for path in self._snapshot.files if covered(path, self._outputs.derived)}
        self._snapshot = self._snapshot.merged(stale)
        for label in self._built:
            self._artifacts.pop(label, None)
        self._built = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Outputs:
    """What the recorded facts of a composition say of its deliverable, as patterns."""

    written: tuple[str, ...] = ()
    derived: tuple[str, ...] = ()

    @staticmethod
    def of(facts: Json) -> _Outputs:
        """As the content capability declared it when the operation was opened."""
        capabilities: Sequence[Json] = tuple(facts["capabilities"].values())
        owned = next(one["outputs"] for one in capabilities if one["kind"] == "content")
        return _Outputs(
            written=tuple(path for path, output in owned.items() if not output["derived"]),
            derived=tuple(path for path, output in owned.items() if output["derived"]),
        )

    @property
    def all(self) -> tuple[str, ...]:
        """Both."""
        return (*self.written, *self.derived)


def _has_events(effect: Effect) -> bool:
    """Whether an effect was recorded with events: a reply that did not come in time was not, nor a tool of a judge."""
    if effect.name == "model_call":
        return effect.result["reply"] is not None
    return effect.key.startswith("call/") if effect.name == "tool_call" else effect.name in _RECORDED_BY.values()


def _answer(call: Call, result: Json) -> Answer:
    images = tuple(Image.from_json(image) for image in result["images"])
    return Answer(call_id=call.id, tool=call.name, text=result["text"], failed=result["failed"], images=images)
