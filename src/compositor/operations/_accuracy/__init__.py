"""How well the measurements measure: faults that were planted, and clean controls, put before each of them."""

from __future__ import annotations

from compositor.operations._accuracy._corpus import Control, Corpus, CorpusFaulty, Fault, Grow, Merge, Replace
from compositor.operations._accuracy._figures import Accuracy, Alarm, Figures, Missed, bounds
from compositor.operations._accuracy._measuring import accuracy
from compositor.operations._accuracy._table import fallen, rewritten, table

__all__ = [
    "Accuracy",
    "Alarm",
    "Control",
    "Corpus",
    "CorpusFaulty",
    "Fault",
    "Figures",
    "Grow",
    "Merge",
    "Missed",
    "Replace",
    "accuracy",
    "bounds",
    "fallen",
    "rewritten",
    "table",
]
