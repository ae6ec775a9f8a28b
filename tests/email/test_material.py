"""Every measurement over real mails from outside, against what is known of them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from compositor.adapters.compiler import MjmlCompiler
from compositor.verifiers import Verdict
from tests.email.bench import Bench, codes

pytestmark = [pytest.mark.anyio, pytest.mark.material]

Find = Callable[[str], Path]


class Words(HTMLParser):
    """The visible words of a page by Python's own parser: a second opinion, independent of ours."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.silent, self.said = 0, list[str]()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.silent += tag in {"script", "style", "title"}

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in {"script", "style", "title"}

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.said.append(data)


def words(html: str) -> str:
    return "".join("".join(Words(html).said).split())


def addresses(html: str) -> list[str]:
    return sorted(unescape(found) for found in re.findall(r'(?:href|src|alt)="([^"]*)"', html))


async def test_our_compiler_says_the_same_words_as_the_reference_implementation(material: Find) -> None:
    pairs = sorted(material("email/mrml_pairs").glob("*.mjml"))
    different = []
    for source in pairs:
        ours = await MjmlCompiler().compile(source.read_text(), "mjml")
        if words(ours) != words(source.with_suffix(".html").read_text()):
            different.append(source.stem)
    assert (len(pairs), different) == (156, [])


async def test_addresses_and_alternatives_survive_compilation_as_often_as_was_measured(material: Find) -> None:
    """123 of 156 by the engine alone; the others differ in the engine's own icons and web fonts."""
    same = 0
    for source in material("email/mrml_pairs").glob("*.mjml"):
        ours = await MjmlCompiler().compile(source.read_text(), "mjml")
        same += addresses(ours) == addresses(source.with_suffix(".html").read_text())
    assert same >= 123


async def verdicts(path: Path) -> Mapping[str, Verdict]:
    bench = await Bench().lay({"outside.html": path.read_bytes()}, by_writer=False)
    await bench.build()
    names = ("compiled-size", "html-document", "links", "placeholders")
    return {name: await bench.check(name) for name in names}


def measured(material: Find) -> Mapping[str, Any]:
    value: Mapping[str, Any] = json.loads(material("email/html_real_measured.json").read_text())["files"]
    return value


async def test_counts_on_real_mails_are_those_that_an_independent_parser_found(material: Find) -> None:
    expected, counted = {}, {}
    for name, facts in measured(material).items():
        found = await verdicts(material(f"email/html_real/{name}"))
        links, document = found["links"], Counter(codes(found["html-document"].findings))
        counts = Counter(codes(links.findings))
        counted[name] = (
            links.measures.get("pictures", 0),
            links.measures.get("links", 0),
            counts["missing-alt"],
            counts["link-without-href"],
            found["compiled-size"].measures["bytes"],
            document["missing-language"],
            document["missing-title"],
        )
        expected[name] = (
            facts["images"],
            facts["links"],
            facts["images_without_alt_attr"],
            facts["links_without_href"],
            facts["bytes"],
            int(not facts["html_lang"]),
            int(not facts["title"]),
        )
    assert len(expected) == 66
    assert counted == expected
    assert sum(row[2] for row in counted.values()) == 16


async def test_every_unreplaced_placeholder_of_a_real_template_is_found(material: Find) -> None:
    for name, facts in measured(material).items():
        if not facts["placeholders"]:
            continue
        found = await verdicts(material(f"email/html_real/{name}"))
        told = {str(finding.measured) for check in ("links", "placeholders") for finding in found[check].findings}
        assert any("{{" in tag for tag in told), name


async def test_pictures_on_dead_hosts_are_found_in_every_file_that_has_them(material: Find) -> None:
    dead = re.compile(r"//(?:placehold\.it|via\.placeholder\.com)")
    files = sorted(material("email/html_real").rglob("*.html"))
    having = [path.name for path in files if dead.search(path.read_text(errors="replace"))]
    found = [p.name for p in files if "placeholder-picture" in codes((await verdicts(p))["links"].findings)]
    assert (len(having), found) == (16, having)


async def test_every_source_that_can_be_read_can_be_built_and_measured(material: Find) -> None:
    """Checks say passed or failed on any real source, and never break down."""
    for source in sorted(material("email/mrml_pairs").glob("*.mjml")):
        bench = await Bench().lay({"email.mjml": source.read_bytes()}, by_writer=False)
        await bench.build()
        for name in ("compiled-size", "html-document", "placeholders", "links", "delivery"):
            assert (await bench.check(name)).status in {"passed", "failed", "not_applicable", "inconclusive"}, (
                source.stem
            )
