"""How a suite says that a sentence does not hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


def must(holds: bool, sentence: str) -> None:  # noqa: FBT001 - it reads as a sentence: `must(a == b, "…")`
    """Raise AssertionError with the sentence unless it holds; never stripped, as `assert` may be."""
    if not holds:
        raise AssertionError(sentence)


@contextmanager
def must_raise(kind: type[Exception], sentence: str) -> Iterator[None]:
    """Raise AssertionError unless the block raises an error of that kind. Another kind goes through."""
    try:
        yield
    except kind:
        return
    raise AssertionError(sentence)
