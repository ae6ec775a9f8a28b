"""Events: what happened in an operation, as one versioned union. Every face is a projection of this.

`seq` has no gaps within an operation; the events of an effect are committed together with its result, before anybody is
shown them; so a reader can start again from any `seq` and miss nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from compositor._values import Json, well_formed


def _name_constants(schema: dict[str, Json]) -> None:
    """Kind and version are always written, though a constructor may leave them out: in the schema they are required."""
    constants = [name for name, value in schema.get("properties", {}).items() if "const" in value]
    if constants:
        schema["required"] = [*constants, *schema.get("required", ())]


_CLOSED = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_name_constants)


class _Happening(BaseModel):
    """Words of models and tools come in here, so half characters end here."""

    model_config = _CLOSED

    @model_validator(mode="before")
    @classmethod
    def _well_formed(cls, data: Any) -> Any:
        return _whole(data)


def _whole(value: Json) -> Json:
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, Mapping):
        return {_whole_word(key): _whole_word(item) for key, item in value.items()}
    return [_whole_word(item) for item in value] if isinstance(value, list | tuple) else value


def _whole_word(value: Json) -> Json:
    """As `_whole`, which most of what comes here does not need."""
    plain = value.isascii() if type(value) is str else type(value) is int
    return value if plain else _whole(value)


class OperationOpened(_Happening):
    """Validated, composed, sealed; the files are in place."""

    kind: Literal["operation_opened"] = "operation_opened"
    operation: str
    content: str
    document: str
    composition: str
    mode: str | None
    adapters: dict[str, str]
    policy: str
    budget: dict[str, Json]
    withheld: tuple[str, ...]
    disclosures: tuple[str, ...]


class CallMade(_Happening):
    """One call in a step, shortened for people."""

    id: str
    tool: str
    summary: str


class StepTaken(_Happening):
    """A model replied."""

    kind: Literal["step_taken"] = "step_taken"
    turn: int
    step: int
    text: str
    calls: tuple[CallMade, ...]
    stop: str
    usage: dict[str, Json]


class ToolAnswered(_Happening):
    """A call got its one answer."""

    kind: Literal["tool_answered"] = "tool_answered"
    step: int
    call: str
    tool: str
    ok: bool
    text: str
    changed: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class DeliverableBuilt(_Happening):
    """The derived outputs were made, or found unchanged."""

    kind: Literal["deliverable_built"] = "deliverable_built"
    draft: int
    outputs: tuple[str, ...]
    artifacts: tuple[str, ...]
    unchanged: bool
    failed: str = ""


class Checked(_Happening):
    """A verifier gave its verdict. Measurements come before judgments."""

    kind: Literal["checked"] = "checked"
    draft: int
    unchanged: bool
    verdict: dict[str, Json]


class JudgeReplied(_Happening):
    """A judge replied in its private transcript."""

    kind: Literal["judge_replied"] = "judge_replied"
    draft: int
    verifier: str
    step: int
    calls: tuple[CallMade, ...]
    usage: dict[str, Json]


class DraftRejected(_Happening):
    """The draft goes back to the writer with its findings."""

    kind: Literal["draft_rejected"] = "draft_rejected"
    draft: int
    by: Literal["measured", "judged", "unchanged", "follow-up"]
    rejections: int
    allowed: int
    findings: tuple[dict[str, Json], ...]


class OperationInterrupted(_Happening):
    """Stopped from outside; it can be resumed."""

    kind: Literal["operation_interrupted"] = "operation_interrupted"


class OperationResumed(_Happening):
    """A new attempt began; recorded effects are not run again."""

    kind: Literal["operation_resumed"] = "operation_resumed"
    recorded: int


class OperationEnded(_Happening):
    """The end, with the version that was saved, if any."""

    kind: Literal["operation_ended"] = "operation_ended"
    status: str
    verification: str
    ending: str
    version: str | None
    warnings: tuple[str, ...]


Happening = Annotated[
    OperationOpened
    | StepTaken
    | ToolAnswered
    | DeliverableBuilt
    | Checked
    | JudgeReplied
    | DraftRejected
    | OperationInterrupted
    | OperationResumed
    | OperationEnded,
    Field(discriminator="kind"),
]


class Event(BaseModel):
    """One entry of an operation's history."""

    model_config = _CLOSED  # the words of others are in `what` alone, which ends half characters itself

    schema_version: Literal["1"] = "1"
    operation: str
    seq: int = Field(ge=1)
    attempt: int = Field(ge=1)
    at: datetime
    what: Happening


def event_schema() -> Json:
    """The schema (draft 2020-12) of an event as it is kept and shown, in a stable order, as a JSON object.

    It is closed: it names what this release writes. `docs/reference/events.md` says how readers of later releases fare.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Event.model_json_schema(),
        "title": "Event of a compositor operation",
    }


class Progress(_Happening):
    """Words as they come; outside `seq`, and not kept."""

    operation: str
    text: str
