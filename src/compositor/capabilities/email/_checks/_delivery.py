"""Measurement `delivery`: what a sender and the law need around the words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compositor._values import Json
from compositor.capabilities import (
    COPY,
    CheckContext,
    Finding,
    Report,
    Scope,
    Section,
    Verifier,
    View,
    Where,
    copy_sections,
)
from compositor.capabilities.email._checks._origin import written_here
from compositor.capabilities.email._deliverable import DELIVERY, HTML, PLAN, SOURCE, TEXT
from compositor.capabilities.email._passages import Passage, passages
from compositor.verifiers import Severity
from compositor.workspace.wording import folded, squeezed

THRESHOLDS: Mapping[str, Json] = {
    # A house default: what inboxes show beside a subject of usual length (CHECKS §1).
    "preheader_characters": 140,
}


async def _check(ctx: CheckContext) -> Report:
    mail = _Mail(
        manifest=await ctx.files.read_json(DELIVERY),
        text=await ctx.files.read_text(TEXT),
        passages=passages(await ctx.files.read_text(HTML)),
        copy=copy_sections(await ctx.artifacts.read_json(COPY)),
        strict="blocking" if written_here(ctx.record) else "note",
    )
    checks = (
        _header(mail, ctx.thresholds["preheader_characters"]),
        _sender(mail),
        _unsubscribe(mail, ctx.view),
        _postal_address(mail, ctx.view),
        _text_part(mail),
        _required_words(mail, ctx.view),
    )
    findings = tuple(finding for found in checks for finding in found)
    return Report(examined=len(checks), findings=findings, measures={"text_characters": len(mail.text)})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mail:
    """What is sent: the manifest, the text part, and the words of the HTML part.

    Attributes:
        strict: the severity of what only the writer of a mail can be held to.
    """

    manifest: Mapping[str, Json]
    text: str
    passages: tuple[Passage, ...]
    copy: tuple[Section, ...]
    strict: Severity

    @property
    def visible(self) -> str:
        """The words that a reader sees, in one form."""
        return folded(" ".join(passage.text for passage in self.passages if not passage.hidden))

    @property
    def preview(self) -> str:
        """The hidden words at the top, which inboxes show beside the subject."""
        return next((passage.text for passage in self.passages if passage.hidden), "")


def _header(mail: _Mail, limit: int) -> Iterator[Finding]:
    subject, preheader = str(mail.manifest["subject"]).strip(), str(mail.manifest["preheader"]).strip()
    if not subject:
        yield _finding(
            "missing-subject", mail.strict, "the mail has no subject", PLAN, "write header.subject in the plan"
        )
    if not preheader and not mail.preview:
        remedy = "write header.preheader in the plan, and the same words in mj-preview"
        yield _finding("missing-preheader", mail.strict, "the mail has no preheader", PLAN, remedy)
        return
    shown = mail.preview or preheader
    if subject and folded(shown) == folded(subject):
        remedy = "let the preheader add something to the subject"
        yield _finding("preheader-repeats-subject", "warning", "the preheader repeats the subject", PLAN, remedy)
    if len(shown) > limit:
        message = f"the preheader has {len(shown)} characters; inboxes show about {limit}"
        yield _finding("preheader-long", "warning", message, PLAN, "shorten it", measured=len(shown), threshold=limit)
    if preheader and folded(preheader) != folded(mail.preview):
        remedy = "write the plan's preheader in <mj-preview>, word for word"
        message = "the mail's own preview text is not the preheader of the plan"
        yield _finding("preheader-differs", "warning", message, SOURCE, remedy, measured=mail.preview[:200])


def _sender(mail: _Mail) -> Iterator[Finding]:
    """Duties of the sender, which the writer cannot meet: warnings (RFC 8058; Gmail's guidelines for bulk senders)."""
    if not mail.manifest["sender"]:
        remedy = "the request gives delivery.sender"
        yield _finding("missing-sender", "warning", "the request names no sender", DELIVERY, remedy)
    if "List-Unsubscribe" not in mail.manifest["headers"]:
        remedy = "the request gives delivery.unsubscribe"
        message = "there is no address for the header List-Unsubscribe"
        yield _finding("missing-list-unsubscribe", "warning", message, DELIVERY, remedy)


def _unsubscribe(mail: _Mail, view: View) -> Iterator[Finding]:
    """A visible link to the request's own address (Gmail's guidelines for bulk senders; CAN-SPAM)."""
    address = str(view.get("delivery.unsubscribe", ""))
    links = {
        piece.href for passage in mail.passages if not passage.hidden for piece in passage.pieces if piece.text.strip()
    }
    if address and address not in links:
        message = f"no visible link leads to the unsubscribe address {address[:120]!r}"
        remedy = f'write a visible link with href="{address}" near the end'
        yield _finding("unsubscribe-missing", "blocking", message, SOURCE, remedy, threshold=address)


def _postal_address(mail: _Mail, view: View) -> Iterator[Finding]:
    """CAN-SPAM: a valid postal address stands in the mail."""
    address = str(view.get("delivery.postal_address", ""))
    if address and folded(address) not in mail.visible:
        message = f"the postal address {address[:120]!r} is not visible"
        yield _finding(
            "postal-address-missing", "blocking", message, SOURCE, "write it into the footer", threshold=address
        )
    elif not address:
        remedy = "the request gives delivery.postal_address"
        yield _finding("no-postal-address", "warning", "the request gives no postal address", DELIVERY, remedy)


_UNTOLD = frozenset({"hidden", "picture", "subject"})
"""Roles of copy that no text part has to say: the preview, words that stand for pictures, the header's own line."""


def _text_part(mail: _Mail) -> Iterator[Finding]:
    """The text part says everything that the HTML part says (RFC 2046, 5.1.4: the same in simpler form)."""
    if not mail.text.strip():
        yield _finding(
            "empty-text-part", "blocking", "the text part is empty", TEXT, "write text that is not in pictures"
        )
        return
    addresses = sorted({piece.href for passage in mail.passages for piece in passage.pieces}, key=len, reverse=True)
    said = mail.text
    for address in addresses:  # they stand behind the words that lead there
        said = said.replace(f"({address.strip().removeprefix('mailto:')})", "") if address else said
    told = _unset(said)
    for section in mail.copy:
        if section.role not in _UNTOLD and _unset(section.text) not in told:
            message = f"the text part lacks {section.text[:60]!r}"
            yield _finding("text-part-lacks", "blocking", message, TEXT, "write it as text, outside of hidden parts")


def _unset(text: str) -> str:
    """Words without what a text part sets between the cells of a row."""
    return squeezed(text).replace("|", "").rstrip(":")


def _required_words(mail: _Mail, view: View) -> Iterator[Finding]:
    for words in view.get("brief.must_include", ()):
        if folded(words) not in mail.visible:
            message = f"the brief asks for these words, and they are not visible: {words[:120]!r}"
            yield _finding(
                "required-words-missing", "blocking", message, SOURCE, "write them word for word", threshold=words
            )


def _finding(
    code: str,
    severity: Severity,
    message: str,
    of: str,
    remedy: str,
    *,
    measured: Json = None,
    threshold: Json = None,
) -> Finding:
    return Finding(
        code=code,
        severity=severity,
        message=message,
        where=Where(of=of),
        measured=measured,
        threshold=threshold,
        remedy=remedy,
    )


delivery = Verifier(
    name="delivery",
    version="2",
    kind="measurement",
    check=_check,
    reads=Scope(fields=("brief", "delivery"), files=(DELIVERY, HTML, TEXT), labels=(COPY,)),
    thresholds=THRESHOLDS,
    required=True,
)
