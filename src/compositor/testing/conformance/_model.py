"""The suite of model adapters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import get_args

from compositor._values import canonical, read_json, sha256
from compositor.authoring import DesignedCall
from compositor.errors import AdapterError
from compositor.runtime import Answer, Image, Message, ModelAdapter, Prompt, Replied, Reply, Said, Stop, Text, ToolSpec
from compositor.testing._ports import flat_png
from compositor.testing.conformance._must import must, must_raise

_PICTURE = flat_png(8, 8)
_TOOL = ToolSpec(
    name="write_note",
    about="Write the note.",
    schema={
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
        "additionalProperties": False,
    },
)


async def check_model_adapter(make: Callable[[], ModelAdapter]) -> None:
    """Check a model adapter in the role of the writer, over two replies, and that it can say no.

    Args:
        make: a new adapter. It may be scripted; a real one is called up to four times.

    Raises:
        AssertionError: with the sentence that does not hold.
    """
    adapter = make()
    must(bool(adapter.name) and adapter.name == make().name, "an adapter has a name, always the same")
    must(isinstance(adapter.disclosure, str), "what a person must know is a text, which may be empty")
    first = await _replied(adapter, _prompt([Said(parts=(Text(text="Write a note."),))], step=1))
    history: list[Message] = [Said(parts=(Text(text="Write a note."),)), Replied(reply=first)]
    history += [_answer(call.id, number) for number, call in enumerate(first.calls)]
    await _replied(adapter, _prompt(history, step=2))
    await _may_refuse(make())


async def _replied(adapter: ModelAdapter, prompt: Prompt) -> Reply:
    streamed: list[str] = []
    before = [message.as_json() for message in prompt.messages]
    reply = await adapter.reply(prompt, streamed.append)
    must([message.as_json() for message in prompt.messages] == before, "the history is left as it is")
    must(all(isinstance(words, str) for words in streamed), "what is streamed are words")
    must(reply.stop in get_args(Stop), f"a reply says why it ended, by one of {get_args(Stop)}")
    must(all(isinstance(call.arguments, str) for call in reply.calls), "arguments are the text that the model sent")
    must(Reply.from_json(read_json(canonical(reply.as_json()).decode())) == reply, "a reply can be recorded")
    figures = (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost)
    must(all(figure is None or figure >= 0 for figure in figures), "usage is known and not negative, or None")
    return reply


async def _may_refuse(adapter: ModelAdapter) -> None:
    """A judge's prompt, and one without a designer: a reply or an AdapterError, and nothing else."""
    prompt = _prompt([Said(parts=(Text(text="Judge it."),))], step=1)
    try:
        await _replied(adapter, replace(prompt, role="judge", design=None))
    except AdapterError:
        must(adapter.needs_designer, "only an adapter that plays a designer may refuse to judge")
    if adapter.needs_designer:
        with must_raise(AdapterError, "an adapter that needs a designer says so where there is none"):
            await _replied(adapter, replace(prompt, design=None))


def _prompt(messages: Sequence[Message], *, step: int) -> Prompt:
    async def load(address: str) -> bytes:
        return {sha256(_PICTURE): _PICTURE}[address]

    async def design() -> Sequence[DesignedCall]:
        return (DesignedCall(tool="write_note", arguments={"text": "words"}),) if step == 1 else ()

    return Prompt(
        role="writer",
        instructions="Write the note with `write_note()`.",
        messages=tuple(messages),
        tools=(_TOOL,),
        turn=1,
        step=step,
        load=load,
        design=design,
    )


def _answer(call_id: str, number: int) -> Answer:
    """Answers of both kinds: a failed one, and one with a picture."""
    if number % 2:
        return Answer(call_id=call_id, tool="write_note", text="it failed", failed=True)
    image = Image(label="render/page", sha256=sha256(_PICTURE), media_type="image/png")
    return Answer(call_id=call_id, tool="write_note", text="wrote 1 word", images=(image,))
