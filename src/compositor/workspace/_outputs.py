"""Who owns which file, and whose words a file holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Voice = Literal["user", "brand", "upstream", "system"]
"""Whose words a given file holds. The manifest tells the writer, so that quoted words are never taken for orders."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A file, or a folder of files, that one capability owns.

    Attributes:
        path: a path, or a folder with a closing slash.
        derived: made by the capability's `build` alone; tools cannot write it. Otherwise written by its tools.
        required: whether the deliverable is incomplete without it.
        about: one line for the writer and the docs.
    """

    path: str
    derived: bool = False
    required: bool = True
    about: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A file that a capability lays into the workspace when the operation opens.

    Attributes:
        content: its text or bytes.
        voice: whose words it holds.
        about: one line for the manifest.
    """

    content: str | bytes
    voice: Voice = "system"
    about: str = ""
