"""What the request gives that cohesion has to respect: its words, those that are fixed, what it asks to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compositor._values import Json
from compositor.capabilities import Section, View
from compositor.verifiers.sentences import texts, words

FIELDS = ("brand", "brief", "locale", "rules.required_disclosures")
"""What decides what of the copy belongs together."""


_OF_BRIEF = ("messaging", "description", "must_include")
_OF_BRAND = ("name", "tagline", "tone", "guidelines", "disclaimers")
_NO_WORDS = frozenset({"asset", "claims", "url"})
"""Keys of messages whose values are ids and addresses."""


def given_texts(view: View) -> tuple[str, ...]:
    """Every text of the brief and the brand that is written for people; not the name that a project has in house."""
    parts = [view.get(f"brief.{part}") for part in _OF_BRIEF] + [view.get(f"brand.{part}") for part in _OF_BRAND]
    return tuple(texts([_worded(part) for part in parts]))


def _worded(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {key: _worded(item) for key, item in value.items() if key not in _NO_WORDS}
    return [_worded(item) for item in value] if isinstance(value, list | tuple) else value


def mandated(view: View) -> tuple[str, ...]:
    """Texts that stand as they were given, squeezed: nobody may change how they speak, or how often they are said."""
    return tuple(squeezed for text in _mandated(view) if (squeezed := _squeezed(text)))


def _mandated(view: View) -> Iterator[str]:
    yield from view.get("brief.must_include", ())
    yield from texts(view.get("brief.messaging.quote"))
    for required in (view.get("rules.required_disclosures", ()), view.get("brand.disclaimers", ())):
        yield from (one["text"] for one in required)


def is_mandated(section: Section, fixed: Sequence[str]) -> bool:
    """Whether a section holds `mandated` words, or is a part of them: long ones are set in several paragraphs."""
    said = _squeezed(section.text)
    return bool(said) and any(said in text or text in said for text in fixed)


def _squeezed(text: str) -> str:
    return "".join(words(text))


def asked_actions(view: View) -> tuple[str, ...]:
    """The words of the calls to action that the brief asks for: the main one, and those of its messages."""
    messaging = view.get("brief.messaging", {})
    holders = (messaging, *(messaging.get("key_messages") or ()))
    return tuple(holder["cta"]["text"] for holder in holders if holder.get("cta"))


def address_given(view: View) -> bool:
    """Whether the request says where its main call to action leads."""
    return bool(view.get("brief.messaging.cta.url") or view.get("brand.url"))
