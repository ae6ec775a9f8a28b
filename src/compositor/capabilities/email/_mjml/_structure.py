"""The structure check: an MJML document against the component table, with the line of everything that is wrong.

mjml-python compiles unknown tags, unknown attributes, buttons in text and columns in columns without a word (measured
with 1.4.2; mjmlio/mjml#2216), and what it does refuse it mostly refuses without a place. The rules are those of MJML's
own validator (npm mjml 5.4.1), and what our compiler cannot take. This module walks the document and knows which tags
are open; `_placement` and `_spelling` hold the rules for one tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from compositor.capabilities import Finding
from compositor.capabilities.email._mjml._components import components
from compositor.capabilities.email._mjml._faults import Fault
from compositor.capabilities.email._mjml._placement import ROOT, in_component, in_defaults, in_text
from compositor.capabilities.email._mjml._spelling import comment_spelling, other_spelling, tag_spelling, text_spelling
from compositor.verifiers.markup import MAX_DEPTH, VOID, Token, tokens

MOST_FINDINGS = 200
"""More say nothing new, and a hostile document could have a million."""

_BODY, _DEFAULTS, _STYLE = "mj-body", "mj-attributes", "mj-style"
_ONCE = frozenset({_BODY, "mj-head"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """What the check says: how many tags it looked at, and what is wrong, in the order of the document."""

    examined: int
    findings: tuple[Finding, ...]


def structure(source: str) -> Structure:
    """Check an MJML document. Linear, never raises.

    Reading stops where nothing more can be told: at a nesting that is too deep, and after `MOST_FINDINGS`.
    """
    walk = _Walk()
    faults = islice(walk.faults(source.removeprefix("\ufeff")), MOST_FINDINGS)
    ordered = sorted(faults, key=lambda fault: fault.line)
    return Structure(examined=walk.tags, findings=tuple(fault.finding() for fault in ordered))


@dataclass(slots=True, kw_only=True)
class _Open:
    """A tag that is open.

    Attributes:
        name, line: of the tag.
        text_of: the component whose text it belongs to, or empty.
        defaults: whether it stands inside `mj-attributes`.
        filled: whether a tag stands in it.
    """

    name: str
    line: int
    text_of: str = ""
    defaults: bool = False
    filled: bool = False


@dataclass(slots=True, kw_only=True)
class _Walk:
    """The way through one document: the tags that are open, and what was seen."""

    tags: int = 0
    stack: list[_Open] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    used_classes: list[tuple[str, int]] = field(default_factory=list)

    def faults(self, source: str) -> Iterator[Fault]:
        for token in tokens(source):
            if token.kind == "open":
                yield from self._opened(token)
            elif token.kind == "close":
                yield from self._closed(token)
            elif token.kind == "text":
                yield from self._said(token)
            else:
                yield from comment_spelling(token) if token.kind == "comment" else other_spelling(token)
            if len(self.stack) > MAX_DEPTH:
                yield self._too_deep(token)
                return
        yield from self._ended()

    @property
    def _above(self) -> _Open:
        return self.stack[-1] if self.stack else _Open(name="", line=1)

    def _opened(self, token: Token) -> Iterator[Fault]:
        self.tags += 1
        above = self._above
        above.filled = True
        yield from tag_spelling(token)
        if above.text_of:
            yield from in_text(token, above.text_of)
        elif above.defaults:
            yield from in_defaults(token)
        else:
            yield from in_component(token, above.name)
            yield from self._again(token)
        if not above.text_of:
            self._note_classes(token)
        if not token.self_closing and token.name not in VOID:
            self.stack.append(self._open_below(above, token))
        elif token.name == _BODY:
            yield _empty(token.line)

    def _open_below(self, above: _Open, token: Token) -> _Open:
        component = components().get(token.name)
        holds_text = component is not None and component.text and not above.defaults
        return _Open(
            name=token.name,
            line=token.line,
            text_of=above.text_of or (token.name if holds_text else ""),
            defaults=above.defaults or token.name == _DEFAULTS,
        )

    def _again(self, token: Token) -> Iterator[Fault]:
        if token.name in _ONCE and token.name in self.seen:
            message = f"<{token.name}> stands twice"
            yield Fault(code="repeated-tag", message=message, line=token.line, remedy="merge the two")
        self.seen.add(token.name)

    def _note_classes(self, token: Token) -> None:
        if token.name == "mj-class":
            self.classes.add(token.get("name") or "")
        self.used_classes += [(name, token.line) for name in (token.get("mj-class") or "").split()]

    def _closed(self, token: Token) -> Iterator[Fault]:
        if token.name in VOID:
            return
        if token.name not in {entry.name for entry in self.stack}:
            above = self._above
            open_one = f"; <{above.name}> of line {above.line} is open" if above.name else ""
            message = f"</{token.name}> closes nothing{open_one}"
            yield Fault(code="mismatched-tag", message=message, line=token.line, remedy="correct or remove it")
            return
        while (left := self.stack.pop()).name != token.name:
            yield _unclosed(left)
        if left.name == _BODY and not left.filled:
            yield _empty(left.line)

    def _said(self, token: Token) -> Iterator[Fault]:
        above = self._above
        words = token.raw.strip()
        if above.text_of:
            yield from text_spelling(token) if above.name != _STYLE else ()
        elif words and (not above.name or above.name in components()):
            line = token.line + token.raw.count("\n", 0, token.raw.index(words[0]))
            where = f"directly in <{above.name}>" if above.name else "outside <mjml>"
            message = f"text {where} is lost: {words[:40]!r}"
            yield Fault(code="stray-text", message=message, line=line, remedy="put it into <mj-text>")

    def _too_deep(self, token: Token) -> Fault:
        return Fault(
            code="too-deep",
            message=f"more than {MAX_DEPTH} tags are nested",
            line=token.line,
            measured=len(self.stack),
            threshold=MAX_DEPTH,
            remedy="nest less",
        )

    def _ended(self) -> Iterator[Fault]:
        """What only the end of the document shows."""
        yield from map(_unclosed, self.stack)
        if ROOT not in self.seen:
            remedy = f"put everything into <{ROOT}> … </{ROOT}>"
            yield Fault(code="no-root", message="the document has no <mjml>", line=1, remedy=remedy)
        elif _BODY not in self.seen:
            remedy = "put the sections into <mj-body>"
            yield Fault(code="no-body", message="the document has no <mj-body>", line=1, remedy=remedy)
        for name, line in self.used_classes:
            if name not in self.classes:
                remedy = f'define <mj-class name="{name[:60]}" …/> in mj-attributes, or drop it'
                message = f"no mj-class is named {name[:60]!r}"
                yield Fault(code="unknown-class", message=message, line=line, remedy=remedy, severity="warning")


def _empty(line: int) -> Fault:
    message = "<mj-body> is empty: the mail says nothing"
    return Fault(code="empty-body", message=message, line=line, remedy="add sections")


def _unclosed(left: _Open) -> Fault:
    message = f"<{left.name}> is never closed"
    return Fault(code="unclosed-tag", message=message, line=left.line, remedy=f"add </{left.name}>")
