"""The plan of an email before it is drawn: its sections in order, with every word and picture that they will show.

A section is a role and its parts; a part is a few named words with at most one picture and one link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from compositor._values import Json
from compositor.capabilities.email._designer._layout import Layout
from compositor.capabilities.email._designer._material import Link, Picture
from compositor.capabilities.email._plan import SCHEMA_VERSION

Role = Literal[
    "header", "hero", "lead", "strip", "notice", "details", "agenda", "cards", "feature", "list", "statement", "quote",
    "closing", "references", "legal", "footer",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing in a section.

    Attributes:
        words: name → words: `headline`, `text`, `label`, `value`, `attribution`, `name`, `address`.
        picture, link: what goes with them.
        evidence: request fields or claim ids that they rest on.
        language: where the words are in another language than the email.
    """

    words: Mapping[str, str] = field(default_factory=dict)
    picture: Picture | None = None
    link: Link | None = None
    evidence: tuple[str, ...] = ()
    language: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section of the email.

    Attributes:
        id: unique; stands in the MJML as the class `section-ID`.
        role: decides how it is drawn.
        parts: what is in it.
        turned: for a feature: whether its picture stands at the end of the line instead of its start.
    """

    id: str
    role: Role
    parts: tuple[Part, ...]
    turned: bool = False

    def as_json(self) -> Json:
        """The section as `plan.json` holds it; words of several parts are numbered."""
        microcopy: dict[str, str] = {}
        for number, part in enumerate(self.parts, start=1):
            mark = f"-{number}" if len(self.parts) > 1 else ""
            words = {**part.words, "action": part.link.text if part.link else ""}
            microcopy |= {name + mark: text for name, text in words.items() if text}
        return {
            "id": self.id,
            "role": self.role,
            "evidence": list(dict.fromkeys(source for part in self.parts for source in part.evidence)),
            "microcopy": microcopy,
            "assets": list(dict.fromkeys(part.picture.id for part in self.parts if part.picture)),
            "references": [],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The whole email.

    Attributes:
        subject, preheader: what the inbox shows.
        layout: how it is set.
        sections: in order.
    """

    subject: str
    preheader: str
    layout: Layout
    sections: tuple[Section, ...]

    def as_json(self) -> Json:
        """The plan as `plan.json` holds it."""
        return {
            "schema_version": SCHEMA_VERSION,
            "header": {"subject": self.subject, "preheader": self.preheader},
            "sections": [section.as_json() for section in self.sections],
        }
