"""The page on which a person follows an operation: what was said, done, built, found and sent back.

Like the report it is complete in itself; it is made from moments and pictures alone and knows no content type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compositor.operations._replay import Moment
from compositor.operations._replay_page._chapters import Chapter, chapters
from compositor.operations._replay_page._draft import draft
from compositor.operations._replay_page._ends import ending, opening
from compositor.operations._replay_page._prints import Prints, wanted
from compositor.operations._replay_page._top import outline, title, top
from compositor.operations._replay_page._turn import turn
from compositor.operations._report_page._document import document, part
from compositor.operations._report_page._html import Markup, tag, together

__all__ = ["replay_page", "wanted"]

_BODIES = {"opened": opening, "turn": turn, "draft": draft, "ended": ending}


def replay_page(moments: Sequence[Moment], pictures: Mapping[str, bytes]) -> str:
    """The page as HTML.

    Args:
        moments: of one operation, from its opening on; at least that one.
        pictures: hex SHA-256 → PNG bytes, of those that `wanted` names, in its order. What is not there, or is more
            than a page should hold, is named instead.
    """
    told, prints = chapters(moments), Prints.of(pictures)
    return document(
        title=f"Replay: {title(moments)}",
        style=part("replay.css", __package__),
        header=top(moments, tall=prints.tall),
        main=together(prints.library, outline(told), *(_chapter(chapter, prints) for chapter in told)),
        footer=together(
            tag("p", "Operation ", tag("code", moments[0].event.operation)),
            tag("p", "Told from the journal: no model was called and nothing was drawn for this page."),
        ),
    )


def _chapter(chapter: Chapter, prints: Prints) -> Markup:
    return tag(
        "section",
        tag(
            "div",
            tag("h2", chapter.title, id=chapter.id),
            tag("p", chapter.began, class_="muted"),
            tag("p", chapter.events, class_="muted"),
            class_="margin",
        ),
        tag("div", *_BODIES[chapter.kind](chapter, prints), class_="told"),
        aria_labelledby=chapter.id,
        class_=f"chapter {chapter.kind}",
    )
