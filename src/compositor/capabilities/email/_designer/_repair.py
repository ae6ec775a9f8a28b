"""What a rejection asks for, as constraints under which the design is made anew.

A draft is never patched. Constraints only ever grow, and the draft itself carries those that it was made under, as
classes of its body, so that repairs add up over rounds and cannot undo each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from compositor.capabilities import Finding

MOST_SMALLER = 3
"""Steps below which display type is no smaller than a title."""

_TOO_LARGE = frozenset({"clipped-text", "text-off-page", "sideways-scroll"})
_TOO_CLOSE = frozenset({"overlapping-text", "covered-text"})
_TOO_HEAVY = frozenset({"html-too-heavy"})
_OFF_PALETTE = frozenset({"off-palette"})
_BAD_PICTURE = frozenset({"broken-image", "distorted-image"})
_SPARE = 0.9
"""Part of the allowed weight that a lighter draft aims at."""

_BODY_CLASSES = re.compile(r"<mj-body\b[^>]*\bcss-class=\"([^\"]*)\"")
_DIGEST = re.compile(r"[0-9a-f]{12,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraints:
    """What the design must do with less of.

    Attributes:
        smaller: steps of the scale by which display type is reduced.
        stacked: everything in one column.
        kept: the part of the key messages that stays, in percent, the first ones first.
        tokens_only: only colours of the palette.
        without: beginnings of the digests of pictures that must not be used.
    """

    smaller: int = 0
    stacked: bool = False
    kept: int = 100
    tokens_only: bool = False
    without: frozenset[str] = frozenset()

    @property
    def classes(self) -> str:
        """The constraints as class names, in one order."""
        names = (
            f"smaller-{self.smaller}" if self.smaller else "",
            "stacked" if self.stacked else "",
            f"kept-{self.kept}" if self.kept < 100 else "",
            "tokens-only" if self.tokens_only else "",
            *(f"without-{digest}" for digest in sorted(self.without)),
        )
        return " ".join(name for name in names if name)

    @staticmethod
    def of(source: str) -> Constraints:
        """The constraints that a draft was made under; none where it is not ours."""
        found = _BODY_CLASSES.search(source)
        names = found[1].split() if found else []
        return Constraints(
            smaller=next(_numbers(names, "smaller-"), 0),
            stacked="stacked" in names,
            kept=next(_numbers(names, "kept-"), 100),
            tokens_only="tokens-only" in names,
            without=frozenset(n.removeprefix("without-") for n in names if n.startswith("without-")),
        )

    def after(self, findings: Sequence[Finding]) -> Constraints:
        """The constraints with what the findings ask for added."""
        codes = {finding.code for finding in findings}
        crowded = codes & (_TOO_LARGE | _TOO_CLOSE)
        return replace(
            self,
            smaller=min(self.smaller + 1, MOST_SMALLER) if crowded else self.smaller,
            stacked=self.stacked or bool(codes & _TOO_CLOSE) or bool(crowded and self.smaller),
            kept=min([self.kept, *(_kept(self.kept, f) for f in findings if f.code in _TOO_HEAVY)]),
            tokens_only=self.tokens_only or bool(codes & _OFF_PALETTE),
            without=self.without | {d for f in findings if f.code in _BAD_PICTURE for d in _DIGEST.findall(f.message)},
        )


def _numbers(names: Sequence[str], prefix: str) -> Iterator[int]:
    return (int(n.removeprefix(prefix)) for n in names if n.startswith(prefix) and n.removeprefix(prefix).isdigit())


def _kept(kept: int, finding: Finding) -> int:
    """The part of the messages that should fit; half where the finding has no figures."""
    figures = (finding.measured, finding.threshold)
    if all(isinstance(figure, (int, float)) and figure > 0 for figure in figures):
        return int(kept * _SPARE * figures[1] / figures[0])
    return kept // 2
