"""Documents made to waste time and memory: each is read to its end, and told in a few findings."""

from __future__ import annotations

import pytest

from tests.email.bench import Bench

pytestmark = pytest.mark.anyio

SIZE = 30_000
"""Characters. What is quadratic takes minutes on these, what is linear a second."""

PIECES = {
    "nested": "<b>",
    "closed by nothing": "</x>",
    "nested and closed by others": "<b></i>",
    "list items": "<li>",
    "unknown tags": "<zz>",
    "attributes": "<p " + "a=1 " * 50 + ">",
    "open brackets": "[[[[",
    "open braces": "{{{{",
    "open dollars": "${${",
    "bare less-than": "< < ",
    "quotes": "<a href='\"",
    "open urls": "<p style='url(url(url('>",
    "long words": "xxxxxx",
    "headings": "<h1>a</h1>",
    "links": "<a href='[[[[[['>a</a>",
    "comments": "<!-- a ",
}


@pytest.mark.parametrize("kind", PIECES)
async def test_a_hostile_mail_is_read_to_its_end(kind: str) -> None:
    bench = Bench()
    piece = PIECES[kind]
    html = "<html><body>" + piece * (SIZE // len(piece))
    await bench.lay({"outside.html": html}, by_writer=False)
    await bench.build()
    for check in ("compiled-size", "html-document", "links", "placeholders", "delivery", "message-file"):
        assert (await bench.check(check)).status in {"passed", "failed", "not_applicable", "inconclusive"}


@pytest.mark.parametrize("kind", PIECES)
async def test_a_hostile_source_is_refused_in_few_findings(kind: str) -> None:
    piece = PIECES[kind]
    bench = await Bench().lay({"email.mjml": "<mjml><mj-body>" + piece * (SIZE // len(piece))})
    verdict = await bench.check("mjml-structure")
    assert verdict.status == "failed"
    assert len(verdict.findings) <= 200


async def test_a_tag_with_a_thousand_unknown_attributes_is_told_in_few_findings() -> None:
    attributes = " ".join(f"a{number}='1'" for number in range(10_000))
    bench = await Bench().lay({"email.mjml": f"<mjml><mj-body {attributes}/></mjml>"})
    assert len((await bench.check("mjml-structure")).findings) <= 200
