"""Brand guide: the brand's tokens and rules as files and instructions, and measurements of what was made of them."""

from __future__ import annotations

from compositor.capabilities import Capability, Reads
from compositor.capabilities.brand_guide._guide import given_files, instructions
from compositor.capabilities.brand_guide._logo import logo_verifier
from compositor.capabilities.brand_guide._pairs import pairs_verifier
from compositor.capabilities.brand_guide._palette import palette_verifier

__all__ = ["brand_guide"]

brand_guide = Capability(
    name="brand-guide",
    kind="support",
    about="the brand's tokens, rules and voice; measures whether palette, colour pairs and logos were kept",
    reads=Reads(optional=("brand",)),
    verifiers=(palette_verifier, logo_verifier, pairs_verifier),
    files=given_files,
    instructions=instructions,
)
"""The support capability of the brand."""
