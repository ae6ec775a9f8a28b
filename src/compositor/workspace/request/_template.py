"""A package to start from: valid as it stands, with sample words that say what belongs where."""

from __future__ import annotations

import copy

from compositor._values import Json
from compositor.workspace.request._request import SCHEMA_VERSION

_BRAND: Json = {
    "name": "Your brand",
    "url": "https://www.yourbrand.test/",
    "tokens": {
        "color": {
            "$type": "color",
            "ink": {"$value": {"colorSpace": "srgb", "components": [0.11, 0.13, 0.16], "hex": "#1c2129"}},
            "paper": {"$value": {"colorSpace": "srgb", "components": [0.98, 0.97, 0.95], "hex": "#faf7f2"}},
            "pine": {"$value": {"colorSpace": "srgb", "components": [0.09, 0.34, 0.28], "hex": "#175747"}},
        },
        "font": {"$type": "fontFamily", "body": {"$value": ["Inter", "Helvetica Neue", "Arial", "sans-serif"]}},
    },
    "colors": {
        "primary": "{color.pine}",
        "accent": "{color.pine}",
        "background": "{color.paper}",
        "text": "{color.ink}",
    },
    "fonts": {"heading": "{font.body}", "body": "{font.body}"},
    "palette": {"severity": "should"},
    "tone": {"voice": "Calm and plain", "dos": ["Say what it does"], "donts": ["Shout"]},
}

_MESSAGES: Json = [
    {"headline": "The first thing to say", "text": "One or two sentences that make it useful to the reader."},
    {"headline": "The second thing to say", "text": "Most important first; leave out what nobody would miss."},
]

_DELIVERY: Json = {
    "subject": "What the reader sees in the inbox",
    "preheader": "The line beside the subject that completes it.",
    "sender": {"name": "Your brand", "email": "hello@yourbrand.test"},
    "postal_address": "Your brand, 1 Main Street, Your town",
    "unsubscribe": "{{unsubscribe_url}}",
    "merge_tags": "handlebars",
}


def request_template(content: str) -> Json:
    """A filled package for `generate`, as a JSON object, for any content type.

    Every word in it is a sample; the package is valid as it stands, so that the first run can come before the first
    change. Raises nothing: an odd `content` is refused when the package is read.
    """
    package: Json = {
        "schema_version": SCHEMA_VERSION,
        "operation": "generate",
        "content": content,
        "locale": "en",
        "brief": {
            "name": "Working title of this piece",
            "objective": "conversion",
            "description": "What it is for, in plain words: the occasion, the offer, what success looks like.",
            "tone": "friendly, precise",
            "messaging": {
                "headline": "The one thing to remember",
                "tagline": "One supporting line that says why it matters now.",
                "cta": {"text": "See the details", "url": "https://www.yourbrand.test/details"},
                "key_messages": _MESSAGES,
            },
            "must_include": [],
            "avoid": ["exclamation marks"],
        },
        "audience": {"description": "Who receives it, and what they know already.", "territory": ["GB"]},
        "brand": _BRAND,
    }
    return copy.deepcopy(package | _more_for(content, package))


def _more_for(content: str, package: Json) -> Json:
    """What a content type has use for, beyond what all have."""
    if content != "email":
        return {}
    details = [{"label": "When", "value": "Saturday 20 March, 10 to 16"}, {"label": "Where", "value": "1 Main Street"}]
    messaging = package["brief"]["messaging"] | {"details": details}
    return {"brief": package["brief"] | {"messaging": messaging}, "delivery": _DELIVERY}
