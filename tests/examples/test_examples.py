"""The example packages: sound requests, whose own pictures and words become mails with which nothing is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from compositor.operations import generate
from compositor.workspace.request import read_request

EXAMPLES = Path(__file__).parents[2] / "examples"
TOLD = {
    "event-invitation": {"no-rule-pack", "placeholder-asset-base"},
    "medicine-news": set(),
    "product-announcement": {"placeholder-asset-base"},
    "retail-sale": {"placeholder-asset-base"},
}
"""What a person is told of each: pictures have no public address yet, and for one market there are no rules."""
NAMES = tuple(TOLD)
PICTURE_LIMIT = 300_000
"""Bytes of a picture: a mail that loads in a moment, and a repository that stays small."""

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_a_sound_request(name: str) -> None:
    request = read_request((EXAMPLES / name / "request.json").read_bytes())
    assert (request.operation, request.content) == ("generate", "email")


@pytest.mark.parametrize("name", NAMES)
def test_every_picture_of_an_example_is_there_light_licensed_and_described(name: str) -> None:
    request = read_request((EXAMPLES / name / "request.json").read_bytes())
    for asset in request.assets:
        assert 0 < (EXAMPLES / name / str(asset.path)).stat().st_size < PICTURE_LIMIT
        assert asset.alt
        assert asset.rights
        assert asset.rights.licence == "Apache-2.0"


@pytest.mark.parametrize("name", NAMES)
def test_an_example_has_no_picture_that_it_does_not_use(name: str) -> None:
    request = read_request((EXAMPLES / name / "request.json").read_bytes())
    files = {path.name for path in (EXAMPLES / name).glob("assets/*")}
    assert files == {Path(str(asset.path)).name for asset in request.assets}


@pytest.mark.browser
@pytest.mark.parametrize("name", NAMES)
async def test_an_example_becomes_a_mail_without_a_rejection(name: str, tmp_path: Path) -> None:
    result = await generate(EXAMPLES / name / "request.json", data=tmp_path)
    measured = [report for report in result.reports if report["kind"] == "measurement"]
    assert {report["status"] for report in measured} <= {"passed", "not_applicable"}
    assert {f["code"] for report in measured for f in report["findings"]} == TOLD[name]
    assert (result.status, result.usage.rejections) == ("succeeded", 0)
