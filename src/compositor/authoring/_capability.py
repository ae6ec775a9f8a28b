"""A capability: everything that one kind of behaviour brings to an agent, in one frozen value."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from compositor._values import Json
from compositor.authoring._instructions import Instructions
from compositor.tools import Tool
from compositor.verifiers import Finding, Verifier
from compositor.workspace import Artifact, Artifacts, Files, Given, Output, Ports, Reads, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a build made.

    Attributes:
        outputs: derived path → content; each must be an output declared as derived.
        artifacts: label → artifact; `copy`, and `render/*` where there are pictures.
        findings: what is wrong with the source; a blocking one is a failed build.
    """

    outputs: Mapping[str, str | bytes] = field(default_factory=dict)
    artifacts: Mapping[str, Artifact] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()


class BuildContext(Protocol):
    """What a build may touch; every look is logged, so that an unchanged source is not built twice."""

    @property
    def files(self) -> Files:
        """The workspace, read-only."""
        ...

    @property
    def artifacts(self) -> Artifacts:
        """What tools made so far."""
        ...

    @property
    def view(self) -> View:
        """The part of the request that the capability may see."""
        ...

    @property
    def ports(self) -> Ports:
        """The outside world, narrowed to the ports that the capability named."""
        ...

    async def store(self, data: bytes, media_type: str, facts: Mapping[str, Json] | None = None) -> Artifact:
        """Keep bytes as an artifact."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignedCall:
    """A call that the offline designer wants made."""

    tool: str
    arguments: Mapping[str, Json]


class Answered(Protocol):
    """The answer to an earlier call, as the designer sees it."""

    @property
    def tool(self) -> str:
        """The tool that was called."""
        ...

    @property
    def text(self) -> str:
        """What it answered."""
        ...

    @property
    def failed(self) -> bool:
        """Whether the answer is an error."""
        ...


Build = Callable[[BuildContext], Awaitable[Built]]
Designer = Callable[
    [View, Mapping[str, bytes], Sequence[Finding], Sequence[str], Sequence[Answered]], Sequence[DesignedCall]
]
"""`(view, files, findings, tools, results) -> calls`: pure; no calls means finished. `files` are the workspace's,
`findings` the latest rejection's, `tools` the names in the roster, `results` the answers of this turn so far."""
Opens = Callable[[bytes], Mapping[str, bytes]]
"""From the bytes of an outside file to workspace files; pure. Raise ToolError where the bytes are not of that kind."""


def _no_files(view: View) -> Mapping[str, Given]:
    return {}


def _no_instructions(view: View) -> Instructions:
    return Instructions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Capability:
    """A validated bundle of workspace files, tools, instructions and verifiers.

    All but `files` and `instructions` is known without a request. `files`, `instructions` and `designer` are pure
    functions of the view.

    Attributes:
        name: unique, lower-case, hyphenated.
        kind: `content` owns the deliverable, exactly one per composition; `support` adds behaviour.
        content_type: what a content capability makes; None for support.
        about: one line for docs and `explain`.
        reads: request fields, required and optional.
        requires, excludes: names of other capabilities.
        owns: outputs, each written by its tools or derived by its build.
        tools, verifiers: what the writer may call; what is checked.
        ports: names of the ports that its code may use (`PORT_NAMES`).
        extension: JSON Schema of `extensions.<name>` in the request, or None where it takes none.
        files: view → given files.
        instructions: view → instructions.
        build: for a content capability with derived outputs: the sole maker of these.
        opens: file suffix → import of an outside file.
        designer: the rule-based designer that the offline adapter plays.
    """

    name: str
    kind: Literal["content", "support"]
    content_type: str | None = None
    about: str = ""
    reads: Reads = field(default_factory=Reads)
    requires: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    owns: tuple[Output, ...] = ()
    tools: tuple[Tool, ...] = ()
    verifiers: tuple[Verifier, ...] = ()
    ports: tuple[str, ...] = ()
    extension: Mapping[str, Json] | None = None
    files: Callable[[View], Mapping[str, Given]] = _no_files
    instructions: Callable[[View], Instructions] = _no_instructions
    build: Build | None = None
    opens: Mapping[str, Opens] = field(default_factory=dict)
    designer: Designer | None = None
