"""The house designer of emails: rule-based, deterministic, and the writer that the offline adapter plays.

    request → plan → sections on grounds → MJML

Each step is a pure function. After a rejection the same steps run again under tighter constraints (`_repair`).
"""

from __future__ import annotations

from compositor.capabilities.email._designer._draft import draft
from compositor.capabilities.email._designer._turn import design

__all__ = ["design", "draft"]
