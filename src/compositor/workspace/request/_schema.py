"""The JSON Schema of a request, for editors, forms and other languages."""

from __future__ import annotations

from compositor._values import Json
from compositor.workspace.request._request import SCHEMA_VERSION, Request


def request_schema() -> Json:
    """The schema (draft 2020-12) of the shape of a request, as a JSON object.

    What a package says beyond its shape — ids that meet, tokens that resolve — only `read_request` can tell.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:compositor:request:{SCHEMA_VERSION}",
        **Request.model_json_schema(),
        "title": "Request of a compositor operation",
    }
