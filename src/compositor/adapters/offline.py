"""The offline designer as a model adapter: it plays the composition's own rules. No model is called, and it says so."""

from __future__ import annotations

import json
from collections.abc import Callable

from compositor._values import thaw
from compositor.errors import AdapterError
from compositor.runtime import Call, Prompt, Reply, Usage

NOTHING_SPENT = Usage(input_tokens=0, output_tokens=0, cost=0.0, model_calls=0)


class Offline:
    """Implements `ModelAdapter` for the writer: deterministic, without a network, a key or a cost."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """Stands in the evidence."""
        return "offline"

    @property
    def disclosure(self) -> str:
        """Stands in every output."""
        return "Made by the rule-based offline designer; no model was called."

    @property
    def needs_designer(self) -> bool:
        """It has no ideas of its own."""
        return True

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        """What the composition's designer would call now; nothing means finished."""
        if prompt.design is None:
            raise AdapterError(self.name, f"there is no designer for a {prompt.role} here; configure a model")
        wanted = await prompt.design()
        calls = tuple(
            Call(
                id=f"offline-{prompt.turn}-{prompt.step}-{index}",
                name=call.tool,
                arguments=json.dumps(thaw(call.arguments), ensure_ascii=False),
            )
            for index, call in enumerate(wanted)
        )
        text = "" if calls else f"Finished. {self.disclosure}"
        return Reply(text=text, calls=calls, stop="calls" if calls else "end", usage=NOTHING_SPENT)
