"""The rules of composition: each is broken alone, all are found at once, and the order of listing is nothing."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor import agents
from compositor.agents import RULES, compose
from compositor.capabilities import Capability, ToolContext, ToolResult, tool
from compositor.errors import CompositionError, Problem
from tests.agents.bundles import GENERATE_LEAFLET, REQUEST, agent, leaflet, support
from tests.agents.faults import FAULTS, FIVE_FAULTS, Fault
from tests.agents.listing import relisted

CODES = frozenset({
    "no-content", "many-content", "missing-requirement", "excluded-together", "duplicate-capability", "tool-collision",
    "judge-tool-exposed", "label-collision", "output-collision", "file-collision", "unowned-output", "unbuilt-output",
    "unverified-output", "invalid-tool-schema", "withheld-read", "unknown-field", "mode-widens", "unknown-mode-tool",
    "instructions-name-absent-tool", "budget-invalid", "prompt-too-large", "capability-failed", "unknown-mode",
    "policy-widens", "verifier-collision",
})  # fmt: skip
"""The stable codes. To take one away breaks the contract; a new one also needs a fault and a line of the page."""

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "composition-rules.md"


def problems(fault: Fault) -> tuple[Problem, ...]:
    with pytest.raises(CompositionError) as refused:
        compose(fault.agent, fault.request, fault.mode)
    return refused.value.problems


@pytest.mark.promise("C3")
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.code}: {fault.story}")
def test_a_fault_is_refused_with_its_code_alone_and_names_every_capability_concerned(fault: Fault) -> None:
    found = problems(fault)
    assert {problem.code for problem in found} == {fault.code}
    assert {name for problem in found for name in problem.concerns} == set(fault.concerns)
    for problem in found:
        assert all(name in problem.message for name in problem.concerns) or fault.code == "unknown-mode-tool"
        assert problem.cure
    assert fault.cause in "\n".join(map(str, found))


def test_every_code_has_a_fault_that_shows_it() -> None:
    assert {fault.code for fault in FAULTS} == CODES


def test_the_codes_in_the_source_are_the_stable_ones() -> None:
    sources = Path(agents.__file__).parent.rglob("*.py")
    calls = [node for path in sources for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    given = [keyword.value for call in calls for keyword in call.keywords if keyword.arg == "code"]
    assert {code.value for code in given if isinstance(code, ast.Constant)} == CODES


def test_each_rule_names_its_codes_in_its_first_line() -> None:
    first_lines = [(rule.__doc__ or "").splitlines()[0] for rule in RULES]
    assert set(re.findall(r"`([a-z-]{6,})`", " ".join(first_lines))) >= CODES
    assert all("`" in line for line in first_lines)


def test_the_page_of_rules_lists_exactly_the_stable_codes() -> None:
    first_cells = re.findall(r"^\| (`[^|]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = re.findall(r"`([a-z-]+)`", " ".join(first_cells))
    assert sorted(listed) == sorted(CODES)


@pytest.mark.promise("C3")
def test_five_faults_are_reported_at_once() -> None:
    with pytest.raises(CompositionError) as refused:
        compose(FIVE_FAULTS, REQUEST)
    assert refused.value.codes == (
        "budget-invalid",
        "instructions-name-absent-tool",
        "missing-requirement",
        "output-collision",
        "tool-collision",
    )
    text = str(refused.value)
    assert "generate leaflet" in text
    assert "5 problems" in text
    assert all(code in text for code in refused.value.codes)


@pytest.mark.promise("C3")
@settings(deadline=None)
@given(fault=st.sampled_from((*FAULTS, Fault(code="", story="five", agent=FIVE_FAULTS))), random=st.randoms())
def test_the_order_of_listing_changes_no_problem(fault: Fault, random: Random) -> None:
    again = Fault(code="", story="", agent=relisted(fault.agent, random), mode=fault.mode, request=fault.request)
    assert problems(again) == problems(fault)


@settings(deadline=None)
@given(random=st.randoms())
def test_the_order_of_listing_changes_no_digest_and_no_word_of_the_prompt(random: Random) -> None:
    sealed, again = compose(GENERATE_LEAFLET, REQUEST), compose(relisted(GENERATE_LEAFLET, random), REQUEST)
    assert again.digest == sealed.digest
    assert again.instructions == sealed.instructions
    assert [entry.name for entry in again.roster] == [entry.name for entry in sealed.roster]


def reader(limit: int) -> Capability:
    """A bundle that registers `read_asset`, with its own limit."""

    async def read_asset(ctx: ToolContext, path: str) -> ToolResult:
        return ToolResult(text=(await ctx.files.read_text(path))[:limit])

    read_asset.__doc__ = f"Read at most {limit} characters of an asset."
    return support("image_inspect" if limit < 10**6 else "brand_guide", tools=(tool(writes=())(read_asset),))


@pytest.mark.promise("C3")
@pytest.mark.parametrize("order", [1, -1])
def test_a_capped_reader_is_never_replaced_by_an_uncapped_one_of_the_same_name(order: int) -> None:
    bundles = (reader(64 * 1024), reader(10**9))[::order]
    with pytest.raises(CompositionError) as refused:
        compose(agent(*bundles), REQUEST)
    (problem,) = refused.value.problems
    assert problem.code == "tool-collision"
    assert problem.concerns == ("brand_guide", "image_inspect")
    assert all(word in str(problem) for word in ("read_asset", "brand_guide", "image_inspect"))


def test_names_that_one_model_api_cannot_tell_apart_collide() -> None:
    async def look_up(ctx: ToolContext) -> ToolResult:
        """Look up."""
        return ToolResult(text="")

    declared = tool(writes=())(look_up)
    loud = type(declared)(name="LOOK.UP", about=declared.about, run=declared.run, writes=())
    with pytest.raises(CompositionError) as refused:
        compose(agent(support("one", tools=(declared,)), support("two", tools=(loud,))), REQUEST)
    assert [p.concerns for p in refused.value.problems if p.code == "tool-collision"] == [("one", "two")]


@pytest.mark.promise("C7")
def test_composing_asks_for_no_file_and_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    compose(GENERATE_LEAFLET, REQUEST)  # what is imported on first use is imported

    def never(*_args: object, **_more: object) -> None:
        raise AssertionError("composing is pure")

    monkeypatch.setattr("builtins.open", never)
    monkeypatch.setattr(socket, "socket", never)
    assert compose(GENERATE_LEAFLET, REQUEST).content.capability is leaflet
