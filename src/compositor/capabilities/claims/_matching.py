"""Finding claims in a text: word for word, in other words, or changed in what they mean."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from compositor.capabilities import Section
from compositor.capabilities.claims._approved import Approved
from compositor.verifiers.assertions import function_words
from compositor.verifiers.citations import MARK, numbers_of
from compositor.verifiers.sentences import UNSPACED
from compositor.verifiers.sentences import count as length
from compositor.workspace.wording import folded

How = Literal["exact", "near", "altered"]

ALIKE = 0.6
"""How alike a sentence and a claim must be (difflib, over words) for one to be a version of the other. Half of the
words in common is chance in one field of business, three in four is intent; a house default between the two."""
ALIKE_UNSPACED = 0.8
"""The same where characters are compared instead of words, of which sentences have most of their endings in common."""
FEWEST_WORDS = 5
"""Shorter claims, and shorter sentences, are compared word for word only: two words of three are found anywhere."""

_OPEN, _SHUT = "\ue000", "\ue001"
_HELD = re.compile(f"{_OPEN}([0-9,]*){_SHUT}")
_IS_UNSPACED = re.compile(f"[{UNSPACED}]")
_LETTER = rf"[^\W\d_{UNSPACED}]"
_WORD = re.compile(rf"\d+(?:[.,]\d+)*\s?%?|[{UNSPACED}]|{_LETTER}+(?:['-]{_LETTER}+)*|[<>≥≤±+]")
_ENDS = re.compile(r"[.!?。！？]\s*$")
"""How a claim ends that is a sentence."""
_BEFORE = re.compile(rf"(?:^|[.!?。！？:;\n{_SHUT}]|\s-\s)([^.!?。！？:;\n{_SHUT}]*)$")
_AFTER = re.compile(rf"((?:[^.!?。！？;\n{_OPEN}]|[.](?=\d))*)((?:[.!?。！？\s]*{_OPEN}[0-9,]*{_SHUT})*)")
"""What stands in one sentence with a claim: before it, up to a mark that sets it apart; after it, with its marks."""
_SENTENCE = re.compile(rf"(?<=[.!?。！？])((?:\s*{_OPEN}[0-9,]*{_SHUT})*)(?:\s+|$)|\n+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A claim as a section makes it.

    Attributes:
        claim: which one.
        how: `exact`; `near`, where only function words or endings differ; `altered`, where a word of weight does, or is
            put on.
        section: where.
        words: as they stand there, folded.
        marks: the numbers of the references that follow.
        differs: of other words, what stands there and what the claim says.
    """

    claim: Approved
    how: How
    section: Section
    words: str
    marks: tuple[int, ...]
    differs: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """What was found, and the words of each section that are no version of any claim."""

    uses: tuple[Use, ...]
    rest: tuple[tuple[Section, str], ...]


def matched(sections: Sequence[Section], claims: Sequence[Approved]) -> Matched:
    """Every use of a claim in the sections."""
    uses: list[Use] = []
    rest: list[tuple[Section, str]] = []
    for section in sections:
        text = _held(section.text)
        for claim, wording in _longest_first(claims):
            text = _exact(section, claim, wording, text, uses)
        left = _versions(section, claims, text, uses)
        rest.append((section, _HELD.sub("", left)))
    return Matched(uses=tuple(uses), rest=tuple(rest))


def _held(text: str) -> str:
    """The folded text, with the numbers of each mark between two characters that no text has."""
    return folded(MARK.sub(lambda mark: f"{_OPEN}{','.join(map(str, numbers_of(mark[0])))}{_SHUT}", text))


def _longest_first(claims: Sequence[Approved]) -> list[tuple[Approved, str]]:
    """So that a claim that stands within another one is not taken out of it."""
    wordings = [(claim, wording) for claim in claims for wording in claim.wordings]
    return sorted(wordings, key=lambda pair: len(pair[1]), reverse=True)


def _exact(section: Section, claim: Approved, wording: str, text: str, uses: list[Use]) -> str:
    """Note every place that has the wording, and give the text without them."""
    pattern = _pattern(wording)
    if pattern is None:
        return text
    whole = bool(_ENDS.search(wording)) and not claim.paraphrase

    def noted(found: re.Match[str]) -> str:
        before, after, marks = _added(found)
        added = _words(f"{before} {after}") if whole else []
        weighty = any(word not in function_words() for word in added)
        uses.append(
            Use(
                claim=claim,
                how="altered" if weighty else "near" if added else "exact",
                section=section,
                words=_plain(f"{before}{found[0]}{after}"),
                marks=(*_marks(found[0]), *marks),
                differs=f"“{' '.join(added)}” is added" if added else "",
            )
        )
        return "\n"

    return pattern.sub(noted, text)


