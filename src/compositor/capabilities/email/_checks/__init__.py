"""The checks of an email: measurements, each with its thresholds and their sources, and one judgment.

What was written here is held to all of them. A mail that came from outside is measured in the same way, but what only a
request can decide (a plan, a subject, the host of its pictures) does not fail it.
"""

from __future__ import annotations

from compositor.capabilities.email._checks._contrast import contrast
from compositor.capabilities.email._checks._delivery import delivery
from compositor.capabilities.email._checks._document import html_document
from compositor.capabilities.email._checks._hosts import hosts
from compositor.capabilities.email._checks._layout import layout
from compositor.capabilities.email._checks._links import links
from compositor.capabilities.email._checks._message import message_file
from compositor.capabilities.email._checks._pictures import pictures
from compositor.capabilities.email._checks._placeholders import placeholders
from compositor.capabilities.email._checks._plan import plan
from compositor.capabilities.email._checks._readable import small_text, taps
from compositor.capabilities.email._checks._rubric import email_rubric
from compositor.capabilities.email._checks._size import compiled_size
from compositor.capabilities.email._checks._structure import mjml_structure

VERIFIERS = (
    mjml_structure,
    compiled_size,
    html_document,
    links,
    hosts,
    pictures,
    placeholders,
    layout,
    contrast,
    small_text,
    taps,
    plan,
    delivery,
    message_file,
    email_rubric,
)
