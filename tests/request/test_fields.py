"""Which dotted names are fields of a request."""

from __future__ import annotations

import pytest

from compositor.workspace.request import is_field


@pytest.mark.parametrize(
    "name",
    [
        "operation",
        "brief.messaging.cta.text",
        "brand.tokens.color.red",
        "policy.budgets.steps",
        "extensions.claims",
        "blueprint.anything.below",
    ],
)
def test_blocks_their_keys_and_whatever_lies_in_an_open_object_are_fields(name: str) -> None:
    assert is_field(name)


@pytest.mark.parametrize(
    "name", ["", "nothing", "brief.nothing", "brief.name.first", "claims.id", "extensions.", "brand..x"]
)
def test_items_of_lists_and_unknown_names_are_none(name: str) -> None:
    assert not is_field(name)
