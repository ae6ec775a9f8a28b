"""The faults, a module for each family of measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corpora.planting._kind import Kind
from corpora.planting.faults import _claims, _form, _looks, _parts, _pieces, _rules

KINDS: Mapping[str, Sequence[Kind]] = {
    "assertions": _claims.ASSERTIONS,
    "borrowed-claims": _pieces.BORROWED,
    "claims": _claims.CLAIMS,
    "cohesion": _pieces.COHESION,
    "colour-pairs": _looks.PAIRS,
    "compiled-size": _form.SIZE,
    "contrast": _looks.CONTRAST,
    "delivery": _parts.DELIVERY,
    "disclosures": _rules.DISCLOSURES,
    "hosts": _form.HOSTS,
    "html-document": _form.DOCUMENT,
    "layout": _looks.LAYOUT,
    "links": _form.LINKS,
    "logo": _looks.LOGO,
    "message-file": _parts.MESSAGE_FILE,
    "mjml-structure": _form.STRUCTURE,
    "palette": _looks.PALETTE,
    "pictures": _form.PICTURES,
    "placeholders": _parts.PLACEHOLDERS,
    "plan": _parts.PLAN,
    "prohibited-words": _rules.PROHIBITED,
    "rule-packs": _rules.RULE_PACKS,
    "small-text": _looks.SMALL_TEXT,
    "taps": _looks.TAPS,
}
"""Measurement → the kinds of fault that it has to find."""
