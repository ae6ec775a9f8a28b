"""What is said between an operation and a model: prompts, replies, calls and their answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from compositor._values import Json
from compositor.authoring import DesignedCall, Finding

Role = Literal["writer", "judge"]
Stop = Literal["end", "calls", "length", "filtered", "refused"]
"""Why a reply ended. `length` is cut, `filtered` is stopped by the provider; calls of both are answered, never run."""

NOT_RUN: Mapping[str, str] = {
    "length": "was not run: the reply was cut at the limit of its length. Send the call again, whole or in parts",
    "filtered": "was not run: the provider filtered the reply",
    "refused": "was not run: the reply was a refusal",
}
"""The answer to the calls of a reply that did not come to its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Words in a message."""

    text: str

    def as_json(self) -> Json:
        """The part as a JSON object."""
        return {"text": self.text}


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """A picture in a message, by address; `Prompt.load` gives its bytes."""

    label: str
    sha256: str
    media_type: str

    def as_json(self) -> Json:
        """The part as a JSON object."""
        return {"image": self.sha256, "label": self.label, "media_type": self.media_type}

    @staticmethod
    def from_json(value: Json) -> Image:
        """The part that `as_json` wrote."""
        return Image(label=value["label"], sha256=value["image"], media_type=value["media_type"])


Part = Text | Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call of a reply; `arguments` is the raw JSON text, which the host parses and checks."""

    id: str
    name: str
    arguments: str

    def as_json(self) -> Json:
        """The call as a JSON object."""
        return {"id": self.id, "name": self.name, "arguments": self.arguments}


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What a reply took; None where the adapter cannot say.

    Attributes:
        input_tokens, output_tokens: as the provider counts them.
        cost: in US dollars.
        model_calls: how many models were called for it: none, where rules answered.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    model_calls: int = 1

    def as_json(self) -> Json:
        """The usage as a JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One reply of a model.

    Attributes:
        text: its words.
        calls: the tools that it wants called; none means that it stops.
        stop: why it ended.
        usage: what it took.
        opaque: whatever the adapter must send back with the history; never parsed by us.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    stop: Stop = "end"
    usage: Usage = field(default_factory=Usage)
    opaque: Json = None

    def as_json(self) -> Json:
        """The reply as a JSON object."""
        return {
            "text": self.text,
            "calls": [call.as_json() for call in self.calls],
            "stop": self.stop,
            "usage": self.usage.as_json(),
            "opaque": self.opaque,
        }

    @staticmethod
    def from_json(value: Json) -> Reply:
        """The reply that `as_json` wrote."""
        return Reply(
            text=value["text"],
            calls=tuple(Call(**call) for call in value["calls"]),
            stop=value["stop"],
            usage=Usage(**value["usage"]),
            opaque=value["opaque"],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message to the model."""

    parts: tuple[Part, ...]

    def as_json(self) -> Json:
        """The message as a JSON object."""
        return {"said": [part.as_json() for part in self.parts]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Replied:
    """A reply, as it stands in the history."""

    reply: Reply

    def as_json(self) -> Json:
        """The message as a JSON object."""
        return {"replied": self.reply.as_json()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to one call: exactly one per call id."""

    call_id: str
    tool: str
    text: str
    failed: bool = False
    images: tuple[Image, ...] = ()

    def as_json(self) -> Json:
        """The message as a JSON object."""
        return {
            "answer": self.call_id,
            "tool": self.tool,
            "text": self.text,
            "failed": self.failed,
            "images": [image.as_json() for image in self.images],
        }


Message = Said | Replied | Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as a model sees it."""

    name: str
    about: str
    schema: Json

    def as_json(self) -> Json:
        """The tool as a JSON object."""
        return {"name": self.name, "about": self.about, "schema": self.schema}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """Everything that a model gets for one reply.

    Attributes:
        role: whom the model is used as.
        instructions: the standing text.
        messages: the history, oldest first.
        tools: what may be called.
        turn: from 1: for a writer, its turn; for a judge, the draft that it judges.
        step: from 1: the reply within that turn.
        findings: the structured twin of the latest rejection, for adapters that follow rules.
        load: the bytes of a picture, by address.
        design: what the composition's own designer would call now, for the adapter that plays it; else None.
    """

    role: Role
    instructions: str
    messages: Sequence[Message]
    tools: tuple[ToolSpec, ...]
    turn: int
    step: int
    load: Callable[[str], Awaitable[bytes]]
    findings: tuple[Finding, ...] = ()
    design: Callable[[], Awaitable[Sequence[DesignedCall]]] | None = None
