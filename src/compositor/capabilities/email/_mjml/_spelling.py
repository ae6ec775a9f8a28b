"""Rules about how tags, text and comments are written: what our compiler cannot read, or reads otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from compositor.capabilities.email._danger import dangers
from compositor.capabilities.email._mjml._faults import Fault
from compositor.verifiers.markup import Attribute, Token


def tag_spelling(token: Token) -> Iterator[Fault]:
    """Repeated attributes, values without quotes, and what no mail may hold."""
    for code, message in dangers(token):
        yield Fault(code=code, message=message, line=token.line, remedy="remove it")
    counts = Counter(attribute.name for attribute in token.attributes)
    for name in (name for name, count in counts.items() if count > 1):
        message = f"{name!r} stands twice in <{token.name}>"
        yield Fault(code="repeated-attribute", message=message, line=token.line, remedy="keep one", severity="warning")
    for attribute in token.attributes:
        if _is_bare(attribute):
            message = f"the value of {attribute.name!r} has no quotes"
            remedy = f'write {attribute.name}="{(attribute.raw or "")[:60]}"'
            yield Fault(code="unquoted-value", message=message, line=token.line, remedy=remedy)


def text_spelling(token: Token) -> Iterator[Fault]:
    """A `<` that begins no tag."""
    at = token.raw.find("<")
    if at >= 0:
        line = token.line + token.raw.count("\n", 0, at)
        yield Fault(code="bare-less-than", message="a bare '<' stands in the text", line=line, remedy="write &lt;")


def comment_spelling(token: Token) -> Iterator[Fault]:
    """A comment that never ends, or that XML would not allow."""
    if not token.raw.endswith("-->") or len(token.raw) < len("<!---->"):
        remedy = "end it with -->"
        yield Fault(code="broken-comment", message="a comment never ends", line=token.line, remedy=remedy)
    elif "--" in token.raw[4:-3]:
        message = "a comment holds '--', which the compiler refuses"
        yield Fault(code="broken-comment", message=message, line=token.line, remedy="write — or one hyphen")


def other_spelling(token: Token) -> Iterator[Fault]:
    """Tags that never end, and declarations."""
    if token.kind == "broken":
        message = f"the tag <{token.name}> never ends"
        yield Fault(code="broken-tag", message=message, line=token.line, remedy="close it with >")
    else:
        message = f"{token.raw[:40]!r} has no place in MJML"
        yield Fault(code="declaration", message=message, line=token.line, remedy="remove it")


def _is_bare(attribute: Attribute) -> bool:
    """Whether the value stands without quotes: then nothing but the name, a sign and the value is there."""
    return bool(attribute.raw) and attribute.end - attribute.start == len(attribute.name) + 1 + len(attribute.raw or "")
