"""Faults of form: in the source, in the document that it becomes, in its addresses and its pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from corpora.planting._kind import Document, Kind, grown, kind, request
from corpora.planting._pictures import digests
from corpora.planting.faults._parts import FOREIGN, PICTURE, on_picture

Json = Any


def _after_motto(html: str) -> Callable[[Document], Json]:
    """HTML behind the last line, in the same text."""

    def plant(d: Document) -> Json:
        end = f"{d.escaped(d.theme['motto'])}</p>"
        return d.put(end, end + html.replace("SITE", d.mail.site).replace("LOGO", f"{digests()['logo.png']}.png"))

    return plant


def _beside_motto(mjml: str) -> Callable[[Document], Json]:
    """A component behind the text of the last line."""

    def plant(d: Document) -> Json:
        end = f"{d.escaped(d.theme['motto'])}</p></mj-text>"
        return d.put(end, end + mjml.replace("SITE", d.mail.site))

    return plant


def _in_section(mjml: str) -> Callable[[Document], Json]:
    """Something directly in a section, between its columns."""

    def plant(d: Document) -> Json:
        opening = d.first(r'<mj-section css-class="section-closing"[^>]*>')
        return d.put(opening, opening + mjml)

    return plant


def _in_head(mjml: str) -> Callable[[Document], Json]:
    return lambda d: d.put("</mj-head>", mjml.replace("SITE", d.mail.site) + "</mj-head>")


def _replaced(pattern: str, put: str) -> Callable[[str], str]:
    return lambda tag: re.sub(pattern, put, tag, count=1)


STRUCTURE: Sequence[Kind] = (
    kind("unknown-tag", "unknown-tag", _beside_motto("<mj-paragraph>More</mj-paragraph>")),
    kind("text-in-section", "misplaced-tag", _in_section("<mj-text>More</mj-text>")),
    kind("column-in-column", "misplaced-tag", _beside_motto("<mj-column><mj-text>More</mj-text></mj-column>")),
    kind("button-in-text", "component-in-text", _after_motto('<mj-button href="SITE/a">More</mj-button>')),
    kind("stray-text", "stray-text", _in_section("More of it")),
    kind("unknown-attribute", "unknown-attribute", lambda d: d.put("<mj-button ", '<mj-button colour="#ffffff" ')),
    kind("wrong-value", "wrong-value", lambda d: d.put('padding="24px 24px 8px"', 'padding="roomy"')),
    kind("not-closed", "unclosed-tag mismatched-tag", lambda d: d.drop("</mj-column>")),
    kind("closed-twice", "mismatched-tag", lambda d: d.put("</mj-text>", "</mj-text></mj-text>")),
    kind("no-quotes", "unquoted-value", lambda d: d.put('border-radius="4px"', "border-radius=4px")),
    kind("bare-sign", "bare-less-than", _after_motto(" a < b")),
    kind("comment-without-end", "broken-comment", _beside_motto("<!-- to do")),
    kind("hyphens-in-comment", "broken-comment", _beside_motto("<!-- a -- b -->")),
    kind("tag-without-end", "broken-tag mismatched-tag", lambda d: d.put("</mj-body>\n</mjml>", "</mj-body")),
    kind("included", "include-refused", _in_section('<mj-include path="./footer.mjml" />')),
    kind(
        "nothing-in-body",
        "empty-body",
        lambda d: d.put(d.source[d.source.index("<mj-section") : d.source.index("</mj-body>")], ""),
    ),
    kind("font-without-address", "missing-attribute", _in_head('<mj-font name="Brand" />')),
    kind("class-unknown", "unknown-class", lambda d: d.put("<mj-button ", '<mj-button mj-class="loud" ')),
    kind(
        "twice-the-same",
        "repeated-attribute",
        lambda d: d.put('border-radius="4px"', 'border-radius="4px" border-radius="8px"'),
    ),
)


def _heavy(size: int, piece: str) -> Callable[[Document], Json]:
    """A piece behind the last line, again and again, until it has so many bytes."""

    def plant(d: Document) -> Json:
        end = f"{d.escaped(d.theme['motto'])}</p>"
        times = size // len(piece.encode()) + 1
        return [d.put(end, f"{end}HERE"), {"file": "email.mjml", "find": "HERE", "put": piece, "times": times}]

    return plant


def _buttons(d: Document) -> Json:
    """Two hundred buttons: few words in the source, and much in what it becomes."""
    end = f"{d.escaped(d.theme['motto'])}</p></mj-text>"
    button = f'<mj-button href="{d.mail.site}/a">{d.escaped(d.theme["cta"])}</mj-button>'
    return [d.put(end, f"{end}HERE"), {"file": "email.mjml", "find": "HERE", "put": button, "times": 200}]


SIZE: Sequence[Kind] = (
    kind("words", "html-too-heavy", _heavy(100_000, f"<p>{'A line that says little, and says it again. ' * 40}</p>")),
    kind("words-of-three-bytes", "html-too-heavy", _heavy(100_000, f"<p>{'何度も同じことを言う行です。' * 60}</p>")),
    kind("attributes", "html-too-heavy", _heavy(100_000, '<span title="what nobody ever reads"></span>')),
    kind(
        "styles-in-place",
        "html-too-heavy",
        _heavy(92_000, f'<b style="color:#222222;font-size:16px">{"more of it " * 100}</b> '),
    ),
    kind("remarks", "html-too-heavy", _heavy(110_000, "<!-- a remark for nobody at all -->")),
    kind("many-buttons", "html-too-heavy", _buttons),
    kind("little-room", "html-heavy", _heavy(72_000, f"<p>{'A line that says little, and says it again. ' * 40}</p>")),
    kind(
        "too-many-rules",
        "style-rules-dropped",
        lambda d: [
            d.put("</mj-style>", "HERE</mj-style>"),
            {"file": "email.mjml", "find": "HERE", "put": ".of-no-use { color: #222222; }\n", "times": 600},
        ],
    ),
)

DOCUMENT: Sequence[Kind] = (
    kind("script", "active-content", _beside_motto("<mj-raw><script>track()</script></mj-raw>")),
    kind("frame", "active-content", _after_motto('<iframe src="SITE/film"></iframe>')),
    kind("refresh", "active-content", _in_head('<mj-raw><meta http-equiv="refresh" content="0;url=SITE/" /></mj-raw>')),
    kind("handler", "event-handler", _after_motto('<a href="SITE/a" onclick="go()">More</a>')),
    kind(
        "handler-on-picture",
        "event-handler",
        _after_motto('<img src="SITE/a.png" alt="" width="1" height="1" onerror="go()" />'),
    ),
    kind("script-address", "active-address", _after_motto('<a href="javascript:go()">More</a>')),
    kind("script-address-in-disguise", "active-address", _after_motto('<a href="java&#10;script:go()">More</a>')),
    kind("form", "form", _after_motto('<form action="SITE/vote"><input name="vote" /></form>')),
    kind("button-of-form", "form", _after_motto("<button>Send</button>")),
    kind("no-language", "missing-language", lambda d: d.drop(f' lang="{d.theme["locale"]}"')),
    kind("other-language", "wrong-language", lambda d: d.put(f'lang="{d.theme["locale"]}"', 'lang="nl"')),
    kind("no-title", "missing-title", lambda d: d.drop(d.first(r"<mj-title>.*?</mj-title>\n"))),
    kind(
        "rule-in-rule",
        "nested-at-rule",
        lambda d: d.put(
            "</mj-style>", "@media screen { @media (max-width:480px) { a { color: #222222; } } }</mj-style>"
        ),
    ),
)


def _action_to(address: str) -> Callable[[Document], Json]:
    """The button leads somewhere else."""
    return lambda d: d.put(f'href="{d.mail.site}{d.theme["path"]}"', f'href="{address}"')


def _link_to(address: str) -> Callable[[Document], Json]:
    """A link in the text that leads there."""
    return _after_motto(f' <a href="{address}">More</a>')


LINKS: Sequence[Kind] = (
    kind("no-address", "link-without-href", _after_motto(" <a>More</a>")),
    kind("empty-address", "link-without-href", _link_to("")),
    kind("to-nowhere", "placeholder-link", _action_to("#")),
    kind("stand-in", "placeholder-link", _action_to("https://your-link-here")),
    kind("not-encrypted", "insecure-link", lambda d: _action_to(f"http://{d.theme['host']}{d.theme['path']}")(d)),
    kind("relative", "not-absolute-link", lambda d: _action_to(d.theme["path"])(d)),
    kind("without-scheme", "not-absolute-link", lambda d: _link_to(f"www.{d.theme['host']}")(d)),
    kind("malformed", "malformed-link", _link_to("https://shop/sale")),
    kind("mail-to-nobody", "malformed-link", _link_to("mailto:service")),
    kind("reserved-host", "placeholder-host", _action_to("https://www.example.com/offer")),
    kind("own-machine", "placeholder-host", _link_to("https://localhost/draft")),
    kind("no-alt", "missing-alt", _after_motto('<img src="SITE/mail/LOGO" width="20" />')),
    kind(
        "foreign-picture",
        "foreign-picture",
        on_picture(_replaced(r'src="[^"]*"', 'src="https://pictures.test/lamp.jpg"')),
    ),
    kind(
        "stand-in-picture",
        "placeholder-picture",
        on_picture(_replaced(r'src="[^"]*"', 'src="https://placehold.co/600x320"')),
    ),
    kind("picture-from-nowhere", "picture-without-src", on_picture(_replaced(r'src="[^"]*"', 'src=""'))),
    kind(
        "foreign-tag",
        "undeclared-merge-tag",
        lambda d: _link_to(f"{d.mail.site}/?n={FOREIGN[d.theme['merge_tags']]}")(d),
    ),
)


def _with_srcset(address: str) -> Callable[[Document], Json]:
    return lambda d: d.put(d.first(r'srcset="[^"]*"'), f'srcset="{address} 2x"')


HOSTS: Sequence[Kind] = (
    kind("srcset", "foreign-host", _with_srcset("https://cdn.test/logo@2x.png")),
    kind(
        "font",
        "foreign-host",
        lambda d: [
            d.put("</mj-head>", '<mj-font name="Brand" href="https://fonts.test/css?family=Brand" /></mj-head>'),
            d.put('font-family="', 'font-family="Brand,'),
        ],
    ),
    kind(
        "import", "foreign-host", lambda d: d.put("<mj-style>", "<mj-style>@import url(https://fonts.test/brand.css); ")
    ),
    kind(
        "quoted-import",
        "foreign-host",
        lambda d: d.put("<mj-style>", '<mj-style>@import "https://fonts.test/brand.css"; '),
    ),
    kind(
        "sheet",
        "foreign-host",
        _in_head('<mj-raw><link rel="stylesheet" href="https://style.test/mail.css" /></mj-raw>'),
    ),
    kind(
        "in-sheet",
        "foreign-host",
        lambda d: d.put("</mj-style>", ".x { background: url('https://pictures.test/grain.png'); }</mj-style>"),
    ),
    kind("film", "foreign-host", _after_motto('<video poster="https://films.test/a.jpg" width="300"></video>')),
    kind("sub-host", "foreign-host", lambda d: _with_srcset(f"https://track.{d.theme['host']}/logo.png")(d)),
)


def _heavier(file: str, size: int) -> Callable[[Document], Json]:
    def plant(d: Document) -> Json:
        return grown(f"given/{file}", size) if digests()[file] in d.source else None

    return plant


def _wordless(d: Document) -> Json:
    """A picture with words in it, and no words for it."""
    tag = d.first(PICTURE)
    if not tag:
        return None
    assets = [asset | {"words_likely": 0.9} for asset in d.request["assets"]]
    return [d.put(tag, re.sub(r'alt="[^"]*"', 'alt=""', tag)), request({"assets": assets})]


PICTURES: Sequence[Kind] = (
    kind("heavy-hero", "heavy-picture", _heavier("hero.jpg", 1_100_000)),
    kind("just-too-heavy", "heavy-picture", _heavier("logo.png", 1_048_576)),
    kind("very-heavy", "heavy-picture", _heavier("one.jpg", 6_000_000)),
    kind("heavy-behind", "heavy-picture", _heavier("night.jpg", 1_500_000)),
    kind(
        "no-width",
        "picture-without-width",
        lambda d: _after_motto(f'<img src="{d.mail.site}/mail/x.png" alt="" style="width:20px" />')(d),
    ),
    kind(
        "no-number",
        "picture-without-width",
        lambda d: _after_motto(f'<img src="{d.mail.site}/mail/x.png" alt="" width="auto" />')(d),
    ),
    kind("words-unsaid", "words-without-alt", _wordless),
)
