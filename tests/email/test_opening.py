"""Outside files that can be verified as mails."""

from __future__ import annotations

import pytest

from compositor.authoring import ToolError
from tests.email.bench import (
    Bench,
)

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("suffix", "data", "path"),
    [
        (".mjml", b"<mjml><mj-body/></mjml>", "email.mjml"),
        (".mjml", b"\xef\xbb\xbf<!-- x --><mjml/>", "email.mjml"),
        (".html", b"<!doctype html><p>x", "outside.html"),
        (".htm", b"<html></html>", "outside.html"),
    ],
)
def test_an_outside_file_becomes_workspace_files(suffix: str, data: bytes, path: str) -> None:
    assert Bench().capability.opens[suffix](data) == {path: data}


@pytest.mark.parametrize(
    ("suffix", "data"),
    [
        (".mjml", b"<html></html>"),
        (".mjml", b""),
        (".html", b"plain words"),
        (".html", b"<p>\xff"),
        (".html", b"<p>" + b"x" * 2_200_000),
    ],
)
def test_what_is_no_mail_is_refused(suffix: str, data: bytes) -> None:
    with pytest.raises(ToolError):
        Bench().capability.opens[suffix](data)
