"""The tool host: the sealed roster at work. It checks, runs and answers calls, each exactly once, and never raises.

Calls of a wave start from one immutable snapshot; what they changed is merged in call order into the next; an error
leaves nothing behind.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass

import anyio

from compositor._values import Json, digest
from compositor.agents import RosterTool
from compositor.authoring import ToolRun
from compositor.runtime._journal import Done, Effects, Perform
from compositor.runtime._messages import NOT_RUN, Answer, Call, Image, Reply, ToolSpec
from compositor.runtime._running import Ran, run_tool
from compositor.runtime._scopes import tool_scope
from compositor.runtime._waves import waves
from compositor.runtime._work import SPILLED, Work
from compositor.runtime.events import ToolAnswered
from compositor.tools import ArgumentFault, checked_arguments
from compositor.workspace import Artifact, Snapshot, delta_as_json, delta_from_json

EVENT_CHARS = 400
"""How much of an answer an event shows."""
NAME_CHARS = 80
"""How much of the name of a tool that there is not is repeated."""
PREFIX = "functions."
"""What newer models write before the name of a tool (cases.md D05). Exactly this is taken off, and nothing else."""
NEARLY = 0.8
"""How like a tool's name another one must be to be asked about (difflib): one letter in five, or the case, differs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planned:
    """A call that will run, with its place in the reply and its checked arguments."""

    index: int
    call: Call
    arguments: Mapping[str, Json]


