"""Setting of words: what a text needs before it is set, and which size it is set in.

Widths are estimates in ems. They only have to be good enough to choose a size: the layout check measures the result.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from compositor.capabilities.email._merge_tags import SYNTAXES

NBSP = "\N{NO-BREAK SPACE}"
LONGEST_TAIL = 16
"""Characters of the last two words of a headline that may be tied together; longer ones would break early."""

_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_UNIT = re.compile(r"(?<=\d) (?=(?:%|°C|°F|kg|g|km|cm|mm|m|ml|cl|l|h|min|am|pm|a\.m\.|p\.m\.|€|kr|zł)(?![\w]))")
_APOSTROPHE = re.compile(r"(?<=\w)'(?=\w)")
_OPENING = re.compile(r"(^|[\s(\[—–-])([\"'])(?=\S)")
_ENGLISH_OPENING = {'"': "“", "'": "‘"}
_MERGE_TAG = re.compile(f"({'|'.join(syntax.pattern for syntax in SYNTAXES.values())})")
_MARKS: Mapping[str, tuple[str, str]] = {
    "cs": ("„", "“"),
    "da": ("»", "«"),
    "de": ("„", "“"),
    "es": ("«", "»"),
    "fi": ("”", "”"),
    "fr": (f"«{NBSP}", f"{NBSP}»"),
    "it": ("«", "»"),
    "ja": ("「", "」"),
    "nb": ("«", "»"),
    "no": ("«", "»"),
    "pl": ("„", "”"),
    "pt": ("«", "»"),
    "sv": ("”", "”"),
    "uk": ("«", "»"),
    "zh": ("「", "」"),
}
"""Language → its quotation marks, where they are not the English ones (Unicode CLDR, delimiters)."""
_FULL_WIDTH_OPENING = "「『《〈（【"
_BRACKETED = re.compile(r"([「『《〈（【][^」』》〉）】]+[」』》〉）】])")
_CLAUSE = re.compile(r"[^，、。！？；：]+[，、。！？；：]*[」』》〉）】]*|[，、。！？；：]+")
_FULL_WIDTH = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_ANY_OPENING = "\"'“„‘‚«‹「『»”"
_WIDTHS: Mapping[str, float] = {
    "iljtfrI.,:;'’‘!|()[] \N{NO-BREAK SPACE}": 0.32,
    "sczaekvxyJ-": 0.54,
    "mwMW@%—&": 0.92,
}
"""Letters that are narrower or wider than most, in ems: as in common text faces, and 8 % more, because a reader's
fallback family may run wider than the brand's."""


def plain(text: str) -> str:
    """The text without characters that no document may hold, white space at its ends removed."""
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text).strip()


def polished(text: str, locale: str) -> str:
    """The text as a typesetter would hand it on: apostrophes, units held to their figures, English quotation marks.

    Other languages quote in too many ways to guess; their marks stay as they came. Merge tags are not words.
    """
    english = locale.split("-", maxsplit=1)[0] == "en"
    pieces = _MERGE_TAG.split(plain(text))
    pieces[::2] = [_polished(piece, english=english) for piece in pieces[::2]]
    return "".join(pieces)


def _polished(text: str, *, english: bool) -> str:
    text = _UNIT.sub(NBSP, _APOSTROPHE.sub("’", text))
    if english:
        text = _OPENING.sub(lambda found: found[1] + _ENGLISH_OPENING[found[2]], text)
        text = text.replace('"', "”").replace("'", "’")
    return text


def quoted(text: str, locale: str) -> str:
    """The text between the quotation marks of its language, unless it brings its own."""
    opening, closing = _MARKS.get(locale.split("-", maxsplit=1)[0], ("“", "”"))
    return text if text[:1] in _ANY_OPENING else f"{opening}{text}{closing}"


def paragraphs(text: str) -> tuple[tuple[str, ...], ...]:
    """The paragraphs of a text, each as its lines."""
    blocks = (block for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")) if block.strip())
    return tuple(tuple(line.strip() for line in block.strip().split("\n")) for block in blocks)


def without_orphan(text: str) -> str:
    """The text with its last two words tied, so that no line holds a single word at the end."""
    head, space, last = text.rpartition(" ")
    if not space or len(head.split()) < 2 or _MERGE_TAG.search(text):
        return text
    tail = head.rsplit(" ", 1)[-1] + NBSP + last
    return head + NBSP + last if len(tail) <= LONGEST_TAIL else text


def phrases(text: str, room: float) -> list[tuple[str, bool]]:
    """A full-width text in pieces, each with whether it must not be broken.

    Lines of such a text may break anywhere, also inside a word; they read well where they break after a comma or beside
    a bracketed name. Pieces that need more than `room` ems stay breakable.
    """
    clauses = _CLAUSE.findall(text) if _FULL_WIDTH.search(text) else [text]
    if len(clauses) > 1 and all(ems(clause) <= room for clause in clauses):
        return [(clause, True) for clause in clauses]
    pieces = [piece for piece in _BRACKETED.split(text) if piece]
    return [(piece, bool(_BRACKETED.fullmatch(piece)) and ems(piece) <= room) for piece in pieces]


def hangs(text: str) -> bool:
    """Whether the text begins with a full-width bracket, whose empty half would indent it."""
    return text[:1] in _FULL_WIDTH_OPENING


def is_cjk(locale: str) -> bool:
    """Whether the locale is written in characters that fill the em square."""
    return locale.split("-", maxsplit=1)[0] in ("zh", "ja", "ko")


def ems(text: str) -> float:
    """The estimated width of a line of text, in ems."""
    return sum(map(_em, text))


def lines(text: str, size: float, width: float) -> int:
    """How many lines the text takes at a size in a column of a width (both in pixels), roughly."""
    room, used, count = width / size, 0.0, 1
    for piece in _pieces(text):
        if used and used + ems(piece.rstrip()) > room:
            count, used = count + 1, 0.0
        used += ems(piece)
    return count


def display_size(text: str, sizes: Sequence[int], width: float, most: int = 2) -> int:
    """The largest of the sizes in which the text takes at most so many lines and no word is wider than the column.

    The smallest is the answer where none fits.
    """
    widest = max((ems(piece.rstrip()) for piece in _pieces(text)), default=0.0)
    fits = (size for size in sizes if widest * size <= width and lines(text, size, width) <= most)
    return next(fits, sizes[-1])


def _pieces(text: str) -> list[str]:
    """The pieces between which a line may break: words with their space, and each full-width character."""
    return re.findall(
        r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uac00-\ud7af]+[ \t\n]*|\s+", text
    )


def _em(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if unicodedata.combining(char):
        return 0.0
    odd = next((width for letters, width in _WIDTHS.items() if char in letters), None)
    return odd or (0.72 if char.isupper() else 0.6)
