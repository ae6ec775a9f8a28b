"""A draft: what was built, what was measured and judged, and why it went back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compositor.operations._replay import Moment
from compositor.operations._replay_page._chapters import Chapter, pause
from compositor.operations._replay_page._prints import Prints
from compositor.operations._replay_page._turn import answered, called, changed, said
from compositor.operations._report_page._checks import Marked, findings_list, groups, marked
from compositor.operations._report_page._html import Markup, tag, together
from compositor.operations._report_page._pictures import Album, stage
from compositor.runtime import Reply
from compositor.runtime.events import Checked, DeliverableBuilt, DraftRejected, JudgeReplied

ROOM = 856
"""Width of the space for pictures in the column of a chapter, in CSS pixels (`.told` in replay.css)."""

_BY = {
    "measured": "Sent back: it was measured and is not accepted",
    "judged": "Sent back: it was judged and is not accepted",
    "unchanged": "Sent back: nothing has changed since the last check",
    "follow-up": "Sent back: it is clean so far, and one more piece of work is asked for",
}


def draft(chapter: Chapter, prints: Prints) -> Iterator[Markup]:
    """What became of it; the verdicts of an evaluation stand together, what needs attention first."""
    moments = chapter.moments
    shown = prints.renders(next((m.made for m in reversed(moments) if isinstance(m.event.what, DeliverableBuilt)), {}))
    reports = [m.event.what.verdict for m in moments if isinstance(m.event.what, Checked)]
    marks = marked(reports, shown)
    for moment in moments:
        if isinstance(moment.event.what, DeliverableBuilt):
            yield _built(moment, moment.event.what)
            yield _pictures(shown, marks, unchanged=moment.event.what.unchanged)
    yield from groups(reports, shown, marks)
    yield _judges([m for m in moments if isinstance(m.event.what, JudgeReplied)], prints)
    for moment in moments:
        if isinstance(moment.event.what, DraftRejected):
            yield _rejected(moment.event.what)
        elif words := pause(moment):
            yield tag("p", words, class_="pause")


def _built(moment: Moment, what: DeliverableBuilt) -> Markup:
    words = what.failed or ("Nothing that it is built from has changed." if what.unchanged else "")
    return together(
        tag("p", words, class_="why" if what.failed else "muted") if words else None,
        tag("div", *(changed(change) for change in moment.changes)) if moment.changes else None,
    )


def _pictures(shown: Album, marks: Marked, *, unchanged: bool) -> Markup:
    if unchanged:
        return together()
    return together(
        stage(shown, marks.by_label, width=ROOM, embedded=False) if shown.shots else None,
        tag("p", f"No room on this page for {', '.join(shown.left_out)}.", class_="muted") if shown.left_out else None,
    )


def _judges(replies: Sequence[Moment], prints: Prints) -> Markup:
    """The private transcripts, as far as judges spoke."""
    if not replies:
        return together()
    return tag(
        "section",
        tag(
            "h3",
            "The judge",
            tag("span", f"{len(replies):,} {'reply' if len(replies) == 1 else 'replies'}", class_="tally"),
        ),
        *(_judged(moment, prints) for moment in replies),
        class_="group",
    )


def _judged(moment: Moment, prints: Prints) -> Markup:
    reply = moment.reply or Reply()
    answers = {answer.call_id: answer for answer in moment.answers}
    told = (
        tag("div", called(call), answered(answers[call.id], prints) if call.id in answers else None, class_="call")
        for call in reply.calls
    )
    return together(said(reply.text), *told)


def _rejected(what: DraftRejected) -> Markup:
    return tag(
        "div",
        tag("h3", f"{_BY[what.by]}."),
        tag("p", f"Repair {what.rejections} of {what.allowed}.", class_="muted"),
        findings_list(what.findings) if what.findings else None,
        class_="rejected",
    )
