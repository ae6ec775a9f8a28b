"""Rule packs: what law asks for, as data with its sources. Which of them apply follows from the request."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from compositor.capabilities import View
from compositor.verifiers import Severity


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Rule(_Data):
    """One rule of a pack.

    Attributes:
        id: unique in its pack.
        kind: `given`: the request has a value in `field`; `disclosed`: it has a required disclosure of `position`;
            `says`: one of the `phrases` is visible; `prohibits`: no passage of one of the `roles` (empty: of any)
            matches one of the `patterns` (regular expressions over folded words); `prominent`: disclosures of
            `position` are set no smaller than `smallest` pixels and `of_body` times the body text.
        message, cure: for a person.
        source: where it stands.
        severity: of a finding.
    """

    id: str
    kind: Literal["given", "disclosed", "says", "prohibits", "prominent"]
    message: str
    cure: str
    source: str
    severity: Severity = "blocking"
    field: str = ""
    position: str = ""
    phrases: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    smallest: float = 0.0
    of_body: float = 0.0

    @property
    def prohibited(self) -> re.Pattern[str]:
        """What may not be said, as whole words."""
        return re.compile(rf"(?<!\w)(?:{'|'.join(self.patterns)})(?!\w)")


class Pack(_Data):
    """Rules that belong together.

    Attributes:
        id: by which a request may name it in `rules.packs`.
        title, about: for a person.
        territory: the markets in which it applies by itself, ISO 3166-1; none: only where it is named.
        content: the content types to which it applies by itself; none: all.
        sources: the texts that it is taken from.
        rules: its rules.
    """

    id: str
    title: str
    about: str
    territory: tuple[str, ...]
    content: tuple[str, ...]
    sources: tuple[str, ...]
    rules: tuple[Rule, ...]


@cache
def packs() -> Mapping[str, Pack]:
    """All packs, by id, in the order of their ids."""
    folder = files(__package__).joinpath("packs")
    read = (Pack.model_validate_json(file.read_bytes()) for file in folder.iterdir() if file.name.endswith(".json"))
    return {pack.id: pack for pack in sorted(read, key=lambda pack: pack.id)}


def applying(view: View) -> tuple[Pack, ...]:
    """The packs of the request's markets and those that it names."""
    named = view.get("rules.packs", ())
    markets, content = markets_of(view), str(view.get("content", ""))
    return tuple(
        pack
        for pack in packs().values()
        if pack.id in named or (set(pack.territory) & set(markets) and (not pack.content or content in pack.content))
    )


def markets_of(view: View) -> tuple[str, ...]:
    """The countries that it goes to, each once."""
    return tuple(dict.fromkeys(str(place).partition("-")[0] for place in view.get("audience.territory", ())))


def uncovered(view: View) -> Sequence[str]:
    """The countries that it goes to for which there is no pack."""
    covered = {country for pack in packs().values() for country in pack.territory}
    return tuple(country for country in markets_of(view) if country not in covered)


def unknown(view: View) -> Sequence[str]:
    """The packs that the request names and that there are not."""
    return tuple(str(name) for name in view.get("rules.packs", ()) if name not in packs())
