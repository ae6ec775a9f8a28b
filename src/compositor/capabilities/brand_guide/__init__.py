"""Brand guide: the brand's tokens and rules as files and instructions, and a measurement of the palette."""

from __future__ import annotations

from compositor.capabilities import Capability, Reads
from compositor.capabilities.brand_guide._guide import given_files, instructions
from compositor.capabilities.brand_guide._palette import palette_verifier

__all__ = ["brand_guide"]

brand_guide = Capability(
    name="brand-guide",
    kind="support",
    about="the brand's tokens, rules and voice; measures whether the palette was kept",
    reads=Reads(optional=("brand",)),
    verifiers=(palette_verifier,),
    files=given_files,
    instructions=instructions,
)
"""The support capability of the brand."""
