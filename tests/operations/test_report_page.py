"""The report page: the verdict in plain words, the evidence below it, and nothing that can run or load."""

from __future__ import annotations

import base64
import hashlib
import itertools
import re
import struct
import zlib
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

import pytest
from coloraide import Color

from compositor._values import Json
from compositor.operations._report_page import report_page

HOSTILE = (
    "\"'><script>alert(1)</script><img src=x onerror=alert(2)> $style ${main} </style> "
    "javascript:alert(3) \x00\ud83c&amp;"
)


def png(width: int, height: int, padding: int = 0) -> bytes:
    """A grey PNG; `padding` adds bytes in a chunk that viewers pass over."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\x00" + b"\xcc" * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    extra = chunk(b"prVt", bytes(padding)) if padding else b""
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + extra
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def finding(**changes: Json) -> Json:
    return {
        "code": "clipped",
        "severity": "blocking",
        "message": "The last line is cut off",
        "where": {"of": "render/large", "line": None, "box": None},
        "measured": 312,
        "threshold": 287,
        "remedy": "Make it smaller.",
    } | changes


def report(name: str, status: str = "passed", **changes: Json) -> Json:
    return {
        "verifier": name,
        "version": "1",
        "kind": "measurement",
        "required": True,
        "status": status,
        "reason": "",
        "examined": 12,
        "findings": [],
        "measures": {},
        "follow_up": None,
    } | changes


def result(**changes: Json) -> dict[str, Json]:
    return {
        "schema_version": "1",
        "operation": "op-1",
        "composition": "c0ffee" * 10,
        "adapter": "offline",
        "policy": "draft_allowed",
        "status": "succeeded",
        "verification": "passed",
        "ending": "passed",
        "version": {"document": "spring", "number": 3, "id": "v-3", "parent": None, "isolation": "jail"},
        "artifacts": [{"label": "render/large", "path": "large.png", "media_type": "image/png", "sha256": "ab" * 32}],
        "reports": [report("layout"), report("size")],
        "warnings": [],
        "unfinished": [],
        "not_checked": [],
        "human_review": "none",
        "usage": {"model_calls": 0, "steps": 3, "rejections": 1, "input_tokens": 0, "output_tokens": 0},
        "cost": None,
        "seconds": 4.2,
        "content": "poster",
        "summary": "A poster for spring.",
    } | changes


class Seen(HTMLParser):
    """Every element of a page with its attributes, and the words that a reader sees."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self._style = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._style = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._style = False

    def handle_data(self, data: str) -> None:
        self.words += "" if self._style else f"{data} "

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def words(changed: Mapping[str, Json], pictures: Mapping[str, bytes] | None = None) -> str:
    return " ".join(Seen(report_page(changed, pictures or {})).words.split())


def filled_with(value: Json, text: str) -> Json:
    """The same JSON with every string replaced, but for those that the page branches on."""
    if isinstance(value, dict):
        kept = {"status", "kind"}
        return {key: item if key in kept else filled_with(item, text) for key, item in value.items()}
    if isinstance(value, list):
        return [filled_with(item, text) for item in value]
    return text if isinstance(value, str) else value


def test_nothing_that_stands_in_a_result_becomes_markup() -> None:
    whole = result(
        reports=[
            report("a", "failed", findings=[finding()], measures={HOSTILE: "x"}, reason="r"),
            report("b", "skipped"),
        ],
        warnings=["w"],
        unfinished=["u"],
        not_checked=[{"check": "c", "reason": "r"}],
    )
    page = report_page(filled_with(whole, HOSTILE), {HOSTILE: png(20, 20)})
    seen = Seen(page)
    assert not {"script", "img", "iframe", "object", "link", "form"} & {tag for tag, _ in seen.elements}
    assert not [name for _, attributes in seen.elements for name in attributes if name.startswith("on")]
    assert len(seen.all("style")) == 1
    assert page.encode("utf-8")
    assert "\x00" not in page


def test_the_page_loads_nothing_and_allows_nothing_but_its_own_style() -> None:
    page = report_page(result(), {"render/large": png(30, 20)})
    seen = Seen(page)
    targets = [a[name] or "" for _, a in seen.elements for name in ("href", "src", "action") if name in a]
    assert all(target.startswith(("#", "data:image/png;base64,")) for target in targets)
    style = page.split("<style>")[1].split("</style>")[0]
    assert not re.search(r"url\(|@import|@font-face", style)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    (policy,) = [meta["content"] or "" for meta in seen.all("meta") if "http-equiv" in meta]
    assert f"default-src 'none'; img-src data:; style-src 'sha256-{digest}'" in policy
    assert not [attributes for _, attributes in seen.elements if "style" in attributes]


