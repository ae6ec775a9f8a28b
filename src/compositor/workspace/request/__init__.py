"""The request package: its schema, how it is read, and everything that can be wrong with it."""

from __future__ import annotations

from compositor.workspace.request._blocks import Asset, Point
from compositor.workspace.request._fields import is_field
from compositor.workspace.request._meaning import MERGE_TAGS
from compositor.workspace.request._read import read_request, request_of
from compositor.workspace.request._request import REFERENCE_LED, SCHEMA_VERSION, Request, traits_of
from compositor.workspace.request._schema import request_schema
from compositor.workspace.request._template import request_template

__all__ = [
    "MERGE_TAGS",
    "REFERENCE_LED",
    "SCHEMA_VERSION",
    "Asset",
    "Point",
    "Request",
    "is_field",
    "read_request",
    "request_of",
    "request_schema",
    "request_template",
    "traits_of",
]
