"""The jail: a command without network, without secrets, with a read-only system and limits, that dies with us."""

from __future__ import annotations

from compositor.adapters.sandbox._jail import Jail, Limits
from compositor.adapters.sandbox._proof import jail_fault

__all__ = ["Jail", "Limits", "jail_fault"]
