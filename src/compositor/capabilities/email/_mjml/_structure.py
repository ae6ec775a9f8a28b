"""The structure check: an MJML document against the component table, with the line of everything that is wrong.

mjml-python compiles unknown tags, unknown attributes, buttons in text and columns in columns without a word (measured
with 1.4.2; mjmlio/mjml#2216), and what it does refuse it mostly refuses without a place. The rules are
those of MJML's own validator (npm mjml 5.4.1), and what our compiler cannot take.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from compositor.capabilities import Finding, Where
from compositor.capabilities.email._danger import dangers
from compositor.capabilities.email._deliverable import SOURCE
from compositor.capabilities.email._mjml._attribute_types import value_fault
from compositor.capabilities.email._mjml._components import (
    ANYWHERE,
    DEFAULTS,
    Component,
    components,
    every_attribute,
    parents_of,
)
from compositor.verifiers import Severity
from compositor.verifiers.markup import MAX_DEPTH, VOID, Attribute, Token, tokens

ROOT = "mjml"
MOST_FINDINGS = 200
"""More say nothing new, and a hostile document could have a million."""

_ONCE = frozenset({"mj-body", "mj-head"})
_NEEDS = {"mj-class": ("name",), "mj-font": ("name", "href")}
"""Attributes without which a component does nothing, or stops the compiler."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """What the check says: how many tags it looked at, and what is wrong, in the order of the document."""

    examined: int
    findings: tuple[Finding, ...]


def structure(source: str) -> Structure:
    """Check an MJML document. Linear, never raises.

    Reading stops where nothing more can be told: at a nesting that is too deep, and after `MOST_FINDINGS`.
    """
    check = _Check()
    for token in tokens(source.removeprefix("\ufeff")):
        check.meet(token)
        if check.hopeless:
            break
    else:
        check.end()
    ordered = sorted(check.findings, key=lambda finding: finding.where.line or 0)
    return Structure(examined=check.tags, findings=tuple(ordered))


@dataclass(slots=True, kw_only=True)
class _Open:
    """A tag that is open."""

    token: Token
    component: Component | None
    in_text: str
    in_defaults: bool = False
    filled: bool = False


class _Check:
    """The tags that are open, and what was found so far."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.tags = 0
        self._stack: list[_Open] = []
        self._seen: set[str] = set()
        self._classes: set[str] = set()
        self._used_classes: list[tuple[str, int]] = []
        self._has_root = self._too_deep = False

    @property
    def hopeless(self) -> bool:
        """Whether reading on is of no use."""
        return self._too_deep or len(self.findings) >= MOST_FINDINGS

    def meet(self, token: Token) -> None:
        if token.kind == "open":
            self._open(token)
        elif token.kind == "close":
            self._close(token)
        elif token.kind == "text":
            self._text(token)
        elif token.kind == "broken":
            self._find("broken-tag", f"the tag <{token.name}> never ends", token, "close it with >")
        elif token.kind == "comment":
            self._comment(token)
        else:
            self._find("declaration", f"{token.raw[:40]!r} has no place in MJML", token, "remove it")

    def end(self) -> None:
        for left in self._stack:
            self._unclosed(left)
        if not self._has_root:
            self._add(
                "no-root", "blocking", "the document has no <mjml>", 1, f"put everything into <{ROOT}> … </{ROOT}>"
            )
        elif "mj-body" not in self._seen:
            self._add("no-body", "blocking", "the document has no <mj-body>", 1, "put the sections into <mj-body>")
        for name, line in self._used_classes:
            if name not in self._classes:
                remedy = f'define <mj-class name="{name}" …/> in mj-attributes, or drop it'
                self._add("unknown-class", "warning", f"no mj-class is named {name!r}", line, remedy)

    # ---- tags

    def _open(self, token: Token) -> None:
        self.tags += 1
        above = self._stack[-1] if self._stack else None
        self._in_danger(token)
        self._spelling(token)
        if above and above.in_text:
            self._in_text(token, above)
        else:
            self._component(token, above)
        if token.self_closing or (token.name in VOID and not token.name.startswith("mj")):
            return
        self._push(token, above)

    def _push(self, token: Token, above: _Open | None) -> None:
        component = components().get(token.name)
        in_text = above.in_text if above else ""
        in_defaults = above is not None and (above.in_defaults or above.token.name == "mj-attributes")
        if not in_text and component and component.text and not in_defaults:
            in_text = token.name
        self._stack.append(_Open(token=token, component=component, in_text=in_text, in_defaults=in_defaults))
        if len(self._stack) > MAX_DEPTH:
            self._too_deep = True
            self._find(
                "too-deep", f"more than {MAX_DEPTH} tags are nested", token, "nest less", len(self._stack), MAX_DEPTH
            )

    def _in_text(self, token: Token, above: _Open) -> None:
        if token.name.startswith("mj-"):
            remedy = f"close <{above.in_text}> before it, and put <{token.name}> beside it"
            message = f"<{token.name}> inside <{above.in_text}> is not drawn: <{above.in_text}> holds text and HTML"
            self._find("include-refused" if token.name == "mj-include" else "component-in-text", message, token, remedy)

    def _component(self, token: Token, above: _Open | None) -> None:
        if above:
            above.filled = True
        if token.name == "mj-include":
            self._find("include-refused", "mj-include is refused", token, "write the included part here")
            return
        if token.name == ROOT:
            self._has_root = True
        in_defaults = above is not None and above.token.name == "mj-attributes"
        if token.name in DEFAULTS and (in_defaults or (above and above.in_defaults)):
            self._default(token)
            return
        component = components().get(token.name)
        if component is None:
            self._unknown_tag(token, above)
            return
        self._place(token, above, in_defaults=in_defaults)
        self._needs(token)
        self._attributes(token, component)

    def _unknown_tag(self, token: Token, above: _Open | None) -> None:
        near = difflib.get_close_matches(token.name, components(), n=1, cutoff=0.7)
        if near:
            remedy = f"write <{near[0]}>"
        elif token.name in DEFAULTS:
            remedy = "put it into <mj-attributes>"
        else:
            remedy = "use a component of MJML, or put HTML into <mj-text> or <mj-raw>"
        inside = f" in <{above.token.name}>" if above else ""
        self._find("unknown-tag", f"<{token.name}>{inside} is no component of MJML", token, remedy)

    def _place(self, token: Token, above: _Open | None, *, in_defaults: bool) -> None:
        if token.name in _ONCE:
            if token.name in self._seen:
                self._find("repeated-tag", f"<{token.name}> stands twice", token, "merge the two")
            self._seen.add(token.name)
        if in_defaults or (above and above.in_defaults):
            return
        legal = (
            token.name == ROOT if above is None else above.component is None or token.name in above.component.children
        )
        if not legal:
            where = f"inside <{above.token.name}>" if above else "at the top"
            parents = ", ".join(f"<{parent}>" for parent in parents_of(token.name)) or "the top of the document"
            self._find("misplaced-tag", f"<{token.name}> may not stand {where}", token, f"it may stand in {parents}")

    def _default(self, token: Token) -> None:
        self._needs(token)
        if token.name == "mj-class":
            self._classes.add(token.get("name") or "")
        for attribute in token.attributes:
            known = attribute.name in every_attribute() or attribute.name in ANYWHERE or attribute.name == "name"
            if not known:
                self._unknown_attribute(token, attribute, every_attribute())

    def _needs(self, token: Token) -> None:
        for name in _NEEDS.get(token.name, ()):
            if not token.get(name):
                self._find("missing-attribute", f"<{token.name}> has no {name}", token, f'write {name}="…"')

    def _attributes(self, token: Token, component: Component) -> None:
        for attribute in token.attributes:
            kind = component.attributes.get(attribute.name)
            if attribute.name == "mj-class":
                self._used_classes += [(name, token.line) for name in attribute.value.split()]
            elif kind is None and attribute.name not in ANYWHERE:
                self._unknown_attribute(token, attribute, component.attributes)
            elif kind is not None and (right := value_fault(kind, attribute.value)):
                message = f'{attribute.name}="{attribute.value[:60]}" of <{token.name}> is no value for it'
                self._find("wrong-value", message, token, f"write {right}", attribute.value[:60], right)

    def _unknown_attribute(self, token: Token, attribute: Attribute, known: Iterable[str]) -> None:
        near = difflib.get_close_matches(attribute.name, [*known, *ANYWHERE], n=1, cutoff=0.7)
        remedy = f"did you mean {near[0]}? Else remove it" if near else "remove it"
        self._find("unknown-attribute", f"<{token.name}> has no attribute {attribute.name!r}", token, remedy)

    # ---- how tags are written and closed

    def _spelling(self, token: Token) -> None:
        counts = Counter(attribute.name for attribute in token.attributes)
        for name in sorted(name for name, count in counts.items() if count > 1):
            self._find(
                "repeated-attribute", f"{name!r} stands twice in <{token.name}>", token, "keep one", severity="warning"
            )
        for attribute in token.attributes:
            if attribute.raw and attribute.end - attribute.start == len(attribute.name) + 1 + len(attribute.raw):
                remedy = f'write {attribute.name}="{attribute.raw[:60]}"'
                self._find("unquoted-value", f"the value of {attribute.name!r} has no quotes", token, remedy)

    def _close(self, token: Token) -> None:
        if token.name in VOID:
            return
        names = [entry.token.name for entry in self._stack]
        if token.name not in names:
            open_one = f"; <{names[-1]}> of line {self._stack[-1].token.line} is open" if names else ""
            self._find("mismatched-tag", f"</{token.name}> closes nothing{open_one}", token, "correct or remove it")
            return
        while self._stack[-1].token.name != token.name:
            self._unclosed(self._stack.pop())
        self._closed(self._stack.pop())

    def _closed(self, done: _Open) -> None:
        if done.token.name == "mj-body" and not done.filled:
            self._find("empty-body", "<mj-body> is empty: the mail says nothing", done.token, "add sections")

    def _unclosed(self, left: _Open) -> None:
        name = left.token.name
        self._find("unclosed-tag", f"<{name}> is never closed", left.token, f"add </{name}>")

    # ---- text

    def _text(self, token: Token) -> None:
        above = self._stack[-1] if self._stack else None
        if above and above.in_text:
            if "<" in token.raw and above.token.name != "mj-style":
                line = token.line + token.raw[: token.raw.index("<")].count("\n")
                self._add("bare-less-than", "blocking", "a bare '<' stands in the text", line, "write &lt;")
            return
        words = token.raw.strip()
        if words and (above is None or above.component is not None):
            line = token.line + token.raw[: token.raw.index(words[0])].count("\n")
            where = f"directly in <{above.token.name}>" if above else "outside <mjml>"
            self._add("stray-text", "blocking", f"text {where} is lost: {words[:40]!r}", line, "put it into <mj-text>")

    def _comment(self, token: Token) -> None:
        if not token.raw.endswith("-->") or len(token.raw) < len("<!---->"):
            self._find("broken-comment", "a comment never ends", token, "end it with -->")
        elif "--" in token.raw[4:-3]:
            self._find(
                "broken-comment", "a comment holds '--', which the compiler refuses", token, "write — or one hyphen"
            )

    def _in_danger(self, token: Token) -> None:
        for code, message in dangers(token):
            self._find(code, message, token, "remove it")

    # ---- findings

    def _find(
        self,
        code: str,
        message: str,
        token: Token,
        remedy: str,
        measured: str | int | None = None,
        threshold: str | int | None = None,
        *,
        severity: Severity = "blocking",
    ) -> None:
        self.findings.append(
            Finding(
                code=code,
                severity=severity,
                message=message,
                where=Where(of=SOURCE, line=token.line),
                measured=measured,
                threshold=threshold,
                remedy=remedy,
            )
        )

    def _add(self, code: str, severity: Severity, message: str, line: int, remedy: str) -> None:
        where = Where(of=SOURCE, line=line)
        self.findings.append(Finding(code=code, severity=severity, message=message, where=where, remedy=remedy))
