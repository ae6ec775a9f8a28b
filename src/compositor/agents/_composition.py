"""A composition: the sealed result of an agent and a request. It cannot change, and it has one digest everywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compositor._values import Json, canonical, digest, read_json, sha256
from compositor.agents._agent import Agent, Budget, Completion
from compositor.agents._assembly import Assembly, Member, RosterTool
from compositor.authoring import mentioned_tools
from compositor.tools import Tool
from compositor.verifiers import Verifier
from compositor.workspace import Given, Output, field_value


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenFile:
    """A given file with its place and the capability that laid it."""

    path: str
    given: Given
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedVerifier:
    """A verifier with the capability that brought it."""

    verifier: Verifier
    owner: Member


@dataclass(frozen=True, slots=True, kw_only=True)
class Composition:
    """Sealed and validated. Everything that an operation needs to know about its agent stands here.

    Attributes:
        agent: the declaration.
        mode: the name of the narrowing, or None.
        members: the capabilities over the request, content first.
        roster: the tools of the writer, by name.
        verifiers: measurements and judgments, by name.
        outputs: every owned output.
        files: every given file, by path.
        instructions: the writer's standing text; nothing volatile stands in it.
        budget, completion: the tightest limits of agent, request and mode.
        judging: whether the request wants judgments.
        locale, content_type: of the deliverable.
        facts: everything that the digest covers, as JSON.
        digest: hex SHA-256 of the facts.
    """

    agent: Agent
    mode: str | None
    members: tuple[Member, ...]
    roster: tuple[RosterTool, ...]
    verifiers: tuple[OwnedVerifier, ...]
    outputs: tuple[Output, ...]
    files: tuple[GivenFile, ...]
    instructions: str
    budget: Budget
    completion: Completion
    judging: bool
    locale: str
    content_type: str
    facts: Mapping[str, Json]
    digest: str

    @property
    def content(self) -> Member:
        """The member that owns the deliverable."""
        return self.members[0]

    @property
    def withheld(self) -> tuple[str, ...]:
        """The request fields that nobody may see."""
        return tuple(sorted(self.agent.withholds))

    @property
    def written(self) -> tuple[str, ...]:
        """Patterns of the content capability's written outputs."""
        return self.content.written


def sealed(assembly: Assembly) -> Composition:
    """Seal an assembly that has no problems."""
    roster = assembly.roster
    instructions = _instructions(assembly.members, {entry.name for entry in roster})
    completion = field_value(assembly.request, "policy.completion") or assembly.agent.completion
    judging = field_value(assembly.request, "evaluation.enabled") is not False
    as_kept = canonical(_facts(assembly, instructions, completion=completion, judging=judging))
    facts = read_json(as_kept.decode())  # the same values, and of the same kinds, as a resumed operation reads back
    return Composition(
        agent=assembly.agent,
        mode=assembly.mode_name,
        members=assembly.members,
        roster=roster,
        verifiers=_verifiers(assembly.members),
        outputs=tuple(output for member in assembly.members for output in member.capability.owns),
        files=_files(assembly.members),
        instructions=instructions,
        budget=assembly.budget,
        completion=completion,
        judging=judging,
        locale=assembly.request.get("locale", "en"),
        content_type=assembly.agent.content_type,
        facts=facts,
        digest=digest(facts),
    )


def _instructions(members: tuple[Member, ...], callable_now: set[str]) -> str:
    """One text, a heading per capability; paragraphs about tools that the mode removed are left out."""
    chapters = []
    for member in members:
        kept = [
            paragraph
            for paragraph in member.instructions.paragraphs
            if callable_now.issuperset(mentioned_tools(paragraph))
        ]
        if kept:
            chapters.append("\n\n".join([f"# {member.name}", *kept]))
    return "\n\n".join(chapters)


def _verifiers(members: tuple[Member, ...]) -> tuple[OwnedVerifier, ...]:
    owned = (OwnedVerifier(verifier=v, owner=member) for member in members for v in member.capability.verifiers)
    return tuple(sorted(owned, key=lambda entry: (entry.verifier.kind == "judgment", entry.verifier.name)))


def _files(members: tuple[Member, ...]) -> tuple[GivenFile, ...]:
    laid = (
        GivenFile(path=path, given=given, owner=member.name)
        for member in members
        for path, given in member.files.items()
    )
    return tuple(sorted(laid, key=lambda file: file.path))


def _facts(assembly: Assembly, instructions: str, *, completion: str, judging: bool) -> dict[str, Json]:
    return {
        "schema": "composition/1",
        "agent": assembly.agent.name,
        "operation": assembly.agent.operation,
        "mode": assembly.mode_name,
        "capabilities": {member.name: _member_facts(member) for member in assembly.members},
        "tools": {entry.name: _tool_facts(entry) for entry in assembly.roster},
        "instructions": sha256(instructions.encode()),
        "withheld": sorted(assembly.agent.withholds),
        "budget": assembly.budget.as_json(),
        "completion": completion,
        "judging": judging,
    }


def _member_facts(member: Member) -> Json:
    capability = member.capability
    return {
        "kind": capability.kind,
        "reads": {"required": sorted(capability.reads.required), "optional": sorted(capability.reads.optional)},
        "view": member.view.digest,
        "withheld": list(member.withheld),
        "outputs": {o.path: {"derived": o.derived, "required": o.required, "about": o.about} for o in capability.owns},
        "files": {path: [_content_digest(given), given.voice, given.about] for path, given in member.files.items()},
        "verifiers": {verifier.name: _verifier_facts(verifier) for verifier in capability.verifiers},
        "ports": sorted(capability.ports),
    }


def _content_digest(given: Given) -> str:
    return sha256(given.content.encode() if isinstance(given.content, str) else given.content)


def _tool_facts(entry: RosterTool) -> Json:
    return {
        "owner": entry.owner.name,
        "description": digest({"about": entry.tool.about, "schema": entry.tool.schema}),
        "reads": sorted(entry.reads),
        "writes": sorted(entry.writes),
        "makes": sorted(entry.tool.makes),
        "seconds": entry.tool.seconds,
    }


def _verifier_facts(verifier: Verifier) -> Json:
    return {
        "kind": verifier.kind,
        "version": verifier.version,
        "required": verifier.required,
        "thresholds": dict(verifier.thresholds),
        "reads": {
            "fields": sorted(verifier.reads.fields),
            "files": sorted(verifier.reads.files),
            "labels": sorted(verifier.reads.labels),
        },
        "tools": {tool.name: _judge_tool(tool) for tool in verifier.tools},
    }


def _judge_tool(tool: Tool) -> str:
    return digest({"about": tool.about, "schema": tool.schema})


def changes(before: Mapping[str, Json], now: Mapping[str, Json], path: str = "") -> tuple[str, ...]:
    """What differs between the facts of two compositions, one line each, sorted."""
    lines: list[str] = []
    for key in sorted(before.keys() | now.keys()):
        place = f"{path}.{key}" if path else key
        old, new = before.get(key), now.get(key)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            lines += changes(old, new, place)
        elif key not in now:
            lines.append(f"{place}: removed")
        elif key not in before:
            lines.append(f"{place}: added")
        elif old != new:
            lines.append(f"{place}: {_short(old)} → {_short(new)}")
    return tuple(lines)


def _short(value: Json) -> str:
    text = str(value)
    return text[:12] + "…" if len(text) > 40 else text
