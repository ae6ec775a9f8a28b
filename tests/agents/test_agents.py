"""Agents: which one serves a request, all compositions that one can come to, and those that ship."""

from __future__ import annotations

import pytest

from compositor.agents import Agent, Asks, Mode, When, check, compose, dispatch, sample_request
from compositor.agents.shipped import SHIPPED
from compositor.capabilities import Instructions, Reads, View
from compositor.errors import UnsupportedRequest
from compositor.workspace.request import request_of
from tests.agents.bundles import GENERATE_LEAFLET, agent, content, glossary, stamps, support

LED = agent(traits=frozenset({"reference-led"}))
EDIT = agent(operation="edit")
AGENTS = (GENERATE_LEAFLET, LED, EDIT)


def test_operation_content_type_and_traits_select_one_agent() -> None:
    assert dispatch(AGENTS, operation="generate", content="leaflet") is GENERATE_LEAFLET
    assert dispatch(AGENTS, operation="generate", content="leaflet", traits=["reference-led"]) is LED
    assert dispatch(AGENTS, operation="edit", content="leaflet") is EDIT


@pytest.mark.promise("C6")
@pytest.mark.parametrize(
    ("operation", "content_type", "traits", "said"),
    [
        ("generate", "poster", (), "no agent can generate 'poster'."),
        ("review", "leaflet", (), "no agent can review 'leaflet'."),
        ("edit", "leaflet", ("reference-led",), "no agent can edit 'leaflet' with reference-led."),
        ("generate", "leaflet", ("strict", "reference-led"), "with reference-led, strict."),
    ],
)
def test_what_no_agent_serves_is_refused_by_name_with_what_is_supported(
    operation: str, content_type: str, traits: tuple[str, ...], said: str
) -> None:
    with pytest.raises(UnsupportedRequest) as refused:
        dispatch(AGENTS, operation=operation, content=content_type, traits=traits)
    assert said in str(refused.value)
    assert "Supported: edit leaflet; generate leaflet; generate leaflet reference-led" in str(refused.value)
    assert (refused.value.operation, refused.value.content) == (operation, content_type)
    assert refused.value.traits == tuple(sorted(traits))


def test_without_agents_nothing_is_supported() -> None:
    with pytest.raises(UnsupportedRequest, match="Supported: nothing"):
        dispatch((), operation="generate", content="leaflet")


def test_a_content_capability_without_a_content_type_makes_what_it_is_called() -> None:
    unnamed = agent(content=content(content_type=None))
    assert unnamed.name == "generate leaflet"
    assert dispatch((unnamed,), operation="generate", content="leaflet") is unnamed


def conditional() -> Agent:
    asked = [When(capability=bundle, asks=Asks(field="examples")) for bundle in (glossary, stamps)]
    return agent(support(), when=tuple(asked), modes=(Mode(name="draft", tools=("proof",)),))


@pytest.mark.promise("C7")
def test_the_variants_of_an_agent_are_all_subsets_of_what_may_be_in() -> None:
    members = [[one.name for one in variant.always] for variant in conditional().variants()]
    assert members == [["extra"], ["extra", "glossary"], ["extra", "stamps"], ["extra", "glossary", "stamps"]]
    assert all(variant.when == () for variant in conditional().variants())


@pytest.mark.promise("C7")
def test_a_check_composes_every_variant_plain_and_in_every_mode() -> None:
    tried = check([conditional(), EDIT])
    assert [(one.agent, one.mode) for one in tried].count(("generate leaflet", "draft")) == 4
    assert [one.mode for one in tried] == [None, "draft", "review"] * 4 + [None, "review"]
    assert all(one.digest and not one.problems for one in tried)
    assert tried[9].capabilities == ("leaflet", "extra", "glossary", "stamps")
    assert len({one.digest for one in tried}) == len(tried)


def test_a_check_tells_every_problem_of_a_refused_composition() -> None:
    (plain, _review) = check([agent(support(requires=("claims",)))])
    assert plain.digest is None
    assert plain.as_json() == {
        "agent": "generate leaflet",
        "mode": None,
        "capabilities": ["leaflet", "extra"],
        "digest": None,
        "problems": [
            {
                "code": "missing-requirement",
                "message": "extra requires claims, which is not in",
                "where": "",
                "concerns": ["claims", "extra"],
                "cure": "add claims to the agent, or take extra out",
            }
        ],
    }


def test_a_sample_request_holds_what_is_required_and_is_valid() -> None:
    def needs_a_voice(view: View) -> Instructions:
        return Instructions(f"Sound {view.get('brand.tone')['voice']}.")

    branded = support(
        reads=Reads(required=("brand.tone", "claims"), optional=("audience",)), instructions=needs_a_voice
    )
    sample = sample_request(agent(branded))
    assert request_of(sample).content == "leaflet"
    assert "audience" not in sample
    assert compose(agent(branded), sample).members[1].view.get("brand.tone.voice")


@pytest.mark.promise("C2", "C7")
def test_every_agent_that_ships_composes_in_every_variant_and_mode() -> None:
    tried = check(SHIPPED)
    assert [str(problem) for one in tried for problem in one.problems] == []
    assert len(tried) >= 2 * len(SHIPPED)


@pytest.mark.promise("C2", "C5")
def test_ordinary_generation_of_an_email_withholds_blueprint_and_references() -> None:
    shipped = dispatch(SHIPPED, operation="generate", content="email")
    request = sample_request(shipped) | {
        "blueprint": {"plan": "MARK-blueprint"},
        "references": [{"id": "r", "use": "inspiration", "notes": "MARK-references"}],
        "audience": {"description": "MARK-audience"},
    }
    composition = compose(shipped, request)
    given = "".join(str(file.given.content) for file in composition.files) + composition.instructions
    seen = given + "".join(str(member.view.data) for member in composition.members)
    assert "MARK-blueprint" not in seen
    assert "MARK-references" not in seen
    assert "MARK-audience" in given
    assert composition.withheld == ("blueprint", "references")
    assert {"brand-guide", "reading"} <= {member.name for member in composition.members}
