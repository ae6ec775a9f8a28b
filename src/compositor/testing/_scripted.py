"""A scripted model: replies that are known beforehand, by turn and step, so that they survive a kill."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from compositor._values import Json
from compositor.errors import AdapterError
from compositor.runtime import Call, Prompt, Reply, Usage

Script = Mapping[tuple[int, int], Reply | AdapterError | Callable[[Prompt], Reply]]


class Scripted:
    """Implements `ModelAdapter` for any role. A test double: never present its replies as a model's.

    Args:
        script: `(turn, step)` → the reply, an error to raise, or a function of the prompt. For a judge the turn is the
            draft that it judges. Where the script says nothing the model stops.
        name: stands in the evidence.
        otherwise: the reply where the script says nothing.
    """

    def __init__(self, script: Script, *, name: str = "scripted", otherwise: Reply | None = None) -> None:
        self._script, self._name = dict(script), name
        self._otherwise = otherwise or Reply(text="Done.")
        self.prompts: list[Prompt] = []
        """Every prompt that was answered, in order."""

    @property
    def name(self) -> str:
        """Stands in the evidence."""
        return self._name

    @property
    def disclosure(self) -> str:
        """Stands in every output."""
        return "Replies were scripted for a test; no model was called."

    @property
    def needs_designer(self) -> bool:
        """It follows its script alone."""
        return False

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        """The scripted reply."""
        self.prompts.append(prompt)
        scripted = self._script.get((prompt.turn, prompt.step), self._otherwise)
        if isinstance(scripted, AdapterError):
            raise scripted
        reply = scripted if isinstance(scripted, Reply) else scripted(prompt)
        if reply.text:
            stream(reply.text)
        return reply


def calls(*wanted: tuple[str, Mapping[str, Json]], text: str = "", usage: Usage | None = None) -> Reply:
    """A reply that calls tools: `calls(("write_file", {"path": "a.txt", "content": "…"}))`."""
    made = tuple(
        Call(id=f"call-{index}", name=name, arguments=json.dumps(arguments))
        for index, (name, arguments) in enumerate(wanted)
    )
    return Reply(text=text, calls=made, stop="calls", usage=usage or Usage())


def verdict(answers: Mapping[str, bool], *, feedback: str = "", evidence: str = "as seen") -> Reply:
    """A judge's reply that submits a verdict: criterion → met."""
    given: Sequence[Json] = [
        {"criterion": name, "met": met, "evidence": evidence, "recommendation": "" if met else feedback}
        for name, met in answers.items()
    ]
    return calls(("submit_verdict", {"answers": given, "feedback": feedback}))
