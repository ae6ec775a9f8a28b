"""Approved examples: the closest ones as files and pictures, to be followed in looks and tone and never in facts."""

from __future__ import annotations

from compositor.capabilities import Capability, Reads
from compositor.capabilities.approved_examples._borrowed import FIELDS, borrowed_claims
from compositor.capabilities.approved_examples._shown import given_files, instructions, look_at_example

__all__ = ["approved_examples"]

approved_examples = Capability(
    name="approved-examples",
    kind="support",
    about="the closest approved examples, as files and pictures; measures that nothing was taken from them as a fact",
    reads=Reads(optional=FIELDS),
    tools=(look_at_example,),
    verifiers=(borrowed_claims,),
    ports=("pictures",),
    files=given_files,
    instructions=instructions,
)
"""The support capability of approved examples."""
