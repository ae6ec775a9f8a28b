"""Claims: what may be said here, in which words, with which references; measures that nothing else is claimed."""

from __future__ import annotations

from compositor.capabilities import Capability, Reads
from compositor.capabilities.claims._check import claims_verifier
from compositor.capabilities.claims._traced import FIELDS, assertions_verifier
from compositor.capabilities.claims._words import given_files, instructions

__all__ = ["claims"]

claims = Capability(
    name="claims",
    kind="support",
    about="approved claims with their references; measures that no other claim, number or comparison is made",
    reads=Reads(optional=FIELDS),
    verifiers=(claims_verifier, assertions_verifier),
    files=given_files,
    instructions=instructions,
)
"""The support capability of claims."""
