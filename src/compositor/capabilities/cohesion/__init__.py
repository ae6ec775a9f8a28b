"""Cohesion: one thing to do, nothing said twice, one order, one way to write a name, one form of address."""

from __future__ import annotations

from compositor.capabilities import Capability, Reads
from compositor.capabilities.cohesion._check import cohesion_verifier
from compositor.capabilities.cohesion._given import FIELDS
from compositor.capabilities.cohesion._told import instructions

__all__ = ["cohesion"]

cohesion = Capability(
    name="cohesion",
    kind="support",
    about="the work is of one piece; measures calls to action, repeats, headlines, names and forms of address",
    reads=Reads(optional=FIELDS),
    verifiers=(cohesion_verifier,),
    instructions=instructions,
)
"""The support capability of cohesion."""
