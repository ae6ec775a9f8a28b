"""`doctor`: what the product needs of a machine, proved by doing it.

That a browser, a jail or a font is installed proves nothing. A page that was drawn, a request that did not get out, and
a glyph that differs from the box of a missing one do.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from compositor.adapters import shipped, system
from compositor.errors import CompositorError, PortError, ProblemsFound
from compositor.operations import _trials as trials
from compositor.operations._egress import stay_inside

if TYPE_CHECKING:
    from compositor.workspace import Compiler, Renderer

PROOF_SECONDS = 60.0
"""Longest time for one proof; the slowest, a browser's first start on two busy cores, takes about five."""

INSTALLABLE = frozenset({"render", "egress", "glyphs"})
"""The proofs that stand on parts of the system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One thing that was tried.

    Attributes:
        name: `render`, `egress`, `glyphs`, `compile` or `data`.
        ok: whether operations can rely on it.
        detail: what was seen.
        cure: what to do about it. An `ok` proof with a cure is a limit worth knowing.
    """

    name: str
    ok: bool
    detail: str
    cure: str = ""


async def examine_machine(data: Path) -> tuple[Proof, ...]:
    """Prove the shipped adapters and the data folder on this machine. A proof that fails says so; nothing is raised."""
    async with shipped.renderer() as renderer:
        return await prove(data, renderer=renderer, compiler=shipped.compiler(), sample=shipped.SAMPLE)


async def equip_machine(data: Path, say: Callable[[str], None]) -> tuple[Proof, ...]:
    """Prove; install the parts of the system that turn out to be missing or to limit; prove again.

    `say` is told each command before it runs, and why one failed.
    """
    proofs = await examine_machine(data)
    if not any(proof.cure for proof in proofs if proof.name in INSTALLABLE):
        return proofs
    try:
        await system.install(say)
    except PortError as error:
        say(str(error))
    return await examine_machine(data)


async def prove(
    data: Path, *, renderer: Renderer, compiler: Compiler, sample: shipped.Sample, seconds: float = PROOF_SECONDS
) -> tuple[Proof, ...]:
    """Try each part once, in order, each for so many seconds at most.

    Where no page can be drawn, nothing is proved about what pages may do.
    """
    parts = f"run `compositor doctor --install`, or: {system.by_hand()}"
    render = await _Trial("render", partial(trials.draw, renderer), parts).proof(seconds)
    of_pages = (
        _Trial("egress", partial(stay_inside, renderer), parts),
        _Trial("glyphs", partial(trials.show_glyphs, renderer), parts),
    )
    of_others = (
        _Trial("compile", partial(trials.compile_source, compiler, sample), "install the product's packages again"),
        _Trial("data", partial(trials.keep, data), "choose another folder by --data or COMPOSITOR_HOME"),
    )
    pages = [await trial.proof(seconds) if render.ok else trial.untried(render) for trial in of_pages]
    others = [await trial.proof(seconds) for trial in of_others]
    return (render, *pages, *others)


@dataclass(frozen=True, slots=True)
class _Trial:
    """A trial under its name, with the cure for a failure that knows no better one."""

    name: str
    attempt: Callable[[], Awaitable[trials.Seen]]
    cure: str

    async def proof(self, seconds: float) -> Proof:
        """What the attempt saw, or why it failed."""
        from anyio import fail_after

        try:
            with fail_after(seconds):
                seen = await self.attempt()
        except TimeoutError:
            return self._failed(f"no end within {seconds:g} s")
        except ProblemsFound as error:
            cures = "; ".join(problem.cure for problem in error.problems if problem.cure)
            return self._failed("; ".join(problem.message for problem in error.problems), cures)
        except PortError as error:
            return self._failed(error.reason, error.cure)
        except (CompositorError, OSError) as error:
            return self._failed(str(error))
        return Proof(name=self.name, ok=True, detail=seen.detail, cure=seen.cure)

    def untried(self, render: Proof) -> Proof:
        """The proof where no page can be drawn."""
        return self._failed("not tried: no page can be drawn", render.cure)

    def _failed(self, detail: str, cure: str = "") -> Proof:
        return Proof(name=self.name, ok=False, detail=detail, cure=cure or self.cure)
