"""Domain rules: required and prohibited words, and packs of rules by market and field, with their sources."""

from __future__ import annotations

from compositor.capabilities import Capability, Reads
from compositor.capabilities.domain_rules._disclosed import disclosures
from compositor.capabilities.domain_rules._kept import rule_packs
from compositor.capabilities.domain_rules._prohibited import prohibited_words
from compositor.capabilities.domain_rules._required import FIELDS
from compositor.capabilities.domain_rules._words import given_files, instructions

__all__ = ["domain_rules"]

domain_rules = Capability(
    name="domain-rules",
    kind="support",
    about="what law and policy ask for in the request's markets; measures required and prohibited words",
    reads=Reads(optional=FIELDS),
    verifiers=(disclosures, prohibited_words, rule_packs),
    files=given_files,
    instructions=instructions,
)
"""The support capability of rules."""
