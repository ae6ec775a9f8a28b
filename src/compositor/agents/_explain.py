"""A composition for people: as text, as JSON, and as a drawing."""

from __future__ import annotations

from compositor._values import Json
from compositor.agents._composition import Composition


def explain(composition: Composition) -> str:
    """The composition as plain text: who is in, what each may see, call, own and check, and what is withheld."""
    agent = composition.agent
    lines = [f"{agent.name}" + (f" (mode {composition.mode})" if composition.mode else ""), f"digest {composition.digest}"]
    lines += ["", "Capabilities"]
    for member in composition.members:
        lines.append(f"  {member.name} ({member.capability.kind}){_about(member.capability.about)}")
        lines.append(f"    sees: {', '.join(_seen(member.view.declared, member.withheld)) or 'nothing'}")
        if member.withheld:
            lines.append(f"    withheld: {', '.join(member.withheld)}")
    lines += ["", "Withheld from everyone", f"  {', '.join(composition.withheld) or 'nothing'}", "", "Tools of the writer"]
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
    return [name for name in declared if name not in withheld]


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
    """A Mermaid flowchart: capabilities, the tools they bring and the outputs they own."""
    lines = ["flowchart LR", f'  agent(["{composition.agent.name}"])']
    for index, member in enumerate(composition.members):
        node = f"c{index}"
        lines.append(f'  agent --> {node}["{member.name}<br/><i>{member.capability.kind}</i>"]')
        lines += [
            f'  {node} --> {node}t{i}("{entry.name}")'
            for i, entry in enumerate(entry for entry in composition.roster if entry.owner is member)
        ]
        lines += [
            f'  {node} --> {node}o{i}[/"{output.path}"/]' for i, output in enumerate(member.capability.owns)
        ]
        lines += [
            f'  {node} --> {node}v{i}{{{{"{verifier.name}"}}}}' for i, verifier in enumerate(member.capability.verifiers)
        ]
    return "\n".join(lines)
