"""Figures: how many planted faults a measurement found, how often it cried wolf, and how sure that is."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist
from typing import Literal

from pydantic import BaseModel, ConfigDict

CONFIDENCE = 0.95


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Missed(_Told):
    """A planted fault that was not found, and what the measurement said instead."""

    check: str
    fault: str
    kind: str
    control: str
    said: str


class Alarm(_Told):
    """What a measurement found in a clean control."""

    check: str
    control: str
    said: str


class Figures(_Told):
    """Of one measurement.

    Attributes:
        check: its name.
        kinds: kinds of fault that were planted.
        faults, found: how many were planted, and found.
        controls, alarms: clean documents in which it had something to examine, and those where it found anything.
        milliseconds: of processor time, the median over the controls.
    """

    check: str
    kinds: int
    faults: int
    found: int
    controls: int
    alarms: int
    milliseconds: float

    @property
    def recall(self) -> float | None:
        """The part of the planted faults that was found; None where none was planted."""
        return self.found / self.faults if self.faults else None


class Accuracy(_Told):
    """What is known of all measurements of a content type.

    Attributes:
        content: the content type.
        figures: one per measurement, by name.
        missed, alarms: what went wrong, each.
        untested: measurements for which the corpus has no fault.
        build_milliseconds: processor time of building one document, the browser's not counted; a median.
    """

    schema_version: Literal["1"] = "1"
    content: str
    figures: tuple[Figures, ...]
    missed: tuple[Missed, ...]
    alarms: tuple[Alarm, ...]
    untested: tuple[str, ...]
    build_milliseconds: float


def bounds(hits: int, of: int) -> tuple[float, float]:
    """Between which parts the true one lies, with 95 % confidence: the score interval of Wilson (1927).

    It stays within 0 and 1, and says something where all or none was hit. `of` is at least 1.
    """
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    part = hits / of
    middle = (part + z * z / (2 * of)) / (1 + z * z / of)
    reach = z * sqrt(part * (1 - part) / of + z * z / (4 * of * of)) / (1 + z * z / of)
    return max(0.0, middle - reach), min(1.0, middle + reach)
