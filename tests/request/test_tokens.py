"""Design tokens: references are followed to literal colours, and every fault is named at its root."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor.errors import RequestError
from compositor.workspace.tokens import (
    alpha_of,
    brand_colours,
    brand_fonts,
    brand_problems,
    hex_of,
    never_together,
    palette,
    resolve_tokens,
)

RED = {"colorSpace": "srgb", "components": [1, 0, 0]}
OPENED: dict[str, Any] = {"$type": "color", "$value": "#0969da"}


def faults(tokens: Mapping[str, Any]) -> dict[str, str]:
    """Where → code of every problem of these tokens."""
    with pytest.raises(RequestError) as caught:
        resolve_tokens(tokens)
    return {problem.where.removeprefix("$.brand.tokens"): problem.code for problem in caught.value.problems}


def dtcg(legacy: Any) -> Any:
    """A token file of the time before DTCG 2025.10, in its notation."""
    if not isinstance(legacy, dict):
        return legacy
    names = {"value": "$value", "type": "$type", "description": "$description"}
    return {names.get(name, name): dtcg(item) for name, item in legacy.items() if name != "comment"}


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    both = {**one, **other}
    for name in one.keys() & other.keys():
        both[name] = merged(one[name], other[name])
    return both


def test_an_alias_of_an_alias_ends_in_the_literal_value() -> None:
    tokens = resolve_tokens(
        {
            "color": {
                "$type": "color",
                "red": {"$value": RED},
                "a": {"$value": "{color.red}"},
                "b": {"$value": "{color.a}"},
            }
        }
    )
    assert tokens["color.b"].value == {"colorSpace": "srgb", "components": (1, 0, 0)}
    assert tokens["color.b"].path == "color.b"


def test_tokens_come_in_the_order_of_the_file_even_where_an_alias_stands_first() -> None:
    assert list(resolve_tokens({"z": {"$value": "{a}"}, "a": OPENED})) == ["z", "a"]


def test_a_json_pointer_leads_to_a_token_or_into_its_value() -> None:
    tokens = resolve_tokens(
        {
            "red": {"$type": "color", "$value": RED},
            "same": {"$ref": "#/red/$value"},
            "whole": {"$ref": "#/red"},
            "part": {"$type": "number", "$value": {"$ref": "#/red/$value/components/0"}},
            "a/b": OPENED,
            "escaped": {"$ref": "#/a~1b/$value"},
        }
    )
    assert (tokens["same"].type, tokens["whole"].type) == ("color", "color")
    assert tokens["part"].value == 1
    assert tokens["escaped"].value == "#0969da"


def test_references_inside_composite_values_are_followed() -> None:
    border = {"color": "{red}", "style": "solid", "layers": [{"$ref": "#/red"}]}
    tokens = resolve_tokens({"red": OPENED, "edge": {"$type": "border", "$value": border}})
    assert tokens["edge"].value == {"color": "#0969da", "style": "solid", "layers": ("#0969da",)}


def test_a_type_is_the_tokens_own_then_its_targets_then_its_groups() -> None:
    tokens = resolve_tokens(
        {
            "size": {"$type": "dimension", "$value": {"value": 4, "unit": "px"}},
            "group": {
                "$type": "color",
                "own": {"$type": "number", "$value": 3},
                "target": {"$value": "{size}"},
                "inherited": {"$value": "#fff"},
                "nested": {"deep": {"$value": "#000"}},
            },
        }
    )
    kinds = {path: token.type for path, token in tokens.items()}
    assert kinds == {
        "size": "dimension",
        "group.own": "number",
        "group.target": "dimension",
        "group.inherited": "color",
        "group.nested.deep": "color",
    }


def test_a_root_token_is_named_as_root() -> None:
    tokens = resolve_tokens(
        {"accent": {"$type": "color", "$root": {"$value": "#123456"}}, "b": {"$value": "{accent.$root}"}}
    )
    assert tokens["accent.$root"].value == tokens["b"].value == "#123456"


def test_a_group_has_the_members_of_the_group_it_extends_unless_it_names_them_itself() -> None:
    tokens = resolve_tokens(
        {
            "button": {"$type": "color", "face": {"$value": "#111111"}, "state": {"hover": {"$value": "#222222"}}},
            "link": {"$extends": "{button}", "face": {"$value": "#333333"}, "state": {"held": {"$value": "#444444"}}},
            "quiet": {"$extends": "#/link"},
        }
    )
    assert tokens["link.face"].value == tokens["quiet.face"].value == "#333333"
    assert tokens["quiet.state.hover"].value == "#222222"
    assert tokens["quiet.state.held"].type == "color"


def test_every_circle_and_every_dangling_alias_is_reported_at_once() -> None:
    tokens = {
        "$type": "color",
        "a": {"$value": "{b}"},
        "b": {"$value": "{a}"},
        "behind": {"$value": "{a}"},
        "self": {"$value": "{self}"},
        "lost": {"$value": "{nowhere}"},
        "after": {"$value": "{lost}"},
        "pointer": {"$ref": "#/nowhere/$value"},
        "odd": {"$ref": 7},
        "good": {"$value": "#fff"},
    }
    found = faults(tokens)
    assert found.pop(".lost") == found.pop(".pointer") == found.pop(".odd") == "token-reference"
    assert found.pop(".self") == "token-cycle"
    assert list(found.values()) == ["token-cycle"]
    assert set(found) <= {".a", ".b"}


def test_groups_that_extend_each_other_are_reported_and_the_rest_is_still_read() -> None:
    found = faults(
        {"a": {"$extends": "{b}"}, "b": {"$extends": "{a}"}, "c": {"$extends": "{d}"}, "e": {"$value": "{f}"}}
    )
    assert sorted(found.values()) == ["token-cycle", "token-extends", "token-reference"]


def test_a_group_inside_the_group_that_it_extends_is_a_circle() -> None:
    assert list(faults({"a": {"inner": {"$extends": "{a}"}}}).values()) == ["token-cycle"]


@pytest.mark.parametrize(
    ("tokens", "where", "code"),
    [
        ({"a": {"value": "#fff", "type": "color"}}, ".a.value", "token-shape"),
        ({"a": "#fff"}, ".a", "token-shape"),
        ({"a.b": {}}, "['a.b']", "token-name"),
        ({"": {}}, "['']", "token-name"),
        ({"a": {"$value": 1, "$ref": "#/b", "$type": "number"}}, ".a", "token-value"),
        ({"a": {"$root": {"$type": "number"}}}, ".a['$root']", "token-value"),
        ({"a": {**OPENED, "$vlaue": 1}}, ".a['$vlaue']", "token-property"),
        ({"a": {**OPENED, "inner": {}}}, ".a.inner", "token-property"),
        ({"$typo": "color"}, "['$typo']", "token-property"),
        ({"a": {"$type": "colour", "$value": "x"}}, ".a['$type']", "token-type"),
        ({"a": {"$type": {}, "$value": "x"}}, ".a['$type']", "token-type"),
        ({"a": {"$value": 3}}, ".a", "token-untyped"),
        ({"a": {"$type": "color", "$value": "blue"}}, ".a['$value']", "token-value"),
        ({"a": {"$type": "fontFamily", "$value": []}}, ".a['$value']", "token-value"),
        ({"a": {"$type": "fontFamily", "$value": {"$ref": "#/a/$value"}}}, ".a", "token-cycle"),
        ({"b": OPENED, "a": {"$ref": "#/b/$value/hex"}}, ".a", "token-reference"),
        ({"b": {"$type": "color", "$value": RED}, "a": {"$ref": "#/b/$value/components/9"}}, ".a", "token-reference"),
        ({"b": {"$type": "color", "$value": RED}, "a": {"$ref": "#/b/$value/alpha"}}, ".a", "token-reference"),
    ],
)
def test_a_fault_is_named_with_its_place(tokens: dict[str, Any], where: str, code: str) -> None:
    assert faults(tokens)[where] == code


def test_a_near_miss_is_cured_by_name() -> None:
    with pytest.raises(RequestError, match=r"did you mean \{color.pine\}\?"):
        resolve_tokens({"color": {"$type": "color", "pine": {"$value": "#175747"}, "b": {"$value": "{color.pin}"}}})


def test_notes_of_groups_and_tokens_are_passed_over() -> None:
    notes = {"$description": "words", "$extensions": {"tool": {"a": [1]}}, "$deprecated": True}
    assert list(resolve_tokens({**notes, "a": {**OPENED, **notes}})) == ["a"]


def test_references_that_multiply_are_refused_before_they_fill_the_memory() -> None:
    tokens: dict[str, Any] = {"t0": {"$type": "shadow", "$value": ["x"] * 10}}
    for level in range(1, 40):
        tokens[f"t{level}"] = {"$type": "shadow", "$value": [f"{{t{level - 1}}}"] * 10}
    assert list(faults(tokens).values()) == ["token-size"]


def test_groups_that_multiply_by_extending_are_refused() -> None:
    tokens: dict[str, Any] = {"g0": {"a": OPENED}}
    for level in range(1, 40):
        tokens[f"g{level}"] = {"x": {"$extends": f"{{g{level - 1}}}"}, "y": {"$extends": f"{{g{level - 1}}}"}}
    assert list(faults(tokens).values()) == ["token-count"]


def test_a_chain_of_thousands_of_aliases_is_followed() -> None:
    tokens: dict[str, Any] = {"t0": OPENED} | {f"t{n}": {"$value": f"{{t{n - 1}}}"} for n in range(1, 5000)}
    assert resolve_tokens(tokens)["t4999"].value == "#0969da"


@pytest.mark.parametrize(
    ("value", "colour"),
    [
        ("#ABC", "#aabbcc"),
        ("#abcd", "#aabbcc"),
        ("#0969DA", "#0969da"),
        ("#0969da80", "#0969da"),
        ({"colorSpace": "srgb", "components": [1, 0.5, "none"]}, "#ff8000"),
        ({"colorSpace": "srgb", "components": [0, 0, 0], "hex": "#0969DA", "alpha": 0.5}, "#0969da"),
        ({"colorSpace": "hsl", "components": [210, 50, 40]}, "#336699"),
        ({"colorSpace": "hwb", "components": [0, 0, 0]}, "#ff0000"),
        ({"colorSpace": "lab", "components": [100, 0, 0]}, "#ffffff"),
        ({"colorSpace": "lch", "components": [0, 0, "none"]}, "#000000"),
        ({"colorSpace": "oklab", "components": [1, 0, 0]}, "#ffffff"),
        ({"colorSpace": "oklch", "components": [0.6279, 0.2577, 29.23]}, "#ff0000"),
        ({"colorSpace": "srgb-linear", "components": [0.5, 0.5, 0.5]}, "#bcbcbc"),
        ({"colorSpace": "display-p3", "components": [1, 1, 1]}, "#ffffff"),
        ({"colorSpace": "xyz-d65", "components": [0, 0, 0]}, "#000000"),
    ],
)
def test_a_colour_of_any_space_becomes_hex(value: Any, colour: str) -> None:
    assert hex_of(value) == colour


@pytest.mark.parametrize(
    "value",
    [
        "blue",
        "#12",
        "#0969da\n",
        7,
        None,
        {},
        {"colorSpace": "cmyk", "components": [0, 0, 0]},
        {"colorSpace": ["srgb"], "components": [0, 0, 0]},
        {"colorSpace": "srgb", "components": [255, 0, 0]},
        {"colorSpace": "srgb", "components": [True, 0, 0]},
        {"colorSpace": "srgb", "components": "000"},
        {"colorSpace": "srgb", "components": [0, 0]},
        {"colorSpace": "lab", "components": [50, 10**400, 0]},
        {"colorSpace": "lch", "components": [50, -1, 0]},
        {"colorSpace": "srgb", "components": [0, 0, 0], "alpha": 2},
        {"colorSpace": "srgb", "components": [0, 0, 0], "hex": "#fff"},
    ],
)
def test_what_is_no_colour_is_refused_with_a_reason(value: Any) -> None:
    for reader in (hex_of, alpha_of):
        with pytest.raises(ValueError, match=r"colo|hex|component|alpha"):
            reader(value)


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=3, max_size=3), st.sampled_from(["srgb", "display-p3", "rec2020", "xyz-d50"]))
def test_every_valid_colour_has_a_hex_of_six_digits(components: list[float], space: str) -> None:
    colour = hex_of({"colorSpace": space, "components": components})
    assert len(colour) == 7
    assert 0 <= int(colour[1:], 16) <= 0xFFFFFF


def test_opacity_is_read_from_objects_and_from_hex() -> None:
    assert [alpha_of(value) for value in ({**RED, "alpha": 0.25}, RED, "#000f", "#00000000", "#000")] == [
        0.25,
        1,
        1,
        0,
        1,
    ]


def test_roles_are_aliases_or_literal_values() -> None:
    brand = {
        "tokens": {
            "c": {"$type": "color", "pine": {"$value": "#175747"}},
            "f": {"$type": "fontFamily", "$value": ["Inter", "Arial"]},
        },
        "colors": {"primary": "{c.pine}", "text": "#111"},
        "fonts": {"body": "{f}", "heading": "'Playfair Display', Georgia, serif"},
    }
    assert brand_colours(brand) == {"primary": "#175747", "text": "#111111"}
    assert brand_fonts(brand) == {"body": ("Inter", "Arial"), "heading": ("Playfair Display", "Georgia", "serif")}


def test_a_font_role_may_name_a_typography_token() -> None:
    type_style = {"fontFamily": "Inter", "fontSize": {"value": 16, "unit": "px"}}
    brand = {"tokens": {"t": {"$type": "typography", "$value": type_style}}, "fonts": {"body": "{t}"}}
    assert brand_fonts(brand) == {"body": ("Inter",)}


def test_a_role_of_the_wrong_kind_is_refused() -> None:
    brand = {
        "tokens": {"n": {"$type": "number", "$value": 3}},
        "colors": {"primary": "{n}", "text": "{m}"},
        "fonts": {"body": ","},
    }
    with pytest.raises(RequestError) as caught:
        brand_colours(brand)
    assert {problem.where: problem.code for problem in caught.value.problems} == {
        "$.brand.colors.primary": "brand-role",
        "$.brand.colors.text": "token-reference",
    }
    with pytest.raises(RequestError, match="no font family"):
        brand_fonts(brand)


def test_the_palette_names_each_colour_once_roles_first_and_leaves_transparency_out() -> None:
    brand = {
        "tokens": {
            "$type": "color",
            "a": {"$value": "#175747"},
            "b": {"$value": "#17574780"},
            "c": {"$value": "#ffffff00"},
            "d": {"$value": "#123"},
        },
        "colors": {"accent": "{a}"},
    }
    assert palette(brand) == (("accent", "#175747"), ("d", "#112233"))
    assert palette({}) == ()


@pytest.mark.material
@pytest.mark.parametrize("theme", ["light", "dark", "light-high-contrast"])
def test_every_colour_of_primer_is_in_its_palette(theme: str, material: Callable[[str], Path]) -> None:
    tokens = json.loads(material(f"brand/primer_{theme}.json").read_text())["tokens"]
    given_colours = {hex_of(token["value"]) for token in tokens.values() if alpha_of(token["value"]) > 0}
    assert len(tokens) == 147
    assert {colour for _, colour in palette({"tokens": dtcg(tokens)})} == given_colours


@pytest.mark.material
@pytest.mark.parametrize(("brand", "primary"), [(1, "#3b5998"), (2, "#1da1f2"), (3, "#ea4335")])
def test_the_references_of_the_multibrand_example_end_in_its_literal_colours(
    brand: int, primary: str, material: Callable[[str], Path]
) -> None:
    folder = material("brand/style_dictionary_multibrand")
    tokens: dict[str, Any] = {}
    for file in (f"brands__brand-{brand}__color", "globals__color__base", "globals__color__font"):
        tokens = merged(tokens, dtcg(json.loads((folder / f"{file}.json").read_text())))
    resolved = resolve_tokens(tokens)
    assert hex_of(resolved["color.action.primary"].value) == hex_of(resolved["color.font.primary"].value) == primary
    assert all(hex_of(token.value).startswith("#") for token in resolved.values())


@pytest.mark.material
def test_aliases_between_two_files_of_spectrum_are_named_as_dangling_in_one(material: Callable[[str], Path]) -> None:
    aliases = json.loads(material("brand/spectrum_color-aliases.json").read_text())
    tokens = {
        name: {"$type": "color", "$value": entry["sets"]["light"]["value"]}
        for name, entry in aliases.items()
        if "sets" in entry and "light" in entry["sets"]
    }
    outside = {entry["$value"][1:-1] for entry in tokens.values() if entry["$value"].startswith("{")} - tokens.keys()
    with pytest.raises(RequestError) as caught:
        resolve_tokens(tokens)
    dangling = [problem for problem in caught.value.problems if problem.code == "token-reference"]
    named = {problem.message.split("'")[1][1:-1] for problem in dangling}
    assert named == outside


PAIRED: dict[str, Any] = {"tokens": {"leaf": OPENED}, "colors": {"primary": "#c73d1f", "text": "{leaf}"}}


def paired(*pairs: Any) -> dict[str, Any]:
    """A brand with these pairs of colours that never meet."""
    return {**PAIRED, "palette": {"never": list(pairs)}}


def test_colours_that_never_meet_are_roles_aliases_or_written_out() -> None:
    brand = paired(["primary", "{leaf}"], ["text", "#FFF"])
    assert never_together(brand) == (
        (("primary", "#c73d1f"), ("{leaf}", "#0969da")),
        (("text", "#0969da"), ("#FFF", "#ffffff")),
    )
    assert brand_problems(brand) == ()
    assert never_together(PAIRED) == ()


@pytest.mark.parametrize(
    ("pair", "cure"),
    [
        (["primry", "#fff"], "did you mean 'primary'?"),
        (["primary", "{lost}"], "name a role of $.brand.colors, an alias of a token, or #rrggbb"),
        (["#fffffg", "primary"], "name a role of $.brand.colors, an alias of a token, or #rrggbb"),
    ],
)
def test_a_pair_of_colours_that_the_brand_does_not_have_is_named(pair: list[str], cure: str) -> None:
    (problem,) = brand_problems(paired(["primary", "text"], pair))
    assert (problem.code, problem.where, problem.cure) == ("brand-pair", "$.brand.palette.never[1]", cure)
    with pytest.raises(RequestError, match="no colour of the brand"):
        never_together(paired(pair))


@pytest.mark.parametrize("never", [7, "primary", ["primary"], [["primary"]], [["primary", 7]], [[]], None])
def test_what_has_no_shape_of_a_pair_is_the_matter_of_the_schema(never: Any) -> None:
    assert brand_problems({**PAIRED, "palette": {"never": never}}) == ()


@pytest.mark.parametrize("colors", [7, [], {"primary": 7}])
def test_pairs_are_passed_over_where_the_roles_have_a_wrong_shape(colors: Any) -> None:
    assert brand_problems({**paired(["primary", "nothing"]), "colors": colors}) == ()
