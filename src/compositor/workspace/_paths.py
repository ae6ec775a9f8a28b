"""Names of files and labels: one grammar, one way to compare, one way to say "this folder".

A path is relative, has forward slashes and is in NFC. A *pattern* is a path, or a folder with a closing slash
(`assets/`), which stands for everything below it; the empty pattern stands for everything. Labels of artifacts
(`render/large`) follow the same grammar.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from compositor.errors import PathRefused

MAX_COMPONENT_BYTES = 255
"""Longest file name that common file systems take (ext4, APFS, NTFS)."""
MAX_DEPTH = 16
"""More folders than any deliverable needs; keeps exported paths below the limits of archive formats."""


def checked_path(path: str) -> str:
    """The path itself if it is a plain relative path.

    Raises:
        PathRefused: absolute, climbing, empty, odd or overlong paths, and names not in NFC.
    """
    if reason := _fault(path):
        raise PathRefused(path, reason)
    return path


@lru_cache(maxsize=1024)  # every step asks for the same few again
def _fault(path: str) -> str | None:
    parts = path.split("/")
    if not path:
        return "it is empty"
    if path.startswith("/") or path[1:2] == ":":
        return "it is absolute"
    if "\\" in path:
        return "it has a backslash"
    if any(unicodedata.category(char) in {"Cc", "Cs", "Cf", "Zl", "Zp"} for char in path):
        return "it has a control, format, line break or surrogate character"
    if any(part in {".", ".."} for part in parts):
        return "it climbs out of its folder"
    if any(not part or part != part.strip() or part.endswith(".") for part in parts):
        return "a part of it is empty, or begins or ends with a space or ends with a dot"
    if len(parts) > MAX_DEPTH or any(len(part.encode()) > MAX_COMPONENT_BYTES for part in parts):
        return "it is too long"
    if unicodedata.normalize("NFC", path) != path:
        return "it is not in Unicode normal form C"
    return None


def fold(path: str) -> str:
    """The form in which two names collide: NFC and case-folded, as macOS and Windows compare them."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def covers(pattern: str, path: str) -> bool:
    """Whether the pattern stands for the path."""
    return pattern in {"", path} or (pattern.endswith("/") and path.startswith(pattern))


def covered(path: str, patterns: Iterable[str]) -> bool:
    """Whether any of the patterns stands for the path."""
    return any(covers(pattern, path) for pattern in patterns)


def overlap(one: str, other: str) -> bool:
    """Whether two patterns can name the same file, or one claims a parent folder of the other, ignoring case."""
    one, other = as_folder(fold(one)), as_folder(fold(other))
    return one.startswith(other) or other.startswith(one)


def as_folder(name: str) -> str:
    """The pattern of a folder, with or without its closing slash; the empty name stays the pattern for everything."""
    return name.rstrip("/") + "/" if name else ""


def overlaps(ones: Iterable[str], others: Iterable[str]) -> bool:
    """Whether any pattern of one group overlaps any of the other."""
    others = tuple(others)
    return any(overlap(one, other) for one in ones for other in others)
