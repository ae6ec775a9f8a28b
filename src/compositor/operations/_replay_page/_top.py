"""The top of the page: what was made, how it went in figures, and the way to each chapter."""

from __future__ import annotations

from collections.abc import Sequence

from compositor._values import Json
from compositor.operations._replay import Moment
from compositor.operations._replay_page._chapters import Chapter
from compositor.operations._report_page._html import Markup, tag
from compositor.operations._report_page._pictures import whole_switch
from compositor.operations._report_page._words import count, seconds
from compositor.runtime.events import DraftRejected, JudgeReplied, OperationEnded, OperationOpened, StepTaken


def title(moments: Sequence[Moment]) -> str:
    """What this is the story of."""
    request: Json = (moments[0].opening or {}).get("request") or {}
    brief = request.get("brief") or {}
    return str(brief.get("name") or moments[0].event.operation)


def top(moments: Sequence[Moment], *, tall: bool) -> Markup:
    """The header of the page."""
    first = moments[0].event
    content = first.what.content if isinstance(first.what, OperationOpened) else "operation"
    kicker = ("Replay · ", f"{content} · ", f"{first.operation} · ", f"{first.at:%Y-%m-%d}")
    return tag(
        "header",
        tag("p", *(tag("span", words) for words in kicker), class_="kicker"),
        tag("div", tag("h1", title(moments)), class_="title"),
        tag("p", _lead(moments), class_="lead"),
        tag(
            "dl",
            *(tag("div", tag("dt", name), tag("dd", value)) for name, value in _figures(moments)),
            class_="figures",
        ),
        whole_switch() if tall else None,
        class_="verdict",
    )


def outline(told: Sequence[Chapter]) -> Markup:
    """The way to each chapter."""
    links = (tag("li", tag("a", chapter.title, href=f"#{chapter.id}")) for chapter in told)
    return tag("nav", tag("ol", *links), aria_label="Chapters", class_="outline")


def _lead(moments: Sequence[Moment]) -> str:
    last = moments[-1].event
    attempts = f" It took {count(last.attempt, 'attempt')}." if last.attempt > 1 else ""
    if not isinstance(last.what, OperationEnded):
        return f"It has not ended: this is as far as its journal goes.{attempts}"
    summary = str((moments[-1].result or {}).get("summary") or f"It ended as {last.what.status}.")
    return f"{summary[:1].upper()}{summary[1:]}{attempts}"


def _figures(moments: Sequence[Moment]) -> list[tuple[str, str]]:
    happened = [moment.event.what for moment in moments]
    judged = sum(1 for what in happened if isinstance(what, JudgeReplied))
    rejections = max([what.rejections for what in happened if isinstance(what, DraftRejected)], default=0)
    took = {moment.key: moment.seconds or 0.0 for moment in moments if moment.key}
    return [
        ("Events", f"{len(moments):,}"),
        ("Steps", f"{sum(1 for what in happened if isinstance(what, StepTaken)):,}"),
        ("Drafts", f"{max((getattr(what, 'draft', 0) for what in happened), default=0):,}"),
        ("Sent back", f"{rejections:,}"),
        *([("Judge’s replies", f"{judged:,}")] if judged else []),
        ("Time at work", seconds(sum(took.values()))),
    ]
