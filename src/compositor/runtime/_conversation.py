"""A conversation with a model: its history, with a running digest, and the recorded way to the next reply."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import count

import anyio

from compositor._values import Json, canonical, digest, well_formed
from compositor.authoring import DesignedCall
from compositor.errors import AdapterError, CompositorError
from compositor.runtime._adapter import ModelAdapter
from compositor.runtime._journal import Done, Effects
from compositor.runtime._messages import Call, Message, Prompt, Replied, Reply, Role, Said, Text, ToolSpec
from compositor.runtime._work import get_json, put_json
from compositor.runtime.events import CallMade, Happening, Progress
from compositor.verifiers import Finding
from compositor.workspace import Blobs

SUMMARY_CHARS = 160
"""How much of a call's arguments an event shows."""


INLINE_BYTES = 4096
"""A reply up to here stands in its effect, which saves a blob a step; a longer one travels as a digest."""


class BudgetSpent(Exception):
    """A limit forbids the reply, or ran out while it was awaited. Field: `limit`, its name."""

    def __init__(self, limit: str) -> None:
        self.limit = limit
        super().__init__(f"the budget of {limit} was spent")


class Conversation:
    """One history with one adapter.

    Args:
        adapter: who answers.
        journal: where replies are recorded, before anything is done with them.
        blobs: where replies are kept.
        role: whom the model is used as.
        instructions: the standing text.
        tools: what may be called.
    """

    __slots__ = ("_adapter", "_blobs", "_digest", "_ids", "_instructions", "_journal", "_messages", "_role", "_tools")

    def __init__(
        self,
        adapter: ModelAdapter,
        journal: Effects,
        blobs: Blobs,
        *,
        role: Role,
        instructions: str,
        tools: tuple[ToolSpec, ...],
    ) -> None:
        self._adapter, self._journal, self._blobs = adapter, journal, blobs
        self._role, self._instructions, self._tools = role, instructions, tools
        self._messages: list[Message] = []
        self._ids: set[str] = set()
        self._digest = digest([role, instructions, [tool.as_json() for tool in tools]])

    def add(self, *messages: Message) -> None:
        """Lengthen the history."""
        for message in messages:
            self._messages.append(message)
            self._digest = digest([self._digest, message.as_json()])

    def say(self, text: str) -> None:
        """A message in words."""
        self.add(Said(parts=(Text(text=text),)))

    async def reply(
        self,
        key: str,
        *,
        turn: int,
        step: int,
        happened: Callable[[Reply], Happening],
        findings: Sequence[Finding] = (),
        design: Callable[[], Awaitable[Sequence[DesignedCall]]] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        """The model's next reply, recorded under `key` with its event and added to the history.

        Each call has an id of its own in the whole history: providers leave ids empty or repeat them (cases.md D06).

        Raises:
            AdapterError: the model failed; nothing is recorded.
            BudgetSpent: it did not reply within `seconds`; that is recorded, so that a resumed operation ends alike.
        """
        prompt = Prompt(
            role=self._role,
            instructions=self._instructions,
            messages=tuple(self._messages),
            tools=self._tools,
            turn=turn,
            step=step,
            load=self._blobs.get,
            findings=tuple(findings),
            design=design,
        )

        async def perform() -> Done:
            with anyio.move_on_after(seconds) as limit:
                given = await self._asked(prompt)
            if limit.cancelled_caught:
                return Done(result={"reply": None})
            reply = _identified(given, self._ids)
            return Done(result={"reply": await _kept(self._blobs, reply)}, happened=(happened(reply),))

        arguments = {"adapter": self._adapter.name, "context": self._digest}
        result: Json = await self._journal.effect("model_call", key, arguments, perform, nested=self._role == "judge")
        reply = _in_time(await reply_of(self._blobs, result))
        self.add(Replied(reply=reply))
        self._ids.update(call.id for call in reply.calls)
        return reply

    async def _asked(self, prompt: Prompt) -> Reply:
        try:
            return _whole(await self._adapter.reply(prompt, self._stream))
        except CompositorError:
            raise
        except Exception as error:
            raise AdapterError(self._adapter.name, f"{type(error).__name__}: {error}") from error

    def _stream(self, text: str) -> None:
        self._journal.feed.show([Progress(operation=self._journal.operation, text=text)])


def _in_time(reply: Reply | None) -> Reply:
    """The reply. Raises BudgetSpent where none came."""
    if reply is None:
        raise BudgetSpent("seconds")
    return reply


async def reply_of(blobs: Blobs, result: Json) -> Reply | None:
    """The reply that the result of a `model_call` holds, or None where none came in time."""
    kept = result["reply"]
    if kept is None:
        return None
    return Reply.from_json(await get_json(blobs, kept) if isinstance(kept, str) else kept)


async def _kept(blobs: Blobs, reply: Reply) -> Json:
    """The reply as it stands in its effect: itself, or the digest of its blob."""
    value = reply.as_json()
    return value if len(canonical(value)) <= INLINE_BYTES else await put_json(blobs, value)


def _whole(reply: Reply) -> Reply:
    """The reply without half characters, so that what is recorded is what goes on.

    Raises:
        TypeError, ValueError: what stands beside its words is no JSON.
    """
    canonical(reply.opaque)
    calls = (Call(id=_text(call.id), name=_text(call.name), arguments=_text(call.arguments)) for call in reply.calls)
    return replace(reply, text=_text(reply.text), calls=tuple(calls))


def _text(value: Json) -> str:
    """A text that came off a wire: servers leave fields out, or send arguments as JSON values and not as their text."""
    if value is None:
        return ""
    return well_formed(value if isinstance(value, str) else canonical(value).decode())


def _identified(reply: Reply, taken: AbstractSet[str]) -> Reply:
    """The reply with an id for every call that no other call has."""
    given: dict[str, Call] = {}
    for call in reply.calls:
        free = call.id and call.id not in taken and call.id not in given
        own = call.id if free else _unused(taken, given)
        given[own] = call if own == call.id else replace(call, id=own)
    return replace(reply, calls=tuple(given.values()))


def _unused(taken: AbstractSet[str], given: Mapping[str, Call]) -> str:
    begin = len(taken) + len(given) + 1
    return next(n for number in count(begin) if (n := f"call-{number}") not in taken and n not in given)


def calls_made(calls: Sequence[Call]) -> tuple[CallMade, ...]:
    """Calls, shortened for people."""
    return tuple(CallMade(id=call.id, tool=call.name[:80], summary=call.arguments[:SUMMARY_CHARS]) for call in calls)
