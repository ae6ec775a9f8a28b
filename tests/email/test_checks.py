"""The measurements of an email: each on planted faults and on a clean mail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from compositor._values import Json, sha256
from compositor.verifiers import Answer, Criterion, Opinion
from compositor.workspace import Page, Screen
from tests.email.bench import (
    FOOTER,
    HEAD,
    REQUEST,
    Bench,
    PaperRenderer,
    clean_mail,
    codes,
    mail,
    plan_text,
    verdict_on,
    verdict_on_html,
)

pytestmark = pytest.mark.anyio

MEASUREMENTS = (
    "mjml-structure", "compiled-size", "html-document", "links", "placeholders", "layout", "plan", "delivery",
)  # fmt: skip


@pytest.mark.parametrize("check", MEASUREMENTS)
async def test_a_clean_mail_passes_every_measurement_without_a_finding(check: str) -> None:
    verdict = await verdict_on(clean_mail(), check)
    assert (verdict.status, verdict.findings) == ("passed", ())
    assert verdict.examined > 0


def test_the_measurements_read_every_deliverable_output() -> None:
    capability = Bench().capability
    read = {path for verifier in capability.verifiers for path in verifier.reads.files}
    assert {output.path for output in capability.owns if output.path != "outside.html"} <= read


def with_delivery(**fields: Json) -> Mapping[str, Json]:
    return {**REQUEST, "delivery": {**REQUEST["delivery"], **fields}}


# ---- size


def html_of(size: int) -> str:
    head, tail = "<html lang='en-GB'><head><title>x</title></head><body><p>", "</p></body></html>"
    return head + "x" * (size - len(head) - len(tail)) + tail


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (79_999, []),
        (80_000, [("html-heavy", "warning")]),
        (99_499, [("html-heavy", "warning")]),
        (99_500, [("html-too-heavy", "blocking")]),
        (150_000, [("html-too-heavy", "blocking")]),
    ],
)
async def test_a_mail_that_gmail_cuts_is_refused_from_99500_bytes_on(
    size: int, expected: list[tuple[str, str]]
) -> None:
    verdict = await verdict_on_html(html_of(size), "compiled-size")
    assert [(finding.code, finding.severity) for finding in verdict.findings] == expected
    assert verdict.measures["bytes"] == size


async def test_the_size_finding_has_the_number() -> None:
    (finding,) = (await verdict_on_html(html_of(100_000), "compiled-size")).findings
    assert finding.message == "100000 bytes, Gmail cuts from about 99.5 kB"
    assert (finding.measured, finding.threshold) == (100_000, 99_500)


async def test_forty_long_sections_are_too_heavy() -> None:
    section = f"<mj-section><mj-column><mj-text>{'word ' * 300}</mj-text></mj-column></mj-section>\n"
    source = f'<mjml lang="en-GB">{HEAD}<mj-body>{section * 40}{FOOTER}</mj-body></mjml>'
    assert codes((await verdict_on(source, "compiled-size")).findings) == ["html-too-heavy"]


async def test_bytes_are_counted_and_not_characters() -> None:
    html = html_of(40_000).replace("x" * 30_000, "春" * 30_000)
    assert codes((await verdict_on_html(html, "compiled-size")).findings) == ["html-too-heavy"]


@pytest.mark.parametrize(("rules", "found"), [(16_383, []), (16_384, ["style-rules-dropped"])])
async def test_style_rules_that_gmail_drops_are_a_warning(rules: int, found: list[str]) -> None:
    half = "x" * (rules // 2)
    sheets = f"<style>{half}</style><style>{'y' * (rules - len(half))}</style>"
    verdict = await verdict_on_html(f"<html><head>{sheets}</head><body>x</body></html>", "compiled-size")
    assert codes(verdict.findings) == found


# ---- the document


@pytest.mark.parametrize(
    ("html", "code"),
    [
        ("<script>x</script>", "active-content"),
        ("<iframe src='https://a.test'></iframe>", "active-content"),
        ("<object data='x'></object>", "active-content"),
        ("<base href='https://a.test/'>", "active-content"),
        ("<div style='width: expression(alert(1))'>x</div>", "active-content"),
        ("<a href='&#106;avascript:x()'>y</a>", "active-address"),
        ("<a href='java&#10;script:x()'>y</a>", "active-address"),
        ("<a href='vbscript:x'>y</a>", "active-address"),
        ("<img src='x' ONERROR='x()'>", "event-handler"),
        ("<body onload=x()>", "event-handler"),
        ("<svg onload='x()'></svg>", "event-handler"),
    ],
)
async def test_what_runs_in_a_compiled_mail_is_refused(html: str, code: str) -> None:
    verdict = await verdict_on_html(f"<html lang='en'><title>t</title>{html}</html>", "html-document")
    assert [(finding.code, finding.severity) for finding in verdict.findings] == [(code, "blocking")]


@pytest.mark.parametrize(
    ("lang", "code"), [(' lang=""', "missing-language"), ("", "missing-language"), (' lang="de"', "wrong-language")]
)
async def test_a_mail_says_its_language(lang: str, code: str) -> None:
    source = clean_mail().replace(' lang="en-GB"', lang)
    (finding,) = (await verdict_on(source, "html-document")).findings
    assert (finding.code, finding.severity) == (code, "blocking")
    assert finding.remedy == 'write <mjml lang="en-GB">'


async def test_another_region_of_the_language_is_no_fault() -> None:
    verdict = await verdict_on(mail("<mj-text>x</mj-text>", lang="en-US"), "html-document")
    assert verdict.findings == ()


async def test_a_mail_from_outside_is_only_warned_about_its_language() -> None:
    verdict = await verdict_on_html("<html><title>t</title><p>x</p></html>", "html-document")
    assert [(finding.code, finding.severity) for finding in verdict.findings] == [("missing-language", "warning")]


async def test_a_missing_title_is_a_warning() -> None:
    verdict = await verdict_on(mail("<mj-text>x</mj-text>", head=""), "html-document")
    assert codes(verdict.findings) == ["missing-title"]


@pytest.mark.parametrize(
    ("css", "found"),
    [
        ("@media x { @font-face { a: b } }", ["nested-at-rule"]),
        ("@media x { @import 'y'; }", ["nested-at-rule"]),
        ("@media x{a{b:c}} @supports (a:b) { @media y { c{d:e} } }", ["nested-at-rule"]),
        ("@media x { .a { b: c } } @font-face { d: e }", []),
        ("/* { @x } */ a { b: '@c' }", []),
    ],
)
async def test_an_at_rule_inside_an_at_rule_is_a_warning(css: str, found: list[str]) -> None:
    html = f"<html lang='en'><title>t</title><style>{css}</style><p>x</p></html>"
    assert codes((await verdict_on_html(html, "html-document")).findings) == found


# ---- links and pictures


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


DATA = b"picture"
ASSET = {"id": "lamp", "sha256": sha256(DATA), "media_type": "image/jpeg"}


def picture(attributes: str) -> str:
    return mail(f"<mj-image {attributes}/>")


def with_picture(base: str = "https://pictures.lumen.test/") -> Mapping[str, Json]:
    return {**with_delivery(asset_base_url=base), "assets": [ASSET]}


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        (f'src="https://pictures.lumen.test/{sha256(DATA)}.jpg" alt="A lamp"', []),
        (f'src="https://pictures.lumen.test/{sha256(DATA)}.jpg" alt=""', []),
        (f'src="https://pictures.lumen.test/{sha256(DATA)}.jpg"', [("missing-alt", "blocking")]),
        ('src="https://other.test/a.png" alt=""', [("foreign-picture", "blocking")]),
        (f'src="https://pictures.lumen.test/{"0" * 64}.jpg" alt=""', [("foreign-picture", "blocking")]),
        ('src="https://via.placeholder.com/600" alt=""', [("placeholder-picture", "blocking")]),
        ('src="a.png" alt=""', [("not-absolute-picture", "blocking")]),
        ('src="http://other.test/a.png" alt=""', [("insecure-picture", "blocking")]),
        ('src="" alt=""', [("picture-without-src", "blocking")]),
        ('src="data:image/png;base64,iVBO" alt=""', [("data-picture", "warning")]),
    ],
)
async def test_pictures_are_assets_with_their_words(attributes: str, found: list[tuple[str, str]]) -> None:
    verdict = await verdict_on(picture(attributes), "links", request=with_picture())
    assert [(finding.code, finding.severity) for finding in verdict.findings] == found


async def test_the_unreachable_default_base_is_one_warning_for_all_pictures() -> None:
    image = f'<mj-image src="https://assets.invalid/{sha256(DATA)}.jpg" alt=""/>'
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


# ---- placeholders


@pytest.mark.parametrize(
    "words",
    [
        "Lorem ipsum dolor sit amet",
        "LOREM  IPSUM",
        "and consectetur adipiscing elit",
        "Only xxx pounds",
        "XXXX off",
        "TODO: write this",
        "The price is TBD.",
        "Dear [Name],",
        "Dear [first name]",
        "Visit us at [Insert address here]",
        "Dear &lt;First Name&gt;",
        "Your headline here",
        "Text goes here",
        "Sample text",
        "Click to edit",
        "Call ____ now",
        "Hello {{ first_name }}",
        "Hello *|FNAME|*",
        "Hello %%first_name%%",
        "Hello ${name}",
        "Hello [[name]]",
        "Hello {% if a %}x",
        "Hello {{ name",
    ],
)
async def test_words_that_stand_in_for_others_are_refused_at_their_line(words: str) -> None:
    verdict = await verdict_on(mail(f"<mj-text>fine</mj-text>\n<mj-text>{words}</mj-text>"), "placeholders")
    assert verdict.status == "failed"
    assert {str(finding.where) for finding in verdict.findings} == {"email.mjml:6"}


@pytest.mark.parametrize(
    "words",
    [
        "Size XXL and XXX",
        "A [Sponsored] message",
        "The 100% cotton lamp [1]",
        "50%% off is a typing error",
        "See the placeholderless wonder",
        "Todo el año, todo nuevo",
        "TODO EL VERANO",
        "Add to basket here, add colour",
        "Your text message arrived",
        "5 &lt; 6",
    ],
)
async def test_ordinary_words_are_no_placeholders(words: str) -> None:
    assert (await verdict_on(mail(f"<mj-text>{words}</mj-text>"), "placeholders")).findings == ()


@pytest.mark.parametrize(
    ("words", "syntax", "ok"),
    [
        ("Hello {{ first_name }}", "handlebars", True),
        ("Hello {{#if a}}x{{/if}}", "handlebars", True),
        ("Hello *|FNAME|*", "mailchimp", True),
        ("Hello %%first_name%%", "salesforce", True),
        ("Hello *|FNAME|*", "handlebars", False),
        ("Hello {{ first_name }}", "mailchimp", False),
    ],
)
async def test_the_merge_tags_that_the_request_declares_are_fine(words: str, syntax: str, ok: bool) -> None:
    verdict = await verdict_on(
        mail(f"<mj-text>{words}</mj-text>"), "placeholders", request=with_delivery(merge_tags=syntax)
    )
    assert (verdict.findings == ()) is ok


async def test_hidden_words_alt_and_header_are_looked_at_too() -> None:
    source = mail('<mj-image src="https://a.test/x.png" alt="[image]"/>', head=HEAD.replace("old prices", "TODO"))
    plan = plan_text(header={"subject": "Lorem ipsum", "preheader": "xxxx"})
    found = {finding.measured for finding in (await verdict_on(source, "placeholders", plan=plan)).findings}
    assert {"[image]", "TODO", "Lorem ipsum", "xxxx"} <= found


# ---- layout


def faulty(kind: str, on: str) -> PaperRenderer:
    def measure(page: Page, screen: Screen) -> Mapping[str, Json]:
        text = {"text": "Spring", "box": [0, 0, 90, 20], "visible": True}
        fault = {
            "kind": kind,
            "selector": "p",
            "text": "Spring",
            "box": [0, 0, 90, 20],
            "across": 9,
            "down": 0,
            "by": "td",
        }
        faults = [fault] if screen.name == on else []
        return {
            "screen": screen.name,
            "texts": [text],
            "colours": [],
            "images": [],
            "faults": faults,
            "truncated": False,
        }

    return PaperRenderer(measure)


@pytest.mark.parametrize("screen", ["desktop", "mobile", "narrow"])
async def test_a_layout_fault_on_any_screen_is_found_there(screen: str) -> None:
    bench = await Bench(renderer=faulty("clipped", screen)).lay({"email.mjml": clean_mail()})
    await bench.build()
    (finding,) = (await bench.check("layout")).findings
    assert (finding.code, finding.where.of) == ("clipped-text", f"layout/{screen}")


async def layout_status(texts: Sequence[Json], *, truncated: bool) -> tuple[str, str]:
    def measure(page: Page, screen: Screen) -> Mapping[str, Json]:
        return {"texts": list(texts), "colours": [], "images": [], "faults": [], "truncated": truncated}

    bench = await Bench(renderer=PaperRenderer(measure)).lay({"email.mjml": clean_mail()})
    await bench.build()
    verdict = await bench.check("layout")
    return verdict.status, verdict.reason


async def test_a_page_without_visible_text_is_no_pass() -> None:
    status, reason = await layout_status([], truncated=False)
    assert status == "inconclusive"
    assert "no text was seen" in reason


async def test_a_page_that_was_not_seen_whole_is_no_pass() -> None:
    status, reason = await layout_status([{"text": "x", "visible": True, "box": [0, 0, 1, 1]}], truncated=True)
    assert status == "inconclusive"
    assert "too tall" in reason


# ---- plan


def planned(**section: Json) -> str:
    hero = {"id": "hero", "role": "hero", "evidence": ["brief.messaging.headline"], **section}
    return plan_text(sections=[hero, {"id": "footer", "role": "footer"}])


@pytest.mark.parametrize(
    ("plan", "code", "severity"),
    [
        ("{", "plan-form", "blocking"),
        ("[]", "plan-form", "blocking"),
        ('{"a": 1, "a": 2}', "plan-form", "blocking"),
        (plan_text(schema_version="2"), "plan-form", "blocking"),
        (plan_text(header={"subject": "x"}), "plan-form", "blocking"),
        (planned(id="Hero!"), "plan-form", "blocking"),
        (planned(id="footer"), "plan-form", "blocking"),
        (planned(microcopy=["x"]), "plan-form", "blocking"),
        (planned(surprise=1), "plan-form", "blocking"),
        (planned(evidence="brief"), "plan-form", "blocking"),
        (planned(id="intro"), "planned-section-missing", "blocking"),
        (planned(evidence=["claim-9"]), "unknown-evidence", "blocking"),
        (planned(evidence=["brief.messaging.tagline"]), "unknown-evidence", "blocking"),
        (planned(evidence=["policy.budgets"]), "unknown-evidence", "blocking"),
        (planned(assets=["lamp"]), "unknown-asset", "blocking"),
        (planned(references=["r1"]), "unknown-reference", "warning"),
        (planned(microcopy={"cta": "Words that are not there"}), "planned-words-missing", "warning"),
    ],
)
async def test_a_plan_that_does_not_hold_is_told(plan: str, code: str, severity: str) -> None:
    findings = (await verdict_on(clean_mail(), "plan", plan=plan)).findings
    assert (code, severity) in {(finding.code, finding.severity) for finding in findings}
    assert all(finding.remedy for finding in findings)


async def test_an_empty_plan_and_an_unplanned_section_are_told() -> None:
    findings = (await verdict_on(clean_mail(), "plan", plan=plan_text(sections=[]))).findings
    assert codes(findings) == ["empty-plan", "unplanned-section", "unplanned-section"]
    assert str(findings[1].where) == "email.mjml:4"


@pytest.mark.parametrize(
    "evidence",
    ["brief", "brief.messaging", "brief.messaging.key_messages.0.text", "brief.messaging.key_messages[1]", "c1", "d1"],
)
async def test_evidence_is_a_field_that_has_a_value_or_an_id(evidence: str) -> None:
    messaging = {"headline": "Spring is here", "key_messages": [{"text": "One"}, {"text": "Two"}]}
    request = {
        **REQUEST,
        "brief": {**REQUEST["brief"], "messaging": messaging},
        "claims": [{"id": "c1", "text": "x"}],
        "rules": {"required_disclosures": [{"id": "d1", "text": "y"}]},
    }
    verdict = await verdict_on(clean_mail(), "plan", plan=planned(evidence=[evidence]), request=request)
    assert verdict.findings == ()


async def test_a_planned_picture_is_shown() -> None:
    plan = planned(assets=["lamp"])
    verdict = await verdict_on(clean_mail(), "plan", plan=plan, request=with_picture())
    assert codes(verdict.findings) == ["planned-asset-missing"]


async def test_the_subject_of_the_request_is_used_word_for_word() -> None:
    verdict = await verdict_on(clean_mail(), "plan", request=with_delivery(subject="Summer is here"))
    assert [(f.code, f.severity) for f in verdict.findings] == [("subject-differs", "blocking")]


async def test_a_mail_that_was_written_here_has_a_plan_and_one_from_outside_has_none() -> None:
    here = await Bench().lay({"email.mjml": clean_mail()})
    outside = await Bench().lay({"email.mjml": clean_mail()}, by_writer=False)
    await here.build()
    await outside.build()
    assert codes((await here.check("plan")).findings) == ["missing-plan"]
    assert (await outside.check("plan")).status == "not_applicable"


# ---- delivery


async def delivery_codes(source: str, *, plan: str = "", **fields: Json) -> list[tuple[str, str]]:
    verdict = await verdict_on(source, "delivery", plan=plan or plan_text(), request=with_delivery(**fields))
    return [(finding.code, finding.severity) for finding in verdict.findings]


def header(subject: str, preheader: str) -> str:
    return plan_text(header={"subject": subject, "preheader": preheader})


async def test_a_mail_needs_a_subject_and_a_preheader() -> None:
    source = mail("<mj-text>x</mj-text>", head="<mj-head><mj-title>x</mj-title></mj-head>")
    found = await delivery_codes(source, plan=header("", ""))
    assert found == [("missing-subject", "blocking"), ("missing-preheader", "blocking")]


async def test_the_preheader_adds_something_and_is_short() -> None:
    same = clean_mail().replace("New lamps, old prices", "Spring is here!")
    assert ("preheader-repeats-subject", "warning") in await delivery_codes(same, plan=header("Spring is here!", "x"))
    long = "word " * 30
    found = await delivery_codes(clean_mail().replace("New lamps, old prices", long), plan=header("Spring", long))
    assert found == [("preheader-long", "warning")]


async def test_the_preheader_of_the_plan_is_the_preview_of_the_mail() -> None:
    assert await delivery_codes(clean_mail(), plan=header("Spring", "Other words")) == [
        ("preheader-differs", "warning")
    ]


async def test_the_unsubscribe_link_is_visible() -> None:
    gone = clean_mail().replace('<a href="https://shop.lumen.test/unsubscribe">Unsubscribe</a>', "")
    assert await delivery_codes(gone) == [("unsubscribe-missing", "blocking")]
    hidden = clean_mail().replace('unsubscribe">', 'unsubscribe" style="display:none">')
    assert await delivery_codes(hidden) == [("unsubscribe-missing", "blocking")]


async def test_a_merge_tag_unsubscribes_too() -> None:
    source = clean_mail().replace("https://shop.lumen.test/unsubscribe", "{{ unsubscribe_url }}")
    found = await delivery_codes(source, unsubscribe="{{ unsubscribe_url }}", merge_tags="handlebars")
    assert found == []


async def test_the_postal_address_is_visible_however_it_is_set() -> None:
    gone = clean_mail().replace("1 Mill Lane", "somewhere")
    assert await delivery_codes(gone) == [("postal-address-missing", "blocking")]
    broken = clean_mail().replace("Lumen, 1 Mill Lane, York", "Lumen,<br/>1&nbsp;Mill <b>Lane</b>,\n York")
    assert await delivery_codes(broken) == []


async def test_what_the_request_does_not_give_is_a_warning_for_the_sender() -> None:
    verdict = await verdict_on(clean_mail(), "delivery", request={"brief": REQUEST["brief"]})
    assert [(finding.code, finding.severity) for finding in verdict.findings] == [
        ("missing-sender", "warning"),
        ("missing-list-unsubscribe", "warning"),
        ("no-postal-address", "warning"),
    ]


async def test_words_that_the_brief_requires_are_visible() -> None:
    brief = {**REQUEST["brief"], "must_include": ["Lamps for “light” evenings", "Terms apply"]}
    source = clean_mail().replace("for light", 'for "light"')
    verdict = await verdict_on(source, "delivery", request={**REQUEST, "brief": brief})
    assert [(finding.code, finding.threshold) for finding in verdict.findings] == [
        ("required-words-missing", "Terms apply")
    ]


async def test_a_mail_without_words_has_an_empty_text_part() -> None:
    bench = await Bench({"brief": REQUEST["brief"]}).lay(
        {"outside.html": "<html><img src='x'></html>"}, by_writer=False
    )
    await bench.build()
    assert ("empty-text-part", "blocking") in [(f.code, f.severity) for f in (await bench.check("delivery")).findings]


async def test_a_text_part_that_lost_the_call_to_action_is_refused() -> None:
    bench = await Bench().lay({"email.mjml": clean_mail(), "plan.json": plan_text()})
    await bench.build()
    text = await bench.text("email.txt")
    await bench.lay({"email.txt": text.replace("See the lamps", "")}, by_writer=False)
    assert codes((await bench.check("delivery")).findings) == ["text-part-lacks"]


async def test_a_mail_from_outside_may_lack_a_subject() -> None:
    verdict = await verdict_on_html("<html><p>x</p></html>", "delivery", request={"brief": REQUEST["brief"]})
    assert verdict.status == "passed"


# ---- judgment


class Strict:
    """A judge that finds one criterion unmet."""

    def __init__(self, unmet: str) -> None:
        self.unmet, self.asked = unmet, list[Criterion]()

    async def review(self, criteria: Sequence[Criterion], *, show: Sequence[str] = ()) -> Opinion:
        self.asked = list(criteria)
        answers = tuple(
            Answer(criterion=c.id, met=c.id != self.unmet, evidence="seen", recommendation="change it")
            for c in criteria
        )
        return Opinion(answers=answers)


async def test_the_rubric_asks_what_the_brief_asks() -> None:
    messaging = {
        "headline": "Spring is here",
        "cta": {"text": "See the lamps"},
        "key_messages": [{"text": "Half price"}],
    }
    brief = {**REQUEST["brief"], "messaging": messaging, "tone": "warm", "avoid": ["puns"]}
    bench = await Bench({**REQUEST, "brief": brief}).lay({"email.mjml": clean_mail(), "plan.json": plan_text()})
    await bench.build()
    judge = Strict("message-1")
    verdict = await bench.check("email-rubric", judge=judge)
    asked = {criterion.id: criterion.asks for criterion in judge.asked}
    assert {"headline", "message-1", "call-to-action", "tone", "avoids-1", "nothing-invented", "language"} <= set(asked)
    assert "See the lamps" in asked["call-to-action"]
    assert codes(verdict.findings) == ["unmet-message-1"]


async def test_a_judged_preference_does_not_reject() -> None:
    bench = await Bench().lay({"email.mjml": clean_mail(), "plan.json": plan_text()})
    await bench.build()
    verdict = await bench.check("email-rubric", judge=Strict("looks-sent"))
    assert (verdict.status, verdict.findings[0].severity) == ("passed", "warning")


# ---- outside files


@pytest.mark.parametrize(
    ("suffix", "data", "path"),
    [
        (".mjml", b"<mjml><mj-body/></mjml>", "email.mjml"),
        (".mjml", b"\xef\xbb\xbf<!-- x --><mjml/>", "email.mjml"),
        (".html", b"<!doctype html><p>x", "outside.html"),
        (".htm", b"<html></html>", "outside.html"),
    ],
)
def test_an_outside_file_becomes_workspace_files(suffix: str, data: bytes, path: str) -> None:
    assert Bench().capability.opens[suffix](data) == {path: data}


@pytest.mark.parametrize(
    ("suffix", "data"), [(".mjml", b"<html></html>"), (".mjml", b""), (".html", b"plain words"), (".html", b"<p>\xff")]
)
def test_what_is_no_mail_is_refused(suffix: str, data: bytes) -> None:
    from compositor.authoring import ToolError

    with pytest.raises(ToolError):
        Bench().capability.opens[suffix](data)
