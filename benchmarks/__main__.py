"""`python -m benchmarks`: figures with their goals. Exit 1 where a goal is missed."""

from __future__ import annotations

import sys

import anyio

from benchmarks import evaluation, frame, imports, mails


def main() -> int:
    """Print every figure."""
    missed = 0
    for what, measured, goal in imports.rows():
        missed += _row(what, f"{measured:.0f} ms CPU", f"≤ {goal:.0f}", met=measured <= goal)
    taken = anyio.run(frame.steps)
    what = f"one step of the frame, tool and disk included (its two writes alone: {taken.writes:.2f})"
    missed += _row(what, f"{taken.step:.2f} ms CPU", f"≤ {frame.STEP_GOAL_MS}", met=taken.step <= frame.STEP_GOAL_MS)
    figures = anyio.run(evaluation.measure)
    missed += _row(
        f"one evaluation, three widths ({figures.evaluation_ms:.0f} ms CPU; by hand {figures.by_hand_ms:.0f})",
        f"{figures.ratio:.2f} ×",
        f"≤ {evaluation.GOAL}",
        met=figures.ratio <= evaluation.GOAL,
    )
    missed += _row("renders of a second evaluation", str(figures.second_renders), "0", met=figures.second_renders == 0)
    cost = anyio.run(mails.measure)
    print(f"  one email, offline, three widths: {cost.warm:.2f} CPU s warm, {cost.cold:.2f} with its own start", end="")
    print(f"; {cost.at_once:.2f} each of {mails.AT_ONCE} at once")
    print(f"  most memory: {cost.cold_mib:.0f} MiB for one, {cost.at_once_mib:.0f} MiB for {mails.AT_ONCE} at once")
    missed += _row(f"browsers for {mails.AT_ONCE} emails at once", str(cost.browsers), "1", met=cost.browsers == 1)
    return 1 if missed else 0


def _row(what: str, measured: str, goal: str, *, met: bool) -> int:
    print(f"{'✓' if met else '✗'} {what:70} {measured:>12}  goal {goal}")
    return 0 if met else 1


sys.exit(main())
