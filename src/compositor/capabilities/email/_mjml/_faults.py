"""A fault of an MJML document, before it is a finding: what the rules yield."""

from __future__ import annotations

from dataclasses import dataclass

from compositor.capabilities import Finding, Where
from compositor.capabilities.email._deliverable import SOURCE
from compositor.verifiers import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing wrong. The fields are those of `Finding`; `line` is where in the source."""

    code: str
    message: str
    line: int
    remedy: str
    severity: Severity = "blocking"
    measured: str | int | None = None
    threshold: str | int | None = None

    def finding(self) -> Finding:
        """The fault as a finding about the source."""
        return Finding(
            code=self.code,
            severity=self.severity,
            message=self.message,
            where=Where(of=SOURCE, line=self.line),
            measured=self.measured,
            threshold=self.threshold,
            remedy=self.remedy,
        )
