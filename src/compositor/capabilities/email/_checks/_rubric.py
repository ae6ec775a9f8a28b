"""The judgment: yes-or-no items that follow from the brief. What can be measured is not asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compositor.capabilities import Criterion, View
from compositor.verifiers.rubric import COHESION, rubric


def derive(view: View) -> Sequence[Criterion]:
    """The criteria for a request."""
    return tuple(_criteria(view))


def _criteria(view: View) -> Iterator[Criterion]:
    messaging = view.get("brief.messaging", {})
    yield Criterion(
        id="one-idea",
        asks="The mail has one main idea, and it is what one sees first.",
    )
    if headline := messaging.get("headline"):
        yield Criterion(id="headline", asks=f"The mail leads with the message of the brief: “{headline}”.")
    for number, message in enumerate(messaging.get("key_messages", ())[:5], 1):
        asks = f"The mail says, without changing its meaning: “{message['text'][:300]}”."
        yield Criterion(id=f"message-{number}", asks=asks)
    if action := messaging.get("cta"):
        asks = f"The call to action “{action['text']}” is unmistakable and is the most prominent thing to press."
        yield Criterion(id="call-to-action", asks=asks)
    if tone := view.get("brief.tone"):
        yield Criterion(id="tone", asks=f"The tone is: {tone}.", blocking=False)
    for number, words in enumerate(view.get("brief.avoid", ())[:5], 1):
        yield Criterion(id=f"avoids-{number}", asks=f"The mail keeps clear of: {words[:300]}.")
    if audience := view.get("audience.description"):
        asks = f"The words suit these readers: {audience[:300]}."
        yield Criterion(id="audience", asks=asks, blocking=False)
    yield from COHESION
    yield Criterion(
        id="nothing-invented",
        asks="Every fact, figure, date, price and promise in the mail stands in the brief, the claims or the rules.",
    )
    yield Criterion(
        id="language",
        asks=f"The words are natural and free of mistakes in the language {view.get('locale', 'en')}.",
    )
    yield Criterion(
        id="looks-sent",
        asks="It looks like a mail that a careful brand would send: hierarchy, even spacing, pictures that belong.",
        blocking=False,
    )


email_rubric = rubric(name="email-rubric", fields=("audience", "brief", "evaluation", "locale"), derive=derive)
