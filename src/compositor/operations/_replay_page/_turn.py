"""A turn of the writer: its steps, each with its words, its calls, their answers, and what these changed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from compositor._values import Json, NotJson, read_json, thaw
from compositor.operations._changes import Change
from compositor.operations._replay import Moment
from compositor.operations._replay_page._chapters import Chapter, pause
from compositor.operations._replay_page._prints import Prints
from compositor.operations._report_page._html import Markup, tag, together
from compositor.operations._report_page._words import count, seconds, shown
from compositor.runtime import Answer, Call, Reply
from compositor.runtime.events import StepTaken

MAX_CHARS = 20_000
"""Longest text of a model or a tool that the page shows; the command line prints it whole with `--json`."""
MAX_DIFF_LINES = 400
"""Longest diff that the page shows; the files of a replay folder are whole."""
FOLDED_FROM = 24
"""Diffs and answers of so many lines are folded."""
NOTICED = 0.05
"""Shortest time that is told, in seconds."""
SHORT = 60
"""Longest value of an argument that stands in the line of its call, in characters."""

_STOPS = {
    "length": "cut at the limit of its length",
    "filtered": "stopped by a content filter",
    "refused": "refused by the model",
}


def turn(chapter: Chapter, prints: Prints) -> Iterator[Markup]:
    """The steps, with what came between them."""
    answers = {moment.call.id: moment for moment in chapter.moments if moment.call is not None}
    for moment in chapter.moments:
        if isinstance(moment.event.what, StepTaken):
            yield _step(moment, moment.event.what, answers, prints)
        elif words := pause(moment):
            yield tag("p", words, class_="pause")


def _step(moment: Moment, what: StepTaken, answers: Mapping[str, Moment], prints: Prints) -> Markup:
    reply = moment.reply or Reply()
    return tag(
        "article",
        tag("h3", f"Step {what.turn}.{what.step}", tag("span", _took(moment, reply), class_="tally")),
        tag("p", f"This reply was {_STOPS[reply.stop]}.", class_="pause") if reply.stop in _STOPS else None,
        said(reply.text),
        *(_call(call, answers.get(call.id), prints) for call in reply.calls),
        class_="step",
    )


def _took(moment: Moment, reply: Reply) -> str:
    tokens = [
        f"{number:,} tokens {way}"
        for way, number in (("in", reply.usage.input_tokens), ("out", reply.usage.output_tokens))
        if number
    ]
    took = [seconds(moment.seconds)] if moment.seconds and moment.seconds >= NOTICED else []
    return ", ".join([*took, *tokens])


def said(words: str) -> Markup | None:
    """What a model said."""
    return tag("p", cut(words), class_="said") if words.strip() else None


def _call(call: Call, moment: Moment | None, prints: Prints) -> Markup:
    answer = moment.answers[0] if moment else None
    return tag(
        "div",
        called(call),
        answered(answer, prints) if answer else tag("p", "Not answered yet.", class_="muted"),
        *(changed(change) for change in (moment.changes if moment else ())),
        class_="call failed" if answer and answer.failed else "call",
    )


def called(call: Call) -> Markup:
    """A call: its line, and its whole arguments behind it."""
    values, brief = _arguments(call)
    rows = (tag("div", tag("dt", name), tag("dd", tag("pre", cut(text)))) for name, text in values)
    line = together(tag("code", call.name, class_="tool"), tag("span", brief, class_="muted"))
    if not values:
        return tag("p", line, class_="line-of-call")
    return tag("details", tag("summary", line), tag("dl", *rows, class_="arguments"), class_="fold")


def _arguments(call: Call) -> tuple[list[tuple[str, str]], str]:
    """Each argument as text, and all of them in a line; what is no object is shown as it came."""
    try:
        given = read_json(call.arguments)
    except NotJson:
        given = None
    if not isinstance(given, Mapping):
        return [("as it came", call.arguments)], "arguments that are no object"
    values = [(name, value if isinstance(value, str) else shown(value)) for name, value in given.items()]
    return values, ", ".join(f"{name} {_brief(text)}" for name, text in values)


def _brief(text: str) -> str:
    return text if len(text) <= SHORT and "\n" not in text else f"of {count(len(text), 'character')}"


def answered(answer: Answer, prints: Prints) -> Markup:
    """An answer, with the pictures that came with it."""
    lines = answer.text.splitlines()
    text = tag("p", cut(answer.text), class_="answer")
    if len(lines) > FOLDED_FROM:
        text = tag("details", tag("summary", lines[0]), text, class_="fold answer")
    stamps = [prints.thumb(image.sha256, image.label) for image in answer.images]
    return together(text, tag("div", *stamps, class_="stamps") if stamps else None)


def changed(change: Change) -> Markup:
    """What became of a file."""
    line = together(tag("code", change.path), tag("span", change.extent, class_="muted"))
    if not change.diff:
        return tag("p", line, class_="change")
    tally = tag("span", tag("b", f"+{change.added}", class_="in"), " ", tag("b", f"−{change.removed}", class_="out"))
    lines = change.diff[2:]
    rest = len(lines) - MAX_DIFF_LINES
    return tag(
        "details",
        tag("summary", line, tally),
        tag("pre", *(_diff_line(text) for text in islice(lines, MAX_DIFF_LINES)), class_="diff"),
        tag("p", f"and {count(rest, 'more line')}", class_="muted") if rest > 0 else None,
        class_="fold change",
        open=len(lines) <= FOLDED_FROM,
    )


def _diff_line(line: str) -> Markup:
    kinds = {"+": "in", "-": "out", "@": "hunk", "\\": "note"}
    return tag("span", line or " ", class_=kinds.get(line[:1]))


def cut(text: str) -> str:
    """A text that a page can bear."""
    if len(text) <= MAX_CHARS:
        return text
    return f"{text[:MAX_CHARS]}\n… and {count(len(text) - MAX_CHARS, 'more character')}"


def pretty(value: Json) -> Markup:
    """A JSON value, folded out for reading."""
    return tag("pre", cut(json.dumps(thaw(value), indent=2, ensure_ascii=False)))


def rows(pairs: Sequence[tuple[str, str]]) -> Markup:
    """Names with their values, side by side."""
    return tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in pairs), class_="measures")
