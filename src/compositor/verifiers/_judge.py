"""The judge, as a judgment verifier sees it: binary criteria in, answers with evidence out.

Judges rank better than they diagnose and miss geometry, so they are asked yes-or-no items derived from the request and
never for faults that a measurement finds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One yes-or-no item of a rubric.

    Attributes:
        id: unique in the rubric.
        asks: a sentence that is true of good work.
        blocking: whether "no" rejects the work; otherwise it is a warning.
    """

    id: str
    asks: str
    blocking: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A judge's answer to one criterion: whether it is met, the evidence seen, and what to do about it."""

    criterion: str
    met: bool
    evidence: str
    recommendation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """A judge's verdict: one answer per criterion, and a word to the writer."""

    answers: tuple[Answer, ...]
    feedback: str = ""


class Judge(Protocol):
    """A model in the role of the judge, in a private transcript."""

    async def review(self, criteria: Sequence[Criterion], *, show: Sequence[str] = ()) -> Opinion:
        """Ask for a verdict.

        The transcript opens with the brief, the labelled renders to show and all measurement reports.

        Args:
            criteria: the rubric, at least one item.
            show: labels of pictures to look at, beside the words of the deliverable.

        Raises:
            JudgeFailed: no usable verdict within the judge's own budget.
        """
        ...