@pytest.mark.parametrize(
    ("status", "verification", "ending", "headline"),
    [
        ("succeeded", "passed", "passed", "Made and verified"),
        ("succeeded", "passed", "overridden", "Made and verified"),
        ("succeeded", "unresolved", "unjudged", "Made and measured, not yet judged"),
        ("incomplete", "failed", "exhausted", "Made, but it fails its checks"),
        ("incomplete", "errored", "errored", "Made, but a check broke down"),
        ("incomplete", "unresolved", "exhausted", "Made, but not verified"),
        ("failed", "failed", "no-progress", "Not completed"),
        ("cancelled", "unresolved", "cancelled", "Cancelled"),
        ("", "failed", "", "It fails its checks"),
        ("", "passed", "", "It passes its checks"),
        ("", "", "", "Not verified"),
    ],
)
def test_the_verdict_is_the_one_main_heading(status: str, verification: str, ending: str, headline: str) -> None:
    page = report_page(result(status=status, verification=verification, ending=ending), {})
    assert re.findall(r"<h1>(.*?)</h1>", page) == [headline]
    assert f"<title>{headline}: poster</title>" in page


def test_it_says_who_made_it_what_was_not_checked_and_that_nobody_has_looked() -> None:
    text = words(result(not_checked=[{"check": "rubric", "reason": "skipped: no-judge"}]))
    assert "The offline designer, by rules. No model was called." in text
    assert "rubric (no judge is configured)." in text
    assert "Nobody yet." in text


def test_it_names_the_adapter_and_its_model_calls_and_a_persons_verdict() -> None:
    usage = result()["usage"] | {"model_calls": 1}
    text = words(result(adapter="responses", usage=usage, human_review="approved by Legal"))
    assert "The adapter responses, with 1 model call." in text
    assert "approved by Legal" in text
    assert "Nothing that applies was left out." in text


def test_a_long_list_of_what_was_not_checked_is_counted() -> None:
    assert "and 3 more checks." in words(result(not_checked=[{"check": f"c{n}", "reason": "budget"} for n in range(9)]))


def test_what_needs_attention_stands_before_what_passed() -> None:
    statuses = ["passed", "not_applicable", "skipped", "inconclusive", "errored", "failed"]
    text = words(result(reports=[report(f"check-{status}", status) for status in statuses]))
    at = [text.index(f"check-{status}") for status in reversed(statuses[2:])]
    assert at == sorted(at)
    assert text.index("check-skipped") < text.index("check-passed") < text.index("check-not_applicable")
    assert "1 of 5" in text


def test_a_result_without_reports_says_so() -> None:
    assert "No check has run." in words(result(reports=[]))


def test_a_finding_shows_severity_place_figures_and_remedy() -> None:
    at_line = finding(where={"of": "poster.txt", "line": 4, "box": None}, measured=102400, threshold=99500)
    in_box = finding(
        severity="warning", where={"of": "gone", "line": None, "box": [1, 2.5, 3, 4]}, measured=None, remedy=""
    )
    text = words(result(reports=[report("layout", "failed", findings=[at_line, in_box, finding(severity="note")])]))
    assert "12 examined · 1 blocking · 1 warning · 1 note" in text
    assert "poster.txt, line 4" in text
    assert "measured 102,400 threshold 99,500" in text
    assert "gone at 1, 2.5 (3 × 4)" in text
    assert "Make it smaller." in text


def test_a_report_with_something_to_read_is_open_and_a_clean_one_is_folded() -> None:
    reports = [
        report("noted", findings=[finding(severity="note")]),
        report("broken", "errored", reason="ValueError: no"),
        report("clean", measures={"bytes": 48213, "share": 0.25, "kept": True, "none": None, "list": [1, "a"]}),
        report("bare"),
    ]
    page = report_page(result(reports=reports), {})
    assert [opened.get("open", "") for opened in Seen(page).all("details")] == [None, None, ""]
    assert "ValueError: no." in page
    assert "48,213" in page
    assert "0.25" in page


def test_a_skipped_check_says_why_on_its_line() -> None:
    assert "the budget was used up" in words(result(reports=[report("rubric", "skipped", reason="budget")]))


