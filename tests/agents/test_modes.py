"""The roster is sealed: a mode can only remove from it, and nothing in a request can add to it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor.agents import Agent, Asks, Mode, When, compose
from compositor.errors import CompositionError
from tests.agents.bundles import GENERATE_LEAFLET, REQUEST, agent, glossary, leaflet, stamps

TOOLS = ("look_up", "proof", "stamp", "write_leaflet")
BUDGETS = {
    "steps": st.integers(1, 10), "rejections": st.integers(0, 2), "judge_steps": st.integers(1, 4),
    "tokens": st.integers(1, 10**9), "cost": st.floats(0, 100), "seconds": st.floats(0.001, 900),
}  # fmt: skip


def modes() -> st.SearchStrategy[Mode]:
    kept = st.none() | st.lists(st.sampled_from(TOOLS), unique=True).map(tuple)
    return st.builds(Mode, name=st.just("narrow"), tools=kept, budget=st.fixed_dictionaries({}, optional=BUDGETS))


def with_modes(*declared: Mode) -> Agent:
    return agent(glossary, stamps, modes=declared)


@pytest.mark.promise("C4")
@settings(deadline=None)
@given(mode=modes())
def test_a_mode_only_removes(mode: Mode) -> None:
    full, narrow = compose(with_modes(mode), REQUEST), compose(with_modes(mode), REQUEST, "narrow")
    assert {entry.name for entry in narrow.roster} <= {entry.name for entry in full.roster}
    if mode.tools is not None:
        assert {entry.name for entry in narrow.roster} == set(mode.tools)
    for name, limit in narrow.budget.as_json().items():
        allowed = full.budget.as_json()[name]
        assert allowed is None or limit <= allowed
    assert [entry.verifier for entry in narrow.verifiers] == [entry.verifier for entry in full.verifiers]
    assert narrow.outputs == full.outputs


@pytest.mark.promise("C4")
def test_every_agent_has_the_mode_review_in_which_nothing_writes() -> None:
    review = compose(GENERATE_LEAFLET, REQUEST, "review")
    assert [entry.name for entry in review.roster] == ["look_up", "proof"]
    assert all(not entry.writes for entry in review.roster)


def test_an_agent_may_say_itself_what_review_keeps() -> None:
    own = with_modes(Mode(name="review", tools=("proof",)))
    assert [mode.name for mode in own.all_modes] == ["review"]
    assert [entry.name for entry in compose(own, REQUEST, "review").roster] == ["proof"]


def test_instructions_drop_the_paragraphs_of_tools_that_the_mode_removed() -> None:
    draft = with_modes(Mode(name="draft", tools=("write_leaflet",)))
    assert compose(draft, REQUEST, "draft").instructions == (
        "# leaflet\n\nWrite in a tone that is plain.\n\nWrite it with `write_leaflet()`."
    )


def test_a_mode_may_keep_a_tool_that_only_some_requests_bring() -> None:
    asked = When(capability=glossary, asks=Asks(field="examples"))
    sometimes = agent(when=(asked,), modes=(Mode(name="draft", tools=("look_up", "proof")),))
    with_words = REQUEST | {"examples": [{"id": "a"}]}
    assert [entry.name for entry in compose(sometimes, REQUEST, "draft").roster] == ["proof"]
    assert [entry.name for entry in compose(sometimes, with_words, "draft").roster] == ["look_up", "proof"]


@pytest.mark.parametrize("mode", ["", "Review", "reviews"])
def test_a_mode_is_known_by_its_exact_name(mode: str) -> None:
    with pytest.raises(CompositionError, match="has no mode"):
        compose(GENERATE_LEAFLET, REQUEST, mode)


WORDS = st.sampled_from(["tools", "roster", "mode", "capabilities", "submit_verdict", "magnify", "stamp", "*"])
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
OPEN_FIELDS = st.sampled_from(
    ["tools", "roster", "mode", "capabilities", "extensions", "blueprint", "references", "examples", "edit", "brand",
     "audience", "claims", "rules", "policy", "evaluation", "delivery", "sources", "assets"]
)  # fmt: skip


@pytest.mark.promise("C4")
@settings(deadline=None)
@given(said=st.dictionaries(OPEN_FIELDS | st.text(max_size=8), VALUES, max_size=5))
def test_no_field_of_a_request_adds_a_tool(said: dict[str, Any]) -> None:
    """Not even of one that no schema has let through."""
    asked = When(capability=stamps, asks=Asks(field="examples"))
    asking = agent(glossary, when=(asked,))
    may_be_in = {tool.name for capability in (leaflet, glossary, stamps) for tool in capability.tools}
    names = {entry.name for entry in compose(asking, REQUEST | said | {"policy": {}}).roster}
    assert names <= may_be_in
    assert ("stamp" in names) == asked.asks.holds(said)
