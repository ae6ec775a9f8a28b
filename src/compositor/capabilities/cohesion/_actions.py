"""The calls to action: one thing to do, or as many as the brief asks for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.capabilities import COPY, Finding, Section, View
from compositor.capabilities.cohesion._given import address_given, asked_actions
from compositor.verifiers.sentences import words

EQUAL_RANK = 0.9
"""A button whose letters are smaller than this part of the largest button's is a second choice. A house value: a
quiet step of a type scale, the major second, is a factor of 1.125."""

_BESIDE = frozenset({"action", "picture", "hidden"})


def action_findings(sections: Sequence[Section], view: View, thresholds: Mapping[str, Json]) -> Iterator[Finding]:
    """More calls to action of equal rank than the brief asks for, or none although it asks for one."""
    actions = [section for section in sections if section.role == "action" and words(section.text)]
    if view.get("brief.messaging.cta"):
        yield from _missing(actions, view)
    asked = {words(text) for text in asked_actions(view)}
    most = max(1, len(asked))
    distinct: dict[tuple[str, ...], Section] = {}
    for section in _of_first_rank(sections, thresholds["equal_rank"]):
        distinct.setdefault(words(section.text), section)
    if len(distinct) > most:
        others = [section for said, section in distinct.items() if said not in asked] or list(distinct.values())
        told = ", ".join(f"“{section.text[:60]}”" for section in distinct.values())
        yield Finding.at(
            others[0],
            "several-actions",
            f"{len(distinct)} different calls to action compete: {told[:400]}",
            "keep the one that matters most as a button; drop the others, or set them as links in the text",
            severity="warning",
            measured=len(distinct),
            threshold=most,
        )


def _missing(actions: Sequence[Section], view: View) -> Iterator[Finding]:
    if actions:
        return
    wanted = view.get("brief.messaging.cta.text")
    known = address_given(view)
    yield Finding.at(
        Section(id="copy", role="action", text="", place=COPY),
        "action-missing",
        f"the brief asks for “{wanted}”, and there is no button"
        + ("" if known else "; the request does not say where it would lead"),
        f"add a button: {wanted}" if known else "give brief.messaging.cta.url",
        severity="blocking" if known else "warning",
        measured=0,
        threshold=1,
    )


def _of_first_rank(sections: Sequence[Section], equal: float) -> list[Section]:
    """The buttons that compete for the eye: none in the small print, and none set clearly smaller than another."""
    actions = list(_above_small_print(sections))
    largest = max((section.size for section in actions if section.size), default=0.0)
    return [section for section in actions if section.size is None or section.size >= equal * largest]


def _above_small_print(sections: Sequence[Section]) -> Iterator[Section]:
    """The buttons whose nearest words before them are not small print: an unsubscribe button belongs to its footer."""
    before = ""
    for section in sections:
        if section.role not in _BESIDE:
            before = section.role
        elif section.role == "action" and before != "legal" and words(section.text):
            yield section
