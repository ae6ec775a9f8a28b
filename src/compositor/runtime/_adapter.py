"""The port to a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from compositor.runtime._messages import Prompt, Reply


class ModelAdapter(Protocol):
    """Answers one prompt with one reply; the house loop does the rest.

    An adapter neither runs tools nor retries: budgets and events must see both.
    """

    @property
    def name(self) -> str:
        """The adapter and, where there is one, its model: `offline`, `openai gpt-…`. Stands in the evidence."""
        ...

    @property
    def disclosure(self) -> str:
        """What a person must know about its replies, such as that no model was called; else empty."""
        ...

    @property
    def needs_designer(self) -> bool:
        """Whether it plays the composition's own designer, so that a content capability without one is refused."""
        ...

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        """One reply. `stream` takes words as they come, for live progress; they are not part of the record.

        Raises:
            AdapterError: the model or the way to it failed.
        """
        ...
