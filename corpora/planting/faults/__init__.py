"""The faults, a module for each family of measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corpora.planting._kind import Kind
from corpora.planting.faults._claims import ASSERTIONS, CLAIMS
from corpora.planting.faults._parts import DELIVERY, MESSAGE_FILE, PLACEHOLDERS, PLAN
from corpora.planting.faults._pieces import BORROWED, COHESION
from corpora.planting.faults._rules import DISCLOSURES, PROHIBITED, RULE_PACKS

KINDS: Mapping[str, Sequence[Kind]] = {
    "assertions": ASSERTIONS,
    "borrowed-claims": BORROWED,
    "claims": CLAIMS,
    "cohesion": COHESION,
    "delivery": DELIVERY,
    "disclosures": DISCLOSURES,
    "message-file": MESSAGE_FILE,
    "placeholders": PLACEHOLDERS,
    "plan": PLAN,
    "prohibited-words": PROHIBITED,
    "rule-packs": RULE_PACKS,
}
"""Measurement → the kinds of fault that it has to find."""
