"""The checks: every report, what needs attention first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compositor._values import Json
from compositor.operations._report_page._html import Markup, tag, together
from compositor.operations._report_page._pictures import NO_PICTURES, Album, Mark, crop, inside
from compositor.operations._report_page._words import count, reason, shown

MAX_FINDINGS = 40
"""Findings of one report that the page lists; the result document has them all."""
MAX_MEASURES = 24
"""Measures of one report that the page lists."""

_GROUPS = (
    ("failed", "Failed"),
    ("errored", "Broke down"),
    ("inconclusive", "Could not tell"),
    ("skipped", "Not run"),
    ("passed", "Passed"),
    ("not_applicable", "Nothing to examine"),
)
"""Status → heading, in the order of the page."""

_SEVERITIES = ("blocking", "warning", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """The findings that are marked in a picture.

    Attributes:
        by_label: label of a picture → its marks.
        by_place: index of a report and of a finding in it → the label and the mark.
    """

    by_label: Mapping[str, Sequence[Mark]]
    by_place: Mapping[tuple[int, int], tuple[str, Mark]]


def marked(reports: Sequence[Json], shown_pictures: Album) -> Marked:
    """Number the findings that have a box in one of the pictures, in the order of the page."""
    by_label: dict[str, list[Mark]] = {}
    by_place: dict[tuple[int, int], tuple[str, Mark]] = {}
    for index, report in _in_order(reports):
        for place, finding in enumerate(report["findings"][:MAX_FINDINGS]):
            label = _picture_of(finding["where"], shown_pictures)
            shot = shown_pictures.shots.get(label)
            box = inside(shot, finding["where"].get("box")) if shot else None
            if box is not None:
                mark = Mark(number=len(by_place) + 1, severity=_severity(finding), box=box)
                by_label.setdefault(label, []).append(mark)
                by_place[index, place] = (label, mark)
    return Marked(by_label=by_label, by_place=by_place)


def _picture_of(where: Json, shown_pictures: Album) -> str:
    """The label of the picture that shows a place: a box beside a line of a source is one of the first picture."""
    label = str(where["of"])
    if label not in shown_pictures.shots and where.get("line") is not None:
        return next(iter(shown_pictures.shots), label)
    return label


def checks(reports: Sequence[Json], shown_pictures: Album, marks: Marked) -> Markup:
    """The section of the checks."""
    return tag(
        "section",
        tag("h2", "What was checked", id="checks"),
        *(groups(reports, shown_pictures, marks) or [tag("p", "No check has run.", class_="muted")]),
        aria_labelledby="checks",
        class_="checks",
    )


def groups(reports: Sequence[Json], shown_pictures: Album, marks: Marked) -> list[Markup]:
    """The reports by status, what needs attention first; each group with a heading of the third rank."""
    made = []
    for status, heading in _GROUPS:
        of_group = [(index, report) for index, report in _in_order(reports) if report["status"] == status]
        if of_group:
            made.append(
                tag(
                    "section",
                    tag("h3", heading, tag("span", str(len(of_group)), class_="tally")),
                    *(_report(index, report, shown_pictures, marks) for index, report in of_group),
                    class_=f"group {status}",
                )
            )
    return made


def _in_order(reports: Sequence[Json]) -> Iterator[tuple[int, Json]]:
    known = [status for status, _ in _GROUPS]
    ranked = sorted(enumerate(reports), key=lambda item: (known.index(item[1]["status"]), item[0]))
    yield from ranked


def _report(index: int, report: Json, shown_pictures: Album, marks: Marked) -> Markup:
    """One report, open where there is something to read in it."""
    findings = report["findings"]
    found = [
        _finding(finding, marks.by_place.get((index, place)), shown_pictures)
        for place, finding in enumerate(findings[:MAX_FINDINGS])
    ]
    rest = len(findings) - len(found)
    inner = [
        tag("p", _why(report), class_="why") if report["reason"] and report["status"] != "skipped" else None,
        tag("ol", *found, class_="findings") if found else None,
        tag("p", f"and {count(rest, 'more finding')} in the result document", class_="muted") if rest else None,
        _measures(report["measures"]),
    ]
    if not any(inner):
        return tag("div", _summary(report), class_="report")
    opened = bool(findings) or report["status"] in {"failed", "errored", "inconclusive"}
    body = tag("div", *inner, class_="inner")
    return tag("details", tag("summary", _summary(report)), body, class_="report", open=opened)


def _summary(report: Json) -> Markup:
    severities = [_severity(finding) for finding in report["findings"]]
    tallies = [_tally(severities.count(each), each) for each in _SEVERITIES if each in severities]
    if report["status"] in {"passed", "failed", "inconclusive"}:
        tallies.insert(0, f"{report['examined']:,} examined")
    elif report["status"] == "skipped" and report["reason"]:
        tallies.insert(0, reason(report["reason"]))
    return together(
        tag("span", class_="light", aria_hidden="true"),
        tag("strong", report["verifier"], class_="name"),
        tag("span", f"{report['kind']}{', required' if report['required'] else ''}", class_="kind"),
        tag("span", " · ".join(tallies), class_="tallies"),
    )


def _tally(number: int, severity: str) -> str:
    return f"{number} blocking" if severity == "blocking" else count(number, severity)


def _why(report: Json) -> str:
    words = reason(report["reason"])
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def findings_list(findings: Sequence[Json]) -> Markup:
    """Findings without pictures."""
    return tag("ol", *(_finding(finding, None, NO_PICTURES) for finding in findings), class_="findings")


def _finding(finding: Json, mark: tuple[str, Mark] | None, shown_pictures: Album) -> Markup:
    severity = _severity(finding)
    figures = _figures(finding)
    return tag(
        "li",
        tag(
            "p",
            tag("span", str(mark[1].number), class_=f"number {severity}") if mark else None,
            tag("span", severity, class_=f"severity {severity}"),
            tag("span", finding["message"], class_="message"),
        ),
        tag("p", tag("code", _where(finding["where"])), *figures, tag("code", finding["code"]), class_="place"),
        tag("p", finding["remedy"], class_="remedy") if finding["remedy"] else None,
        crop(shown_pictures.shots[mark[0]], mark[1]) if mark else None,
    )


def _figures(finding: Json) -> list[Markup]:
    pairs = [("measured", finding.get("measured")), ("threshold", finding.get("threshold"))]
    return [tag("span", name, " ", tag("b", shown(value)), class_=name) for name, value in pairs if value is not None]


def _where(where: Json) -> str:
    if where.get("line") is not None:
        return f"{where['of']}, line {where['line']}"
    box = where.get("box")
    if box:
        x, y, width, height = (shown(side) for side in box)
        return f"{where['of']} at {x}, {y} ({width} × {height})"
    return str(where["of"])


def _measures(measures: Mapping[str, Json]) -> Markup | None:
    if not measures:
        return None
    rows = [
        tag("div", tag("dt", name), tag("dd", shown(value))) for name, value in list(measures.items())[:MAX_MEASURES]
    ]
    return tag("dl", *rows, class_="measures")


def _severity(finding: Json) -> str:
    severity = str(finding["severity"])
    return severity if severity in _SEVERITIES else "note"
