"""Measurements `small-text` and `taps`: words are large enough to read, and links to be pressed. All of it warns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.capabilities import COPY, CheckContext, Finding, Report, Scope, Section, Verifier, Where, copy_sections
from compositor.capabilities.email._checks._screens import pages, told_once, unseen
from compositor.capabilities.email._deliverable import LAYOUT, MOBILE
from compositor.verifiers.layout import Text, texts
from compositor.verifiers.targets import TARGET_THRESHOLDS, Target, small_targets, targets

SIZES: Mapping[str, Json] = {
    # House defaults, in CSS pixels: 14 is the smallest body size that mail is set in, 11 the smallest small print.
    "body_px": 14,
    "least_px": 11,
}

TAPS: Mapping[str, Json] = {
    **TARGET_THRESHOLDS,
    # A house default: the height of a button in a phone's own programs (Apple's Human Interface Guidelines: 44 pt).
    "action_px": 44,
}


async def _check_text(ctx: CheckContext) -> Report:
    seen = await pages(ctx)
    apart = _apart_from_body(copy_sections(await ctx.artifacts.read_json(COPY)))
    read = [(LAYOUT + name, text) for name, facts in seen.items() for text in texts(facts) if _is_word(text)]
    findings = told_once(
        finding
        for label, text in read
        for finding in _small(text, label, ctx.thresholds, is_body=_key(text.text) not in apart)
    )
    if reason := unseen(seen):
        return Report.inconclusive(reason, examined=len(read), findings=findings)
    return Report(examined=len(read), findings=findings, measures={"texts": len(read)})


def _apart_from_body(copy: Sequence[Section]) -> str:
    """What the small print and the buttons say: both are set smaller than the body on purpose."""
    return "\n".join(_key(section.text) for section in copy if section.role in {"legal", "action"})


def _key(text: str) -> str:
    """The words without white space and case, by which a measured text is found in the copy."""
    return "".join(unicodedata.normalize("NFKC", text).split()).casefold()


def _is_word(text: Text) -> bool:
    """Not a mark of a reference, a sign or an emoji."""
    return any(map(str.isalpha, text.text))


def _small(text: Text, label: str, limits: Mapping[str, Json], *, is_body: bool) -> Iterator[Finding]:
    limit = limits["body_px"] if is_body else limits["least_px"]
    if text.size < limit:
        tiny = text.size < limits["least_px"]
        yield Finding(
            code="tiny-text" if tiny else "small-text",
            severity="warning",
            message=f"“{text.text[:60]}” is set in {text.size:g} px",
            where=Where(of=label, box=text.box),
            measured=text.size,
            threshold=limit,
            remedy=f"set it in {limit} px or more" + ("" if tiny else ", or plan its section as legal or footer"),
        )


async def _check_taps(ctx: CheckContext) -> Report:
    seen = await pages(ctx)
    copy = copy_sections(await ctx.artifacts.read_json(COPY))
    pressed = {name: targets(facts) for name, facts in seen.items()}
    count = sum(map(len, pressed.values()))
    if not count and not unseen(seen):
        return Report.not_applicable(0, of="links")
    small = (
        finding
        for name, facts in seen.items()
        for finding in small_targets(facts, label=LAYOUT + name, thresholds=ctx.thresholds)
    )
    wanted = _main_action(copy, str(ctx.view.get("brief.messaging.cta.text", "")))
    action = _pressed_for(wanted, pressed[MOBILE.name], texts(seen[MOBILE.name])) if wanted else None
    findings = told_once((*small, *(_low(action, wanted, ctx.thresholds["action_px"]) if action else ())))
    if reason := unseen(seen):
        return Report.inconclusive(reason, examined=count, findings=findings)
    return Report(examined=count, findings=findings, measures={"targets": count})


def _main_action(copy: Sequence[Section], asked: str) -> str:
    """The words of the button that the brief asks for, else of the first button."""
    said = [section.text for section in copy if section.role == "action"]
    return next((words for words in said if _key(words) == _key(asked)), said[0] if said else "")


def _pressed_for(words: str, pressed: Sequence[Target], read: Sequence[Text]) -> Target | None:
    """The first target that holds these words, which is how a button is told from a picture with the same address."""
    spots = [text.box for text in read if _key(text.text) == _key(words)]
    return next((target for target in pressed if any(_holds(target.box, spot) for spot in spots)), None)


def _holds(outer: Sequence[float], inner: Sequence[float]) -> bool:
    x, y = inner[0] + inner[2] / 2, inner[1] + inner[3] / 2
    return outer[0] <= x <= outer[0] + outer[2] and outer[1] <= y <= outer[1] + outer[3]


def _low(action: Target, words: str, least: float) -> Iterator[Finding]:
    height = action.box[3]
    if height < least:
        yield Finding(
            code="small-main-action",
            severity="warning",
            message=f"the main button “{words[:60]}” is {height:g} px high on a phone",
            where=Where(of=LAYOUT + MOBILE.name, box=action.box),
            measured=height,
            threshold=least,
            remedy=f"give it inner padding until it is {least} px high",
        )


small_text = Verifier(
    name="small-text",
    version="1",
    kind="measurement",
    check=_check_text,
    reads=Scope(labels=(COPY, LAYOUT)),
    thresholds=SIZES,
)

taps = Verifier(
    name="taps",
    version="1",
    kind="measurement",
    check=_check_taps,
    reads=Scope(fields=("brief",), labels=(COPY, LAYOUT)),
    thresholds=TAPS,
)
