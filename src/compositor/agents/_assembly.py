"""An assembly: capabilities laid out over a request, not yet judged. The rules read it; `compose` seals it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compositor._values import Json
from compositor.agents._agent import Agent, Budget, Mode
from compositor.authoring import Capability, Instructions
from compositor.errors import Problem
from compositor.tools import OWNED, Tool
from compositor.workspace import Given, View, field_value, within_field


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One capability over one request: what it sees, what it lays into the workspace, what it says.

    Attributes:
        capability: the bundle.
        view: the part of the request that it may see.
        withheld: fields that it would read and may not.
        files: path → given file.
        instructions: for the writer.
        faults: problems of its pure functions.
    """

    capability: Capability
    view: View
    withheld: tuple[str, ...] = ()
    files: Mapping[str, Given] = field(default_factory=dict)
    instructions: Instructions = field(default_factory=Instructions)
    faults: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """The capability's name."""
        return self.capability.name

    @property
    def written(self) -> tuple[str, ...]:
        """Patterns of the outputs that its tools write."""
        return tuple(output.path for output in self.capability.owns if not output.derived)

    @property
    def owned(self) -> tuple[str, ...]:
        """Patterns of all its outputs."""
        return tuple(output.path for output in self.capability.owns)


@dataclass(frozen=True, slots=True, kw_only=True)
class RosterTool:
    """A tool in a roster: with its owner, and with its declared patterns made plain."""

    tool: Tool
    owner: Member

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.tool.name

    @property
    def reads(self) -> tuple[str, ...]:
        """Patterns of files that it may read."""
        return self.owner.owned if self.tool.reads == OWNED else self.tool.reads

    @property
    def writes(self) -> tuple[str, ...]:
        """Patterns of files that it may write."""
        return self.owner.written if self.tool.writes == OWNED else self.tool.writes


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """Everything that a rule may look at."""

    agent: Agent
    request: Mapping[str, Json]
    mode_name: str | None
    mode: Mode | None
    members: tuple[Member, ...]
    budget: Budget

    @property
    def distinct(self) -> tuple[Member, ...]:
        """The members, each bundle once: listed twice it is a duplicate, and does not also collide with itself."""
        return tuple({id(member.capability): member for member in self.members}.values())

    @property
    def tools(self) -> tuple[RosterTool, ...]:
        """All tools of all members, before the mode."""
        return tuple(
            RosterTool(tool=tool, owner=member) for member in self.distinct for tool in member.capability.tools
        )

    @property
    def roster(self) -> tuple[RosterTool, ...]:
        """The tools that the writer gets, by name."""
        kept = (entry for entry in self.tools if self.mode is None or _keeps(self.mode, entry))
        return tuple(sorted(kept, key=lambda entry: entry.name))


def _keeps(mode: Mode, entry: RosterTool) -> bool:
    return entry.name in mode.tools if mode.tools is not None else not entry.writes


def assemble(agent: Agent, request: Mapping[str, Json], mode_name: str | None) -> Assembly:
    """Lay the members of an agent out over a request. Nothing is checked here but the capabilities' own functions."""
    mode = agent.mode(mode_name) if mode_name is not None else None
    budget = agent.budget.tightened(field_value(request, "policy.budgets") or {})
    return Assembly(
        agent=agent,
        request=request,
        mode_name=mode_name,
        mode=mode,
        members=tuple(_member(capability, request, agent.withholds) for capability in agent.members(request)),
        budget=budget.tightened(mode.budget) if mode else budget,
    )


def _member(capability: Capability, request: Mapping[str, Json], withholds: tuple[str, ...]) -> Member:
    reads = capability.reads.all
    view = View.of(request, reads, withholds)
    withheld = tuple(
        hidden
        for hidden in sorted(withholds)
        if any(within_field(name, hidden) or within_field(hidden, name) for name in reads)
    )
    faults: list[Problem] = []
    files: Mapping[str, Given] = {}
    instructions = Instructions()
    try:
        files = _only_given(capability.files(view))
    except Exception as error:  # noqa: BLE001 - any fault of a capability becomes a problem that names it
        faults.append(_broken(capability, "files", error))
    try:
        instructions = _only_instructions(capability.instructions(view))
    except Exception as error:  # noqa: BLE001 - any fault of a capability becomes a problem that names it
        faults.append(_broken(capability, "instructions", error))
    return Member(
        capability=capability,
        view=view,
        withheld=withheld,
        files=files,
        instructions=instructions,
        faults=tuple(faults),
    )


def _only_given(files: Mapping[str, object]) -> Mapping[str, Given]:
    given = {path: file for path, file in files.items() if isinstance(file, Given)}
    held = {path: file for path, file in given.items() if isinstance(file.content, str | bytes)}
    if strange := sorted(files.keys() - held.keys()):
        raise TypeError(f"{', '.join(strange)} is no Given of text or bytes")
    return held


def _only_instructions(said: object) -> Instructions:
    if not isinstance(said, Instructions):
        raise TypeError(f"a {type(said).__name__} is no Instructions")
    return said


def _broken(capability: Capability, part: str, error: Exception) -> Problem:
    return Problem(
        code="capability-failed",
        message=f"{part}() of {capability.name} failed: {type(error).__name__}: {error}",
        concerns=(capability.name,),
        cure=f"{part}() must be a pure function of the view that copes with every optional field absent",
    )
