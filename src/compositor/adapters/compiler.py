r"""The compiler port on mjml-python (the Rust engine mrml): MJML to HTML, 40 times cheaper than the Node one.

The engine validates nothing and has traps that were all measured with version 1.4.2; they are closed here, before and
after it, so that nobody else has to know them:

- deep nesting ends the process with SIGSEGV, and a default attribute is copied into every element: limits below;
- `mj-include` reads files, and inside `mj-head` it panics: refused;
- attribute values are written as Rust prints strings for debugging, so that a line break becomes `\n`, a no-break space
  `\u{a0}` and a quote `\"`: such characters go in as character references, line breaks as spaces;
- an `alt` without a value is dropped, and a screen reader then reads the file name: it goes in as `alt=""`;
- `mj-style inline="inline"` is not inlined: css-inline does it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compositor.errors import CompileFailed, PortError
from compositor.verifiers.markup import MAX_DEPTH, VOID, Attribute, Token, tokens

LANGUAGE = "mjml"

MAX_SOURCE = 512 * 1024
"""Bytes of source. The longest real source in hand has 54 kB; compiled mail is cut by Gmail at about 99.5 kB anyway."""
MAX_TAGS = 10_000
"""Opening tags. With the next two limits it bounds what copying can make of a small source."""
MAX_SHARED = 16 * 1024
"""Bytes of attributes that are copied to other elements: `mj-attributes`, and parents such as `mj-social`."""
MAX_INLINE_CSS = 16 * 1024
"""Bytes of `mj-style inline="inline"`; more than all the style rules that Gmail keeps (hteumeuleu/email-bugs#90)."""

_SHARING = frozenset(
    {
        "mj-accordion",
        "mj-accordion-element",
        "mj-body",
        "mj-carousel",
        "mj-group",
        "mj-navbar",
        "mj-section",
        "mj-social",
    }
)
_PLAIN = frozenset({"Lu", "Ll", "Lt", "Lo", "Nd", "Nl", "No", "Po", "Ps", "Pe", "Pd", "Pi", "Pf", "Sc", "Sm", "So"})
"""Unicode categories that Rust prints as they are; all others are escaped, or may be."""
_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_PLACE = re.compile(r"^(?P<what>.*?)(?: in root template)?(?: at position (?P<start>\d+):\d+)?$", re.DOTALL)


class MjmlCompiler:
    """Implements `compositor.workspace.ports.Compiler` for the language `mjml`.

    The document's language is that of its `<mjml lang="…">`.
    """

    async def compile(self, source: str, language: str) -> str:
        """The HTML of an MJML document.

        Raises:
            CompileFailed: a fault of the source, with its line where it is known.
            PortError: another language than `mjml`.
        """
        import anyio

        if language != LANGUAGE:
            raise PortError("compiler", f"knows {LANGUAGE!r}, not {language!r}")
        return await anyio.to_thread.run_sync(_compiled, source)


def _compiled(source: str) -> str:
    prepared = _prepared(_well_formed(source))
    html = _engine(prepared)
    return _with_inlined(html, prepared.css) if prepared.css else html


def _well_formed(source: str) -> str:
    size = len(source.encode("utf-8", "replace"))
    if size > MAX_SOURCE:
        raise CompileFailed(LANGUAGE, f"the source has {size:,} bytes; at most {MAX_SOURCE:,} are compiled")
    try:
        source.encode("utf-8")
    except UnicodeEncodeError as error:
        line = source.count("\n", 0, error.start) + 1
        raise CompileFailed(LANGUAGE, "half of a surrogate pair, which is no character", line) from None
    return source.removeprefix("\ufeff")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """What the engine gets: the rewritten source, where its pieces come from, and the rules to inline."""

    source: str
    text: str
    pieces: Sequence[tuple[int, int]]
    css: str

    def line_at(self, byte: int) -> int:
        """The line in the original source of a byte offset in the rewritten text."""
        position = len(self.text.encode("utf-8")[:byte].decode("utf-8", "ignore"))
        new, old = max((piece for piece in self.pieces if piece[0] <= position), default=(0, 0))
        return self.source.count("\n", 0, min(old + position - new, len(self.source))) + 1


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str


def _prepared(source: str) -> _Prepared:
    """Check the limits and collect the rewrites, in one pass over the tokens."""
    edits: list[_Edit] = []
    css: list[str] = []
    limits = _Limits()
    inside = ""
    inline_from: Token | None = None
    for token in _tags_of(source):
        limits.meet(token)
        if token.kind == "open":
            edits += [_Edit(a.start, a.end, text) for a in token.attributes if (text := _rewritten(a)) is not None]
            inside = "" if token.self_closing else token.name
            inline_from = token if inside == "mj-style" and token.get("inline") == "inline" else None
        elif token.kind == "text" and inside == "mj-title" and (plain := _spelled(token.raw)) != token.raw:
            edits.append(_Edit(token.start, token.end, plain))
        elif token.kind == "text" and inline_from:
            css.append(token.raw)
        elif token.kind == "close":
            if inline_from and token.name == "mj-style":
                edits = [edit for edit in edits if edit.start < inline_from.start]
                edits.append(_Edit(inline_from.start, token.end, ""))
            inside, inline_from = "", None
    if len("".join(css)) > MAX_INLINE_CSS:
        raise CompileFailed(LANGUAGE, f"more than {MAX_INLINE_CSS:,} bytes of rules to inline")
    text, pieces = _applied(source, edits)
    return _Prepared(source=source, text=text, pieces=pieces, css="\n".join(css))


def _tags_of(source: str) -> Iterator[Token]:
    """The tokens as the engine sees them: to it, no element holds raw text, and what is hidden in one still nests."""
    return tokens(source, raw_text=frozenset())


def _applied(source: str, edits: Sequence[_Edit]) -> tuple[str, list[tuple[int, int]]]:
    """The rewritten text, and for each kept piece where it begins: (in the new text, in the old)."""
    parts: list[str] = []
    pieces: list[tuple[int, int]] = []
    new = old = 0
    for edit in [*edits, _Edit(len(source), len(source), "")]:
        pieces.append((new, old))
        kept = source[old : edit.start]
        parts += [kept, edit.text]
        new, old = new + len(kept) + len(edit.text), edit.end
    return "".join(parts), pieces


def _rewritten(attribute: Attribute) -> str | None:
    """The attribute as the engine can take it, or None where it is fine as it stands."""
    if attribute.name == "alt" and attribute.raw is None:
        return 'alt=""'
    spelled = _spelled(attribute.raw or "")
    return f'{attribute.name}="{spelled}"' if spelled != (attribute.raw or "") else None


def _spelled(value: str) -> str:
    """The value with white space as single spaces, and everything that Rust would escape as a character reference."""
    spaced = _SPACES.sub(" ", value)
    return "".join(
        char if char == " " or (char not in '"\\' and unicodedata.category(char) in _PLAIN) else _reference(char)
        for char in spaced
    )


def _reference(char: str) -> str:
    if char.isascii() and char not in '"\\':
        return char if char.isprintable() else ""
    return "&quot;" if char == '"' else f"&#{ord(char)};"


class _Limits:
    """Refuses, while the tokens go by, what would end the process or fill the memory."""

    __slots__ = ("_depth", "_in_defaults", "_shared", "_tags")

    def __init__(self) -> None:
        self._depth = self._tags = self._shared = 0
        self._in_defaults = False

    def meet(self, token: Token) -> None:
        """Count one token. Raises CompileFailed with its line."""
        if token.kind == "broken":
            raise CompileFailed(LANGUAGE, f"the tag <{token.name}> never ends", token.line)
        if token.name == "mj-include":
            raise CompileFailed(LANGUAGE, "mj-include is refused: a mail holds all of its own source", token.line)
        if token.kind == "close" and token.name not in VOID:
            self._depth = max(0, self._depth - 1)
        if token.kind == "open":
            self._open(token)
        if token.name == "mj-attributes":
            self._in_defaults = token.kind == "open" and not token.self_closing

    def _open(self, token: Token) -> None:
        self._tags += 1
        if token.name not in VOID and not token.self_closing:
            self._depth += 1
        if self._in_defaults or token.name in _SHARING:
            self._shared += sum(attribute.end - attribute.start for attribute in token.attributes)
        for measured, limit, what in (
            (self._depth, MAX_DEPTH, "elements are nested"),
            (self._tags, MAX_TAGS, "tags"),
            (self._shared, MAX_SHARED, "bytes of attributes that are copied into other elements"),
        ):
            if measured > limit:
                raise CompileFailed(LANGUAGE, f"more than {limit:,} {what}", token.line)


def _engine(prepared: _Prepared) -> str:
    import mjml

    try:
        return str(mjml.mjml2html(prepared.text, disable_comments=False))
    except ValueError as error:
        raise _failure(str(error), prepared) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # a panic of the engine is no Exception
            raise
        raise CompileFailed(LANGUAGE, f"the engine gave up: {error}") from None


def _failure(words: str, prepared: _Prepared) -> CompileFailed:
    place = _PLACE.match(words)
    what = place["what"] if place else words
    if place and place["start"]:
        return CompileFailed(LANGUAGE, what, prepared.line_at(int(place["start"])))
    fault = next(_faults(prepared.source), None)
    return CompileFailed(LANGUAGE, fault[0], fault[1]) if fault else CompileFailed(LANGUAGE, what)


def _faults(source: str) -> Iterator[tuple[str, int]]:
    """Where the engine names no place: what it is known to stumble over."""
    opened: list[Token] = []
    for token in _tags_of(source):
        if token.kind == "text" and "<" in token.raw and (not opened or opened[-1].name not in {"script", "style"}):
            yield "a bare '<' in the text: write &lt;", token.line + token.raw[: token.raw.index("<")].count("\n")
        elif token.kind == "comment" and ("--" in token.raw[4:-3] or not token.raw.endswith("-->")):
            yield "a comment that never ends, or holds '--'", token.line
        elif token.kind == "open" and (bare := _unquoted(token)):
            yield f"the value of {bare!r} stands without quotes", token.line
        elif token.kind == "open" and not token.self_closing and token.name not in VOID:
            opened.append(token)
        elif token.kind == "close" and opened:
            if opened[-1].name != token.name:
                yield f"</{token.name}> closes <{opened[-1].name}> of line {opened[-1].line}", token.line
            opened.pop()
    if opened:
        yield f"<{opened[-1].name}> is never closed", opened[-1].line


def _unquoted(token: Token) -> str:
    return next((a.name for a in token.attributes if a.raw and a.end - a.start == len(a.name) + 1 + len(a.raw)), "")


def _with_inlined(html: str, css: str) -> str:
    import css_inline

    inliner = css_inline.CSSInliner(
        inline_style_tags=False, keep_style_tags=True, keep_link_tags=True, load_remote_stylesheets=False, extra_css=css
    )
    try:
        return inliner.inline(html)
    except css_inline.InlineError as error:
        raise CompileFailed(LANGUAGE, f"the rules of mj-style cannot be inlined: {error}") from None
