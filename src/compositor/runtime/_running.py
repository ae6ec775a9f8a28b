"""Running one tool: whatever it does, the outcome is an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import anyio

from compositor._values import Json, canonical, well_formed
from compositor.errors import CompositorError
from compositor.runtime._scopes import ToolScope
from compositor.tools import Tool, ToolResult
from compositor.workspace import Artifact, Delta, Entry, checked_path, covered

MAX_TEXT_BYTES = 64 * 1024
"""Longest answer that goes to the model; the rest is kept in a file of the workspace."""
MAX_KEPT_BYTES = 10 * 1024 * 1024
"""Longest answer that is kept at all."""
MAX_ERROR_CHARS = 1000
"""Longest error text: an error must never push the work out of the writer's context."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """The outcome of one run. A failed one has no delta and made nothing."""

    text: str
    failed: bool = False
    delta: Delta = field(default_factory=dict)
    made: Mapping[str, Artifact] = field(default_factory=dict)
    images: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @staticmethod
    def failure(reason: str, notes: Sequence[str] = ()) -> Ran:
        """A failed run; the reason is cut to a length that the writer can bear."""
        text = well_formed(reason)
        short = text if len(text) <= MAX_ERROR_CHARS else text[: MAX_ERROR_CHARS - 1] + "…"
        return Ran(text=short, failed=True, notes=tuple(notes))


class _BadResult(Exception):
    """The tool returned what it may not."""


async def run_tool(tool: Tool, scope: ToolScope, arguments: Mapping[str, Json], spill: str = "") -> Ran:
    """Run a tool on checked arguments. Raises nothing but cancellation.

    Args:
        tool: what to run.
        scope: what it may touch; its delta and the artifacts are taken from here.
        arguments: checked.
        spill: the workspace path for a text that is too long to show; without one it is only cut.
    """
    result: object = None
    try:
        with anyio.move_on_after(tool.seconds) as limit:
            result = await tool.run(scope, **arguments)
        if not limit.cancelled_caught:
            return await _accepted(tool, scope, result, spill)
        reason = f"{tool.name} was stopped after {tool.seconds:g} s. Ask for less, or do it in parts"
    except CompositorError as error:
        reason = f"{tool.name}: {error}"
    except _BadResult as error:
        reason = f"{tool.name} is broken: {error}"
    except Exception as error:  # noqa: BLE001 - a tool may raise anything, and the run goes on
        reason = f"{tool.name} failed: {type(error).__name__}: {error}"
    return Ran.failure(reason, scope.notes)


async def _accepted(tool: Tool, scope: ToolScope, result: object, spill: str) -> Ran:
    if not isinstance(result, ToolResult):
        raise _BadResult(f"it returned {type(result).__name__}, not ToolResult")
    foreign = sorted(label for label in result.artifacts if not covered(label, tool.makes))
    if foreign:
        raise _BadResult(f"it made {', '.join(foreign)}, which `makes` does not declare")
    unmade = sorted(set(result.images) - set(result.artifacts))
    if unmade:
        raise _BadResult(f"it shows {', '.join(unmade)}, which it did not make")
    refuse_unsound(result.artifacts)
    text, delta = await _fitted(scope, _naming(result), spill)
    return Ran(
        text=text,
        delta={**scope.files.delta, **delta},
        made=dict(result.artifacts),
        images=result.images,
        notes=tuple(scope.notes),
    )


def refuse_unsound(artifacts: Mapping[str, Artifact]) -> None:
    """Refuse labels that are no plain paths, and facts that are no JSON: labels become files, facts are recorded.

    Raises:
        PathRefused, ValueError, TypeError
    """
    for label, artifact in artifacts.items():
        checked_path(label)
        canonical(artifact.as_json())


def _naming(result: ToolResult) -> str:
    """The text, with every label that was made named in it."""
    unnamed = [label for label in sorted(result.artifacts) if label not in result.text]
    return result.text + (f"\nMade: {', '.join(unnamed)}" if unnamed else "")


async def _fitted(scope: ToolScope, text: str, spill: str) -> tuple[str, Delta]:
    data = well_formed(text).encode()
    if len(data) <= MAX_TEXT_BYTES:
        return data.decode(), {}
    shown = data[:MAX_TEXT_BYTES].decode("utf-8", "ignore")
    cut = f"{shown}\n… cut at {MAX_TEXT_BYTES:,} of {len(data):,} bytes"
    if not spill:
        return cut, {}
    kept = data[:MAX_KEPT_BYTES]
    entry = Entry(sha256=await scope.blobs.put(kept), size=len(kept))
    return f"{cut}; the whole is in {spill}", {spill: entry}
