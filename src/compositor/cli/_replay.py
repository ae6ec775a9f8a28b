"""`compositor replay`: an operation told again from its journal, whole, without a model, a browser or its own code."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from compositor.cli._exits import run
from compositor.cli._options import AsJson, DataFolder
from compositor.cli._progress import COLOURS, MARKS, WIDTH

if TYPE_CHECKING:
    from compositor._values import Json
    from compositor.operations import Moment
    from compositor.runtime import Answer, Call

COLUMNS = 100 - WIDTH - 2
"""Words are broken at column 100; a line of a file is cut there."""
LINES = 12
"""Lines of a diff or an answer that are shown; `--json` and `-o` give the whole."""
VALUE_LINES = 4
"""Lines of an argument that are shown: mostly it comes again as what it changed."""
SHORT = 60
"""Longest value of an argument that stands in the line of its call, in characters."""

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")

Folder = Annotated[
    Path | None,
    typer.Option("-o", "--output", help="Write files after each step, drafts and replay.html into this empty folder."),
]


def replay(
    operation: Annotated[str, typer.Argument(help="The operation's id; `compositor operations` lists them.")],
    *,
    until: Annotated[int | None, typer.Option(help="Stop after the event of this number.", min=1)] = None,
    output: Folder = None,
    as_json: AsJson = False,
    data: DataFolder = None,
) -> None:
    """Tell an operation again from its journal: no model is called, nothing is drawn, no tool is run."""

    async def whole() -> None:
        from contextlib import aclosing

        from compositor.operations import Environment, export_replay, refuse_filled
        from compositor.operations import replay as moments_of

        if output is not None:
            refuse_filled(output)
        told: list[Moment] = []
        async with Environment(data) as environment:
            async with aclosing(moments_of(operation, environment)) as moments:
                async for moment in moments:
                    if until is not None and moment.event.seq > until:
                        break
                    typer.echo(_line(moment.as_json()) if as_json else "\n".join(_told(moment)))
                    told.append(moment)
            if output is not None:
                await export_replay(told, environment.blobs, output)

    run(whole)
    if output is not None and not as_json:
        typer.echo(f"{_head('look at')}{output / 'replay.html'}")


Told = tuple[str, list[str]]
"""What stands before the first line of a moment, and its lines."""


def _told(moment: Moment) -> Iterator[str]:
    """The lines of a moment, in the manner of `show --events`, with all that is known beside the event."""
    head, lines = _TELLERS[moment.event.what.kind](moment, moment.event.what)
    for number, line in enumerate(lines):
        yield f"{_head(head if number == 0 else '')}{line}"


def _head(words: str) -> str:
    return f"{typer.style(f'{words:>{WIDTH}}', dim=True)}  "


def _opened(moment: Moment, what: Any) -> Told:
    brief = moment.opening["request"].get("brief") or {}
    writers = ", ".join(f"{role} {name}" for role, name in sorted(what.adapters.items(), reverse=True))
    mode = f", mode {what.mode}" if what.mode else ""
    limits = ", ".join(
        f"{limit:g} {name.replace('_', ' ')}" for name, limit in what.budget.items() if limit is not None
    )
    return "opened", [
        *_words(f"{what.operation} {what.content}: {brief.get('name') or what.document}"),
        *_words(f"{writers}{mode}; {what.policy.replace('_', ' ')}; at most {limits}"),
        f"{len(moment.snapshot.files) or 'no'} files to begin with",
    ]


def _step(moment: Moment, what: Any) -> Told:
    return f"step {what.turn}.{what.step}", _reply(moment) or ["finished"]


def _judge(moment: Moment, what: Any) -> Told:
    answers = (line for answer in moment.answers for line in _answer(answer))
    return "judge", [*(_reply(moment) or ["replied"]), *answers]


def _reply(moment: Moment) -> list[str]:
    """The words and the calls of a reply; and why it ended, unless it came to its own end."""
    if moment.reply is None:
        return []
    stopped = [] if moment.reply.stop in {"end", "calls"} else [f"(this reply ended as {moment.reply.stop})"]
    calls = (line for call in moment.reply.calls for line in _call(call))
    return [*_words(moment.reply.text), *stopped, *calls]


def _call(call: Call) -> list[str]:
    """The call with its short arguments in a line, the longer ones below."""
    given = _arguments(call)
    if given is None:
        return [*_named(call.name, ""), *_indented(_lines_of(call.arguments, VALUE_LINES))]
    short = {key: text for key, text in given.items() if len(text) <= SHORT and "\n" not in text}
    lines = _named(call.name, "  ".join(f"{key}={text}" for key, text in short.items()))
    for key, text in given.items():
        if key not in short:
            lines += _indented([f"{_clean(key)}, {len(text):,} characters", *_lines_of(text, VALUE_LINES)])
    return lines


def _named(name: str, words: str) -> list[str]:
    """A name that stands out, with what follows it."""
    first, *rest = _words(f"{name}  {words}".rstrip()) or [""]
    shown = _clean(name)
    if first.startswith(shown):
        first = typer.style(shown, bold=True) + first.removeprefix(shown)
    return [first, *_indented(rest)]


def _arguments(call: Call) -> dict[str, str] | None:
    """Each argument as text; None where they are no object."""
    from compositor._values import NotJson, read_json

    try:
        given = read_json(call.arguments)
    except NotJson:
        return None
    if not isinstance(given, dict):
        return None
    return {key: value if isinstance(value, str) else _line(value) for key, value in given.items()}


def _answered(moment: Moment, what: Any) -> Told:
    lines = [line for answer in moment.answers for line in _answer(answer)]
    for change in moment.changes:
        lines += _words(f"{change.path}: {change.extent}")
        lines += _indented(_diff(change.diff[2:])) if change.diff else []
    return "", lines


def _answer(answer: Answer) -> list[str]:
    mark = typer.style("✗", fg=typer.colors.RED) if answer.failed else "→"
    first, *rest = _lines_of(f"{answer.tool}: {answer.text}", LINES)
    shown = [line for image in answer.images for line in _words(f"shown: {image.label}")]
    return [f"{mark} {first}", *_indented([*rest, *shown])]


def _diff(lines: Sequence[str]) -> list[str]:
    colours = {"+": typer.colors.GREEN, "-": typer.colors.RED, "@": typer.colors.CYAN}
    short = (_clean(line).expandtabs(4)[: COLUMNS - 2] for line in lines[:LINES])
    return [*(typer.style(line, fg=colours.get(line[:1])) for line in short), *_rest(len(lines) - LINES)]


def _built(moment: Moment, what: Any) -> Told:
    if what.failed:
        return "built", _words(f"nothing: {what.failed}")
    changed = [line for change in moment.changes for line in _words(f"{change.path}: {change.extent}")]
    unchanged = ["as before: nothing that it is built from has changed"] if what.unchanged else []
    made = ", ".join(sorted(moment.made))
    return "built", [*(unchanged or changed or ["nothing"]), *(_words(f"made {made}") if made else [])]


def _checked(moment: Moment, what: Any) -> Told:
    verdict = what.verdict
    mark = MARKS[verdict["status"]]
    shown = typer.style(mark, fg=COLOURS[mark]) if mark in COLOURS else mark
    reason = f" ({verdict['reason']})" if verdict["reason"] else ""
    count = f", {verdict['examined']} examined" if verdict["examined"] else ""
    again = ", as before" if what.unchanged else ""
    first, *rest = _words(f"{verdict['verifier']}: {verdict['status'].replace('_', ' ')}{reason}{count}{again}")
    findings = (line for finding in verdict["findings"] for line in _finding(finding))
    return "checked", [f"{shown} {first}", *_indented([*rest, *findings])]


def _finding(finding: Json) -> list[str]:
    where = finding["where"]
    place = where["of"] + (f":{where['line']}" if where["line"] else "")
    figures = ""
    if finding["measured"] is not None:
        limit = f", threshold {_line(finding['threshold'])}" if finding["threshold"] is not None else ""
        figures = f" (measured {_line(finding['measured'])}{limit})"
    words = _words(f"{finding['severity']} at {place}: {finding['message']}{figures}")
    return [*words, *_words(f"→ {finding['remedy']}" if finding["remedy"] else "")]


def _rejected(moment: Moment, what: Any) -> Told:
    first = f"draft {what.draft}, {what.by}; repair {what.rejections} of {what.allowed}"
    return "rejected", [first, *_indented([line for finding in what.findings for line in _finding(finding)])]


def _ended(moment: Moment, what: Any) -> Told:
    version = f"version {what.version}" if what.version else "no version"
    unfinished = (moment.result or {}).get("unfinished") or ()
    return "ended", [
        f"{what.status} ({what.ending}), verification {what.verification}, {version}",
        *(line for warning in what.warnings for line in _words(f"warning: {warning}")),
        *(line for item in unfinished for line in _words(f"unfinished: {item}")),
    ]


def _stopped(moment: Moment, what: Any) -> Told:
    return "stopped", ["interrupted; it can be resumed"]


def _resumed(moment: Moment, what: Any) -> Told:
    return "resumed", [f"attempt {moment.event.attempt}; {what.recorded} recorded effects are not run again"]


_TELLERS: dict[str, Callable[[Moment, Any], Told]] = {
    "operation_opened": _opened,
    "step_taken": _step,
    "tool_answered": _answered,
    "deliverable_built": _built,
    "checked": _checked,
    "judge_replied": _judge,
    "draft_rejected": _rejected,
    "operation_interrupted": _stopped,
    "operation_resumed": _resumed,
    "operation_ended": _ended,
}


def _words(text: str) -> list[str]:
    """A text in lines that can be read."""
    paragraphs = _clean(text).splitlines()
    return [line for words in paragraphs for line in textwrap.wrap(words, COLUMNS - 2, break_on_hyphens=False) or [""]]


def _lines_of(text: str, most: int) -> list[str]:
    lines = _words(text)
    return [*lines[:most], *_rest(len(lines) - most)]


def _rest(lines: int) -> list[str]:
    return [typer.style(f"… {lines:,} more", dim=True)] if lines > 0 else []


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _clean(text: str) -> str:
    """Without what a terminal would obey: these are words of models and tools."""
    return _CONTROL.sub("\ufffd", text)


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
