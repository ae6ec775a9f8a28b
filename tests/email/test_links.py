"""Measurement `links`: every link leads somewhere, every picture is an asset with its words."""

from __future__ import annotations

import pytest

from compositor._values import sha256
from tests.email.bench import (
    PICTURE,
    clean_mail,
    codes,
    mail,
    verdict_on,
    verdict_on_html,
    with_delivery,
    with_picture,
)

pytestmark = pytest.mark.anyio


def link(address: str) -> str:
    return mail(f'<mj-text><a href="{address}">go</a></mj-text>')


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("", "link-without-href"),
        ("#", "placeholder-link"),
        ("#top", "placeholder-link"),
        ("https://example.com/x", "placeholder-host"),
        ("https://www.example.org", "placeholder-host"),
        ("http://localhost:3000/", "insecure-link"),
        ("https://localhost/x", "placeholder-host"),
        ("https://127.0.0.1/x", "placeholder-host"),
        ("https://Example.COM/", "placeholder-host"),
        ("https://assets.invalid/page", "placeholder-host"),
        ("mailto:someone@example.com", "placeholder-host"),
        ("http://shop.lumen.test/", "insecure-link"),
        ("/sale", "not-absolute-link"),
        ("shop.lumen.test/sale", "not-absolute-link"),
        ("//shop.lumen.test/", "not-absolute-link"),
        ("ftp://shop.lumen.test/", "not-absolute-link"),
        ("javascript:alert(1)", "active-address"),
        ("data:text/html,x", "active-address"),
        ("https://", "malformed-link"),
        ("https://shop", "malformed-link"),
        ("https://shop.lumen.test/a b", "malformed-link"),
        ("mailto:nobody", "malformed-link"),
        ("tel:", "malformed-link"),
        ("https://[::1", "malformed-link"),
        ("https://shop.lumen.test/YOUR_LINK", "placeholder-link"),
        ("https://your-domain.test/", "placeholder-link"),
        ("[link]", "placeholder-link"),
        ("https://shop.lumen.test/xxx", "placeholder-link"),
        ("{{ url }}", "undeclared-merge-tag"),
        ("*|URL|*", "undeclared-merge-tag"),
        ("https://shop.lumen.test/?u=%%user%%", "undeclared-merge-tag"),
    ],
)
async def test_a_link_that_leads_nowhere_is_refused(address: str, code: str) -> None:
    (finding,) = (await verdict_on(link(address), "links")).findings
    assert (finding.code, finding.severity) == (code, "blocking")
    assert finding.remedy
    assert str(finding.where) in {"email.mjml:5", "email.html:1"}


@pytest.mark.parametrize(
    ("address", "syntax"),
    [
        ("https://shop.lumen.test/lamps?a=1&amp;b=2#top", "none"),
        ("https://shop.lumen.test:8443/x", "none"),
        ("https://xn--fsq.test/", "none"),
        ("HTTPS://shop.lumen.test/", "none"),
        ("mailto:hello@lumen.test?subject=Hi", "none"),
        ("mailto:?subject=Look", "none"),
        ("https://shop.lumen.test/account/add-address", "none"),
        ("https://floremont.test/your-lamps", "none"),
        ("tel:+44 20 7946 0000", "none"),
        ("{{ url }}", "handlebars"),
        ("{{{url}}}", "handlebars"),
        ("https://shop.lumen.test/?u={{user.id}}", "handlebars"),
        ("https://{{host}}/x", "handlebars"),
        ("*|ARCHIVE|*", "mailchimp"),
        ("%%view_email_url%%", "salesforce"),
    ],
)
async def test_a_link_that_leads_somewhere_is_fine(address: str, syntax: str) -> None:
    verdict = await verdict_on(link(address), "links", request=with_delivery(merge_tags=syntax))
    assert verdict.findings == ()


async def test_the_unsubscribe_address_of_the_request_is_taken_as_it_is() -> None:
    request = with_delivery(unsubscribe="*|UNSUB|*")
    assert (await verdict_on(link("*|UNSUB|*"), "links", request=request)).findings == ()


