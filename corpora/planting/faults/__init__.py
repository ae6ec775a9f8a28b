"""The faults, a module for each family of measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from corpora.planting._kind import Kind
from corpora.planting.faults._parts import PARTS
from corpora.planting.faults._words import WORDS

FAMILIES: Sequence[Mapping[str, Sequence[Kind]]] = (PARTS, WORDS)
"""Measurement → the kinds of fault that it has to find."""
