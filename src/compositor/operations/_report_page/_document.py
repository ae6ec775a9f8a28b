"""The document around a page of the house: its style, and a policy that lets nothing run and nothing load."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources
from string import Template

from compositor.operations._report_page._html import Markup, tag, text, together


def document(*, title: str, header: Markup, main: Markup, footer: Markup, style: str = "") -> str:
    """A whole page as HTML.

    Args:
        title: of the window.
        header: its top.
        main: its middle.
        footer: its end.
        style: rules of this page, after those of the house.
    """
    style = part("page.css") + style
    return Template(part("page.html")).substitute(
        title=text(title),
        style_digest=base64.b64encode(hashlib.sha256(style.encode()).digest()).decode("ascii"),
        style=style,
        header=header,
        main=main,
        footer=together(footer, tag("p", "This page is complete in itself: it loads nothing and runs nothing.")),
    )


def part(name: str, package: str = __package__) -> str:
    """The text of a file that ships with a package."""
    return resources.files(package).joinpath(name).read_text("utf-8")
