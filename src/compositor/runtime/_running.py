"""Running one tool: whatever it does, the outcome is an answer."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from compositor._values import Json, canonical, well_formed
from compositor.errors import CompileFailed, CompositorError, PortError, StorageFailed
from compositor.runtime._contained import Ended, contained
from compositor.runtime._faults import shortened, told, without_machine
from compositor.runtime._messages import Image
from compositor.runtime._scopes import ToolScope
from compositor.runtime._showing import shown
from compositor.tools import Tool, ToolResult
from compositor.workspace import Artifact, Delta, Entry, Ports, checked_path, covered

MAX_TEXT_BYTES = 64 * 1024
"""Longest answer that goes to the model; the rest is kept in a file of the workspace."""
MAX_KEPT_BYTES = 10 * 1024 * 1024
"""Longest answer that is kept at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """The outcome of one run. A failed one has no delta and made nothing."""

    text: str
    failed: bool = False
    delta: Delta = field(default_factory=dict)
    made: Mapping[str, Artifact] = field(default_factory=dict)
    images: tuple[Image, ...] = ()
    notes: tuple[str, ...] = ()

    @staticmethod
    def failure(reason: str, notes: Sequence[str] = ()) -> Ran:
        """A failed run; the reason is cut to a length that the writer can bear."""
        return Ran(text=shortened(reason), failed=True, notes=tuple(notes))


class _BadResult(Exception):
    """The tool returned what it may not."""


async def run_tool(tool: Tool, scope: ToolScope, arguments: Mapping[str, Json], ports: Ports, spill: str = "") -> Ran:
    """Run a tool on checked arguments. Raises nothing but cancellation and StorageFailed; see `contained`.

    Args:
        tool: what to run.
        scope: what it may touch; its delta and the artifacts are taken from here.
        arguments: checked.
        ports: everything that the operation was given, for the host's own use.
        spill: the workspace path for a text that is too long to show; without one it is only cut.
    """
    ended = await contained(lambda: tool.run(scope, **arguments), seconds=tool.seconds, kept=ports.processes)
    if reason := _failed(tool, ended):
        return Ran.failure(reason, scope.notes)
    try:
        return await _accepted(tool, scope, ended.value, ports, spill)
    except StorageFailed:
        raise
    except _BadResult as error:
        reason = f"{tool.name} is broken: {error}"
    except Exception as error:  # noqa: BLE001 - what a tool returned may do anything when it is looked at
        reason = _raised(tool, error)
    return Ran.failure(reason, scope.notes)


def _failed(tool: Tool, ended: Ended) -> str:
    """Why the run has failed, however good its result may be; or nothing."""
    reason = ""
    if ended.overdue:
        reason = f"{tool.name} was stopped after {tool.seconds:g} s. Ask for less, or do it in parts"
    elif ended.raised is not None:
        reason = _raised(tool, ended.raised)
    if not ended.left:
        return reason
    left = f"it left running what it had started ({', '.join(ended.left)}); that was ended"
    return f"{reason}; {left}" if reason else f"{tool.name} is broken: {left}, and nothing was kept"


def _raised(tool: Tool, error: BaseException) -> str:
    if isinstance(error, PortError) and not isinstance(error, CompileFailed):
        return f"{tool.name}: {without_machine(str(error))}"
    if isinstance(error, CompositorError):  # written for the writer
        return f"{tool.name}: {error}"
    return f"{tool.name} failed: {without_machine(told(error))}"


async def _accepted(tool: Tool, scope: ToolScope, result: object, ports: Ports, spill: str) -> Ran:
    if not isinstance(result, ToolResult):
        raise _BadResult(f"it returned {type(result).__name__}, not ToolResult")
    _refuse_misshapen(tool, result)
    refuse_unsound(result.artifacts, scope.stored)
    pictures = await shown(result.images, result.artifacts, scope.blobs, ports)
    text, delta = await _fitted(scope, _naming(result), spill)
    return Ran(
        text="\n".join([text, *pictures.notes]),
        delta={**scope.files.delta, **delta},
        made=dict(result.artifacts),
        images=pictures.images,
        notes=tuple(scope.notes),
    )


def _refuse_misshapen(tool: Tool, result: ToolResult) -> None:
    if not isinstance(result.text, str):
        raise _BadResult(f"its text is {type(result.text).__name__}, not str")
    if not isinstance(result.artifacts, Mapping) or not all(map(_is_labelled, result.artifacts.items())):
        raise _BadResult("its artifacts are not labels with what was made")
    if not isinstance(result.images, Sequence) or not all(isinstance(label, str) for label in result.images):
        raise _BadResult("its images are not labels")
    foreign = sorted(label for label in result.artifacts if not covered(label, tool.makes))
    if foreign:
        raise _BadResult(f"it made {', '.join(foreign)}, which `makes` does not declare")
    unmade = sorted(set(result.images) - set(result.artifacts))
    if unmade:
        raise _BadResult(f"it shows {', '.join(unmade)}, which it did not make")


def _is_labelled(entry: tuple[object, object]) -> bool:
    label, artifact = entry
    return isinstance(label, str) and isinstance(artifact, Artifact)


def refuse_unsound(artifacts: Mapping[str, Artifact], stored: Container[str]) -> None:
    """Refuse labels that are no plain paths, facts that are no JSON, and artifacts whose bytes are nowhere.

    Labels become files, facts are recorded, and bytes that cannot be had would stop the operation later.

    Raises:
        PathRefused, ValueError, TypeError
    """
    for label, artifact in artifacts.items():
        checked_path(label)
        canonical(artifact.as_json())
        if artifact.sha256 not in stored:
            raise ValueError(f"{label} was not made with `ctx.store`; its bytes are nowhere")


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
    kept = data[:MAX_KEPT_BYTES].decode("utf-8", "ignore").encode()
    entry = Entry(sha256=await scope.blobs.put(kept), size=len(kept))
    what = "the whole is" if len(kept) == len(data) else f"the first {len(kept):,} are"
    return f"{cut}; {what} in {spill}", {spill: entry}
