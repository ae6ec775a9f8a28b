"""The result document: what every operation answers with, and what `result.json` holds."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from compositor._values import Json
from compositor.runtime import EXIT_CODES, Ending, OperationStatus, Verification

SCHEMA_VERSION: Literal["1"] = "1"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SavedVersion(_Part):
    """The version that was saved.

    Attributes:
        document, number, parent: its place in the line of versions.
        id: for people and URLs.
        isolation: how its renders were kept from the machine; None where nothing was rendered.
    """

    document: str
    number: int
    parent: int | None
    id: str
    isolation: Literal["jail", "closed", "none"] | None


class ResultArtifact(_Part):
    """One file or labelled thing; `path` is its place in an output folder."""

    label: str
    path: str
    media_type: str
    sha256: str


class NotChecked(_Part):
    """A check that gave no answer, and why."""

    check: str
    reason: str


class Usage(_Part):
    """What the operation took; tokens are None where no adapter reported them."""

    model_calls: int
    steps: int
    rejections: int
    input_tokens: int | None
    output_tokens: int | None


class Result(_Part):
    """A version with its evidence, never a bare "done".

    Attributes:
        operation, content: which operation, of what.
        composition: the digest of the agent as it was composed.
        adapter: who wrote.
        policy: how it was allowed to complete.
        status: whether the operation did what was asked; `exit_code` follows from it.
        verification: what is proven about the deliverable.
        ending: why it ended.
        summary: the above in one sentence.
        version: what was saved, or None.
        artifacts: outputs and evidence.
        reports: one per verifier, the host's own first.
        warnings, unfinished, not_checked: what a person must know before using it.
        human_review: `none` until a person's verdict is recorded.
        usage, cost (US dollars, None where unknown), seconds.
    """

    schema_version: Literal["1"] = SCHEMA_VERSION
    operation: str
    content: str
    composition: str
    adapter: str
    policy: Literal["draft_allowed", "verified_only"]
    status: OperationStatus
    verification: Verification
    ending: Ending
    summary: str
    version: SavedVersion | None
    artifacts: tuple[ResultArtifact, ...]
    reports: tuple[dict[str, Json], ...]
    warnings: tuple[str, ...]
    unfinished: tuple[str, ...]
    not_checked: tuple[NotChecked, ...]
    human_review: str = "none"
    usage: Usage
    cost: float | None
    seconds: float

    @property
    def exit_code(self) -> int:
        """What a command returns for it."""
        return EXIT_CODES[self.status]
