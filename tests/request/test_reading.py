"""Reading a request: what is good is taken as it is, and what is wrong is said all at once, with place and cure."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from datetime import date
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compositor.errors import RequestError
from compositor.workspace.request import (
    Request,
    read_request,
    request_of,
    request_schema,
    request_template,
    traits_of,
)

DIGEST = "0" * 64
SCHEMA = jsonschema.Draft202012Validator(request_schema())


def package(**changes: Any) -> dict[str, Any]:
    """A small valid package with some keys changed."""
    return {"operation": "generate", "content": "poster", "brief": {"name": "x", "objective": "awareness"}} | changes


def full() -> dict[str, Any]:
    """A valid package that uses every block."""
    given_package: dict[str, Any] = request_template("email")
    given_package |= {
        "document": "spring",
        "claims": [
            {
                "id": "c1",
                "text": "Lasts ten years.",
                "expires": "2030-01-31",
                "markets": ["GB", "US-CA"],
                "sources": [{"source": "s1", "place": "page 3"}],
                "disclosures": ["d1"],
            }
        ],
        "sources": [{"id": "s1", "title": "Test report"}],
        "rules": {
            "required_disclosures": [{"id": "d1", "text": "Free of charge only with care.", "position": "footer"}],
            "prohibited_claims": [{"text": "free of charge", "reason": "law"}],
        },
        "assets": [
            {"id": "logo", "path": "art/logo.png", "role": "logo", "alt": "Logo", "media_type": "image/png"},
            {"id": "hero", "sha256": DIGEST, "focal_point": {"x": 0.5, "y": 0}, "rights": {"expires": "2029-12-31"}},
        ],
        "references": [{"id": "r1", "asset": "hero", "use": "layout"}],
        "examples": [{"id": "e1", "text": "Approved words"}],
        "blueprint": {"steps": [1, {"deep": None}]},
        "evaluation": {"criteria": [{"id": "k1", "asks": "Is it calm?"}]},
        "policy": {"completion": "verified_only", "budgets": {"steps": 4, "cost": 0.5}},
        "extensions": {"claims": {"anything": True}},
    }
    given_package["brand"]["logos"] = [{"asset": "logo", "min_width": 96, "clear_space": 0.5, "severity": "must"}]
    given_package["brand"]["palette"] = {"severity": "must", "tolerance": 4.5, "never": [["#175747", "#ffffff"]]}
    given_package["brief"]["messaging"]["key_messages"][0] |= {"asset": "hero", "claims": ["c1"]}
    given_package["brief"]["must_include"] = ["Free of charge only with care."]
    return given_package


def problems_of(value: Any) -> dict[str, str]:
    """Where → code of all problems of a package."""
    with pytest.raises(RequestError) as caught:
        read_request(json.dumps(value))
    return {problem.where: problem.code for problem in caught.value.problems}


def cure_of(value: Any) -> str:
    """The cure of the one problem of a package."""
    with pytest.raises(RequestError) as caught:
        read_request(json.dumps(value))
    (problem,) = caught.value.problems
    return problem.cure


def with_messaging(**messaging: Any) -> dict[str, Any]:
    return package(brief={"name": "x", "objective": "awareness", "messaging": messaging})


def test_a_package_that_uses_every_block_is_read_from_text_bytes_and_values() -> None:
    text = json.dumps(full())
    assert read_request(text) == read_request(b"\xef\xbb\xbf" + text.encode()) == request_of(full())


def test_a_request_read_again_from_its_own_json_is_the_same() -> None:
    request = request_of(full())
    assert request_of(request.model_dump(mode="json", exclude_none=True)) == request


def test_frozen_values_are_read_like_plain_ones() -> None:
    from compositor._values import freeze

    assert request_of(freeze(full())) == request_of(full())


def test_faults_of_shape_and_of_meaning_are_reported_together() -> None:
    wrong = full()
    wrong["breif"] = {}
    wrong["brief"]["messaging"]["headlin"] = "typo"
    wrong["brief"]["messaging"]["cta"]["url"] = "javascript:alert(1)"
    wrong["claims"][0]["sources"][0]["source"] = "s2"
    wrong["assets"][0]["sha256"] = DIGEST
    wrong["brand"]["colors"]["text"] = "{color.inc}"
    wrong["delivery"]["asset_base_url"] = "http://assets.shop.test"
    wrong["locale"] = "en_GB"
    assert problems_of(wrong) == {
        "$.breif": "unknown-key",
        "$.brief.messaging.headlin": "unknown-key",
        "$.brief.messaging.cta.url": "link",
        "$.claims[0].sources[0].source": "unknown-id",
        "$.assets[0]": "asset-source",
        "$.brand.colors.text": "token-reference",
        "$.delivery.asset_base_url": "asset-address",
        "$.locale": "wrong-format",
    }


@pytest.mark.parametrize(
    ("changes", "cure"),
    [
        ({"breif": {}}, "did you mean `brief`?"),
        ({"subject": "x"}, "it belongs to $.delivery.subject"),
        ({"must_include": []}, "it belongs to $.brief.must_include"),
        ({"claims": [{"id": "c", "text": "t", "zzz": 1}]}, "known here: audiences, disclosures, expires, id,"),
        ({"locale": "english"}, "such as en-GB"),
        ({"policy": {"completion": "verified"}}, "did you mean 'verified_only'?"),
        ({"policy": {"completion": 7}}, "write one of draft_allowed, verified_only"),
        ({"claims": [{"id": "c", "text": "t", "expires": "31.3.2027"}]}, ""),
        ({"claims": [{"id": "c", "text": "t", "expires": "2027-02-30"}]}, "2027-03-31"),
    ],
)
def test_a_problem_of_shape_says_its_cure(changes: dict[str, Any], cure: str) -> None:
    assert cure in cure_of(package(**changes))


@pytest.mark.parametrize(
    ("changes", "where", "code"),
    [
        ({"operation": None}, "$.operation", "wrong-type"),
        ({"brief": []}, "$.brief", "wrong-type"),
        ({"brief": {"name": "x"}}, "$.brief.objective", "missing-key"),
        ({"brief": {"name": "", "objective": "awareness"}}, "$.brief.name", "wrong-length"),
        ({"brief": {"name": "x" * 1001, "objective": "awareness"}}, "$.brief.name", "wrong-length"),
        ({"brief": {"name": "a\nb", "objective": "awareness"}}, "$.brief.name", "wrong-format"),
        ({"assets": {"id": "a"}}, "$.assets", "wrong-type"),
        ({"assets": [{"id": "a", "path": "p", "width": 0}]}, "$.assets[0].width", "out-of-range"),
        ({"assets": [{"id": "a", "path": "p", "width": "9"}]}, "$.assets[0].width", "wrong-type"),
        (
            {"assets": [{"id": "a", "path": "p", "focal_point": {"x": "0", "y": 0}}]},
            "$.assets[0].focal_point.x",
            "wrong-type",
        ),
        ({"claims": [{"id": "c", "text": "t", "expires": 1700006400}]}, "$.claims[0].expires", "wrong-type"),
        ({"claims": [{"id": "c", "text": "t", "expires": "1700006400"}]}, "$.claims[0].expires", "wrong-type"),
        ({"brand": {"name": "b", "colors": {"loud": "#fff"}}}, "$.brand.colors.loud", "unknown-value"),
        ({"evaluation": {"enabled": 1}}, "$.evaluation.enabled", "wrong-type"),
        ({"extensions": {"A B": 1}}, "$.extensions['A B']", "wrong-format"),
        ({"schema_version": "2"}, "$.schema_version", "unknown-value"),
        (
            {"delivery": {"sender": {"name": "n", "email": "Shop <a@b.test>"}}},
            "$.delivery.sender.email",
            "wrong-format",
        ),
    ],
)
def test_a_value_of_the_wrong_shape_is_never_coerced(changes: dict[str, Any], where: str, code: str) -> None:
    assert problems_of(package(**changes)) == {where: code}


@pytest.mark.parametrize(
    ("changes", "where", "code"),
    [
        ({"sources": [{"id": "s", "title": "a"}, {"id": "s", "title": "b"}]}, "$.sources[1].id", "duplicate-id"),
        ({"references": [{"id": "r", "asset": "hero"}]}, "$.references[0].asset", "unknown-id"),
        ({"examples": [{"id": "e", "asset": "hero"}]}, "$.examples[0].asset", "unknown-id"),
        ({"claims": [{"id": "c", "text": "t", "disclosures": ["d"]}]}, "$.claims[0].disclosures[0]", "unknown-id"),
        ({"brand": {"name": "b", "logos": [{"asset": "l"}]}}, "$.brand.logos[0].asset", "unknown-id"),
        ({"assets": [{"id": "a"}]}, "$.assets[0]", "asset-source"),
        ({"assets": [{"id": "a", "path": "../a.png"}]}, "$.assets[0].path", "asset-path"),
        ({"assets": [{"id": "a", "path": "/etc/passwd"}]}, "$.assets[0].path", "asset-path"),
        ({"assets": [{"id": "a", "path": "a", "media_type": "image/tiff"}]}, "$.assets[0].media_type", "asset-type"),
        ({"references": [{"id": "r"}]}, "$.references[0]", "nothing-shown"),
        ({"examples": [{"id": "e"}]}, "$.examples[0]", "nothing-shown"),
        ({"examples": ["e"]}, "$.examples[0]", "wrong-type"),
        ({"operation": "edit"}, "$.edit", "edit"),
        ({"edit": {"base_version": "v1", "instruction": "shorter"}}, "$.edit", "edit"),
        ({"delivery": {"asset_base_url": "https://a.test/x"}}, "$.delivery.asset_base_url", "asset-address"),
        ({"delivery": {"asset_base_url": "https:///"}}, "$.delivery.asset_base_url", "asset-address"),
        ({"brand": {"name": "b", "tokens": {"a": {"$value": "{a}"}}}}, "$.brand.tokens.a", "token-cycle"),
        ({"brand": {"name": "b", "fonts": {"body": ","}}}, "$.brand.fonts.body", "brand-role"),
        ({"brand": {"name": "b", "palette": {"never": [["a", "#fff"]]}}}, "$.brand.palette.never[0]", "brand-pair"),
    ],
)
def test_what_does_not_make_sense_is_named_with_its_place(changes: dict[str, Any], where: str, code: str) -> None:
    assert problems_of(package(**changes)) == {where: code}


def test_faulty_tokens_are_reported_without_the_roles_that_rest_on_them() -> None:
    brand = {"name": "b", "tokens": {"a": {"$value": "{b}"}}, "colors": {"primary": "{a}", "text": "no"}}
    assert problems_of(package(brand=brand)) == {
        "$.brand.tokens.a": "token-reference",
        "$.brand.colors.text": "brand-role",
    }


def test_a_brand_of_the_wrong_shape_is_reported_as_that_alone() -> None:
    assert problems_of(package(brand={"name": "b", "tokens": [], "colors": 3, "fonts": {"body": 4}})) == {
        "$.brand.tokens": "wrong-type",
        "$.brand.colors": "wrong-type",
        "$.brand.fonts.body": "wrong-type",
    }
    assert problems_of(package(brand=7)) == {"$.brand": "wrong-type"}


def test_an_id_that_is_nearly_right_is_cured_by_name() -> None:
    wrong = package(assets=[{"id": "hero", "sha256": DIGEST}], references=[{"id": "r", "asset": "heroe"}])
    assert cure_of(wrong) == "did you mean 'hero'?"


@pytest.mark.parametrize(
    "address", ["https://shop.test/sale?x=1", "https://bücher.test/", "mailto:a@b.test", "tel:+44123", "{{link}}"]
)
def test_links_that_may_stand_in_a_deliverable_are_taken(address: str) -> None:
    delivery = {"merge_tags": "handlebars"}
    assert request_of(with_messaging(cta={"text": "Go", "url": address}) | {"delivery": delivery})


@pytest.mark.parametrize(
    "address",
    ["javascript:alert(1)", "http://shop.test/", "https://", "https://[", "shop.test", "#top", "tel:", "data:x"],
)
def test_links_that_lead_nowhere_or_run_code_are_refused(address: str) -> None:
    assert problems_of(with_messaging(cta={"text": "Go", "url": address})) == {"$.brief.messaging.cta.url": "link"}


@pytest.mark.parametrize(("tag", "syntax"), [("{{u}}", "handlebars"), ("*|U|*", "mailchimp"), ("%%u%%", "salesforce")])
def test_a_merge_tag_needs_its_syntax_declared(tag: str, syntax: str) -> None:
    assert request_of(package(delivery={"unsubscribe": tag, "merge_tags": syntax}))
    assert problems_of(package(delivery={"unsubscribe": tag})) == {"$.delivery.unsubscribe": "merge-tag"}


@pytest.mark.parametrize(
    ("said", "prohibited"),
    [
        ("Totally  FREE of charge!", "free of charge"),
        ("It’s “free”", 'it\'s "free"'),
        ("fr\u00adee", "free"),
        ("Ｆｒｅｅ", "free"),
        ("完全免費體驗", "免費"),
        ("Save 50%", "50%"),
    ],
)
def test_words_that_must_be_said_and_are_prohibited_contradict_each_other(said: str, prohibited: str) -> None:
    wrong = package(rules={"prohibited_claims": [{"text": prohibited}]})
    wrong["brief"]["must_include"] = [said]
    assert problems_of(wrong) == {"$.brief.must_include[0]": "contradiction"}


@pytest.mark.parametrize(
    ("said", "prohibited"), [("Freedom", "free"), ("carefree days", "free"), ("anything", "\u200b")]
)
def test_part_of_a_word_is_no_contradiction(said: str, prohibited: str) -> None:
    assert request_of(with_messaging(headline=said) | {"rules": {"prohibited_claims": [{"text": prohibited}]}})


def test_prohibited_words_inside_a_required_disclosure_are_allowed_there_alone() -> None:
    disclosure = {"id": "d", "text": "Not free of charge in Wales."}
    rules = {"required_disclosures": [disclosure], "prohibited_claims": [{"text": "free of charge"}]}
    assert request_of(with_messaging(tagline="See: not free of charge in Wales.") | {"rules": rules})
    wrong = with_messaging(tagline="Free of charge. Not free of charge in Wales.") | {"rules": rules}
    assert problems_of(wrong) == {"$.brief.messaging.tagline": "contradiction"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not-json"),
        ("{", "not-json"),
        ('{"a": NaN}', "not-json"),
        ('{"a": -Infinity}', "not-json"),
        ('{"a": 1e999}', "not-json"),
        ('{"a": 1, "a": 2}', "not-json"),
        ("[" * 100_000, "not-json"),
        ('{"a": ' + "9" * 5_000 + "}", "not-json"),
        (b"\xff\xfe", "not-utf8"),
        (" " * (4 * 1024 * 1024 + 1), "too-large"),
        ("null", "wrong-type"),
        ("[]", "wrong-type"),
        ('"text"', "wrong-type"),
    ],
)
def test_what_is_no_package_at_all_is_refused_with_one_problem(text: str | bytes, code: str) -> None:
    with pytest.raises(RequestError) as caught:
        read_request(text, "sale.json")
    assert caught.value.codes == (code,)
    assert str(caught.value).startswith("sale.json: 1 problem")


def test_broken_json_names_its_line_and_column() -> None:
    with pytest.raises(RequestError, match="line 3, column 1"):
        read_request('{\n  "a": 1,\n}')


@pytest.mark.parametrize("value", [{"a": object()}, {"a": float("nan")}, {1: 2, "a": {3}}])
def test_a_value_that_is_not_json_is_refused(value: Any) -> None:
    with pytest.raises(RequestError) as caught:
        request_of(value)
    assert caught.value.codes == ("not-json",)


def test_control_characters_and_half_pairs_are_found_wherever_they_stand() -> None:
    wrong = package(blueprint={"a": ["x\x00"], "half\ud83c": 1}, extensions={"x": {"y": "\ufffe"}})
    assert problems_of(wrong) == {
        "$.blueprint.a[0]": "control-character",
        "$.blueprint['half\\ud83c']": "control-character",
        "$.extensions.x.y": "control-character",
    }


def test_a_problem_that_quotes_half_a_pair_can_still_be_printed() -> None:
    tokens = {"half\ud83c": {"$type": "color", "$value": "{half\ud83d}"}}
    with pytest.raises(RequestError) as caught:
        request_of(package(brand={"name": "b", "tokens": tokens}))
    assert str(caught.value).encode("utf-8")


def test_a_flood_of_problems_is_cut_and_counted() -> None:
    with pytest.raises(RequestError) as caught:
        request_of(package(**{f"zz{n}": n for n in range(500)}))
    assert len(caught.value.problems) == 101
    assert caught.value.problems[-1].message.startswith("400 more problems")


def test_only_a_leading_reference_makes_a_request_reference_led() -> None:
    note = {"id": "r", "note": "like this"}
    assert traits_of(request_of(package(references=[note | {"use": "lead"}]))) == {"reference-led"}
    assert traits_of(request_of(package(references=[note]))) == frozenset()


@pytest.mark.parametrize("content", ["email", "poster", "x"])
def test_the_template_of_any_content_type_is_a_valid_package(content: str) -> None:
    template = request_template(content)
    request = request_of(template)
    assert (request.operation, request.content) == ("generate", content)
    SCHEMA.validate(template)


def test_two_templates_share_nothing_that_can_be_changed() -> None:
    first = request_template("email")
    first["brand"]["name"] = first["brief"]["messaging"]["key_messages"][0]["text"] = "mine"
    assert "mine" not in json.dumps(request_template("email"))


def test_the_schema_is_a_closed_draft_2020_12_with_an_id() -> None:
    schema = request_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert (schema["$schema"], schema["$id"]) == (
        "https://json-schema.org/draft/2020-12/schema",
        "urn:compositor:request:1",
    )
    assert all(block["additionalProperties"] is False for block in schema["$defs"].values())


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*at, key))


PLACES = [place for place in places(full()) if place]
ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=8),
    st.sampled_from(
        ["{color.ink}", "#fff", "hero", "https://a.test/", "../x", "{{x}}", "2027-02-30", "\ud800", "free of charge"]
    ),
    st.lists(st.integers() | st.text(max_size=3), max_size=3),
    st.dictionaries(
        st.sampled_from(["id", "$value", "$ref", "$extends", "$type", "path", "asset"]), st.text(max_size=6), max_size=3
    ),
)


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    """A valid package with a few of its values replaced or removed."""
    changed: Any = copy.deepcopy(full())
    for *steps, last in draw(st.lists(st.sampled_from(PLACES), min_size=1, max_size=4)):
        holder = reached(changed, steps)
        if isinstance(holder, dict) and draw(st.booleans()):
            holder.pop(last, None)
        elif isinstance(holder, dict) or (isinstance(holder, list) and last in range(len(holder))):
            holder[last] = draw(ODD)
    return changed


def reached(value: Any, steps: list[Any]) -> Any:
    """What these steps lead to, or None where an earlier change has cut the way."""
    for step in steps:
        try:
            value = value[step]
        except (LookupError, TypeError):
            return None
    return value


def read_or_refuse(value: Any) -> Request | RequestError:
    try:
        return read_request(json.dumps(value))
    except RequestError as error:
        return error


@settings(deadline=None)
@given(mutated())
def test_no_mutation_of_a_package_raises_anything_but_a_request_error(value: Any) -> None:
    outcome = read_or_refuse(value)
    if isinstance(outcome, Request):
        assert request_of(outcome.model_dump(mode="json")) == outcome
    else:
        assert outcome.problems
        assert all(problem.code and problem.where.startswith("$") for problem in outcome.problems)
        assert str(outcome).encode("utf-8")


@settings(deadline=None)
@given(mutated())
def test_what_the_reader_takes_the_exported_schema_takes_too(value: Any) -> None:
    if isinstance(read_or_refuse(value), Request):
        SCHEMA.validate(value)


@settings(deadline=None)
@given(st.text(max_size=200) | st.binary(max_size=200))
def test_no_text_raises_anything_but_a_request_error(text: str | bytes) -> None:
    with pytest.raises(RequestError):
        read_request(text)


# --- claims that messages rest on ------------------------------------------------------------------------------------


def resting_on(**claim: Any) -> dict[str, Any]:
    """The full package, whose first message rests on its claim, with that claim changed."""
    value = full()
    value["claims"][0] |= claim
    return value


@pytest.mark.parametrize(
    "claim",
    [
        {"status": "pending"},
        {"status": "retired"},
        {"expires": "2027-02-28"},
        {"markets": ["DE"]},
        {"audiences": ["nurses"]},
    ],
)
def test_a_message_may_not_rest_on_a_claim_that_may_not_be_made(claim: dict[str, Any]) -> None:
    value = resting_on(**claim)
    value["audience"]["segments"] = ["doctors"]
    value["delivery"]["send_on"] = "2027-03-01"
    assert problems_of(value) == {"$.brief.messaging.key_messages[0].claims[0]": "unusable-claim"}


def test_without_a_day_of_its_own_a_package_goes_out_today() -> None:
    text = json.dumps(resting_on(expires="2027-02-28"))
    assert read_request(text).delivery.send_on is None
    assert read_request(text, today=date(2027, 2, 28)).delivery.send_on == date(2027, 2, 28)
    with pytest.raises(RequestError, match="it expired on 2027-02-28, and this goes out on 2027-03-01"):
        read_request(text, today=date(2027, 3, 1))
    value = resting_on(expires="2027-02-28")
    value["delivery"]["send_on"] = "2027-02-01"
    assert str(read_request(json.dumps(value), today=date(2027, 3, 1)).delivery.send_on) == "2027-02-01"


def test_a_claim_that_no_message_rests_on_may_be_out_of_date() -> None:
    value = resting_on(expires="2020-01-01")
    value["brief"]["messaging"]["key_messages"][0]["claims"] = []
    assert read_request(json.dumps(value), today=date(2027, 3, 1)).claims


@pytest.mark.parametrize(
    "claim", ["Lasts ten years.", {"text": "Lasts ten years."}, {"id": 7, "text": "Lasts ten years."}]
)
def test_a_claim_without_a_name_is_told_once_and_nothing_is_said_to_rest_on_it(claim: Any) -> None:
    value = resting_on()
    value["claims"] = [claim]
    found = problems_of(value)
    assert "unusable-claim" not in found.values()
    assert any(place.startswith("$.claims[0]") for place in found)