class Host:
    """Runs the calls of one operation's writer."""

    __slots__ = ("_journal", "_one_by_one", "_roster", "_work")

    def __init__(self, work: Work, journal: Effects) -> None:
        self._work, self._journal = work, journal
        self._one_by_one = anyio.Lock(fast_acquire=True)
        self._roster = {entry.name: entry for entry in work.composition.roster}

    @property
    def specs(self) -> tuple[ToolSpec, ...]:
        """The roster as a model sees it."""
        return tuple(
            ToolSpec(name=entry.name, about=entry.tool.about, schema=entry.tool.schema)
            for entry in self._work.composition.roster
        )

    async def run(self, reply: Reply, step: int, base: Snapshot | None = None) -> tuple[Answer, ...]:
        """Answer every call of a reply, in call order.

        Replies that are announced side by side run one after another; what an earlier one changed is refused to a later
        one that has not seen it. Interrupted, it answers what is still open with "interrupted" before it lets go: the
        history stays whole.

        Args:
            reply: what the model said.
            step: its number in the operation.
            base: the files as the model knew them when it replied; by default as they stand now, on being announced.
        """
        results: dict[int, Json] = {}
        known = base if base is not None else self._work.snapshot
        try:
            async with self._one_by_one:
                await self._run(reply, step, known, results)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._refuse_open(reply, step, "was interrupted", results)
            raise
        return _answers(reply, results)

    async def refuse_all(self, reply: Reply, step: int, reason: str) -> tuple[Answer, ...]:
        """Answer every call of a reply with an error, running none."""
        results: dict[int, Json] = {}
        await self._refuse_open(reply, step, reason, results)
        return _answers(reply, results)

    async def _run(self, reply: Reply, step: int, base: Snapshot, results: dict[int, Json]) -> None:
        planned: list[tuple[RosterTool, _Planned]] = []
        for index, call in enumerate(reply.calls):
            checked = self._checked(reply, call)
            if isinstance(checked, str):
                results[index] = await self._refuse(step, index, call, checked)
            else:
                entry, arguments = checked
                planned.append((entry, _Planned(index=index, call=call, arguments=arguments)))
        for wave in waves(planned):
            await self._run_wave(step, wave, base, results)
            for entry, plan in wave:
                self._merge(entry, results[plan.index])

    async def _run_wave(
        self, step: int, wave: list[tuple[RosterTool, _Planned]], base: Snapshot, results: dict[int, Json]
    ) -> None:
        if len(wave) == 1:  # most are, and a task costs as much as all the rest of a small call
            await self._run_one(step, *wave[0], base, results)
            return
        async with anyio.create_task_group() as side_by_side:
            for entry, plan in wave:
                side_by_side.start_soon(self._run_one, step, entry, plan, base, results)

    def _checked(self, reply: Reply, call: Call) -> tuple[RosterTool, Mapping[str, Json]] | str:
        if reply.stop in NOT_RUN:
            return f"{call.name[:NAME_CHARS]} {NOT_RUN[reply.stop]}"
        name = call.name.removeprefix(PREFIX)
        entry = self._roster.get(name)
        if entry is None:
            return f"there is no tool {call.name[:NAME_CHARS]!r}. {self._meant(name)}Call one of: {self._names}"
        checked = checked_arguments(entry.name, entry.tool.schema, call.arguments)
        return checked.text if isinstance(checked, ArgumentFault) else (entry, checked)

    def _meant(self, name: str) -> str:
        """A question about a name that nearly is one of the roster. Nothing is guessed: the call was not run."""
        near = difflib.get_close_matches(name[:NAME_CHARS].casefold(), self._roster, cutoff=NEARLY)
        return f"Did you mean {' or '.join(near)}? " if near else ""

    @property
    def _names(self) -> str:
        return ", ".join(self._roster) or "none"

    async def _run_one(
        self, step: int, entry: RosterTool, plan: _Planned, base: Snapshot, results: dict[int, Json]
    ) -> None:
        async def perform() -> Done:
            spill = f"{SPILLED}step-{step}-call-{plan.index + 1}.txt"
            scope = tool_scope(self._work, entry, base)
            ran = await run_tool(entry.tool, scope, plan.arguments, self._work.ports, spill)
            return _done(step, plan.call, ran)

        results[plan.index] = await self._effect(step, plan.index, plan.call, perform)

    async def _refuse(self, step: int, index: int, call: Call, reason: str) -> Json:
        async def perform() -> Done:
            return _done(step, call, Ran.failure(reason))

        return await self._effect(step, index, call, perform)

    async def _refuse_open(self, reply: Reply, step: int, reason: str, results: dict[int, Json]) -> None:
        for index, call in enumerate(reply.calls):
            if index not in results:
                results[index] = await self._refuse(step, index, call, f"{call.name[:NAME_CHARS]} {reason}")

    async def _effect(self, step: int, index: int, call: Call, perform: Perform) -> Json:
        arguments = {"tool": call.name, "call": digest(call.as_json())}
        return await self._journal.effect("tool_call", f"call/{step}/{index}", arguments, perform)

    def _merge(self, entry: RosterTool, result: Json) -> None:
        if result["failed"]:
            return
        delta = delta_from_json(result["delta"])
        made = {label: Artifact.from_json(artifact) for label, artifact in result["made"].items()}
        self._work.merge(delta, made)
        self._work.runs.append(ToolRun(tool=entry.name, changed=tuple(sorted(delta)), made=tuple(sorted(made))))


def _done(step: int, call: Call, ran: Ran) -> Done:
    event = ToolAnswered(
        step=step,
        call=call.id,
        tool=call.name[:NAME_CHARS],
        ok=not ran.failed,
        text=ran.text[:EVENT_CHARS],
        changed=tuple(sorted(ran.delta)),
        made=tuple(sorted(ran.made)),
        notes=ran.notes,
    )
    result = {
        "failed": ran.failed,
        "text": ran.text,
        "delta": delta_as_json(ran.delta),
        "made": {label: artifact.as_json() for label, artifact in sorted(ran.made.items())},
        "images": [image.as_json() for image in ran.images],
    }
    return Done(result=result, happened=(event,))


def _answers(reply: Reply, results: Mapping[int, Json]) -> tuple[Answer, ...]:
    return tuple(_answer(call, results[index]) for index, call in enumerate(reply.calls))


def _answer(call: Call, result: Json) -> Answer:
    images = tuple(Image.from_json(image) for image in result["images"])
    return Answer(call_id=call.id, tool=call.name, text=result["text"], failed=result["failed"], images=images)
