"""Fifty briefs from outside become emails offline; others find nothing serious in them, and we find what is planted."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import anyio
import pytest
from playwright.async_api import async_playwright

from compositor.adapters.browser import find_browser
from compositor.operations import Environment, Result, generate
from compositor.testing import Scripted, calls
from tests.email.briefs import briefs, request_of

pytestmark = [pytest.mark.browser, pytest.mark.material]

INDEPENDENT = Path(__file__).parents[1] / "independent"
NODE = shutil.which("node")
BRIEFS = "briefs/opencole_designerintention_v2.csv"
LEAST = 0.96
"""The part of the briefs that must pass, and of the planted faults that must be found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """What became of a brief."""

    brief: str
    request: Mapping[str, Any]
    result: Result
    files: Mapping[str, str]

    @property
    def layout(self) -> str:
        found = re.search(r'css-class="design layout-(\w+)', self.files["email.mjml"])
        assert found is not None
        return found[1]


@cache
def mails(path: Path, data: Path) -> tuple[Mail, ...]:
    """The emails of all briefs, made once."""
    return anyio.run(_made, path, data)


async def _made(path: Path, data: Path) -> tuple[Mail, ...]:
    made = []
    async with Environment(data) as environment:
        for brief in briefs(path):
            request = request_of(brief)
            result = await generate(request, environment=environment)
            addresses = {artifact.path: artifact.sha256 for artifact in result.artifacts}
            files = {
                name: (await environment.blobs.get(addresses[name])).decode()
                for name in ("email.mjml", "plan.json", "email.html")
            }
            made.append(Mail(brief=brief["id"], request=request, result=result, files=files))
    return tuple(made)


