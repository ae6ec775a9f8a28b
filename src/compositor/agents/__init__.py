"""Agents: declarations, the rules of composition, and compositions explained. Inert: no I/O, no model, no browser."""

from __future__ import annotations

from compositor.agents._agent import REVIEW, Agent, Asks, Budget, Completion, Mode, When
from compositor.agents._assembly import Member, RosterTool
from compositor.agents._check import Checked, check, sample_request
from compositor.agents._compose import compose
from compositor.agents._composition import Composition, GivenFile, OwnedVerifier, changes
from compositor.agents._dispatch import dispatch
from compositor.agents._explain import explain, explain_json, explain_mermaid
from compositor.agents._rules import RULES

__all__ = [
    "REVIEW",
    "RULES",
    "Agent",
    "Asks",
    "Budget",
    "Checked",
    "Completion",
    "Composition",
    "GivenFile",
    "Member",
    "Mode",
    "OwnedVerifier",
    "RosterTool",
    "When",
    "changes",
    "check",
    "compose",
    "dispatch",
    "explain",
    "explain_json",
    "explain_mermaid",
    "sample_request",
]