async def test_the_place_of_a_link_fault_is_the_line_that_the_writer_wrote() -> None:
    (finding,) = (
        await verdict_on(mail('<mj-text>x</mj-text>\n\n<mj-button href="/sale">go</mj-button>'), "links")
    ).findings
    assert str(finding.where) == "email.mjml:7"


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<a>x</a>", ["link-without-href"]),
        ("<a class='b'>x</a><a href='https://a.test/'>y</a>", ["link-without-href"]),
        ("<map><area alt='x'></map>", ["link-without-href"]),
        ("<a name='top'></a><a id='here'></a>", []),
    ],
)
async def test_a_link_without_an_address_is_refused(html: str, found: list[str]) -> None:
    assert codes((await verdict_on_html(f"<html>{html}</html>", "links")).findings) == found


def picture(attributes: str) -> str:
    return mail(f"<mj-image {attributes}/>")


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        (f'src="https://pictures.lumen.test/{sha256(PICTURE)}.jpg" alt="A lamp"', []),
        (f'src="https://pictures.lumen.test/{sha256(PICTURE)}.jpg" alt=""', []),
        (f'src="https://pictures.lumen.test/{sha256(PICTURE)}.jpg"', [("missing-alt", "blocking")]),
        ('src="https://other.test/a.png" alt=""', [("foreign-picture", "blocking")]),
        (f'src="https://pictures.lumen.test/{"0" * 64}.jpg" alt=""', [("foreign-picture", "blocking")]),
        ('src="https://via.placeholder.com/600" alt=""', [("placeholder-picture", "blocking")]),
        ('src="a.png" alt=""', [("not-absolute-picture", "blocking")]),
        ('src="http://other.test/a.png" alt=""', [("insecure-picture", "blocking")]),
        ('src="" alt=""', [("picture-without-src", "blocking")]),
        ('src="data:image/png;base64,iVBO" alt=""', [("data-picture", "warning")]),
        ('src="javascript:x()" alt=""', [("active-address", "blocking")]),
        ('src="{{ picture }}" alt=""', [("undeclared-merge-tag", "blocking")]),
    ],
)
async def test_pictures_are_assets_with_their_words(attributes: str, found: list[tuple[str, str]]) -> None:
    verdict = await verdict_on(picture(attributes), "links", request=with_picture())
    assert [(finding.code, finding.severity) for finding in verdict.findings] == found


async def test_the_unreachable_default_base_is_one_warning_for_all_pictures() -> None:
    image = f'<mj-image src="https://assets.invalid/{sha256(PICTURE)}.jpg" alt=""/>'
    verdict = await verdict_on(mail(image * 3), "links", request=with_picture("https://assets.invalid/"))
    assert [(finding.code, finding.severity) for finding in verdict.findings] == [("placeholder-asset-base", "warning")]


async def test_a_background_picture_must_be_an_asset_too() -> None:
    source = clean_mail().replace("<mj-section", '<mj-section background-url="https://other.test/b.png"', 1)
    assert codes((await verdict_on(source, "links", request=with_picture())).findings) == ["foreign-picture"]


async def test_a_foreign_picture_of_a_mail_from_outside_is_a_note() -> None:
    verdict = await verdict_on_html("<html><img src='https://a.test/x.png' alt=''></html>", "links")
    assert [(finding.code, finding.severity) for finding in verdict.findings] == [("foreign-picture", "note")]


async def test_a_tracking_pixel_needs_no_alt() -> None:
    verdict = await verdict_on_html("<html><img src='https://a.test/x.gif' width='1' height='1'></html>", "links")
    assert codes(verdict.findings) == ["foreign-picture"]


async def test_without_links_and_pictures_there_is_nothing_to_check() -> None:
    verdict = await verdict_on_html("<html><p>x</p></html>", "links")
    assert (verdict.status, dict(verdict.measures)) == ("not_applicable", {"links and pictures": 0})


async def test_the_same_fault_twice_is_two_findings_at_two_lines() -> None:
    image = '<mj-image src="https://other.test/a.png"/>'
    findings = (await verdict_on(mail(f"{image}\n<mj-text>x</mj-text>\n{image}"), "links")).findings
    assert [str(finding.where) for finding in findings if finding.code == "missing-alt"] == [
        "email.mjml:5",
        "email.mjml:7",
    ]
