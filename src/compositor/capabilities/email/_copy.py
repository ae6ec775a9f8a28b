"""The `copy` artifact of a mail: its passages with roles, their places in the source, and their boxes on the screen."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.capabilities import Section
from compositor.capabilities.email._deliverable import PLAN
from compositor.capabilities.email._passages import Passage
from compositor.capabilities.email._plan import Plan

Box = tuple[float, float, float, float]

_LOOK_AHEAD = 200
"""Measured texts that may stand between two passages: parts that only some screens show."""

LEGAL_ROLES = frozenset({"legal", "footer", "disclosure", "terms", "references"})
"""Roles of planned sections whose words are the small print."""


def copy_of(
    made: Sequence[Passage],
    *,
    of: str,
    plan: Plan,
    source: Sequence[Passage],
    source_name: str,
    facts: Mapping[str, Json],
) -> tuple[Section, ...]:
    """The words of a mail.

    Args:
        made: the passages of the delivered document.
        of: its path.
        plan: the plan; its header's words are copy too.
        source: the passages of the writer's source, to say where the words were written.
        source_name: its path.
        facts: what was measured on the first screen.
    """
    places = _places(made, of, source, source_name)
    boxes = _boxes(made, facts)
    counts: Counter[str] = Counter()
    sections = list(_header(plan))
    for passage, place, (box, size) in zip(made, places, boxes, strict=True):
        group = passage.section or "text"
        counts[group] += 1
        sections.append(
            Section(
                id=f"{group}-{counts[group]}",
                role=_role(passage, plan),
                text=passage.text,
                place=place,
                box=None if passage.hidden else box,
                size=None if passage.hidden else size,
                evidence=plan.evidence_of(passage.section),
                number=passage.level if passage.kind == "item" else 0,
            )
        )
    return tuple(sections)


def _header(plan: Plan) -> Iterator[Section]:
    if plan.subject:
        yield Section(id="header-subject", role="subject", text=plan.subject, place=PLAN)


def _role(passage: Passage, plan: Plan) -> str:
    if passage.hidden:
        return "hidden"
    if passage.kind in {"action", "picture"}:
        return passage.kind
    if plan.role_of(passage.section) in LEGAL_ROLES:
        return "legal"
    return "headline" if passage.kind == "heading" else "body"


def _places(made: Sequence[Passage], of: str, source: Sequence[Passage], source_name: str) -> list[str]:
    """Where each passage was written: the next passage of the source with the same words, else its own line."""
    lines: dict[str, list[int]] = {}
    for passage in source:
        lines.setdefault(_key(passage.text), []).append(passage.line)
    places = []
    for passage in made:
        waiting = lines.get(_key(passage.text))
        if waiting:
            places.append(f"{source_name}:{waiting.pop(0) if len(waiting) > 1 else waiting[0]}")
        else:
            places.append(f"{of}:{passage.line}")
    return places


def _boxes(made: Sequence[Passage], facts: Mapping[str, Json]) -> list[tuple[Box | None, float | None]]:
    """The box and the size of each passage: measured texts and passages stand in one order and hold the same words."""
    nodes = [(_key(str(text["text"])), text) for text in facts.get("texts", ())]
    pictures: dict[str, list[Box]] = {}
    for image in facts.get("images", ()):
        pictures.setdefault(str(image.get("alt") or ""), []).append(image["box"])
    boxes: list[tuple[Box | None, float | None]] = []
    at = 0
    for passage in made:
        if passage.kind == "picture":
            waiting = pictures.get(passage.text)
            boxes.append((_box([waiting.pop(0)]) if waiting else None, None))
            continue
        found, at = _taken(_key(passage.text), nodes, at)
        seen = [text for text in found if text.get("visible")]
        boxes.append((_box([text["box"] for text in seen]), min((text["size"] for text in seen), default=None)))
    return boxes


def _taken(
    wanted: str, nodes: Sequence[tuple[str, Mapping[str, Json]]], at: int
) -> tuple[list[Mapping[str, Json]], int]:
    """The nodes that make up the wanted words, from a position on; and the position after them."""
    ahead = range(at, min(at + _LOOK_AHEAD, len(nodes)))
    start = next((index for index in ahead if nodes[index][0] and wanted.startswith(nodes[index][0])), None)
    found: list[Mapping[str, Json]] = []
    if start is None:
        return found, at
    index = start
    while index < len(nodes) and wanted.startswith(nodes[index][0]):
        found.append(nodes[index][1])
        wanted = wanted.removeprefix(nodes[index][0])
        index += 1
        if not wanted:
            return found, index
    return found, index


def _key(text: str) -> str:
    """The words without white space and case, which a style may change; and digits, which may be set raised."""
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()


def _box(boxes: Sequence[Sequence[float]]) -> Box | None:
    if not boxes:
        return None
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return left, top, round(right - left, 1), round(bottom - top, 1)
