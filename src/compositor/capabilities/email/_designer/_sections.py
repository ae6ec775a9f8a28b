"""Role → how it is drawn, and on which ground it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compositor.capabilities.email._designer import _frame as frame
from compositor.capabilities.email._designer import _messages as messages
from compositor.capabilities.email._designer import _openings as openings
from compositor.capabilities.email._designer import _tables as tables
from compositor.capabilities.email._designer._elements import Rows, Sheet
from compositor.capabilities.email._designer._plan import Role, Section

DRAWN: Mapping[Role, tuple[str, Callable[[Section, Sheet], Rows]]] = {
    "header": ("page", frame.header),
    "hero": ("surface", openings.hero),
    "lead": ("surface", messages.lead),
    "strip": ("surface", tables.strip),
    "notice": ("surface", frame.notice),
    "details": ("surface", tables.details),
    "agenda": ("raised", tables.agenda),
    "cards": ("surface", messages.cards),
    "feature": ("surface", messages.feature),
    "list": ("surface", messages.listed),
    "statement": ("surface", messages.statement),
    "quote": ("raised", messages.quote),
    "closing": ("band", frame.closing),
    "references": ("page", frame.legal),
    "legal": ("page", frame.legal),
    "footer": ("page", frame.footer),
}
"""Role → the name of its ground, and the function that draws its parts as rows of MJML."""
