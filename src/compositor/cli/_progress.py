"""Progress for people: one calm line per event, on stderr. Colour only where somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from compositor.runtime.events import Event

MARKS = {"passed": "✓", "failed": "✗", "errored": "✗", "inconclusive": "?", "skipped": "·", "not_applicable": "·"}
COLOURS = {"✓": typer.colors.GREEN, "✗": typer.colors.RED, "?": typer.colors.YELLOW}
WIDTH = 10


def tell(event: Event, *, err: bool = True) -> None:
    """Print an event, if it is one that a person waits for: on stderr while it happens, on stdout when asked for."""
    if line := _LINES[event.what.kind](event.what):
        head, words = line
        typer.echo(f"{typer.style(f'{head:>{WIDTH}}', dim=True)}  {words}", err=err)


Line = tuple[str, str] | None


def _opened(what: Any) -> Line:
    writer = what.adapters.get("writer", "")
    mode = f", mode {what.mode}" if what.mode else ""
    return "opened", f"{what.operation} {what.content}, written by {writer}{mode}"


def _step(what: Any) -> Line:
    if what.calls:
        return f"step {what.turn}.{what.step}", ", ".join(f"{call.tool}" for call in what.calls)
    return f"step {what.turn}.{what.step}", what.text or "finished"


def _answered(what: Any) -> Line:
    if not what.ok:
        return "", f"{typer.style('✗', fg=typer.colors.RED)} {what.text}"
    changed = [*what.changed, *what.made]
    return ("", f"{what.tool} → {', '.join(changed)}") if changed else None


def _built(what: Any) -> Line:
    return "built", what.failed or ("unchanged" if what.unchanged else ", ".join(what.outputs))


def _checked(what: Any) -> Line:
    verdict = what.verdict
    mark = MARKS[verdict["status"]]
    shown = typer.style(mark, fg=COLOURS[mark]) if mark in COLOURS else mark
    reason = f" ({verdict['reason']})" if verdict["reason"] else ""
    count = f", {verdict['examined']} examined" if verdict["examined"] else ""
    words = f"{shown} {verdict['verifier']}: {verdict['status'].replace('_', ' ')}{reason}{count}"
    findings = "".join(f"\n{'':{WIDTH}}    {_finding(finding)}" for finding in verdict["findings"])
    return "checked", words + findings


def _finding(finding: dict[str, Any]) -> str:
    where = finding["where"]
    place = where["of"] + (f":{where['line']}" if where["line"] else "")
    return f"{finding['severity']} at {place}: {finding['message']}"


def _rejected(what: Any) -> Line:
    return "rejected", f"draft {what.draft}, {what.by}; repair {what.rejections} of {what.allowed}"


def _ended(what: Any) -> Line:
    version = f", version {what.version}" if what.version else ", no version"
    return "ended", f"{what.status} ({what.ending}), verification {what.verification}{version}"


_LINES: dict[str, Callable[[Any], Line]] = {
    "operation_opened": _opened,
    "step_taken": _step,
    "tool_answered": _answered,
    "deliverable_built": _built,
    "checked": _checked,
    "judge_replied": lambda what: ("judge", ", ".join(call.tool for call in what.calls) or "replied"),
    "draft_rejected": _rejected,
    "operation_interrupted": lambda _: ("stopped", "interrupted; it can be resumed"),
    "operation_resumed": lambda what: ("resumed", f"{what.recorded} recorded effects are not run again"),
    "operation_ended": _ended,
}
