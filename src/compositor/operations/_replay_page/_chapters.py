"""The chapters of an operation: its opening, the turns of the writer, the drafts and what came of them, its ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from compositor.operations._replay import Moment
from compositor.runtime.events import (
    Checked,
    DeliverableBuilt,
    DraftRejected,
    JudgeReplied,
    OperationEnded,
    OperationInterrupted,
    OperationOpened,
    OperationResumed,
    StepTaken,
)

Kind = Literal["opened", "turn", "draft", "ended"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """Moments that belong together, in order.

    Attributes:
        id: of its heading on the page.
        kind, number: for example the second draft; the number is 0 where there is no counting.
        moments: at least one.
    """

    id: str
    kind: Kind
    number: int
    moments: tuple[Moment, ...]

    @property
    def title(self) -> str:
        """The heading."""
        if self.kind in {"opened", "ended"}:
            return self.kind.capitalize()
        only_sent_back = self.kind == "draft" and all(isinstance(m.event.what, DraftRejected) for m in self.moments)
        return f"{self.kind.capitalize()} {self.number}{' again' if only_sent_back else ''}"

    @property
    def began(self) -> str:
        """The time of day at which its first event was recorded."""
        return f"{self.moments[0].event.at:%H:%M:%S} UTC"

    @property
    def events(self) -> str:
        """The numbers of its events."""
        first, last = self.moments[0].event.seq, self.moments[-1].event.seq
        return f"event {first}" if first == last else f"events {first} to {last}"


def chapters(moments: Sequence[Moment]) -> tuple[Chapter, ...]:
    """The chapters, in order. An interruption stands in the chapter that it interrupted."""
    gathered: list[tuple[Kind, int, list[Moment]]] = []
    for moment in moments:
        place = _place(moment)
        if not gathered or place not in {None, gathered[-1][:2]}:
            kind, number = place or ("opened", 0)
            gathered.append((kind, number, []))
        gathered[-1][2].append(moment)
    return tuple(
        Chapter(id=f"chapter-{index}", kind=kind, number=number, moments=tuple(its))
        for index, (kind, number, its) in enumerate(gathered, start=1)
    )


def _place(moment: Moment) -> tuple[Kind, int] | None:
    """The chapter that a moment belongs to; None for the one that is open."""
    match moment.event.what:
        case OperationOpened():
            return "opened", 0
        case StepTaken(turn=turn):
            return "turn", turn
        case DeliverableBuilt() | Checked() | JudgeReplied() | DraftRejected() as what:
            return "draft", what.draft
        case OperationEnded():
            return "ended", 0
        case _:
            return None


def pause(moment: Moment) -> str | None:
    """What an interruption or a resumption says in its chapter; None for any other moment."""
    match moment.event.what:
        case OperationInterrupted():
            return f"Interrupted at {moment.event.at:%H:%M:%S}"
        case OperationResumed(recorded=recorded):
            attempt = f"Resumed at {moment.event.at:%H:%M:%S}, attempt {moment.event.attempt}"
            return f"{attempt}: {recorded} recorded effects were not run again"
        case _:
            return None
