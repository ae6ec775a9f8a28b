"""Email: MJML and a plan in, a compiled, rendered and measured mail out."""

from __future__ import annotations

from compositor.capabilities import Capability, Output, Reads
from compositor.capabilities.email._build import build
from compositor.capabilities.email._checks import VERIFIERS
from compositor.capabilities.email._deliverable import DELIVERY, EML, HTML, PICTURES, PLAN, SOURCE, TEXT
from compositor.capabilities.email._designer import design
from compositor.capabilities.email._given import given_files
from compositor.capabilities.email._instructions import instructions
from compositor.capabilities.email._opens import OPENS
from compositor.capabilities.email._tools import TOOLS

__all__ = ["email"]

email = Capability(
    name="email",
    kind="content",
    content_type="email",
    about="a marketing email: MJML compiled to HTML, with its plain-text part, plan and delivery manifest",
    reads=Reads(
        required=("brief",),
        optional=(
            "assets",
            "audience",
            "blueprint",
            "brand",
            "claims",
            "delivery",
            "edit",
            "evaluation",
            "examples",
            "locale",
            "references",
            "rules",
            "sources",
        ),
    ),
    owns=(
        Output(path=SOURCE, about="the source of the mail, in MJML"),
        Output(path=PLAN, about="header and sections of the mail, with what each rests on"),
        Output(path=PICTURES, required=False, about="pictures that were made for the mail"),
        Output(path=HTML, derived=True, about="the mail, compiled"),
        Output(path=TEXT, derived=True, about="its plain-text part"),
        Output(
            path=DELIVERY, derived=True, about="subject, sender, headers, parts and pictures, for the sending system"
        ),
        # Required of outside mail too: a picture that is not at hand keeps its address, so it can always be made.
        Output(path=EML, derived=True, about="the mail with its pictures in one file, as a mail program opens it"),
    ),
    tools=TOOLS,
    verifiers=VERIFIERS,
    ports=("compiler", "images", "pictures", "renderer"),
    files=given_files,
    instructions=instructions,
    build=build,
    opens=OPENS,
    designer=design,
)
"""The content capability of the content type `email`."""
