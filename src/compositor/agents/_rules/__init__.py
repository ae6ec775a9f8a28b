"""The composition rules. Each is a pure function from an assembly to problems; the order of listing changes nothing.

The codes are stable. Every function names its codes in its first line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from compositor.agents._assembly import Assembly
from compositor.agents._rules._limits import LIMIT_RULES
from compositor.agents._rules._membership import MEMBERSHIP_RULES
from compositor.agents._rules._ownership import OWNERSHIP_RULES
from compositor.agents._rules._reading import READING_RULES
from compositor.agents._rules._roster import ROSTER_RULES
from compositor.errors import Problem

Rule = Callable[[Assembly], Iterable[Problem]]

RULES: tuple[Rule, ...] = (*MEMBERSHIP_RULES, *ROSTER_RULES, *OWNERSHIP_RULES, *READING_RULES, *LIMIT_RULES)


def problems_of(assembly: Assembly) -> tuple[Problem, ...]:
    """Every problem of an assembly, without repeats, in a fixed order."""
    found = {problem for rule in RULES for problem in rule(assembly)}
    return tuple(sorted(found, key=lambda problem: (problem.code, problem.concerns, problem.where, problem.message)))