@pytest.fixture(scope="module")
def made(material: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> tuple[Mail, ...]:
    return mails(material(BRIEFS), tmp_path_factory.mktemp("briefs"))


def blocking(result: Result) -> list[tuple[str, str]]:
    """Verifier and code of everything that makes a report fail."""
    return [
        (report["verifier"], finding["code"])
        for report in result.reports
        for finding in report["findings"]
        if finding["severity"] == "blocking"
    ]


def test_every_brief_becomes_a_mail_and_nearly_all_have_nothing_that_blocks(made: Sequence[Mail]) -> None:
    faulty = {mail.brief: found for mail in made if (found := blocking(mail.result))}
    assert len(made) == 50
    assert {mail.result.status for mail in made} <= {"succeeded", "incomplete"}
    assert len(faulty) <= len(made) * (1 - LEAST), faulty


def test_what_they_say_chooses_at_least_six_layouts(made: Sequence[Mail]) -> None:
    used = Counter(mail.layout for mail in made)
    assert len(used) >= 6, used


@pytest.mark.skipif(
    NODE is None or not (INDEPENDENT / "node_modules").is_dir(), reason="the checkers of npm are absent"
)
def test_the_reference_compiler_of_mjml_accepts_all_of_them_strictly(made: Sequence[Mail]) -> None:
    sources = json.dumps([mail.files["email.mjml"] for mail in made])
    assert NODE is not None
    asked = [NODE, str(INDEPENDENT / "mjml.mjs")]
    ran = subprocess.run(asked, input=sources, capture_output=True, text=True, check=True)
    faults = dict(zip((mail.brief for mail in made), json.loads(ran.stdout), strict=True))
    assert {brief: told for brief, told in faults.items() if told} == {}


AXE = INDEPENDENT / "node_modules" / "axe-core" / "axe.min.js"
NOT_FOR_MAIL = ("bypass", "landmark-one-main", "page-has-heading-one", "region")
"""Rules for pages of a site: a mail has no navigation to skip, and its reader's program has the landmarks."""


@pytest.mark.skipif(not AXE.is_file(), reason="the checkers of npm are absent")
@pytest.mark.anyio
async def test_axe_finds_nothing_serious_in_any_of_them_on_desktop_and_phone(made: Sequence[Mail]) -> None:
    found: dict[str, list[str]] = {}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        context = await browser.new_context(offline=True)
        page = await context.new_page()
        for mail in made:
            for width in (600, 375):
                await page.set_viewport_size({"width": width, "height": 800})
                await page.set_content(mail.files["email.html"])
                await page.add_script_tag(path=AXE)
                rules = {rule: {"enabled": False} for rule in NOT_FOR_MAIL}
                told = await page.evaluate("rules => axe.run(document, {rules})", rules)
                serious = [one["id"] for one in told["violations"] if one["impact"] in {"serious", "critical"}]
                assert told["passes"], "axe has looked at nothing"
                found |= {f"{mail.brief} at {width}": serious} if serious else {}
        await browser.close()
    assert found == {}


Plant = Callable[[Mapping[str, str]], Mapping[str, str]]


def in_source(old: str, new: str) -> Plant:
    """Replace the first match of a pattern in the source, or leave it as it is where there is none."""
    return lambda files: {**files, "email.mjml": re.sub(old, new, files["email.mjml"], count=1, flags=re.DOTALL)}


def in_plan(old: str, new: str) -> Plant:
    return lambda files: {**files, "plan.json": re.sub(old, new, files["plan.json"], count=1, flags=re.DOTALL)}


PLANTS: Mapping[str, Plant] = {
    "unsubscribe link gone": in_source(r' href="https://brand\.test/unsubscribe"', ""),
    "postal address changed": in_source(r"1 Mill Lane, York", "2 Mill Lane, York"),
    "a link that leads nowhere": in_source(r'(<mj-button[^>]* href=")[^"]*"', r'\1#"'),
    "an address with a script": in_source(r'(<mj-button[^>]* href=")[^"]*"', r'\1javascript:alert(1)"'),
    "a placeholder": in_source(r"(<h1[^>]*>)", r"\1Lorem ipsum dolor "),
    "an invented figure": in_source(r"(</h1>)", r" for 7,777 people\1"),
    "an invented superlative": in_source(r"(</h1>)", r", the unrivalled original\1"),
    "an unknown component": in_source(r"(<mj-button)", r"<mj-knob></mj-knob>\1"),
    "a component in text": in_source(r"(<h1[^>]*>)", r"\1<mj-button href='https://brand.test/'>Go</mj-button>"),
    "a script": in_source(r"(</mj-head>)", r"<mj-raw><script>1</script></mj-raw>\1"),
    "another language": in_source(r'<mjml lang="en', '<mjml lang="fr'),
    "an open merge tag": in_source(r"(<h1[^>]*>)", r"\1{{ first_name }}, "),
    "a subject that is empty": in_plan(r'"subject": "[^"]*"', '"subject": ""'),
    "evidence that does not exist": in_plan(r'"evidence": \[', '"evidence": ["brief.nothing", '),
    "a plan that is no JSON": in_plan(r"\}\s*$", ""),
    "text that is cut": in_source(r"(<h1 style=\")", r"\1height:8px;overflow:hidden;"),
    "a headline over the text below": in_source(r"(<h1 style=\")", r"\1height:6px;"),
}


@pytest.mark.anyio
async def test_one_fault_planted_by_rule_into_each_is_found(made: Sequence[Mail], tmp_path: Path) -> None:
    names, missed, planted = list(PLANTS), [], 0
    async with Environment(tmp_path) as environment:
        for number, mail in enumerate(made):
            name = names[number % len(names)]
            files = PLANTS[name]({path: mail.files[path] for path in ("plan.json", "email.mjml")})
            if files == {path: mail.files[path] for path in files}:
                continue
            planted += 1
            writes = [("write_file", {"path": path, "content": content}) for path, content in files.items()]
            request = {**mail.request, "policy": {"budgets": {"rejections": 0}}}
            writer = Scripted({(1, 1): calls(*writes)})
            result = await generate(request, models={"writer": writer}, environment=environment)
            if not set(blocking(result)) - set(blocking(mail.result)):
                missed.append(f"{name} in {mail.brief}")
    assert planted >= 40
    assert len(missed) <= planted * (1 - LEAST), missed
