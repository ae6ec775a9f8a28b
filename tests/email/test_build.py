"""The build: what is delivered, and the evidence of how it looks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from compositor._values import Json, sha256
from compositor.authoring import Built, copy_sections
from compositor.errors import PortError
from compositor.workspace import Page, Screen, Section
from tests.email.bench import REQUEST, Bench, PaperRenderer, clean_mail, codes, mail, plan_text

pytestmark = pytest.mark.anyio


async def built(source: str, plan: str | None = None, **options: Any) -> tuple[Bench, Built]:
    bench = await Bench(**options).lay({"email.mjml": source, "plan.json": plan or plan_text()})
    return bench, await bench.build()


async def copy(bench: Bench) -> tuple[Section, ...]:
    data = await bench.blobs.get(bench.artifacts["copy"].sha256)
    return copy_sections(json.loads(data))


async def text_part(body: str) -> str:
    bench, _ = await built(mail(body))
    return await bench.text("email.txt")


async def test_a_mail_becomes_its_parts_its_pictures_and_its_words() -> None:
    bench, result = await built(clean_mail())
    assert result.findings == ()
    assert sorted(result.outputs) == ["delivery.json", "email.eml", "email.html", "email.txt"]
    screens = ("desktop", "mobile", "narrow")
    assert sorted(result.artifacts) == [
        "copy",
        *(f"{kind}/{s}" for kind in ("layout", "render") for s in screens),
        "source",
    ]
    pair = {"colour": "#222222", "behind": "#ffffff", "text": "seen", "box": [20, 20, 200, 20]}
    drawn = {"width": 375, "height": 900, "colours": [], "pairs": [pair], "images": []}
    assert result.artifacts["render/mobile"].facts == drawn
    assert result.artifacts["layout/narrow"].media_type == "application/json"
    assert '<html lang="en-GB"' in await bench.text("email.html")


async def test_every_owned_derived_output_is_made() -> None:
    bench, result = await built(clean_mail())
    assert set(result.outputs) == {output.path for output in bench.capability.owns if output.derived}


async def test_a_source_that_does_not_compile_is_a_blocking_finding_with_its_line() -> None:
    _, result = await built(mail("<mj-text>a < b</mj-text>"))
    (finding,) = result.findings
    assert (finding.code, finding.severity, str(finding.where)) == ("compile-failed", "blocking", "email.mjml:5")
    assert result.outputs == {}


async def test_a_missing_source_is_a_blocking_finding_that_names_it() -> None:
    result = await Bench().build()
    assert codes(result.findings) == ["missing-output"]
    assert "email.mjml" in result.findings[0].message


async def test_a_browser_that_breaks_down_is_no_finding() -> None:
    class Broken(PaperRenderer):
        async def render(self, page: Page, screens: Any) -> Any:
            raise PortError("browser", "it crashed")

    bench = await Bench(renderer=Broken()).lay({"email.mjml": clean_mail()})
    with pytest.raises(PortError, match="crashed"):
        await bench.build()


async def test_a_broken_plan_does_not_stop_the_mail_from_being_built() -> None:
    _, result = await built(clean_mail(), plan="{")
    assert result.findings == ()


async def test_an_outside_html_mail_is_delivered_as_it_stands() -> None:
    html = "<!doctype html><html lang='en'><body><p>Hello</p></body></html>"
    bench = await Bench().lay({"outside.html": html}, by_writer=False)
    await bench.build()
    assert await bench.text("email.html") == html


async def test_the_build_looks_at_no_more_than_it_needs() -> None:
    bench, _ = await built(clean_mail())
    assert set(bench.trace.files) == {"email.mjml", "plan.json"}


# ---- assets


PICTURE = b"the bytes of a picture"
ASSETS: list[Json] = [
    {"id": "lamp", "role": "hero", "sha256": sha256(PICTURE), "media_type": "image/png", "width": 600, "height": 400}
]
URL = f"https://pictures.lumen.test/{sha256(PICTURE)}.png"


def with_assets(**delivery: Json) -> Mapping[str, Json]:
    given = {"asset_base_url": "https://pictures.lumen.test/", **delivery}
    return {**REQUEST, "assets": ASSETS, "delivery": {**REQUEST["delivery"], **given}}


async def test_an_asset_is_drawn_from_the_workspace_and_everything_else_is_refused() -> None:
    other = f"https://pictures.lumen.test/{'0' * 64}.png"
    hostile = [other, "https://evil.test/x.png", "file:///etc/passwd", URL + "?x", "https://pictures.lumen.test/../x"]
    renderer = PaperRenderer(asks=[URL, *hostile])
    bench = Bench(with_assets(), renderer=renderer)
    await bench.lay({f"assets/{sha256(PICTURE)}.png": PICTURE}, by_writer=False)
    await bench.lay({"email.mjml": mail(f'<mj-image src="{URL}" alt="A lamp"/>')})
    await bench.build()
    assert renderer.answers == {URL: PICTURE, **dict.fromkeys(hostile)}
    assert f"assets/{sha256(PICTURE)}.png" in bench.trace.files


async def test_a_file_in_the_workspace_that_is_no_asset_is_not_shown() -> None:
    name = f"{'a' * 64}.png"
    renderer = PaperRenderer(asks=[f"https://pictures.lumen.test/{name}"])
    bench = Bench(with_assets(), renderer=renderer)
    await bench.lay({f"assets/{name}": b"x"}, by_writer=False)
    await bench.lay({"email.mjml": clean_mail()})
    await bench.build()
    assert list(renderer.answers.values()) == [None]


async def test_page_scripts_never_run() -> None:
    renderer = PaperRenderer()
    await (await Bench(renderer=renderer).lay({"email.mjml": clean_mail()})).build()
    assert [page.scripts for page in renderer.pages] == [False]


# ---- delivery manifest


async def manifest(request: Mapping[str, Json], source: str = "") -> Mapping[str, Any]:
    bench = await Bench(request).lay({"email.mjml": source or clean_mail(), "plan.json": plan_text()})
    await bench.build()
    value: Mapping[str, Any] = json.loads(await bench.text("delivery.json"))
    return value


async def test_the_manifest_says_what_a_sending_system_needs() -> None:
    value = await manifest(REQUEST)
    assert value["subject"] == "Spring is here"
    assert value["preheader"] == "New lamps, old prices"
    assert value["language"] == "en-GB"
    assert value["sender"] == {"name": "Lumen"}
    assert value["parts"]["html"]["path"] == "email.html"


async def test_the_sizes_of_the_parts_are_bytes() -> None:
    bench, _ = await built(mail("<mj-text>春</mj-text>"))
    value = json.loads(await bench.text("delivery.json"))
    assert value["parts"]["html"]["bytes"] == len((await bench.text("email.html")).encode())
    assert value["parts"]["text"]["bytes"] == len((await bench.text("email.txt")).encode())


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("https://shop.lumen.test/u", {"List-Unsubscribe": "<https://shop.lumen.test/u>", "one-click": True}),
        ("mailto:leave@lumen.test", {"List-Unsubscribe": "<mailto:leave@lumen.test>", "one-click": False}),
        ("{{unsubscribe_url}}", {"List-Unsubscribe": "<{{unsubscribe_url}}>", "one-click": True}),
    ],
)
async def test_unsubscribing_has_its_headers(address: str, headers: Mapping[str, Json]) -> None:
    given = (await manifest({**REQUEST, "delivery": {"unsubscribe": address}}))["headers"]
    assert given["List-Unsubscribe"] == headers["List-Unsubscribe"]
    assert ("List-Unsubscribe-Post" in given) is headers["one-click"]


async def test_the_manifest_lists_the_pictures_that_are_shown_and_no_others() -> None:
    shown = await manifest(with_assets(), mail(f'<mj-image src="{URL}" alt=""/>'))
    assert shown["assets"] == [
        {
            "id": "lamp",
            "url": URL,
            "cid": f"{sha256(PICTURE)}@assets",
            "path": f"assets/{sha256(PICTURE)}.png",
            "media_type": "image/png",
        }
    ]
    assert (await manifest(with_assets()))["assets"] == []


# ---- plain text


async def test_headings_are_underlined_by_their_width() -> None:
    assert "Spring\n======\n" in await text_part("<mj-text><h1>Spring</h1><p>x</p></mj-text>")
    assert "春季\n----\n" in await text_part("<mj-text><h2>春季</h2><p>x</p></mj-text>")


async def test_links_stand_beside_their_words() -> None:
    text = await text_part('<mj-text>See <a href="https://a.test/x?b=1&amp;c=2">the lamps</a>, now.</mj-text>')
    assert "See the lamps (https://a.test/x?b=1&c=2), now." in text


async def test_an_address_that_is_its_own_words_stands_once() -> None:
    text = await text_part(
        '<mj-text><a href="https://a.test/">a.test</a> <a href="mailto:b@a.test">b@a.test</a></mj-text>'
    )
    assert "a.test b@a.test\n" in text


async def test_links_drawn_as_boxes_stand_apart() -> None:
    link = '<mj-navbar-link href="https://a.test/{0}">{0}</mj-navbar-link>'
    assert "One (https://a.test/One)\n\nTwo (https://a.test/Two)" in await text_part(
        f"<mj-navbar>{link.format('One')}{link.format('Two')}</mj-navbar>"
    )


async def test_lists_have_marks_and_numbers() -> None:
    text = await text_part("<mj-text><ul><li>One</li><li>Two</li></ul><ol><li>A</li><li>B</li></ol></mj-text>")
    assert "- One\n- Two\n1. A\n2. B\n" in text


async def test_rows_of_a_table_are_lines() -> None:
    rows = "<tr><th>Date:</th><td>1 May</td></tr><tr><th>Place</th><td>York</td></tr>"
    assert "Date: 1 May\nPlace: York\n" in await text_part(f"<mj-table>{rows}</mj-table>")


async def test_line_breaks_are_kept_and_entities_are_read() -> None:
    assert "Tom & Jerry\n1 000 lamps" in await text_part("<mj-text>Tom &amp; Jerry<br/>1&nbsp;000 lamps</mj-text>")


async def test_the_hidden_preheader_is_left_out() -> None:
    assert "old prices" not in await text_part("<mj-text>x</mj-text>")


async def test_a_linked_picture_speaks_and_a_plain_one_does_not() -> None:
    text = await text_part(
        '<mj-image src="https://p.test/a.png" alt="Lumen" href="https://shop.test/"/><mj-image src="b" alt="A lamp"/>'
    )
    assert "Lumen (https://shop.test/)" in text
    assert "A lamp" not in text


async def test_a_picture_that_leads_where_words_lead_is_silent() -> None:
    text = await text_part(
        '<mj-image src="https://p.test/a.png" alt="A lamp" href="https://shop.test/a"/>'
        '<mj-button href="https://shop.test/a">See the lamp</mj-button>'
    )
    assert "A lamp" not in text
    assert "See the lamp (https://shop.test/a)" in text


async def test_the_small_print_follows_a_rule() -> None:
    assert f"{'-' * 40}\n\nLumen, 1 Mill Lane" in await text_part("<mj-text>x</mj-text>")


async def test_long_lines_are_wrapped_and_addresses_are_not_broken() -> None:
    url = "https://shop.lumen.test/" + "a" * 90
    text = await text_part(f'<mj-text>{"word " * 40}<a href="{url}">go</a></mj-text>')
    assert url in text
    assert all(len(line) <= 78 for line in text.splitlines() if url not in line)


# ---- copy


async def test_the_copy_has_roles_sections_and_places() -> None:
    bench, _ = await built(clean_mail())
    told = [(s.id, s.role, s.text, s.place) for s in await copy(bench)]
    assert told == [
        ("header-subject", "subject", "Spring is here", "plan.json"),
        ("text-1", "hidden", "New lamps, old prices", "email.mjml:2"),
        ("hero-1", "headline", "Spring is here", "email.mjml:5"),
        ("hero-2", "body", "Lamps for light evenings.", "email.mjml:5"),
        ("hero-3", "action", "See the lamps", "email.mjml:6"),
        ("footer-1", "legal", "Lumen, 1 Mill Lane, York Unsubscribe", "email.mjml:8"),
    ]


def measured(page: Page, screen: Screen) -> Mapping[str, Json]:
    nodes = [
        ("New lamps, old prices", [0, 0, 0, 0], False),
        ("SPRING IS ", [20, 40, 100, 30], True),
        ("here", [20, 70, 60, 30], True),
        ("Lamps for light evenings.", [20, 110, 300, 20], True),
        ("See the lamps", [40, 150, 90, 20], True),
    ]
    texts = [{"text": text, "box": box, "size": 16, "visible": seen} for text, box, seen in nodes]
    return {"screen": screen.name, "texts": texts, "colours": [], "images": [], "faults": []}


async def test_the_copy_has_boxes_on_the_first_screen_whatever_the_case_and_the_nodes() -> None:
    source = mail(
        "<mj-text><h1>Spring is <b>here</b></h1><p>Lamps for light evenings.</p></mj-text>\n"
        '<mj-button href="https://shop.lumen.test/lamps">See the lamps</mj-button>'
    )
    bench, _ = await built(source, renderer=PaperRenderer(measured))
    assert {section.id: section.box for section in await copy(bench)} == {
        "header-subject": None,
        "text-1": None,
        "hero-1": (20, 40, 100, 60),
        "hero-2": (20, 110, 300, 20),
        "hero-3": (40, 150, 90, 20),
        "footer-1": None,
    }


async def test_the_words_of_pictures_are_copy() -> None:
    bench, _ = await built(mail('<mj-image src="https://p.test/a.png" alt="A lamp in a window"/>'))
    assert ("picture", "A lamp in a window") in [(s.role, s.text) for s in await copy(bench)]
