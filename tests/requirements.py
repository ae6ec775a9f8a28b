"""What the product promises, as data: every promise with its state, checked against the tests in both directions.

A test claims promises with `@pytest.mark.promise("C3", …)`. The rule, in `test_requirements.py`, has no gap to rot in:

- `built`: at least one test claims it, and nothing is missing;
- `begun`: at least one test claims it, and `missing` says what the tests do not show yet;
- `planned`: no test claims it. The first test that does must move it on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["built", "begun", "planned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """One promise.

    Attributes:
        id: its stable name.
        text: what is promised, in one line.
        state: how far it is.
        missing: what is not there yet; empty when built.
    """

    id: str
    text: str
    state: State
    missing: str = ""


def _built(name: str, text: str) -> Promise:
    return Promise(id=name, text=text, state="built")


def _begun(name: str, text: str, *, missing: str) -> Promise:
    return Promise(id=name, text=text, state="begun", missing=missing)


def _planned(name: str, text: str, *, missing: str) -> Promise:
    return Promise(id=name, text=text, state="planned", missing=missing)


COMPOSITION = (
    _built("C1", "A capability brings files, tools, instructions and verifiers, in one value"),
    _begun(
        "C2",
        "The request decides at the start which capabilities an agent composes",
        missing="email editing with reference layout and strict fidelity; the reference-led agent",
    ),
    _built("C3", "A wrong combination fails at set-up, with all problems at once, before any model"),
    _built("C4", "The roster is sealed; a mode can only narrow it, and no request field adds a tool"),
    _built("C5", "A capability sees only its part of the request; what is withheld is printed"),
    _built("C6", "The dispatcher refuses a content type that nobody makes, by name"),
    _begun(
        "C7",
        "Every composition is checked without a model, a browser or a network; a lock file shows what changed",
        missing="the lock file and its drift report",
    ),
    _planned("C8", "Third parties ship capabilities as packages, loaded only when named", missing="entry points"),
    _begun(
        "C9",
        "Adapters to models and runtimes are interchangeable, and all show measurement before judgment",
        missing="a model adapter beside the offline one; a runtime adapter that owns its loop",
    ),
)

OPERATION = (
    _begun("O1", "Generate and edit share machinery; one active operation per document", missing="the edit operation"),
    _built("O2", "The model chooses its next step; a tool's result is the next input"),
    _begun(
        "O3",
        "Steps, rejections, rounds, tokens, cost and time have budgets of their own",
        missing="token and cost budgets against a real model; deck rounds",
    ),
    _built("O4", "The model's word that it is done proves nothing; a new deliverable is evaluated"),
    _built("O5", "Measurements run before judgments, and no judge is paid for what they reject"),
    _built("O6", "A judge works in a private transcript with tools that the writer never sees"),
    _built("O7", "A broken verifier and an empty examination are never a pass"),
    _built("O8", "The completion policy is verified only, or a draft with an explicit warning"),
    _built("O9", "A spent budget keeps the last deliverable, with warnings"),
    _begun(
        "O10",
        "Interrupted anywhere, an operation keeps a valid history; feedback opens a linked edit",
        missing="the linked edit",
    ),
    _built("O11", "Progress is a gapless, persisted, replayable line of typed events"),
    _built("O12", "A rejection's reasons stand in the next message to the writer"),
    _built("O13", "Environment, delivery of events, saving and cleaning up are plain software"),
    _begun(
        "O14",
        "Killed anywhere, an operation resumes and repeats neither a model call nor a tool; workers share the work",
        missing="many workers on one engine",
    ),
    _built("O15", "The same calls on unchanged work end the operation as no-progress"),
)

CONTENT = (
    _begun(
        "E1",
        "Email: a plan, copy with evidence, compiled HTML, a text part, renders, checks, language kept word for word",
        missing="recall and false alarms of each check on corpora of planted faults",
    ),
    _planned("S1", "A social graphic comes from three thin tools over typed, labelled artifacts", missing="everything"),
    _planned("S2", "Overlay text has one legible style, repaired by code and never cut", missing="everything"),
    _planned("S3", "A judge inspects the overlay only where words were drawn and matter", missing="everything"),
    _planned("S4", "Preset layouts are made in memory; each number occurs in the source", missing="everything"),
    _planned("B1", "A banner has exact sizes from one master, within weight limits", missing="everything"),
    _planned("D1", "One call to make_deck returns a polished deck, whoever calls", missing="everything"),
    _planned("D2", "Code that a model wrote runs in a sandbox without credentials only", missing="everything"),
    _planned("D3", "Without an eye or a toolchain the deck fails before it starts", missing="everything"),
    _planned("D4", "The font that is drawn is the font that is exported and seen", missing="everything"),
    _planned(
        "D5", "Source text is inlined, source pictures are shown, starters are package data", missing="everything"
    ),
    _planned("D6", "A deck can be edited", missing="everything"),
    _planned("P1", "A landing page", missing="everything"),
)

EVIDENCE = (
    _built("V1", "A result carries its evidence: reports, renders, usage, and what was not checked"),
    _built("V2", "A check runs again only if something that it reads changed"),
    _built("V3", "An artifact that exists can be verified without an agent"),
    _planned("V4", "Compositions and models are compared over a suite of requests", missing="everything"),
)

PROMISES: tuple[Promise, ...] = (*COMPOSITION, *OPERATION, *CONTENT, *EVIDENCE)
