"""What an operation has spent, and whether its budget allows more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from compositor._values import Json
from compositor.agents import Budget
from compositor.runtime._messages import Usage
from compositor.runtime.events import DraftRejected, Happening, JudgeReplied, StepTaken


@dataclass(slots=True, kw_only=True)
class Spending:
    """Counted from recorded effects alone, so that a resumed operation goes on where it was.

    Attributes:
        budget: the limits.
        steps: replies of the writer, over all turns.
        rejections: repairs that were asked for.
        model_calls: calls of all models; none where rules answered.
        input_tokens, output_tokens, cost: as far as adapters reported them; None while none did.
    """

    budget: Budget
    steps: int = 0
    rejections: int = 0
    model_calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None

    @staticmethod
    def of(happened: Iterable[Happening]) -> Spending:
        """What a record says was spent, also on what did not come to its end; limits are of no interest there."""
        spending = Spending(budget=Budget())
        for what in happened:
            if isinstance(what, StepTaken | JudgeReplied):
                spending.steps += isinstance(what, StepTaken)
                spending.add(Usage(**what.usage))
            elif isinstance(what, DraftRejected):
                spending.rejections = what.rejections
        return spending

    def add(self, usage: Usage) -> None:
        """Count one reply of any model."""
        self.model_calls += usage.model_calls
        self.input_tokens = _sum(self.input_tokens, usage.input_tokens)
        self.output_tokens = _sum(self.output_tokens, usage.output_tokens)
        self.cost = _sum(self.cost, usage.cost)

    def spent_out(self, seconds: float) -> str | None:
        """The name of the limit that forbids the writer another step, or None."""
        return "steps" if self.steps >= self.budget.steps else self.paid_out(seconds)

    def paid_out(self, seconds: float, unbooked: Sequence[Usage] = ()) -> str | None:
        """The name of the limit that forbids any model another reply, or None.

        Args:
            seconds: of work so far.
            unbooked: what was taken by replies that are not counted yet.
        """
        spent = replace(self)
        for usage in unbooked:
            spent.add(usage)
        tokens = (spent.input_tokens or 0) + (spent.output_tokens or 0)
        limits = {
            "tokens": self.budget.tokens is not None and tokens >= self.budget.tokens,
            "cost": self.budget.cost is not None and (spent.cost or 0) >= self.budget.cost,
            "seconds": self.budget.seconds is not None and seconds >= self.budget.seconds,
        }
        return next((name for name, reached in limits.items() if reached), None)

    def seconds_left(self, seconds: float) -> float | None:
        """How long the next reply may take, after so many seconds of work; None where time has no limit."""
        return None if self.budget.seconds is None else max(0.0, self.budget.seconds - seconds)

    def as_json(self) -> dict[str, Json]:
        """For the result document."""
        return {
            "model_calls": self.model_calls,
            "steps": self.steps,
            "rejections": self.rejections,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
        }


Figure = TypeVar("Figure", int, float)


def _sum(mine: Figure | None, more: Figure | None) -> Figure | None:
    if mine is None or more is None:
        return more if mine is None else mine
    return mine + more
