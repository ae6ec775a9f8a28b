"""The support capability `brand-guide`: the brand in files and words, and whether its palette was kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from compositor._values import Json
from compositor.authoring import Artifact
from compositor.capabilities.brand_guide import brand_guide
from compositor.verifiers import Verdict
from compositor.workspace.tokens import palette
from tests.email.bench import Bench

pytestmark = pytest.mark.anyio

BRAND: Mapping[str, Json] = {
    "name": "Lumen",
    "tagline": "Light, well made",
    "url": "https://lumen.test/",
    "tokens": {
        "color": {
            "$type": "color",
            "flame": {"$value": {"colorSpace": "srgb", "components": [0.78, 0.24, 0.12], "hex": "#c73d1f"}},
            "accent": {"$value": "{color.flame}"},
        },
        "type": {"$type": "fontFamily", "body": {"$value": ["Lumen Sans", "Arial"]}},
    },
    "colors": {"primary": "{color.accent}", "text": "#222222"},
    "fonts": {"body": "{type.body}"},
    "logos": [{"asset": "logo", "variant": "wordmark", "min_width": 96, "clear_space": 0.5}],
    "tone": {"voice": "calm and exact", "attributes": ["warm"], "dos": ["say what it is"], "donts": ["shout"]},
    "guidelines": [{"rule": "One accent a page", "severity": "must"}, {"rule": "Use white space"}],
    "disclaimers": [{"text": "Bulbs not included", "context": "lamps", "required": True}],
}


def bench(brand: Json = BRAND) -> Bench:
    return Bench({"brand": brand} if brand else {}, capability=brand_guide)


def text_of(path: str, brand: Json = BRAND) -> str:
    work = bench(brand)
    return str(brand_guide.files(work.view)[path].content)


def test_tokens_come_resolved_by_role_and_by_path() -> None:
    tokens = json.loads(text_of("brand/tokens.json"))
    assert tokens["colors"] == {"primary": "#c73d1f", "text": "#222222"}
    assert tokens["fonts"] == {"body": ["Lumen Sans", "Arial"]}
    assert tokens["tokens"]["color.accent"] == {"type": "color", "value": "#c73d1f"}


def test_the_guide_says_everything_that_the_brand_gives() -> None:
    guide = text_of("brand/guide.md")
    for words in (
        "# Lumen",
        "Light, well made",
        "calm and exact",
        "- warm",
        "- say what it is",
        "- shout",
        "- primary: #c73d1f",
        "- body: Lumen Sans, Arial",
        "asset logo: wordmark, at least 96 px wide, clear space of 0.5 × its height",
        "- Must: One accent a page",
        "- Should: Use white space",
        "- Required (lamps): Bulbs not included",
    ):
        assert words in guide


def test_its_files_hold_the_words_of_the_brand() -> None:
    assert {given.voice for given in brand_guide.files(bench().view).values()} == {"brand"}


def test_a_small_brand_is_enough() -> None:
    assert text_of("brand/guide.md", {"name": "Lumen"}) == "# Lumen\n"


def test_without_a_brand_there_are_no_files_and_no_words() -> None:
    work = bench(None)
    assert dict(brand_guide.files(work.view)) == {}
    assert brand_guide.instructions(work.view).paragraphs == ()


@pytest.mark.parametrize(("severity", "word"), [("must", "rejected"), ("should", "reported")])
def test_the_writer_is_told_how_strictly_the_palette_binds(severity: str, word: str) -> None:
    work = bench({**BRAND, "palette": {"severity": severity}})
    assert word in " ".join(brand_guide.instructions(work.view).paragraphs)


async def verdict(brand: Json, *colours: tuple[str, float], renders: int = 2) -> Verdict:
    work = bench(brand)
    uses = [{"colour": colour, "use": "background", "share": share} for colour, share in colours]
    for number in range(renders):
        facts = {"width": 600, "height": 900, "colours": uses}
        work.artifacts[f"render/{number}"] = Artifact(media_type="image/png", sha256="0" * 64, size=1, facts=facts)
    return await work.check("palette")


async def test_a_mail_in_the_brand_colours_passes() -> None:
    found = await verdict(BRAND, ("#c73d1f", 0.2), ("#222222", 0.1), ("#ffffff", 0.6))
    assert (found.status, found.findings) == ("passed", ())
    assert (found.examined, found.measures["judged"]) == (3, 1)


@pytest.mark.parametrize(("severity", "expected"), [("must", "blocking"), ("should", "warning")])
async def test_a_foreign_colour_is_as_grave_as_the_brand_says(severity: str, expected: str) -> None:
    found = await verdict({**BRAND, "palette": {"severity": severity}}, ("#2244cc", 0.1))
    assert [(finding.code, finding.severity) for finding in found.findings] == [("off-palette", expected)]


async def test_the_tolerance_of_the_brand_counts() -> None:
    wide = {**BRAND, "palette": {"tolerance": 100.0}}
    assert (await verdict(wide, ("#2244cc", 0.1))).findings == ()


async def test_without_a_palette_or_a_picture_there_is_nothing_to_measure() -> None:
    assert (await verdict({"name": "Lumen"}, ("#2244cc", 0.1))).status == "not_applicable"
    assert (await verdict(BRAND, renders=0)).status == "not_applicable"
    assert (await verdict(None, ("#2244cc", 0.1))).status == "not_applicable"


@pytest.mark.material
@pytest.mark.parametrize("name", ["primer_light", "primer_dark", "primer_light-high-contrast"])
async def test_an_artifact_in_primer_colours_gives_no_finding_and_one_foreign_colour_one(
    name: str, material: Callable[[str], Path]
) -> None:
    given: Mapping[str, Any] = json.loads(material(f"brand/{name}.json").read_text())["tokens"]
    tokens = {path: {"$type": "color", "$value": token["value"]} for path, token in given.items()}
    brand = {"name": "Primer", "tokens": tokens, "palette": {"severity": "must"}}
    own = [(colour, 0.9 / len(palette(brand))) for _, colour in palette(brand)]
    assert len(own) > 30
    assert (await verdict(brand, *own)).findings == ()
    (finding,) = (await verdict(brand, *own, ("#ff00ff", 0.05))).findings
    assert (finding.code, finding.severity) == ("off-palette", "blocking")
    assert "#ff00ff" in finding.message
