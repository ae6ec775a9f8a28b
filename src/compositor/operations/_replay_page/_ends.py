"""The first and the last chapter: what was asked for, and what it came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compositor._values import Json
from compositor.operations._replay import Moment
from compositor.operations._replay_page._chapters import Chapter, pause
from compositor.operations._replay_page._prints import Prints
from compositor.operations._replay_page._turn import pretty, rows
from compositor.operations._report_page._html import Markup, tag, together
from compositor.operations._report_page._words import count, how_it_ended, shown
from compositor.runtime.events import OperationEnded, OperationOpened


def opening(chapter: Chapter, prints: Prints) -> Iterator[Markup]:
    """What was asked for, who works on it, within which limits, with which files."""
    for moment in chapter.moments:
        what = moment.event.what
        if isinstance(what, OperationOpened):
            yield rows(_terms(what, _request(moment)))
            yield _given(moment)
            yield tag("details", tag("summary", "The whole request"), pretty(_request(moment)), class_="fold")
        elif words := pause(moment):
            yield tag("p", words, class_="pause")


def _request(moment: Moment) -> Json:
    return (moment.opening or {}).get("request") or {}


def _terms(what: OperationOpened, request: Json) -> list[tuple[str, str]]:
    objective = (request.get("brief") or {}).get("objective")
    asked = [("Task", f"{what.operation} {what.content}"), *([("Objective", str(objective))] if objective else [])]
    writers = [(role.capitalize(), name) for role, name in sorted(what.adapters.items(), reverse=True)]
    limits = [(f"Most {name.replace('_', ' ')}", shown(limit)) for name, limit in what.budget.items() if limit]
    mode = [("Mode", what.mode)] if what.mode else []
    return [*asked, *writers, *mode, ("Policy", what.policy.replace("_", " ")), *limits]


def _given(moment: Moment) -> Markup:
    files = sorted(moment.snapshot.files.items())
    lines = (tag("li", tag("code", path), tag("span", f"{e.size:,} bytes", class_="muted")) for path, e in files)
    summary = tag("summary", f"{count(len(files), 'file')} to begin with")
    return tag("details", summary, tag("ul", *lines, class_="given"), class_="fold") if files else together()


def ending(chapter: Chapter, prints: Prints) -> Iterator[Markup]:
    """What it came to, and what stays open."""
    for moment in chapter.moments:
        what = moment.event.what
        if isinstance(what, OperationEnded):
            yield tag("p", f"{what.status.capitalize()}. {how_it_ended({'ending': what.ending})}", class_="asked")
            version = what.version or "none was saved"
            yield rows([("Verification", what.verification), ("Ending", what.ending), ("Version", version)])
            yield _open("Warnings", what.warnings)
            yield _open("Unfinished", (moment.result or {}).get("unfinished") or ())
        elif words := pause(moment):
            yield tag("p", words, class_="pause")


def _open(name: str, lines: Sequence[str]) -> Markup:
    if not lines:
        return together()
    return tag("div", tag("h3", name), tag("ul", *(tag("li", line) for line in lines)), class_="columns")
