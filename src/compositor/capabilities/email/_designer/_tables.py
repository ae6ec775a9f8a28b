"""Facts and hours: labels with values, side by side or in a table."""

from __future__ import annotations

from copy import deepcopy
from xml.etree.ElementTree import Element

from compositor.capabilities.email._designer._elements import Rows, Sheet, column, element, row, rule, text
from compositor.capabilities.email._designer._plan import Part, Section

_LABELS = "26%"
_EDGE, _CELL = 20, 14


def strip(section: Section, sheet: Sheet) -> Rows:
    """Two or three short facts between hairlines, side by side on a phone too."""
    columns = [
        column(
            text(sheet, "small", [part.words["label"]], align="center", muted=True),
            text(sheet, "title", [part.words["value"]], gap=4, align="center", css_class="figure"),
        )
        for part in section.parts
    ]
    line = row(sheet.style, column(rule(sheet)))
    group = element("mj-group", *columns, direction=sheet.style.direction)
    return [line, row(sheet.style, group, top=_EDGE, bottom=_EDGE), deepcopy(line)]


def details(section: Section, sheet: Sheet) -> Rows:
    """Facts: quiet label, strong value."""
    label = f"font-size:{sheet.style.types['small'].size}px;font-weight:400;color:{sheet.ground.muted};"
    value = f"font-weight:700;color:{sheet.ground.ink};"
    return [_table([_line(part, sheet, "muted", label, value) for part in section.parts], sheet)]


def agenda(section: Section, sheet: Sheet) -> Rows:
    """Hours of a programme: the time leads."""
    title = sheet.style.types["title"]
    face = f"font-family:{sheet.style.heading_family};font-size:{title.size}px;font-weight:{title.weight};"
    label, value = f"{face}color:{sheet.ground.link};", f"color:{sheet.ground.ink};"
    return [_table([_line(part, sheet, "link", label, value) for part in section.parts], sheet)]


def _line(part: Part, sheet: Sheet, kind: str, label: str, value: str) -> Element:
    size, style = sheet.style.types["body"].size, sheet.style
    cell = f"padding:{_CELL}px 0;vertical-align:top;text-align:{style.start};font-size:{size}px;"
    head = f"{cell}width:{_LABELS};padding-{style.end}:16px;{label}"
    return element(
        "tr",
        element("th", part.words["label"], scope="row", style=head, **{"class": kind}),
        element("td", part.words["value"], style=cell + value),
    )


def _table(lines: list[Element], sheet: Sheet) -> Element:
    for line in lines[1:]:
        for cell in line:
            cell.set("style", f"{cell.get('style')}border-top:1px solid {sheet.ground.hairline};")
    body = sheet.style.types["body"]
    size = {"font_size": f"{body.size}px", "line_height": f"{body.line}px"}
    return row(sheet.style, column(element("mj-table", *lines, color=sheet.ground.ink, padding="0", **size)))
