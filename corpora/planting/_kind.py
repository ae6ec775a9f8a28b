"""A kind of fault: how it is planted into a clean document, and what finds it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from html import escape
from typing import Any

from corpora.planting._controls import Mail, files_of

Json = Any
UNSPACED = {"ja"}
"""Languages that set no spaces between words."""
EACH = 5
"""Documents that each kind is planted into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A clean document, with words for what is changed in it."""

    mail: Mail
    request: Json
    source: str
    plan: str

    @property
    def name(self) -> str:
        """Of the control."""
        return self.mail.name

    @property
    def theme(self) -> Json:
        """What it is about."""
        return self.mail.theme

    @property
    def language(self) -> str:
        """Two letters."""
        return str(self.mail.theme["locale"]).partition("-")[0]

    def put(self, find: str, put: str, *, times: int = 1) -> Json:
        """Other words in the source, where these stand first."""
        return {"file": "email.mjml", "find": self._there(find, self.source), "put": put, **_times(times)}

    def planned(self, find: str, put: str) -> Json:
        """Other words in the plan."""
        return {"file": "plan.json", "find": self._there(find, self.plan) if find else "", "put": put}

    def after(self, find: str, put: str, *, times: int = 1) -> Json:
        """Words behind others in the source."""
        return self.put(find, find + put * times) if times == 1 else self.put(find, put, times=times)

    def drop(self, find: str) -> Json:
        """Words that are gone."""
        return self.put(find, "")

    def section(self, name: str) -> str:
        """The MJML of a section: from its opening tag to its closing one."""
        found = re.search(rf'<(mj-\w+) css-class="section-{name}".*?</\1>', self.source, re.DOTALL)
        assert found, f"{self.name} has no section {name}"
        return found[0]

    def first(self, pattern: str) -> str:
        """The first piece of the source that fits a pattern; empty where none does."""
        found = re.search(pattern, self.source, re.DOTALL)
        return found[0] if found else ""

    def escaped(self, words: str) -> str:
        """Words as the source spells them."""
        return escape(words)

    def _there(self, find: str, text: str) -> str:
        assert find, f"{self.name}: nothing to find"
        assert find in text, f"{self.name}: {find!r} is not there"
        return find


def request(patch: Json) -> Json:
    """A change of the request, by RFC 7396."""
    return {"request": patch}


def derived(file: str, find: str, put: str, *, times: int = 1) -> Json:
    """A change of a derived output."""
    return {"file": file, "find": find, "put": put, **_times(times)}


def grown(file: str, size: int) -> Json:
    """A file of the request that is as heavy as that."""
    return {"file": file, "grow_to": size}


def _times(times: int) -> Json:
    return {"times": times} if times != 1 else {}


Plant = Callable[[Document], Json | None]
"""The edits, one or a list; None where the document has no place for the fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of fault.

    Attributes:
        name: what was done.
        codes: findings of these codes have found it.
        plant: how.
        each: documents that it is planted into.
    """

    name: str
    codes: Sequence[str]
    plant: Plant
    each: int = field(default=EACH)


def kind(name: str, codes: str, plant: Plant, *, each: int = EACH) -> Kind:
    """A kind; its codes in one line."""
    return Kind(name=name, codes=codes.split(), plant=plant, each=each)


def document(mail: Mail) -> Document:
    """A clean document."""
    files = files_of(mail)
    return Document(
        mail=mail, request=json.loads(files["request.json"]), source=files["email.mjml"], plan=files["plan.json"]
    )


def planted(check: str, kinds: Sequence[Kind], documents: Sequence[Document]) -> Iterator[Json]:
    """The faults of a measurement: each kind in some documents, in an order that has nothing to do with either."""
    for one in kinds:
        found = 0
        for target in sorted(documents, key=lambda d: sha256(f"{check} {one.name} {d.name}".encode()).hexdigest()):
            edits = one.plant(target)
            if not edits:
                continue
            found += 1
            yield {
                "id": f"{one.name}-{found}",
                "kind": one.name,
                "control": target.name,
                "codes": list(one.codes),
                "edits": edits if isinstance(edits, list) else [edits],
            }
            if found == one.each:
                break
        assert found == one.each, f"{check}: {one.name} fits {found} documents, not {one.each}"