def test_findings_with_a_box_are_marked_in_their_picture_and_cut_out_beside_their_text() -> None:
    box = {"of": "render/large", "line": None, "box": [10, 20, 30, 40]}
    reports = [report("late"), report("layout", "failed", findings=[finding(), finding(where=box)])]
    page = report_page(result(reports=reports), {"render/large": png(200, 100)})
    seen = Seen(page)
    outlines = [rect for rect in seen.all("rect") if "outline" in (rect["class"] or "")]
    assert [(o["x"], o["y"], o["width"], o["height"], o["class"]) for o in outlines] == [
        ("10", "20", "30", "40", "outline blocking")
    ] * 2
    assert [image["id"] for image in seen.all("image")] == ["picture-1"]
    assert [use["href"] for use in seen.all("use")] == ["#picture-1"]
    assert "1 finding marked" in page


@pytest.mark.parametrize(
    "box", [[500, 0, 10, 10], [0, -50, 10, 10], [1, 2, 3], "1234", ["a", 1, 2, 3], [float("1e300"), 0, 1, 1], None]
)
def test_a_box_outside_the_picture_or_none_at_all_is_only_told(box: Json) -> None:
    where = {"of": "render/large", "line": None, "box": box if isinstance(box, list) and len(box) == 4 else None}
    page = report_page(
        result(reports=[report("x", "failed", findings=[finding(where=where)])]), {"render/large": png(200, 100)}
    )
    assert not Seen(page).all("rect")
    assert "The last line is cut off" in page


def test_a_finding_of_another_picture_is_not_marked_in_this_one() -> None:
    where = {"of": "render/small", "line": None, "box": [1, 1, 5, 5]}
    page = report_page(result(reports=[report("x", findings=[finding(where=where)])]), {"render/large": png(200, 100)})
    assert not Seen(page).all("rect")


def test_what_is_wrong_with_words_is_marked_where_they_are_seen_and_told_by_their_line() -> None:
    where = {"of": "poster.txt", "line": 7, "box": [10, 20, 30, 40]}
    told = result(reports=[report("claims", "failed", findings=[finding(where=where)])])
    page = report_page(told, {"render/large": png(200, 100), "render/small": png(100, 100)})
    assert [use["href"] for use in Seen(page).all("use")] == ["#picture-1"]
    assert "poster.txt, line 7" in page


def test_pictures_of_one_row_share_a_scale_and_none_is_enlarged() -> None:
    page = report_page(result(), {"render/a": png(1200, 10), "render/b": png(600, 10)})
    wide, narrow = (int(svg["width"] or 0) for svg in Seen(page).all("svg") if svg.get("role") == "img")
    assert wide == pytest.approx(2 * narrow, abs=1)
    assert wide + narrow <= 1136
    (small,) = (svg["width"] for svg in Seen(report_page(result(), {"p": png(40, 10)})).all("svg") if svg.get("role"))
    assert small == "40"


def test_many_pictures_stand_two_in_a_row() -> None:
    page = report_page(result(), {f"render/{n}": png(1280, 72) for n in range(9)})
    assert {svg["width"] for svg in Seen(page).all("svg") if svg.get("role") == "img"} == {"520"}


def test_only_pictures_that_are_cut_off_offer_their_full_length() -> None:
    assert "full length" not in report_page(result(), {"p": png(600, 800)})
    assert "full length" in report_page(result(), {"p": png(600, 900)})


def test_the_total_of_embedded_pictures_is_bounded_and_the_rest_is_named() -> None:
    large = png(30, 20, padding=9 * 1024 * 1024)
    page = report_page(
        result(), {"render/one": large, "render/two": large, "render/three": png(30, 20), "odd": b"GIF89a"}
    )
    assert len(page) < 24 * 1024 * 1024
    assert len(Seen(page).all("image")) == 2
    assert "see the files: render/two, odd." in page


def test_pictures_that_all_are_left_out_are_still_named() -> None:
    assert "see the files: render/x." in words(result(), {"render/x": b""})


def test_a_result_without_pictures_has_no_empty_gallery() -> None:
    assert "What was made" not in words(result())


def test_open_points_are_listed_and_absent_where_there_are_none() -> None:
    text = words(result(warnings=["The address is a sample."], unfinished=["The ending is missing."]))
    assert "Unfinished The ending is missing." in text
    assert "Warnings The address is a sample." in text
    assert "What is open" not in words(result())


