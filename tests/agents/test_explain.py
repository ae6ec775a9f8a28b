"""A composition for people: text, JSON and a drawing, all of which say what is withheld."""

from __future__ import annotations

import json
import re

import pytest

from compositor.agents import Budget, compose, explain, explain_json, explain_mermaid
from compositor.capabilities import Given, Output
from tests.agents.bundles import GENERATE_LEAFLET, REQUEST, agent, content, glossary, leaflet, support


@pytest.mark.promise("C5")
def test_the_text_says_who_is_in_and_what_each_may_see_call_own_and_check() -> None:
    composition = compose(GENERATE_LEAFLET, REQUEST)
    assert (
        explain(composition)
        == f"""generate leaflet
digest {composition.digest}

Capabilities
  leaflet (content) — a folded sheet of plain text
    sees: brand, brief
    withheld: blueprint
  glossary (support) — words and what they mean
    sees: brand
  stamps (support) — a stamp beside the leaflet
    sees: nothing

Withheld from everyone
  blueprint

Tools of the writer
  look_up (glossary) — only looks
  proof (leaflet) — only looks
  stamp (stamps) — writes stamp.txt
  write_leaflet (leaflet) — writes leaflet.txt

Outputs
  leaflet.txt — written
  leaflet.out — derived
  stamp.txt — written

Given files
  glossary/brand.txt — words of: brand

Checks, measurements before judgments
  length (measurement, leaflet)
  taste (judgment, leaflet)

Limits
  steps 10, rejections 2, judge_steps 4, seconds 900, draft_allowed"""
    )


def test_the_text_of_a_narrowed_composition_names_its_mode_and_what_little_there_is() -> None:
    bare = agent(content=content(owns=(Output(path="leaflet.txt", about="the sheet"),), build=None))
    text = explain(compose(bare, REQUEST, "review"))
    assert text.startswith("generate leaflet (mode review)\n")
    assert "Withheld from everyone\n  nothing\n" in text
    assert "Given files\n  none\n" in text
    assert "leaflet.txt — written — the sheet" in text
    assert "write_leaflet" not in text.partition("Outputs")[0].partition("Tools of the writer")[2]


def test_a_part_of_a_withheld_field_is_not_seen() -> None:
    toned = support(reads=leaflet.reads.__class__(optional=("brand.tone", "brief")), about="sets the tone")
    text = explain(compose(agent(toned, withholds=("brand",)), REQUEST))
    assert "extra (support) — sets the tone\n    sees: brief\n    withheld: brand\n" in text


def test_what_a_given_file_is_about_is_told() -> None:
    laid = support(files=lambda _view: {"a.txt": Given(content="", voice="user", about="what to say")})
    assert "a.txt — words of: user — what to say" in explain(compose(agent(laid), REQUEST))


def test_limits_that_are_none_are_left_out() -> None:
    text = explain(compose(agent(budget=Budget(seconds=None, cost=0.5), completion="verified_only"), REQUEST))
    assert text.endswith("steps 10, rejections 2, judge_steps 4, cost 0.5, verified_only")


@pytest.mark.promise("C5")
def test_the_json_is_what_the_digest_covers_and_names_what_is_withheld() -> None:
    composition = compose(GENERATE_LEAFLET, REQUEST)
    told = json.loads(json.dumps(explain_json(composition)))
    assert told.pop("digest") == composition.digest
    assert told == composition.facts
    assert told["withheld"] == ["blueprint"]
    assert told["capabilities"]["leaflet"]["withheld"] == ["blueprint"]
    assert sorted(told["tools"]) == ["look_up", "proof", "stamp", "write_leaflet"]


@pytest.mark.promise("C5")
def test_the_drawing_shows_everything_once_and_what_is_withheld() -> None:
    drawing = explain_mermaid(compose(GENERATE_LEAFLET, REQUEST))
    assert drawing.splitlines()[:2] == ["flowchart LR", '  agent(["generate leaflet"])']
    assert '  agent -. withheld .- w0>"blueprint"]' in drawing
    shown = re.findall(r'"([^"]+)"', drawing)
    names = ["leaflet", "glossary", "stamps", "look_up", "proof", "stamp", "write_leaflet", "leaflet.txt", "length"]
    assert [shown.count(name) for name in names] == [1] * len(names)


def test_a_quote_in_a_name_does_not_break_the_drawing() -> None:
    odd = support(owns=(Output(path='say "hi".txt', required=False),))
    assert '[/"say #quot;hi#quot;.txt"/]' in explain_mermaid(compose(agent(odd, glossary), REQUEST))