def _added(found: re.Match[str]) -> tuple[str, str, tuple[int, ...]]:
    """What the sentence says before and after the claim, and the marks that follow it all.

    Words that are put on to an approved sentence may change what it says: “… in everybody”.
    """
    before, ends = _BEFORE.search(found.string[: found.start()]), _ENDS.search(_HELD.sub("", found[0]))
    after = None if ends else _AFTER.match(found.string, found.end())
    return (before[1] if before else ""), (after[1] if after else ""), (_marks(after[2]) if after else ())


def _pattern(wording: str) -> re.Pattern[str] | None:
    """The words of a claim with white space and marks of references between and after them, as they may stand."""
    words = folded(wording).rstrip(" .;:,").split()
    if not words:
        return None
    mark = f"{_OPEN}[0-9,]*{_SHUT}"
    between = rf"(?:{mark})*\s+(?:{mark})*"
    after = rf"(?:[ .;:,)]*{mark})*"
    return re.compile(rf"(?<!\w){between.join(map(re.escape, words))}(?!\w){after}\.?")


def _plain(text: str) -> str:
    return _HELD.sub("", text).strip()


def _marks(text: str) -> tuple[int, ...]:
    return tuple(int(number) for held in _HELD.findall(text) for number in held.split(",") if number)


def _versions(section: Section, claims: Sequence[Approved], text: str, uses: list[Use]) -> str:
    """Note the sentences that are other versions of claims, the most alike first, and give the text without them."""
    sentences: list[str | None] = list(_sentences(text))
    candidates = sorted(_candidates(sentences, claims), key=lambda candidate: candidate[0], reverse=True)
    for _, claim, wording, at, count in candidates:
        taken = sentences[at : at + count]
        if None in taken:
            continue
        words = " ".join(sentence for sentence in taken if sentence)
        sentences[at : at + count] = [None] * count
        uses.append(_version(section, claim, wording, words))
    return "\n".join(sentence for sentence in sentences if sentence)


def _sentences(text: str) -> Iterator[str]:
    at = 0
    for end in _SENTENCE.finditer(text):
        sentence = text[at : end.start()] + (end[1] or "")
        if sentence.strip():
            yield sentence
        at = end.end()
    if text[at:].strip():
        yield text[at:]


_Candidate = tuple[float, Approved, str, int, int]


def _candidates(sentences: Sequence[str | None], claims: Sequence[Approved]) -> Iterator[_Candidate]:
    for claim, wording in _longest_first(claims):
        wanted = _words(wording)
        alike = ALIKE_UNSPACED if _IS_UNSPACED.search(wording) else ALIKE
        count = len(list(_sentences(folded(wording))))
        if length(wanted) < FEWEST_WORDS:
            continue
        compared = difflib.SequenceMatcher(b=wanted, autojunk=False)
        for at in range(len(sentences) - count + 1):
            said = _words(" ".join(s for s in sentences[at : at + count] if s))
            compared.set_seq1(said if length(said) >= FEWEST_WORDS else [])
            if compared.real_quick_ratio() >= alike and compared.quick_ratio() >= alike and compared.ratio() >= alike:
                yield compared.ratio(), claim, wording, at, count


def _version(section: Section, claim: Approved, wording: str, words: str) -> Use:
    said, meant = _words(words), _words(wording)
    weighty, differs = False, []
    for tag, a, b, c, d in difflib.SequenceMatcher(a=said, b=meant, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        weighty = weighty or not _harmless(said[a:b], meant[c:d])
        differs.append(f"“{' '.join(said[a:b])}” for “{' '.join(meant[c:d])}”")
    return Use(
        claim=claim,
        how="altered" if weighty else "near",
        section=section,
        words=_plain(words),
        marks=_marks(words),
        differs=", ".join(differs),
    )


def _harmless(said: Sequence[str], meant: Sequence[str]) -> bool:
    """Whether two runs of words differ in function words or endings alone."""
    weight_said = [word for word in said if word not in function_words()]
    weight_meant = [word for word in meant if word not in function_words()]
    if len(weight_said) != len(weight_meant):
        return False
    return all(_one_word(a, b) for a, b in zip(weight_said, weight_meant, strict=True))


def _one_word(one: str, other: str) -> bool:
    """Whether two words are forms of one: a common beginning of four letters at least, and endings of three at most."""
    if not (one.isalpha() and other.isalpha()):
        return one == other
    begins = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return begins >= 4 and max(len(one), len(other)) - begins <= 3


def _words(text: str) -> list[str]:
    return [word.replace(" ", "") for word in _WORD.findall(_HELD.sub("", folded(text)))]
