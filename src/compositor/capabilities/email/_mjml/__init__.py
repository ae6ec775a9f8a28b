"""What is legal MJML: the component table, and the check of a document against it, with line numbers."""

from __future__ import annotations

from compositor.capabilities.email._mjml._structure import Structure, structure

__all__ = ["Structure", "structure"]
