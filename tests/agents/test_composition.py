"""A composition: who is in, what the writer is told, and a digest that means exactly this composition."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from compositor.agents import Agent, Asks, Budget, Composition, Mode, When, changes, compose
from compositor.capabilities import Given, Instructions, Output, Tool, tool
from compositor.workspace.request import request_of
from tests.agents.bundles import (
    GENERATE_LEAFLET,
    REQUEST,
    agent,
    content,
    glossary,
    leaflet,
    measurement,
    proof,
    stamps,
    support,
    taste,
    write_leaflet,
)

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture
def sealed() -> Composition:
    return compose(GENERATE_LEAFLET, REQUEST)


@pytest.mark.promise("C1")
def test_a_capability_brings_files_tools_instructions_and_verifiers(sealed: Composition) -> None:
    assert [(entry.name, entry.owner.name) for entry in sealed.roster] == [
        ("look_up", "glossary"),
        ("proof", "leaflet"),
        ("stamp", "stamps"),
        ("write_leaflet", "leaflet"),
    ]
    assert [(file.path, file.owner, file.given.content) for file in sealed.files] == [
        ("glossary/brand.txt", "glossary", "Northwind")
    ]
    assert [(entry.verifier.name, entry.owner.name) for entry in sealed.verifiers] == [
        ("length", "leaflet"),
        ("taste", "leaflet"),
    ]
    assert sealed.instructions == (
        "# leaflet\n\nWrite in a tone that is plain.\n\n"
        "Write it with `write_leaflet()`.\n\nLook at it with `proof()`.\n\n"
        "# glossary\n\nAsk `look_up()` before you use a rare word."
    )


def test_a_capability_may_lay_a_beginning_where_its_own_tools_write() -> None:
    begun = content(files=lambda _view: {"leaflet.txt": Given(content="Dear all")})
    assert [file.path for file in compose(agent(content=begun), REQUEST).files] == ["leaflet.txt"]


def test_the_content_capability_comes_first_whatever_its_name(sealed: Composition) -> None:
    last = content(name="zine")
    composition = compose(agent(glossary, content=last), REQUEST)
    assert composition.content.capability is last
    assert composition.written == ("leaflet.txt",)
    assert [output.path for output in sealed.outputs] == ["leaflet.txt", "leaflet.out", "stamp.txt"]


def test_measurements_stand_before_judgments(sealed: Composition) -> None:
    early = support(verifiers=(replace(taste, name="aaa", tools=()),))
    kinds = [entry.verifier.kind for entry in compose(agent(early), REQUEST).verifiers]
    assert kinds == ["measurement", "judgment", "judgment"]


def test_a_tools_own_patterns_are_what_its_capability_owns(sealed: Composition) -> None:
    patterns = {entry.name: (entry.reads, entry.writes) for entry in sealed.roster}
    assert patterns["write_leaflet"] == (("leaflet.txt", "leaflet.out"), ("leaflet.txt",))
    assert patterns["proof"] == (("leaflet.txt",), ())


@pytest.mark.promise("C2")
@pytest.mark.parametrize(
    ("asked", "is_in"),
    [
        ({}, False),
        ({"examples": []}, False),
        ({"examples": [{"id": "a", "approved": False}]}, False),
        ({"examples": [{"id": "a", "approved": False}, {"id": "b", "approved": True}]}, True),
        ({"examples": {"approved": True}}, True),
        ({"examples": ["words"]}, False),
    ],
)
def test_the_request_decides_which_capabilities_are_in(asked: dict[str, Any], is_in: bool) -> None:
    approved = When(capability=glossary, asks=Asks(field="examples", having={"approved": True}))
    composition = compose(agent(when=(approved,)), REQUEST | asked)
    assert ("glossary" in [member.name for member in composition.members]) == is_in


def test_a_field_that_is_there_is_enough_to_ask() -> None:
    asks = Asks(field="brand.tone")
    assert asks.holds(REQUEST)
    assert not asks.holds(REQUEST | {"brand": {"name": "x"}})
    assert str(asks) == "brand.tone"
    assert str(Asks(field="references", having={"use": "lead", "kind": "mail"})) == "references[kind=mail, use=lead]"


def test_a_request_model_and_its_json_compose_alike() -> None:
    request = request_of(REQUEST)
    json = request.model_dump(mode="json", exclude_none=True)
    assert compose(GENERATE_LEAFLET, request).digest == compose(GENERATE_LEAFLET, json).digest


def test_request_and_agent_together_set_the_limits() -> None:
    tight = {"budgets": {"steps": 3, "tokens": 900, "cost": None}, "completion": "verified_only"}
    request = REQUEST | {"policy": tight, "evaluation": {"enabled": False}, "locale": "fr"}
    composition = compose(agent(budget=Budget(seconds=60.0)), request)
    assert composition.budget == Budget(steps=3, tokens=900, seconds=60.0)
    assert composition.completion == "verified_only"
    assert not composition.judging
    assert (composition.locale, composition.content_type) == ("fr", "leaflet")


def test_an_agent_sets_what_a_request_leaves_open() -> None:
    composition = compose(agent(completion="verified_only"), REQUEST)
    assert composition.budget == Budget()
    assert composition.completion == "verified_only"
    assert composition.judging


def test_a_limit_can_only_get_tighter() -> None:
    assert Budget(steps=4, tokens=None).tightened({"steps": 9, "tokens": 5, "cost": "much"}) == Budget(
        steps=4, tokens=5
    )


# The digest


def digest_elsewhere(seed: str) -> str:
    """The digest of the sound agent in a fresh interpreter."""
    code = (
        "from tests.agents.bundles import GENERATE_LEAFLET, REQUEST\n"
        "from compositor.agents import compose\nprint(compose(GENERATE_LEAFLET, REQUEST).digest)"
    )
    surroundings = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(CHECKOUT), *sys.path])}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=surroundings, check=True, capture_output=True, text=True, cwd=CHECKOUT
    )
    return ran.stdout.strip()


def test_the_digest_is_the_same_in_other_processes_with_other_hash_seeds(sealed: Composition) -> None:
    assert {digest_elsewhere("1"), digest_elsewhere("4711")} == {sealed.digest}


def reworded(original: Tool, docstring: str) -> Tool:
    return replace(original, about=docstring)


@tool()
async def write_leaflet_twice(ctx: object, text: str, twice: bool = False) -> Any:
    """Write the leaflet."""


CHANGED: dict[str, Agent] = {
    "a threshold": agent(content=content(verifiers=(replace(leaflet.verifiers[0], thresholds={"words": 91}), taste))),
    "the version of a check": agent(content=content(verifiers=(replace(leaflet.verifiers[0], version="2"), taste))),
    "a further check": agent(content=content(verifiers=(*leaflet.verifiers, measurement("fold", "leaflet.txt")))),
    "what the judge may call": agent(content=content(verifiers=(leaflet.verifiers[0], replace(taste, tools=())))),
    "the docstring of a tool": agent(content=content(tools=(reworded(write_leaflet, "Write all of it."), proof))),
    "the arguments of a tool": agent(
        content=content(tools=(replace(write_leaflet_twice, name="write_leaflet"), proof))
    ),
    "the time of a tool": agent(content=content(tools=(replace(write_leaflet, seconds=9.0), proof))),
    "an instruction": agent(content=content(instructions=lambda _view: Instructions("Write it otherwise."))),
    "a budget": agent(budget=Budget(steps=9)),
    "what is withheld": agent(withholds=("blueprint",)),
    "the policy": agent(completion="verified_only"),
    "a capability": agent(stamps),
    "what an output is about": agent(content=content(owns=(Output(path="leaflet.txt", about="x"), leaflet.owns[1]))),
    "a port": agent(content=content(ports=("renderer",))),
    "the traits": agent(traits=frozenset({"reference-led"})),
    "a given file": agent(content=content(files=lambda _view: {"a.txt": Given(content="a")})),
    "the bytes of a given file": agent(content=content(files=lambda _view: {"a.txt": Given(content=b"b")})),
    "whose words a file holds": agent(content=content(files=lambda _view: {"a.txt": Given(content="a", voice="user")})),
    "what is told of a given file": agent(
        content=content(files=lambda _view: {"a.txt": Given(content="a", about="x")})
    ),
}


@pytest.mark.parametrize("what", CHANGED)
def test_the_digest_is_changed_by(what: str) -> None:
    others = {name: compose(other, REQUEST).digest for name, other in CHANGED.items() if name != what}
    assert compose(CHANGED[what], REQUEST).digest not in {compose(agent(), REQUEST).digest, *others.values()}


def test_the_digest_is_changed_by_the_request_as_far_as_it_is_read(sealed: Composition) -> None:
    other_tone = REQUEST | {"brief": REQUEST["brief"] | {"tone": "loud"}}
    assert compose(GENERATE_LEAFLET, other_tone).digest != sealed.digest
    assert compose(GENERATE_LEAFLET, REQUEST | {"blueprint": {"plan": "other"}}).digest == sealed.digest  # withheld
    assert compose(GENERATE_LEAFLET, REQUEST | {"audience": {"description": "all"}}).digest == sealed.digest  # unread


def test_the_digest_is_changed_by_the_mode(sealed: Composition) -> None:
    named = replace(GENERATE_LEAFLET, modes=(Mode(name="all", tools=("look_up", "proof", "stamp", "write_leaflet")),))
    assert compose(named, REQUEST).digest == sealed.digest
    assert compose(named, REQUEST, "all").digest != sealed.digest


def test_what_differs_between_two_compositions_is_told_in_one_line_each(sealed: Composition) -> None:
    now = compose(agent(glossary, budget=Budget(steps=9), withholds=("blueprint",)), REQUEST)
    assert changes(sealed.facts, sealed.facts) == ()
    assert changes(sealed.facts, now.facts) == (
        "budget.steps: 10 → 9",
        "capabilities.stamps: removed",
        "tools.stamp: removed",
    )
    assert changes(now.facts, sealed.facts)[1:] == ("capabilities.stamps: added", "tools.stamp: added")


def test_a_long_value_is_cut_in_the_list_of_changes() -> None:
    assert changes({"digest": "a" * 64}, {"digest": "b" * 64}, "file") == (f"file.digest: {'a' * 12}… → {'b' * 12}…",)
