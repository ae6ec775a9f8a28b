"""Every error that the product raises on purpose.

    CompositorError
    ├── ProblemsFound            bad input, with *all* its problems
    │   ├── RequestError         the request package cannot be used
    │   ├── CompositionError     the capabilities do not fit together
    │   └── EnvironmentUnfit     this machine lacks something
    ├── UnsupportedRequest       no agent serves this operation, content type and traits
    ├── WorkspaceError
    │   ├── PathRefused          a path that is not a plain relative path
    │   ├── NotOwned             a write to, or a read of, what the caller may not touch
    │   ├── FileMissing          no such file in this snapshot
    │   └── StaleWrite           a write over what the caller has not seen
    ├── FieldNotInView           a capability asked for a request field that it did not declare
    ├── ToolError                a tool's own, expected refusal: its text goes to the writer
    ├── PortError                a browser, compiler, store or picture library failed
    │   ├── StorageFailed        the store or the blobs: the operation stops where it is
    │   ├── CompileFailed        the source does not compile (the writer's matter)
    │   └── PictureRefused       the bytes are not a picture that we accept
    ├── AdapterError             a model or agent runtime failed
    ├── JudgeFailed              a judge gave no usable verdict
    └── OperationError
        ├── OperationUnknown     no operation of that id in this store
        ├── OperationBusy        another process, or another operation on the document, is at work
        ├── OperationEnded       it is closed for good
        ├── OperationStopped     it was interrupted; resume continues it
        └── CompositionChanged   resume refused: the composition is no longer the one that began

Errors carry fields; the text is computed from them and says what happened, where, and the likely cure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with an input.

    Attributes:
        code: a stable, hyphenated name that programs may match on.
        message: one sentence for a person.
        where: a JSON path, a file, or empty.
        concerns: every capability, tool or file concerned, sorted.
        cure: the likely remedy, or empty.
    """

    code: str
    message: str
    where: str = ""
    concerns: tuple[str, ...] = ()
    cure: str = ""

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        cure = f" → {self.cure}" if self.cure else ""
        return f"{place}{self.message} [{self.code}]{cure}"


class CompositorError(Exception):
    """Root of the tree: catch this to catch everything the product raises on purpose."""


class ProblemsFound(CompositorError):
    """Bad input, refused with all its problems at once. Fields: `subject`, `problems`."""

    def __init__(self, subject: str, problems: Sequence[Problem]) -> None:
        self.subject = subject
        self.problems = tuple(problems)
        count = f"{len(self.problems)} problem{'s' if len(self.problems) != 1 else ''}"
        super().__init__("\n".join([f"{subject}: {count}", *(f"  - {problem}" for problem in self.problems)]))

    @property
    def codes(self) -> tuple[str, ...]:
        """The code of each problem, in order."""
        return tuple(problem.code for problem in self.problems)


class RequestError(ProblemsFound):
    """The request package cannot be used."""


class CompositionError(ProblemsFound):
    """The agent, its capabilities and the request do not fit together; no model was called."""


class EnvironmentUnfit(ProblemsFound):
    """This machine lacks something that the operation needs."""


class UnsupportedRequest(CompositorError):
    """No agent serves the request. Fields: `operation`, `content`, `traits`, `supported`."""

    def __init__(self, *, operation: str, content: str, traits: Sequence[str], supported: Sequence[str]) -> None:
        self.operation, self.content, self.traits, self.supported = operation, content, tuple(traits), tuple(supported)
        with_traits = f" with {', '.join(self.traits)}" if self.traits else ""
        known = "; ".join(self.supported) or "nothing"
        super().__init__(f"no agent can {operation} {content!r}{with_traits}. Supported: {known}")


class WorkspaceError(CompositorError):
    """Something a caller may not do with the files of an operation."""


class PathRefused(WorkspaceError):
    """Fields: `path`, `reason`."""

    def __init__(self, path: str, reason: str) -> None:
        self.path, self.reason = path, reason
        super().__init__(f"the path {path[:200]!r} is refused: {reason}. Use a relative path such as 'folder/name.txt'")


class NotOwned(WorkspaceError):
    """Fields: `path`, `action` (read or write), `allowed`."""

    def __init__(self, path: str, action: str, allowed: Sequence[str]) -> None:
        self.path, self.action, self.allowed = path, action, tuple(allowed)
        super().__init__(f"may not {action} {path!r} here. Allowed: {', '.join(self.allowed) or 'nothing'}")


