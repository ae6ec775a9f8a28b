"""The record: what lies in the folder, how it came about, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.operations._report_page._html import Markup, tag
from compositor.operations._report_page._words import count, how_it_ended, money, seconds, shown

MAX_ARTIFACTS = 60
"""Artifacts that the page lists; the result document has them all."""


def artifacts(made: Sequence[Json]) -> Markup | None:
    """The section of the files, with the digest that proves each, or None where there are none."""
    if not made:
        return None
    rows = [
        tag(
            "li",
            tag("strong", str(item.get("path") or item["label"])),
            tag("span", str(item["media_type"]), class_="kind"),
            tag("code", str(item["sha256"])),
        )
        for item in made[:MAX_ARTIFACTS]
    ]
    rest = len(made) - len(rows)
    return tag(
        "section",
        tag("h2", "Files", id="files"),
        tag("p", "Each with the SHA-256 of its bytes.", class_="muted"),
        tag("ul", *rows, class_="files"),
        tag("p", f"and {count(rest, 'more file')} in the result document", class_="muted") if rest else None,
        aria_labelledby="files",
    )


def record(result: Mapping[str, Json]) -> Markup:
    """The section on how it came about."""
    return tag(
        "section",
        tag("h2", "How it came about", id="record"),
        tag("ol", *(tag("li", tag("strong", step), tag("span", text)) for step, text in _steps(result)), class_="line"),
        _usage(result),
        aria_labelledby="record",
    )


def _steps(result: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    usage, reports = result.get("usage") or {}, result.get("reports") or ()
    policy = str(result.get("policy") or "—").replace("_", " ")
    yield "Composed", f"sealed as {str(result.get('composition') or '—')[:12]}, policy: {policy}"
    yield "Written", f"{count(usage.get('steps') or 0, 'step')} by {result.get('adapter', '—')}"
    kinds = [report["kind"] for report in reports if report["status"] != "skipped"]
    rejections = usage.get("rejections") or 0
    back = f", sent back {count(rejections, 'time')}" if rejections else ""
    judged, measured = kinds.count("judgment"), kinds.count("measurement")
    yield "Checked", f"{count(measured, 'measurement')}, {count(judged, 'judgment')}{back}"
    yield "Ended", f"{result.get('ending', '—')} after {seconds(result.get('seconds'))}. {how_it_ended(result)}"
    yield "Saved", _version(result.get("version"))


def _version(version: Json) -> str:
    if not version:
        return "no version was saved"
    parent = f", made from {version['parent']}" if version.get("parent") else ""
    isolation = f", rendered at isolation {version['isolation']}" if version.get("isolation") else ""
    return f"version {version['number']} of {version['document']} ({version['id']}){parent}{isolation}"


def _usage(result: Mapping[str, Json]) -> Markup:
    usage = result.get("usage") or {}
    names = {
        "model_calls": "Model calls",
        "steps": "Steps",
        "rejections": "Rejections",
        "input_tokens": "Tokens in",
        "output_tokens": "Tokens out",
    }
    rows = [(name, shown(usage[key])) for key, name in names.items() if key in usage]
    rows += [("Cost", money(result.get("cost"))), ("Time", seconds(result.get("seconds")))]
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in rows), class_="measures usage")
