"""A tool: an async function that the model may call, with the schema that its arguments must satisfy."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from compositor._values import Json
from compositor.workspace import Artifact, Artifacts, Files, Ports, View


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a tool answers.

    Attributes:
        text: for the writer. It is cut to a limit by the host, which keeps the whole in a blob.
        artifacts: label → artifact; each label must be covered by the tool's `makes`.
        images: labels among the artifacts to show to the writer as pictures.
    """

    text: str
    artifacts: Mapping[str, Artifact] = field(default_factory=dict)
    images: tuple[str, ...] = ()


class ToolContext(Protocol):
    """What a tool may touch."""

    @property
    def files(self) -> Files:
        """The workspace, scoped to what the tool declares."""
        ...

    @property
    def artifacts(self) -> Artifacts:
        """The labelled things made so far."""
        ...

    @property
    def view(self) -> View:
        """The part of the request that the tool's capability may see."""
        ...

    @property
    def ports(self) -> Ports:
        """The outside world, narrowed to the ports that the capability named."""
        ...

    async def store(self, data: bytes, media_type: str, facts: Mapping[str, Json] | None = None) -> Artifact:
        """Keep bytes as an artifact, to be returned under a label."""
        ...

    def emit(self, note: str) -> None:
        """Add a line of progress to the tool's event."""
        ...


ToolFunction = Callable[..., Awaitable[ToolResult]]

OWNED: tuple[str, ...] = ("*",)
"""In `reads` or `writes`: everything that the capability owns as *written*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool as declared. Make one with the `tool` decorator.

    Attributes:
        name: lower-case letters, digits and underscores.
        about: its docstring, sent to the model.
        run: `async (ctx, **arguments) -> ToolResult`.
        reads: patterns of files that it may read; `OWNED` by default; `EVERYTHING` for all.
        writes: patterns that it may write; `OWNED` by default; empty for a tool that only looks.
        makes: patterns of artifact labels that it may produce.
        seconds: its time limit.
    """

    name: str
    about: str
    run: ToolFunction
    reads: tuple[str, ...] = OWNED
    writes: tuple[str, ...] = OWNED
    makes: tuple[str, ...] = ()
    seconds: float = 60.0

    @property
    def schema(self) -> Json:
        """The JSON Schema (2020-12) of its arguments, derived from the signature.

        Raises:
            TypeError: the signature has types that JSON does not have; the text says which.
        """
        from compositor.tools._schema import schema_of  # pydantic: not wanted while capabilities are imported

        return schema_of(self.run)


def tool(
    *,
    reads: tuple[str, ...] = OWNED,
    writes: tuple[str, ...] = OWNED,
    makes: tuple[str, ...] = (),
    seconds: float = 60.0,
) -> Callable[[ToolFunction], Tool]:
    """Turn `async def name(ctx, argument: type, …) -> ToolResult` into a `Tool`.

    The name and docstring become the model's; describe an argument with `Annotated[str, "what it is"]`.
    """

    def declare(function: ToolFunction) -> Tool:
        return Tool(
            name=function.__name__,
            about=inspect.getdoc(function) or "",
            run=function,
            reads=reads,
            writes=writes,
            makes=makes,
            seconds=seconds,
        )

    return declare
