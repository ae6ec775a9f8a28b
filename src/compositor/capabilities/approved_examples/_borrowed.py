"""Measurement `borrowed-claims`: nothing was taken from an approved example that this request does not give."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compositor._values import Json
from compositor.capabilities import COPY, CheckContext, Finding, Report, Scope, Section, Verifier, View, copy_sections
from compositor.capabilities.approved_examples._quantities import quantities, told
from compositor.verifiers.citations import unmarked
from compositor.verifiers.sentences import count, sentences, texts, within, words

FIELDS = ("assets", "audience", "brand", "brief", "claims", "delivery", "examples", "locale", "rules", "sources")
"""The examples, and everything that may be said because the request gives it."""
FEWEST_WORDS = 5
"""Shorter sentences are found anywhere: “See the lamps.” A house value."""
UNCLAIMED = frozenset({"action", "legal"})
"""Roles whose sentences are alike in all work: buttons, and the small print of senders. Their numbers count."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lent:
    """A sentence of an example: its words as they stand, and folded."""

    example: str
    text: str
    words: tuple[str, ...]


async def _check(ctx: CheckContext) -> Report:
    examples = [example for example in ctx.view.get("examples", ()) if example.get("text")]
    if not examples:
        return Report.not_applicable(0, of="examples with text")
    sections = copy_sections(await ctx.artifacts.read_json(COPY))
    given = tuple(_given(ctx.view))
    lent = tuple(_lent(examples, given, ctx.thresholds["fewest_words"]))
    findings = [finding for section in sections for finding in _sentences(section, lent)]
    findings += _numbers(sections, examples, given, str(ctx.view.get("locale", "en")))
    measures = {"examples": len(examples), "sentences": len(lent)}
    return Report(examined=len(sections), findings=tuple(findings), measures=measures)


def _given(view: View) -> Iterator[str]:
    """Every text that the request gives apart from its examples; of pictures, the words that stand for them."""
    for field in FIELDS:
        if field not in {"assets", "examples", "locale"}:
            yield from texts(view.get(field))
    yield from (asset["alt"] for asset in view.get("assets", ()) if asset.get("alt"))


def _lent(examples: Sequence[Mapping[str, Json]], given: Sequence[str], fewest: int) -> Iterator[_Lent]:
    """The sentences of the examples that the request does not give, the longest first.

    A line may be a sentence, as a headline is, or a part of one, where a text is wrapped: both are taken.
    """
    known = [words(text) for text in given]
    found: dict[tuple[str, ...], _Lent] = {}
    for example in examples:
        for text in (*sentences(example["text"]), *sentences(" ".join(example["text"].split()))):
            said = words(text)
            if count(said) >= fewest and not any(within(said, one) for one in known):
                found.setdefault(said, _Lent(example=example["id"], text=text, words=said))
    yield from sorted(found.values(), key=lambda one: len(one.words), reverse=True)


def _sentences(section: Section, lent: Sequence[_Lent]) -> Iterator[Finding]:
    """The sentences of examples that a section says; a part of one that is told is not told again."""
    if section.role in UNCLAIMED:
        return
    said, taken = words(unmarked(section.text)), list[_Lent]()
    for one in lent:
        if within(one.words, said) and not any(within(one.words, longer.words) for longer in taken):
            taken.append(one)
            yield Finding.at(
                section,
                "borrowed-sentence",
                f"“{one.text[:120]}” is a sentence of the example {one.example}, and nothing in the request says it",
                "say what this request gives, in words of its own; follow how the example sounds, not what it says",
                measured=one.text,
            )


def _numbers(
    sections: Sequence[Section], examples: Sequence[Mapping[str, Json]], given: Sequence[str], language: str
) -> Iterator[Finding]:
    """The numbers with units that the sections have from an example, each once in a section."""
    lenders = {example["id"]: told(example["text"], language) for example in examples}
    sources = [told(text, language) for text in given]
    for section in sections:
        for quantity in {(one.value, one.unit): one for one in quantities(section.text, language)}.values():
            lender = next((name for name, text in lenders.items() if text.sets(quantity)), "")
            if lender and not any(text.gives(quantity) for text in sources):
                yield Finding.at(
                    section,
                    "borrowed-number",
                    f"“{quantity.words}” stands in the example {lender}, and nothing in the request says it",
                    "leave it out, or use a figure that the request gives",
                    measured=quantity.words,
                )


borrowed_claims = Verifier(
    name="borrowed-claims",
    version="1",
    kind="measurement",
    check=_check,
    reads=Scope(fields=FIELDS, labels=(COPY,)),
    thresholds={"fewest_words": FEWEST_WORDS},
)
