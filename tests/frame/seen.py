"""What was seen of an operation, and what must hold when one looks again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from compositor._values import read_json
from compositor.operations import Environment, Result, stored_result
from compositor.runtime import Effect, OperationRecord, Version
from compositor.runtime.events import Event, OperationEnded, OperationInterrupted, StepTaken, ToolAnswered
from compositor.workspace import Snapshot
from tests.frame.scripts import REJECTIONS, STEPS, Paid, Script


@dataclass(slots=True)
class Seen:
    """One operation as it was at the last look.

    Attributes:
        name: its id.
        document: what it works on.
        script: what its models say.
        record, events, effects, result: as they were kept; nothing before the first look.
    """

    name: str
    document: str
    script: Script
    record: OperationRecord | None = None
    events: tuple[Event, ...] = ()
    effects: Mapping[str, Effect] = field(default_factory=dict)
    result: Result | None = None

    @property
    def settled(self) -> bool:
        """Whether it has ended for good: whatever is done to it, it stays as it is."""
        return self.cancelled or (self.result is not None and self.result.verification != "errored")

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled."""
        return self.result is not None and self.result.status == "cancelled"

    @property
    def steps(self) -> list[StepTaken]:
        """The writer's replies, in order."""
        return [event.what for event in self.events if isinstance(event.what, StepTaken)]

    async def look(self, environment: Environment) -> None:
        """Look again: what was there is still there, and what is new is right."""
        store = environment.store
        record, events = await store.load(self.name), await store.events(self.name)
        effects, result = await store.effects(self.name), await stored_result(record, environment)
        self._must_go_on(record, events, effects, result)
        self.record, self.events, self.effects, self.result = record, events, effects, result
        self._must_answer_every_call()
        assert (result is not None) == (record.state == "ended") == isinstance(events[-1].what, OperationEnded)
        assert (record.state == "interrupted") == isinstance(events[-1].what, OperationInterrupted)
        if result is not None:
            await self._must_be_right(result, environment)

    def _must_go_on(
        self, record: OperationRecord, events: tuple[Event, ...], effects: Mapping[str, Effect], result: Result | None
    ) -> None:
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        assert events[: len(self.events)] == self.events
        assert list(effects.items())[: len(self.effects)] == list(self.effects.items())
        attempts = [event.attempt for event in events]
        assert attempts == sorted(attempts)
        assert record.attempt == attempts[-1]
        if self.settled:
            assert (record, events, effects, result) == (self.record, self.events, self.effects, self.result)

    def _must_answer_every_call(self) -> None:
        """Each call once, and none that was not made; at the end none is open, but for those of a cancelled one."""
        made = [call.id for step in self.steps for call in step.calls]
        answered = [event.what.call for event in self.events if isinstance(event.what, ToolAnswered)]
        kept = {key for key in self.effects if key.startswith("call/")}
        assert len(set(made)) == len(made)
        assert len(set(answered)) == len(answered) == len(kept)
        assert set(answered) <= set(made)
        assert kept <= set(self._keys().values())
        if self.result is not None and not self.cancelled:
            assert len(answered) == len(made)

    async def _must_be_right(self, result: Result, environment: Environment) -> None:
        """The result is what an oracle of its own says, and there is a version where the status says so."""
        words = await self._words(result, environment)
        assert (result.verification == "passed") <= self.script.may_pass(words)
        assert (result.status == "succeeded") <= self.script.may_succeed(words)
        assert (result.verification == "passed") <= (result.status in {"succeeded", "cancelled"})
        assert (result.status == "cancelled") == (result.ending == "cancelled")
        kept = {"succeeded", "incomplete"} if self.script.policy == "draft_allowed" else {"succeeded"}
        assert (result.version is not None) == (result.status in kept)
        assert result.usage.steps == len(self.steps) or result.status == "cancelled"
        assert result.usage.steps <= len(self.steps) <= STEPS
        assert result.usage.rejections <= REJECTIONS

    async def _words(self, result: Result, environment: Environment) -> str:
        """The words that are handed over: the same in the result as in the version."""
        address = {artifact.label: artifact.sha256 for artifact in result.artifacts}.get("note.txt")
        if result.version is not None:
            version = await environment.store.version(self.document, result.version.number)
            assert version is not None
            snapshot = Snapshot.from_json(read_json((await environment.blobs.get(version.snapshot)).decode()))
            assert snapshot.files["note.txt"].sha256 == address
        return (await environment.blobs.get(address)).decode() if address else ""

    def _keys(self) -> dict[str, str]:
        """Place of a call, by turn and step → the key of its effect, by step of the operation."""
        return {
            f"{step.turn}.{step.step}.{index}": f"call/{number}/{index}"
            for number, step in enumerate(self.steps, start=1)
            for index in range(len(step.calls))
        }

    def paid_on_record(self) -> list[Paid]:
        """The replies that are on record."""
        kept = "".join(str(effect.result) for effect in self.effects.values() if effect.name == "model_call")
        return [paid for paid in self.script.paid if paid.word in kept]

    def saved(self) -> list[str]:
        """The versions that its events tell of: more than one where it was evaluated again."""
        ends = [event.what for event in self.events if isinstance(event.what, OperationEnded)]
        return [end.version for end in ends if end.version is not None]

    def must_not_have_repeated(self, effects: Mapping[str, Effect]) -> None:
        """In the life since the last look nothing was paid or run that was on record then.

        A judge is asked the same again where a draft is evaluated again.

        Args:
            effects: as they are now.
        """
        asked = Counter((paid.role, paid.asked) for paid in self.paid_on_record())
        asked.update((paid.role, paid.asked) for paid in self.script.paid[self.script.life :])
        again = sum(1 for effect in effects.values() if effect.name == "reopen")
        for (role, _), times in asked.items():
            assert times <= 1 + (again if role == "judge" else 0), (role, times)
        keys = self._keys()
        ran = self.script.ran
        assert len(set(ran)) == len(ran)
        assert not [place for place in ran if keys.get(place) in self.effects]
        assert not self.script.broken, self.script.broken


async def must_be_a_line(
    document: str, known: list[Version], seen: list[Seen], environment: Environment
) -> list[Version]:
    """The versions of a document, which go on where they were known to end, and which are those that events tell of."""
    head = await environment.store.head(document)
    line = [await environment.store.version(document, n) for n in range(1, (head.number if head else 0) + 1)]
    versions = [version for version in line if version is not None]
    assert [(v.number, v.parent) for v in versions] == [(n, n - 1 or None) for n in range(1, len(line) + 1)]
    assert versions[: len(known)] == known
    for one in seen:
        assert [version.id for version in versions if version.operation == one.name] == one.saved()
    active = [one for one in seen if one.result is None]
    assert len(active) <= 1
    return versions
