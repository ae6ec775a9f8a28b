"""What a capability may see of a request, in its view, its files and its instructions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor._values import Json, thaw
from compositor.agents import Composition, compose
from compositor.capabilities import Capability, Given, Instructions, Reads, View
from compositor.errors import CompositionError, FieldNotInView
from compositor.workspace import within_field
from tests.agents.bundles import REQUEST, agent, content, support

MARKED: dict[str, Json] = REQUEST | {
    "brief": {"name": "brief.name", "tone": "brief.tone", "messaging": {"headline": "brief.messaging.headline"}},
    "audience": {"description": "audience.description"},
    "brand": {"name": "brand.name", "tone": {"voice": "brand.tone.voice"}},
    "blueprint": {"plan": {"folds": "blueprint.plan.folds"}},
    "references": [{"notes": "references"}, {"notes": "references"}],
    "extensions": {"claims": {"market": "extensions.claims.market"}},
}
"""A request in which every text is the name of the field that holds it."""

FIELDS = (
    "brief", "brief.name", "brief.tone", "brief.messaging", "brief.messaging.headline", "audience",
    "audience.description", "brand", "brand.tone", "brand.tone.voice", "blueprint", "blueprint.plan", "references",
    "extensions", "extensions.claims",
)  # fmt: skip
HIDDEN = (*FIELDS, "brief.name.first", "blueprint.plan.folds.top", "references.notes")
"""What may be withheld, even where it leads into a text or a list."""


def texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts(item)


def teller(name: str, reads: tuple[str, ...]) -> Capability:
    """A capability that passes on all that it sees."""

    def told(view: View) -> str:
        return json.dumps(thaw(view.data))

    return support(
        name,
        reads=Reads(optional=reads),
        files=lambda view: {f"{name}.json": Given(content=told(view))},
        instructions=lambda view: Instructions(f"Know {told(view)}"),
    )


def retold(composition: Composition, index: int) -> list[Json]:
    """What a teller saw, from its view, its file and its instructions."""
    member = composition.members[index]
    file = member.files[f"{member.name}.json"].content
    return [member.view.data, json.loads(file), json.loads(member.instructions.paragraphs[0].removeprefix("Know "))]


def composed(first: list[str], second: list[str], withholds: list[str]) -> Composition:
    modest = content(reads=Reads(), instructions=lambda _view: Instructions())
    tellers = (teller("first", tuple(first)), teller("second", tuple(second)))
    known = [name for name in withholds if name not in {"brief.name.first", "references.notes"}]
    return compose(agent(*tellers, content=modest, withholds=tuple(known)), MARKED)


fields = st.lists(st.sampled_from(FIELDS), unique=True, max_size=5)


@pytest.mark.promise("C5")
@settings(deadline=None)
@given(first=fields, second=fields, withholds=st.lists(st.sampled_from(HIDDEN), unique=True, max_size=4))
def test_a_capability_sees_what_it_reads_less_what_is_withheld_and_nothing_else(
    first: list[str], second: list[str], withholds: list[str]
) -> None:
    composition = composed(first, second, withholds)
    for index, reads in ((1, first), (2, second)):
        hidden = composition.withheld
        due = {
            text
            for text in texts(
                {name: MARKED[name] for name in ("brief", "audience", "brand", "blueprint", "references")}
            )
            if any(within_field(text, name) for name in reads) and not any(within_field(text, name) for name in hidden)
        }
        due |= {t for t in texts(MARKED["extensions"]) if "extensions" in reads and "extensions" not in hidden}
        due |= {t for t in texts(MARKED["extensions"]) if "extensions.claims" in reads and "extensions" not in hidden}
        if "extensions.claims" in hidden:
            due -= set(texts(MARKED["extensions"]))
        for seen in retold(composition, index):
            assert set(texts(seen)) == due


@settings(deadline=None)
@given(withholds=st.lists(st.sampled_from(HIDDEN), unique=True, max_size=4))
def test_withholding_a_part_of_a_text_or_a_list_breaks_nothing(withholds: list[str]) -> None:
    view = View.of(MARKED, FIELDS, withholds)
    assert not [text for text in texts(view.data) if any(within_field(text, hidden) for hidden in withholds)]


def test_withholding_what_no_request_has_is_a_problem_and_no_crash() -> None:
    with pytest.raises(CompositionError, match="unknown-field"):
        compose(agent(withholds=("audience.description.first",)), MARKED)


@pytest.mark.promise("C5")
def test_what_is_withheld_from_a_capability_stands_with_it() -> None:
    composition = composed(["brand.tone", "brief"], ["audience"], ["brand", "brief.tone"])
    assert [member.withheld for member in composition.members] == [(), ("brand", "brief.tone"), ()]
    assert composition.withheld == ("brand", "brief.tone")


def test_a_withheld_field_reads_as_absent_and_an_undeclared_one_is_an_error() -> None:
    view = composed(["brand", "brief.tone"], [], ["brand"]).members[1].view
    assert view.get("brand") is None
    assert view.get("brand.tone.voice", "calm") == "calm"
    assert view.get("brief.tone") == "brief.tone"
    with pytest.raises(FieldNotInView) as refused:
        view.get("brief")
    assert refused.value.field == "brief"
    assert refused.value.declared == ("brand", "brief.tone")


@pytest.mark.parametrize("change", [lambda data: data.update(x=1), lambda data: data["brief"].update(x=1)])
def test_a_view_cannot_be_changed(change: Any) -> None:
    with pytest.raises(AttributeError):
        change(View.of(MARKED, ["brief"]).data)


def test_a_view_is_no_window_on_the_request() -> None:
    request = {"brief": {"tone": "calm", "must_include": ["date"]}}
    view = View.of(request, ["brief"])
    request["brief"]["must_include"].append("place")  # type: ignore[attr-defined] # a list, two levels down
    assert view.get("brief.must_include") == ("date",)


def test_views_of_the_same_fields_have_one_digest() -> None:
    assert View.of(MARKED, ["brief", "brand"]).digest == View.of(MARKED, ["brand", "brief", "brief.tone"]).digest
    assert View.of(MARKED, ["brief"]).digest != View.of(MARKED, ["brief"], ["brief.tone"]).digest


def test_reads_are_all_fields_once() -> None:
    assert Reads(required=("brief", "audience"), optional=("brand", "brief")).all == ("audience", "brand", "brief")
