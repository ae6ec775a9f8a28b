"""A corpus: clean documents, and faults that are planted into them. All of it is data in a folder.

    controls/NAME/request.json   a request, and beside it the written outputs of a clean document
    given/                       pictures that requests name, relative to the corpus
    faults/CHECK.json            the faults that one measurement has to find

A fault is told as what differs from its control, so that a reader sees in one line what was broken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from compositor._values import Json, NotJson, read_json
from compositor.errors import Problem, RequestError

REQUEST = "request.json"


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Replace(_Data):
    """Puts words in the place of others, where those stand first.

    Attributes:
        file: a written output, a file of the request, or a derived output, which is changed when it has been made.
        find: the exact words; empty for the whole file.
        put: the new words.
        times: how often they are put there.
    """

    file: str
    find: str
    put: str
    times: int = Field(default=1, ge=1)


class Merge(_Data):
    """Changes the request, by RFC 7396: objects are merged, null takes away, all else replaces."""

    request: dict[str, Json]


class Grow(_Data):
    """Lets a file of the request grow to a number of bytes; what follows the end of a picture is no part of it."""

    file: str
    grow_to: int = Field(ge=1)


class Fault(_Data):
    """A fault that was planted.

    Attributes:
        id: unique in its file.
        kind: what was done, so that it can be told which kinds are missed.
        control: the clean document that it stands in.
        codes: a finding of one of these codes has found it.
        edits: what differs from the control.
    """

    id: str
    kind: str
    control: str
    codes: tuple[str, ...] = Field(min_length=1, strict=False)
    edits: tuple[Replace | Merge | Grow, ...] = Field(min_length=1, strict=False)


class _Faults(_Data):
    schema_version: Literal["1"]
    check: str
    faults: tuple[Fault, ...] = Field(strict=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """A clean document: its request, and its files by their path in the workspace or beside the request."""

    name: str
    request: Mapping[str, Json]
    files: Mapping[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """What measurements are held against.

    Attributes:
        controls: by name.
        faults: measurement → the faults that it has to find.
    """

    controls: Mapping[str, Control]
    faults: Mapping[str, tuple[Fault, ...]]

    @staticmethod
    def read(folder: Path) -> Corpus:
        """Read a corpus.

        Raises:
            CorpusFaulty: with everything that is wrong with it.
        """
        problems: list[Problem] = []
        given = {f"given/{path.name}": path.read_bytes() for path in sorted((folder / "given").glob("*"))}
        controls = dict(_controls(folder, given, problems))
        faults = dict(_faults(folder, problems))
        problems += _mismatches(controls, faults)
        if not controls:
            problems.append(_problem(folder / "controls", "there is no control", "give the folder of a corpus"))
        if problems:
            raise CorpusFaulty(str(folder), problems)
        return Corpus(controls=controls, faults=faults)


class CorpusFaulty(RequestError):
    """A corpus that cannot be used."""


def _controls(folder: Path, given: Mapping[str, bytes], problems: list[Problem]) -> Iterator[tuple[str, Control]]:
    for place in sorted((folder / "controls").glob("*/")):
        files = {path.name: path.read_bytes() for path in sorted(place.iterdir()) if path.is_file()}
        try:
            request = read_json(files.pop(REQUEST, b"").decode())
        except (NotJson, UnicodeDecodeError) as error:
            problems.append(_problem(place / REQUEST, f"it cannot be read: {error}", "write a request there"))
            continue
        yield place.name, Control(name=place.name, request=request, files={**given, **files})


def _faults(folder: Path, problems: list[Problem]) -> Iterator[tuple[str, tuple[Fault, ...]]]:
    for path in sorted((folder / "faults").glob("*.json")):
        try:
            told = _Faults.model_validate_json(path.read_bytes())
        except ValidationError as error:
            for wrong in error.errors(include_url=False):
                at = ".".join(map(str, wrong["loc"]))
                problems.append(_problem(path, f"{at}: {wrong['msg']}", "see the format in the guide to corpora"))
            continue
        yield told.check, told.faults


def _mismatches(controls: Mapping[str, Control], faults: Mapping[str, tuple[Fault, ...]]) -> Iterator[Problem]:
    for check, planted in faults.items():
        for name, count in Counter(fault.id for fault in planted).items():
            if count > 1:
                yield _problem(Path(check), f"{name} stands {count} times", "give each fault an id of its own")
        for fault in planted:
            if fault.control not in controls:
                yield _problem(Path(check), f"{fault.id}: there is no control {fault.control!r}", "correct the name")


def _problem(where: Path, what: str, cure: str) -> Problem:
    return Problem(code="faulty-corpus", message=what, where=str(where), cure=cure)
