"""A composition for people: as text, as JSON, and as a drawing."""

from __future__ import annotations

from compositor._values import Json
from compositor.agents._composition import Composition
from compositor.workspace import within_field


def explain(composition: Composition) -> str:
    """The composition as plain text: who is in, what each may see, call, own and check, and what is withheld."""
    agent = composition.agent
    lines = [
        f"{agent.name}" + (f" (mode {composition.mode})" if composition.mode else ""),
        f"digest {composition.digest}",
    ]
    lines += ["", "Capabilities"]
    for member in composition.members:
        lines.append(f"  {member.name} ({member.capability.kind}){_about(member.capability.about)}")
        lines.append(f"    sees: {', '.join(_seen(member.view.declared, member.withheld)) or 'nothing'}")
        if member.withheld:
            lines.append(f"    withheld: {', '.join(member.withheld)}")
    lines += [
        "",
        "Withheld from everyone",
        f"  {', '.join(composition.withheld) or 'nothing'}",
        "",
        "Tools of the writer",
    ]
    for entry in composition.roster:
        writes = f"writes {', '.join(entry.writes)}" if entry.writes else "only looks"
        lines.append(f"  {entry.name} ({entry.owner.name}) — {writes}")
    lines += ["", "Outputs"]
    lines += [f"  {o.path} — {'derived' if o.derived else 'written'}{_about(o.about)}" for o in composition.outputs]
    lines += ["", "Given files"]
    lines += [f"  {f.path} — words of: {f.given.voice}{_about(f.given.about)}" for f in composition.files] or ["  none"]
    lines += ["", "Checks, measurements before judgments"]
    lines += [f"  {v.verifier.name} ({v.verifier.kind}, {v.owner.name})" for v in composition.verifiers]
    lines += ["", "Limits", f"  {_limits(composition)}"]
    return "\n".join(lines)


def _seen(declared: tuple[str, ...], withheld: tuple[str, ...]) -> list[str]:
    return [name for name in declared if not any(within_field(name, hidden) for hidden in withheld)]


def _about(words: str) -> str:
    return f" — {words}" if words else ""


def _limits(composition: Composition) -> str:
    budget = composition.budget.as_json()
    limits = [f"{name} {limit:g}" for name, limit in budget.items() if limit is not None]
    return ", ".join([*limits, composition.completion])


def explain_json(composition: Composition) -> Json:
    """The facts that the digest covers, and the digest."""
    return {"digest": composition.digest, **composition.facts}


def explain_mermaid(composition: Composition) -> str:
    """A Mermaid flowchart: capabilities with their tools, outputs and checks, and what is withheld."""
    lines = ["flowchart LR", f"  agent([{_quoted(composition.agent.name)}])"]
    for index, member in enumerate(composition.members):
        node = f"c{index}"
        tools = [entry.name for entry in composition.roster if entry.owner is member]
        outputs = [output.path for output in member.capability.owns]
        checks = [verifier.name for verifier in member.capability.verifiers]
        lines.append(f"  agent --> {node}[{_quoted(member.name)}]")
        lines += [f"  {node} --> {node}t{i}({_quoted(name)})" for i, name in enumerate(tools)]
        lines += [f"  {node} --> {node}o{i}[/{_quoted(path)}/]" for i, path in enumerate(outputs)]
        lines += [f"  {node} --> {node}v{i}{{{{{_quoted(name)}}}}}" for i, name in enumerate(checks)]
    lines += [f"  agent -. withheld .- w{i}>{_quoted(name)}]" for i, name in enumerate(composition.withheld)]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', "#quot;") + '"'