def test_files_version_composition_usage_and_cost_are_on_record() -> None:
    text = words(result(cost=0.0412, seconds=83.2))
    for expected in ("ab" * 32, "version 3 of spring (v-3)", "isolation jail", "c0ffee" * 10, "$0.0412", "1 min 23 s"):
        assert expected in text
    edited = result()["version"] | {"parent": "v-2", "isolation": None}
    assert "made from v-2" in words(result(version=edited, artifacts=[], cost=0))
    assert "no version was saved" in words(result(version=None, seconds=None))


def test_long_lists_and_values_are_cut_and_counted() -> None:
    artifact = result()["artifacts"][0]
    reports = [
        report("x", "failed", findings=[finding(measured="y" * 9_000)] * 100, measures={f"m{n}": n for n in range(99)})
    ]
    text = words(result(reports=reports, artifacts=[artifact] * 100))
    assert "and 60 more findings in the result document" in text
    assert "and 40 more files in the result document" in text
    assert "y" * 601 not in text
    assert "m24" not in text


@pytest.mark.parametrize(
    "measured", [10**30, -(10**400), 1e20, 0.00012345, 12345.678, [1.5], {"a": None}, False, "words"]
)
def test_any_measured_value_can_be_shown(measured: Json) -> None:
    assert "measured" in words(result(reports=[report("x", "failed", findings=[finding(measured=measured)])]))


def test_the_page_has_landmarks_ordered_headings_and_named_pictures() -> None:
    reports = [report("x", "failed", findings=[finding()])]
    seen = Seen(report_page(result(reports=reports, warnings=["w"]), {"render/large": png(30, 20)}))
    tags = [tag for tag, _ in seen.elements]
    assert [tag for tag in tags if tag in {"header", "main", "footer"}] == ["header", "main", "footer"]
    levels = [int(tag[1]) for tag in tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert all(svg.get("aria-label") or svg.get("aria-hidden") for svg in seen.all("svg"))
    ids = [attributes["id"] for _, attributes in seen.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    named = [attributes["aria-labelledby"] for _, attributes in seen.elements if "aria-labelledby" in attributes]
    assert set(named) <= set(ids)
    assert seen.all("html")[0]["lang"] == "en"


def schemes() -> dict[str, dict[str, str]]:
    """The colours of the page by scheme."""
    style = report_page(result(), {}).split("<style>")[1].split("</style>")[0]
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)
    light, dark = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block)) for block in blocks[:2])
    return {"light": light, "dark": dark}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_keeps_its_contrast_on_every_ground(scheme: str) -> None:
    colours = schemes()[scheme]
    for ground in ("ground", "surface", "stage"):
        for ink in ("ink", "muted", "good", "fair", "bad", "note"):
            contrast = Color(colours[ink]).contrast(colours[ground], method="wcag21")
            assert contrast >= 4.5, f"{ink} on {ground} in {scheme}: {contrast:.2f}"
    for tone in ("good", "fair", "bad"):
        assert Color(colours["on-mark"]).contrast(colours[tone], method="wcag21") >= 3, tone


def test_the_same_result_gives_the_same_page() -> None:
    assert report_page(result(), {"p": png(9, 9)}) == report_page(result(), {"p": png(9, 9)})


@pytest.mark.browser
@pytest.mark.anyio
async def test_drawn_from_320_pixels_up_nothing_is_clipped_covered_or_asked_for() -> None:
    from compositor.adapters import shipped
    from compositor.verifiers.layout import examined_texts, layout_findings
    from compositor.workspace import Page, Resource, Screen

    asked: list[str] = []

    async def refuse(url: str) -> Resource | None:
        asked.append(url)
        return None

    box: Any = {"of": "render/large", "line": None, "box": [100, 40, 300, 200]}
    long = "unbreakable" * 30
    reports = [
        report("layout", "failed", findings=[finding(where=box, message=long)]),
        report("x" * 60, measures={"a": long}),
    ]
    page = report_page(
        result(reports=reports, warnings=[long], summary=long),
        {"render/large": png(600, 2000), "render/small": png(375, 2400)},
    )
    async with shipped.renderer() as renderer:
        screens = [Screen(name=str(width), width=width) for width in (320, 375, 768, 1280)]
        drawn = await renderer.render(Page(html=page, fulfil=refuse), screens)
    for rendering in drawn:
        assert examined_texts(rendering.facts) > 40
        assert [f for f in layout_findings(rendering.facts, label="report") if f.severity == "blocking"] == []
        assert rendering.refused == ()
    assert asked == []
