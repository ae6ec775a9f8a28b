"""What the writer is given and told about rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compositor.capabilities import Given, Instructions, View
from compositor.capabilities.domain_rules._packs import Pack, applying
from compositor.capabilities.domain_rules._required import required

RULES = "rules/applying.md"


def given_files(view: View) -> Mapping[str, Given]:
    """The rules that apply to this request, with their sources; nothing where none does."""
    text = "\n\n".join((*_verbatim(view), *(_pack(pack) for pack in applying(view))))
    if not text:
        return {}
    return {RULES: Given(content=f"{text}\n", voice="system", about="required words, and the rules that apply here")}


def _verbatim(view: View) -> Iterator[str]:
    wanted = required(view)
    if wanted:
        lines = [f"- {one.id} ({one.position}; {one.asked_by}): {one.text}" for one in wanted]
        yield "\n".join(["# Words that must stand in the work, word for word", "", *lines])


def _pack(pack: Pack) -> str:
    lines = [f"# {pack.title}", "", f"For {pack.about}.", ""]
    lines += [f"- {rule.cure[0].upper()}{rule.cure[1:]}. Else: {rule.message}. ({rule.source})" for rule in pack.rules]
    return "\n".join([*lines, "", f"Sources: {'; '.join(pack.sources)}."])


def instructions(view: View) -> Instructions:
    """How to keep the rules; nothing where none applies."""
    if not given_files(view):
        return Instructions()
    return Instructions(
        f"## Rules\n\n`{RULES}` holds what law and policy ask of this work. Required words stand there word for word,"
        " where everybody sees them, at 11 px or larger; those that are to be prominent stand in a section of their"
        " own, set like the other text. Prohibited words stand nowhere else than in required words."
    )
