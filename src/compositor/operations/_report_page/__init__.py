"""The report that a person reads: one page that holds everything, loads nothing and needs no script.

It is made from the result document and the pictures alone: labels, files and reports. What kind of thing was made makes
no difference to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from compositor._values import Json
from compositor.operations._report_page._checks import checks, marked
from compositor.operations._report_page._document import document
from compositor.operations._report_page._html import tag, together
from compositor.operations._report_page._pictures import album, gallery
from compositor.operations._report_page._record import artifacts, record
from compositor.operations._report_page._verdict import open_points, verdict
from compositor.operations._report_page._words import headline

__all__ = ["report_page"]


def report_page(result: Mapping[str, Json], pictures: Mapping[str, bytes]) -> str:
    """The page as HTML.

    Args:
        result: the result document.
        pictures: label → PNG bytes, most important first. They are embedded as they are and shown smaller, never
            larger; those beyond `MAX_EMBEDDED_BYTES` in all are named instead.
    """
    shown, reports = album(pictures), result.get("reports") or ()
    marks = marked(reports, shown)
    return document(
        title=f"{headline(result)[0]}: {result.get('content') or 'deliverable'}",
        header=verdict(result),
        main=together(
            gallery(shown, marks.by_label),
            open_points(result),
            checks(reports, shown, marks),
            tag("div", record(result), artifacts(result.get("artifacts") or ()), class_="twofold"),
        ),
        footer=together(
            tag("p", "Operation ", tag("code", str(result.get("operation") or "—"))),
            tag("p", "Composition ", tag("code", str(result.get("composition") or "—"))),
        ),
    )
