"""What an author writes: a capability in one value, instructions in paragraphs, and errors that say the cure."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

import compositor.capabilities
from compositor import authoring
from compositor.authoring import Capability, Instructions, Reads, View, mentioned_tools


@pytest.mark.promise("C1")
def test_a_capability_needs_but_a_name_and_a_kind() -> None:
    bare = Capability(name="bare", kind="support")
    view = View()
    assert bare.files(view) == {}
    assert bare.instructions(view) == Instructions()
    assert (bare.tools, bare.verifiers, bare.owns, bare.reads) == ((), (), (), Reads())
    assert (bare.build, bare.designer, bare.extension, dict(bare.opens)) == (None, None, None, {})


def test_a_capability_is_a_value_that_nobody_changes() -> None:
    bare: Any = Capability(name="bare", kind="support")
    assert bare == Capability(name="bare", kind="support")
    with pytest.raises(dataclasses.FrozenInstanceError):
        bare.name = "other"


def test_the_authors_module_has_all_that_authoring_has() -> None:
    assert compositor.capabilities.__all__ == authoring.__all__
    for name in authoring.__all__:
        assert getattr(compositor.capabilities, name) is getattr(authoring, name)


def test_instructions_are_paragraphs_without_empty_ones() -> None:
    said = Instructions("  First.\n", "", "Second,\nin two lines.", " \n ")
    assert said.paragraphs == ("First.", "Second,\nin two lines.")
    assert said == Instructions("First.", "Second,\nin two lines.")


@pytest.mark.parametrize(
    ("paragraph", "names"),
    [
        ("Write with `write_file()`, then `render(screen)` and `write_file()`.", ("render", "write_file")),
        ("A tool's name may have hyphens: `look-up()`.", ("look-up",)),
        ("The file `plan.json`, the word render() and `render` are no calls.", ()),
        ("", ()),
    ],
)
def test_a_tool_is_mentioned_as_a_call_in_backticks(paragraph: str, names: tuple[str, ...]) -> None:
    assert mentioned_tools(paragraph) == names
