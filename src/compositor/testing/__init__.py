"""The public test kit: a scripted model, and ports and stores in memory."""

from __future__ import annotations

from compositor.testing._scripted import Script, Scripted, calls, verdict

__all__ = ["Script", "Scripted", "calls", "verdict"]
