"""The top of the page: the verdict, what it rests on, and what it leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compositor._values import Json
from compositor.operations._report_page._html import Markup, tag
from compositor.operations._report_page._words import (
    Tone,
    count,
    headline,
    how_it_ended,
    maker,
    money,
    reason,
    review,
    seconds,
)

_SIGNS: Mapping[Tone, str] = {
    "good": "M8 16.5 14 22.5 25 10.5",
    "fair": "M16 8v10M16 23.5v.5",
    "bad": "M10 10 22 22M22 10 10 22",
}
"""Tone → the drawing in the round mark: a tick, an exclamation mark, a cross."""


def verdict(result: Mapping[str, Json]) -> Markup:
    """The header of the page."""
    words, tone = headline(result)
    return tag(
        "header",
        tag("p", f"{result.get('content') or 'deliverable'} · {result.get('operation') or 'checked'}", class_="kicker"),
        tag("div", _mark(tone), tag("h1", words), class_="title"),
        tag("p", _lead(result), class_="lead"),
        _figures(result),
        _plainly(result),
        class_=f"verdict {tone}",
    )


def open_points(result: Mapping[str, Json]) -> Markup | None:
    """The section of warnings and of what is unfinished, or None where there is nothing of either."""
    lists = [("Unfinished", result.get("unfinished") or ()), ("Warnings", result.get("warnings") or ())]
    blocks = [
        tag("div", tag("h3", name), tag("ul", *(tag("li", str(line)) for line in lines)))
        for name, lines in lists
        if lines
    ]
    if not blocks:
        return None
    heading = tag("h2", "What is open", id="open")
    return tag("section", heading, tag("div", *blocks, class_="columns"), aria_labelledby="open", class_="open")


def _mark(tone: Tone) -> Markup:
    return tag(
        "svg",
        tag("circle", cx="16", cy="16", r="16"),
        tag("path", d=_SIGNS[tone]),
        viewBox="0 0 32 32",
        class_="mark",
        aria_hidden="true",
    )


def _lead(result: Mapping[str, Json]) -> str:
    summary = str(result.get("summary") or "").strip()
    sentences = [summary[:1].upper() + summary[1:], how_it_ended(result)]
    return " ".join(sentence for sentence in sentences if sentence)


def _figures(result: Mapping[str, Json]) -> Markup:
    usage, version = result.get("usage") or {}, result.get("version")
    rows = [
        ("Checks passed", _passed(result.get("reports") or ())),
        ("Steps", str(usage.get("steps") or 0)),
        ("Sent back", str(usage.get("rejections") or 0)),
        ("Time", seconds(result.get("seconds"))),
        ("Cost", money(result.get("cost"))),
        ("Version", str(version["number"]) if version else "not saved"),
    ]
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows), class_="figures")


def _passed(reports: Sequence[Json]) -> str:
    """Of the checks that had something to say; those with nothing to examine do not count."""
    counted = [report["status"] for report in reports if report["status"] != "not_applicable"]
    return f"{counted.count('passed')} of {len(counted)}"


def _plainly(result: Mapping[str, Json]) -> Markup:
    rows = [
        ("Made by", maker(result)),
        ("Not checked", _not_checked(result.get("not_checked") or ())),
        ("Reviewed by", review(result)),
    ]
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", words)) for name, words in rows), class_="plainly")


def _not_checked(left: Sequence[Json]) -> str:
    if not left:
        return "Nothing that applies was left out."
    named = [f"{item['check']} ({reason(str(item['reason']))})" for item in left[:6]]
    more = f" and {count(len(left) - 6, 'more check')}" if len(left) > 6 else ""
    return f"{', '.join(named)}{more}."
