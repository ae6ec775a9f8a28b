"""The request package: its schema, how it is read, and everything that can be wrong with it."""

from __future__ import annotations

from compositor.workspace.request._request import SCHEMA_VERSION, Request

__all__ = ["SCHEMA_VERSION", "Request"]
