"""The figures as a table of a document, and the document as what later figures are held to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from compositor.operations._accuracy._figures import Accuracy, Figures, bounds

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
_ROW = re.compile(r"^\| `(?P<check>[^`]+)` \|[^|]*\| (?P<found>\d+) of (?P<faults>\d+) \|[^|]*\|"
                  r" (?P<alarms>\d+) of (?P<controls>\d+) \|", re.MULTILINE)  # fmt: skip


def table(told: Accuracy) -> str:
    """The figures as a Markdown table."""
    head = (
        "| measurement | kinds of fault | found | recall, 95 % bounds | false alarms | 95 % bound | ms CPU |\n"
        "|---|---|---|---|---|---|---|"
    )
    return "\n".join([head, *(_row(figures) for figures in told.figures)])


def _row(figures: Figures) -> str:
    recall = _per_cent(*bounds(figures.found, figures.faults)) if figures.faults else "–"
    alarms = f"≤ {bounds(figures.alarms, figures.controls)[1]:.1%}" if figures.controls else "–"
    return (
        f"| `{figures.check}` | {figures.kinds} | {figures.found} of {figures.faults} | {recall} "
        f"| {figures.alarms} of {figures.controls} | {alarms} | {figures.milliseconds:.1f} |"
    )


def _per_cent(low: float, high: float) -> str:
    return f"{low:.1%} – {high:.1%}"


def rewritten(document: str, told: Accuracy) -> str:
    """The document with the new table between its two marks; a document without them gets it at its end."""
    new = f"{BEGIN}\n{table(told)}\n{END}"
    begin, end = document.find(BEGIN), document.find(END)
    if begin < 0 or end < begin:
        return f"{document.rstrip()}\n\n{new}\n".lstrip()
    return document[:begin] + new + document[end + len(END) :]


class _Written(NamedTuple):
    found: int
    faults: int
    alarms: int
    controls: int


def fallen(document: str, told: Accuracy, only: Collection[str] = ()) -> tuple[str, ...]:
    """Where figures are worse than a document says, one sentence each. A measurement that it does not name is one.

    Args:
        document: with a table.
        told: the figures of now.
        only: the measurements that were asked for; all by default.
    """
    return tuple(_worse(document, told, only))


def _worse(document: str, told: Accuracy, only: Collection[str]) -> Iterator[str]:
    rows = [row for row in _ROW.finditer(document) if not only or row["check"] in only]
    written = {row["check"]: _Written(*(int(row[name]) for name in _Written._fields)) for row in rows}
    now = {figures.check: figures for figures in told.figures}
    for check in sorted(written.keys() - now.keys()):
        yield f"{check}: it is written about, and was not measured"
    for check, figures in now.items():
        if check not in written:
            yield f"{check}: nothing is written about it"
            continue
        before = written[check]
        if figures.found * before.faults < before.found * figures.faults or figures.faults < before.faults:
            yield (
                f"{check}: {figures.found} of {figures.faults} found, "
                f"where {before.found} of {before.faults} is written"
            )
        if figures.alarms > before.alarms or figures.controls < before.controls:
            yield (
                f"{check}: {figures.alarms} of {figures.controls} false alarms, "
                f"where {before.alarms} of {before.controls} is written"
            )
