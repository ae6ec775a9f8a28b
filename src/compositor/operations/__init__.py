"""Operations: generate and resume, with everything that they need built and injected here."""

from __future__ import annotations

from compositor.operations._accuracy import Accuracy, Corpus, CorpusFaulty, accuracy, fallen, rewritten, table
from compositor.operations._cancel import cancel
from compositor.operations._doctor import Proof, equip_machine, examine_machine
from compositor.operations._environment import Environment, data_folder
from compositor.operations._export import export, refuse_folder
from compositor.operations._generate import generate, generate_sync, resume, resume_sync, stored_result
from compositor.operations._handle import Handle
from compositor.operations._opening import read_package
from compositor.operations._replay import Moment, replay
from compositor.operations._replay_folder import export_replay, refuse_filled
from compositor.operations._result import NotChecked, Result, ResultArtifact, SavedVersion, Usage
from compositor.operations._upkeep import GRACE, delete_operation, faults, free_space
from compositor.operations._verify import Verified, verify

__all__ = [
    "GRACE",
    "Accuracy",
    "Corpus",
    "CorpusFaulty",
    "Environment",
    "Handle",
    "Moment",
    "NotChecked",
    "Proof",
    "Result",
    "ResultArtifact",
    "SavedVersion",
    "Usage",
    "Verified",
    "accuracy",
    "cancel",
    "data_folder",
    "delete_operation",
    "equip_machine",
    "examine_machine",
    "export",
    "export_replay",
    "fallen",
    "faults",
    "free_space",
    "generate",
    "generate_sync",
    "read_package",
    "refuse_filled",
    "refuse_folder",
    "replay",
    "resume",
    "resume_sync",
    "rewritten",
    "stored_result",
    "table",
    "verify",
]
