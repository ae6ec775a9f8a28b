"""What a history must be like before a provider takes it."""

from __future__ import annotations

from collections.abc import Sequence

from compositor.runtime import Answer, Message, Replied


def history_faults(messages: Sequence[Message]) -> tuple[str, ...]:
    """What is wrong with the history of a prompt; empty where it is whole.

    Each call is answered exactly once, right after its reply and in call order, and has an id of its own. Providers
    refuse anything else, and go on refusing it (cases.md D08).
    """
    faults: list[str] = []
    ids: set[str] = set()
    open_calls: list[str] = []
    for message in messages:
        if isinstance(message, Answer):
            wanted = open_calls.pop(0) if open_calls else None
            if message.call_id != wanted:
                faults.append(f"an answer to {message.call_id!r} stands where {wanted or 'none'} was wanted")
            continue
        faults += [f"{call!r} has no answer" for call in open_calls]
        open_calls = [call.id for call in message.reply.calls] if isinstance(message, Replied) else []
        for call in open_calls:
            if not call or call in ids:
                faults.append(f"the id {call!r} is empty or not its own")
            ids.add(call)
    return (*faults, *(f"{call!r} has no answer" for call in open_calls))
