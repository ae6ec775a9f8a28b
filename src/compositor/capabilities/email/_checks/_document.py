"""Measurement `html-document`: nothing in the mail runs, and it says its language and title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from compositor.capabilities import CheckContext, Finding, Report, Scope, Verifier, Where
from compositor.capabilities.email._checks._origin import Origin, origin_of, written_here
from compositor.capabilities.email._danger import dangers
from compositor.capabilities.email._deliverable import HTML, ORIGIN, SOURCE
from compositor.capabilities.email._size import style_sheets
from compositor.verifiers import Severity
from compositor.verifiers.markup import Token, collapsed, tokens

_COMMENT = re.compile(r"/\*.*?(?:\*/|$)", re.DOTALL)
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


async def _check(ctx: CheckContext) -> Report:
    html = await ctx.files.read_text(HTML)
    read = tuple(tokens(html))
    tags = [token for token in read if token.kind == "open"]
    origin = await origin_of(ctx)
    strict: Severity = "blocking" if written_here(ctx.record) else "warning"
    findings = (
        *_running(tags, origin),
        *_language(tags, str(ctx.view.get("locale", "en")), strict),
        *_title(read),
        *_nested_rules(html),
    )
    return Report(examined=len(tags), findings=findings, measures={"tags": len(tags)})


def _running(tags: list[Token], origin: Origin) -> Iterator[Finding]:
    for token in tags:
        for code, message in dangers(token):
            where = origin.where(code, f"<{token.name}", token.line)
            yield Finding(code=code, severity="blocking", message=message, where=where, remedy="remove it")


def _language(tags: list[Token], locale: str, severity: Severity) -> Iterator[Finding]:
    """WCAG 2.2, 3.1.1: the language is set. `und` is what the compiler writes where the source names none."""
    root = next((token for token in tags if token.name == "html"), None)
    language = collapsed((root.get("lang") if root else None) or "")
    remedy = f'write <mjml lang="{locale}">'
    if language.lower() in {"", "und"}:
        yield Finding(
            code="missing-language",
            severity=severity,
            message="the mail does not say its language",
            where=Where(of=SOURCE, line=1),
            measured=language,
            threshold=locale,
            remedy=remedy,
        )
    elif _primary(language) != _primary(locale):
        yield Finding(
            code="wrong-language",
            severity=severity,
            message=f"the mail says that it is in {language!r}; the request asks for {locale!r}",
            where=Where(of=SOURCE, line=1),
            measured=language,
            threshold=locale,
            remedy=remedy,
        )


def _primary(language: str) -> str:
    return language.partition("-")[0].lower()


def _title(read: tuple[Token, ...]) -> Iterator[Finding]:
    """WCAG 2.2, 2.4.2: the page has a title; mail programs show it in tabs and print it."""
    words = ""
    for before, token in pairwise(read):
        if before.kind == "open" and before.name == "title" and token.kind == "text":
            words = words or collapsed(token.text)
    if not words:
        yield Finding(
            code="missing-title",
            severity="warning",
            message="the mail has no title",
            where=Where(of=SOURCE),
            remedy="write <mj-title> in mj-head",
        )


def _nested_rules(html: str) -> Iterator[Finding]:
    """hteumeuleu/email-bugs#21: Gmail drops a style element whole that holds an @-rule inside an @-rule."""
    for sheet, line in style_sheets(html):
        depth = 0
        for char in _QUOTED.sub("", _COMMENT.sub("", sheet)):
            depth += {"{": 1, "}": -1}.get(char, 0)
            if char == "@" and depth > 0:
                yield Finding(
                    code="nested-at-rule",
                    severity="warning",
                    message="an @-rule stands inside an @-rule; Gmail drops the whole style element",
                    where=Where(of=HTML, line=line),
                    remedy="write the inner rule on its own",
                )
                break


html_document = Verifier(
    name="html-document",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=("locale",), files=(HTML,), labels=(ORIGIN,)),
    required=True,
)
