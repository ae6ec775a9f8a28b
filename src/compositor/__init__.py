"""compositor: agents that make and edit creative artifacts, and prove what they made.

`import compositor` is nearly free: every public name is found on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "generate": "operations",
    "generate_sync": "operations",
    "resume": "operations",
    "resume_sync": "operations",
    "verify": "operations",
    "Environment": "operations",
    "Handle": "operations",
    "Result": "operations",
    "Agent": "agents",
    "Composition": "agents",
    "compose": "agents",
    "explain": "agents",
    "Request": "workspace",
}

__all__ = [*_HOME, "errors"]

if TYPE_CHECKING:
    from compositor import errors
    from compositor.agents import Agent, Composition, compose, explain
    from compositor.operations import (
        Environment,
        Handle,
        Result,
        generate,
        generate_sync,
        resume,
        resume_sync,
        verify,
    )
    from compositor.workspace import Request


def __getattr__(name: str) -> Any:
    import importlib

    if name == "errors":
        return importlib.import_module("compositor.errors")
    if name not in _HOME:
        raise AttributeError(f"module 'compositor' has no attribute {name!r}")
    return getattr(importlib.import_module(f"compositor.{_HOME[name]}"), name)
