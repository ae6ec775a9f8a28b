"""Verifiers: checks of a deliverable, what they report, and reusable pure measurements."""

from __future__ import annotations

from compositor.verifiers._judge import Answer, Criterion, Judge, Opinion
from compositor.verifiers._report import (
    Finding,
    FollowUp,
    Kind,
    Report,
    Severity,
    Status,
    Verdict,
    Where,
    findings_fault,
    report_fault,
)
from compositor.verifiers._verifier import CheckContext, Scope, ToolRun, Verifier, unreported, verdict_of

__all__ = [
    "Answer",
    "CheckContext",
    "Criterion",
    "Finding",
    "FollowUp",
    "Judge",
    "Kind",
    "Opinion",
    "Report",
    "Scope",
    "Severity",
    "Status",
    "ToolRun",
    "Verdict",
    "Verifier",
    "Where",
    "findings_fault",
    "report_fault",
    "unreported",
    "verdict_of",
]
