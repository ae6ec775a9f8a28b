"""Operations: generate and resume, with everything that they need built and injected here."""

from __future__ import annotations

from compositor.operations._environment import Environment, data_folder
from compositor.operations._generate import generate, generate_sync, resume, resume_sync, stored_result
from compositor.operations._handle import Handle
from compositor.operations._result import NotChecked, Result, ResultArtifact, SavedVersion, Usage

__all__ = [
    "Environment",
    "Handle",
    "NotChecked",
    "Result",
    "ResultArtifact",
    "SavedVersion",
    "Usage",
    "data_folder",
    "generate",
    "generate_sync",
    "resume",
    "resume_sync",
    "stored_result",
]