class FileMissing(WorkspaceError):
    """Fields: `path`, `present` (what is there instead)."""

    def __init__(self, path: str, present: Sequence[str] = ()) -> None:
        self.path, self.present = path, tuple(present)
        near = f". There is: {', '.join(self.present[:12])}" if self.present else ""
        super().__init__(f"no file {path!r}{near}")


class StaleWrite(WorkspaceError):
    """A write or removal that was prepared before the file became what it is now; that stays. Field: `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(f"{path!r} has changed since this call was prepared. Read it and write again, in a new reply")


class FieldNotInView(CompositorError):
    """Fields: `field`, `declared`."""

    def __init__(self, field: str, declared: Sequence[str]) -> None:
        self.field, self.declared = field, tuple(declared)
        super().__init__(f"{field!r} is not among the declared reads ({', '.join(self.declared)}); add it to `reads`")


class ToolError(CompositorError):
    """Raise this inside a tool to refuse with a text that the writer will read."""


class PortError(CompositorError):
    """An outside part failed. Fields: `port`, `reason`, `cure`."""

    def __init__(self, port: str, reason: str, cure: str = "") -> None:
        self.port, self.reason, self.cure = port, reason, cure
        super().__init__(f"{port}: {reason}" + (f" → {cure}" if cure else ""))


class StorageFailed(PortError):
    """The store or the blobs failed: nobody's work is at fault, and the operation stops where it is, to be resumed."""


class CompileFailed(PortError):
    """The source does not compile. Fields: `reason`, `line` (1-based, or None)."""

    def __init__(self, port: str, reason: str, line: int | None = None) -> None:
        self.line = line
        super().__init__(port, reason if line is None else f"{reason} (line {line})")


class PictureRefused(PortError):
    """The bytes are not a picture that we accept. Fields: `reason`, `cure`."""


class AdapterError(CompositorError):
    """A model or agent runtime failed. Fields: `adapter`, `reason`."""

    def __init__(self, adapter: str, reason: str) -> None:
        self.adapter, self.reason = adapter, reason
        super().__init__(f"{adapter}: {reason}")


class JudgeFailed(CompositorError):
    """A judge gave no usable verdict within its own budget. Fields: `judge`, `reason`."""

    def __init__(self, judge: str, reason: str) -> None:
        self.judge, self.reason = judge, reason
        super().__init__(f"the judge {judge} failed: {reason}")


class OperationError(CompositorError):
    """Something about one operation. Field: `operation`."""

    def __init__(self, operation: str, message: str) -> None:
        self.operation = operation
        super().__init__(message)


class OperationUnknown(OperationError):
    """No operation of that id in this store."""

    def __init__(self, operation: str, store: str = "") -> None:
        super().__init__(operation, f"no operation {operation!r} in {store or 'this store'}; `operations` lists them")


class OperationBusy(OperationError):
    """Something else is at work, or in the way. Fields: `holder`, `cure`."""

    def __init__(self, operation: str, holder: str, cure: str = "wait for it, or cancel it") -> None:
        self.holder, self.cure = holder, cure
        super().__init__(operation, f"{operation} is busy: {holder} → {cure}")


class OperationEnded(OperationError):
    """The operation is closed for good. Field: `status`."""

    def __init__(self, operation: str, status: str) -> None:
        self.status = status
        super().__init__(operation, f"{operation} ended ({status}); start a new operation")


class OperationStopped(OperationError):
    """It was interrupted and stays open."""

    def __init__(self, operation: str) -> None:
        cure = f"`compositor resume {operation}` continues it" if operation else "it had not begun"
        super().__init__(operation, f"{operation or 'the operation'} was interrupted; {cure}")


class CompositionChanged(OperationError):
    """Resume is refused. Field: `changes`: what differs, one line each."""

    def __init__(self, operation: str, changes: Sequence[str]) -> None:
        self.changes = tuple(changes)
        listed = "\n".join(f"  - {change}" for change in self.changes)
        super().__init__(
            operation,
            f"{operation} began under another composition:\n{listed}\n"
            "Resume it with the version of the product and the agents that it began with, or close it with "
            f"`compositor cancel {operation}` and start a new one",
        )
