"""Operations: generate and resume, with everything that they need built and injected here."""

from __future__ import annotations

from compositor.operations._cancel import cancel
from compositor.operations._doctor import Proof, equip_machine, examine_machine
from compositor.operations._environment import Environment, data_folder
from compositor.operations._export import export, refuse_folder
from compositor.operations._generate import generate, generate_sync, resume, resume_sync, stored_result
from compositor.operations._handle import Handle
from compositor.operations._opening import read_package
from compositor.operations._result import NotChecked, Result, ResultArtifact, SavedVersion, Usage
from compositor.operations._verify import Verified, verify

__all__ = [
    "Environment",
    "Handle",
    "NotChecked",
    "Proof",
    "Result",
    "ResultArtifact",
    "SavedVersion",
    "Usage",
    "Verified",
    "cancel",
    "data_folder",
    "equip_machine",
    "examine_machine",
    "export",
    "generate",
    "generate_sync",
    "read_package",
    "refuse_folder",
    "resume",
    "resume_sync",
    "stored_result",
    "verify",
]
