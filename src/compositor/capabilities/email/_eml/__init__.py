"""The mail as one file that a mail program opens: both parts, the pictures inside, and a head (RFC 5322, MIME)."""

from __future__ import annotations

from compositor.capabilities.email._eml._head import LINE_LIMIT
from compositor.capabilities.email._eml._message import message_bytes

__all__ = ["LINE_LIMIT", "message_bytes"]
