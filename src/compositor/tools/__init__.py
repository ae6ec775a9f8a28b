"""Tools: what a model may call, how its arguments are described, and how they are checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compositor.tools._tool import OWNED, Tool, ToolContext, ToolResult, tool

if TYPE_CHECKING:
    from compositor.tools._arguments import ArgumentFault, checked_arguments
    from compositor.tools._validator import schema_faults

__all__ = [
    "OWNED",
    "ArgumentFault",
    "Tool",
    "ToolContext",
    "ToolResult",
    "checked_arguments",
    "schema_faults",
    "tool",
]

_LATER = {"ArgumentFault": "_arguments", "checked_arguments": "_arguments", "schema_faults": "_validator"}


def __getattr__(name: str) -> Any:
    """What checks arguments needs jsonschema: it is found on first use, so that declaring a tool is cheap."""
    import importlib

    if name not in _LATER:
        raise AttributeError(f"module 'compositor.tools' has no attribute {name!r}")
    return getattr(importlib.import_module(f"compositor.tools.{_LATER[name]}"), name)
