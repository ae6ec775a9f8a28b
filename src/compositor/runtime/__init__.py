"""The runtime: it drives, checks, records and ends operations. It knows no content type."""

from __future__ import annotations

from compositor.runtime._adapter import ModelAdapter
from compositor.runtime._clock import Clock, SystemClock
from compositor.runtime._completion import (
    EXIT_CODES,
    Ended,
    Ending,
    OperationStatus,
    StopReason,
    Verification,
    ended,
    verification_of,
)
from compositor.runtime._conversation import reply_of
from compositor.runtime._evaluation import Evaluation
from compositor.runtime._evaluator import Evaluator
from compositor.runtime._feed import Feed, after
from compositor.runtime._host import Host
from compositor.runtime._journal import Done, Effects, Journal, Unrecorded, working_seconds
from compositor.runtime._loop import Loop, Outcome, reopening
from compositor.runtime._messages import (
    Answer,
    Call,
    Image,
    Message,
    Prompt,
    Replied,
    Reply,
    Role,
    Said,
    Stop,
    Text,
    ToolSpec,
    Usage,
)
from compositor.runtime._scopes import check_scope
from compositor.runtime._spending import Spending
from compositor.runtime._store import DELETED, PLAIN_ID, Closing, Effect, OperationRecord, State, Store, Version
from compositor.runtime._work import Work, get_json, put_json

__all__ = [
    "DELETED",
    "EXIT_CODES",
    "PLAIN_ID",
    "Answer",
    "Call",
    "Clock",
    "Closing",
    "Done",
    "Effect",
    "Effects",
    "Ended",
    "Ending",
    "Evaluation",
    "Evaluator",
    "Feed",
    "Host",
    "Image",
    "Journal",
    "Loop",
    "Message",
    "ModelAdapter",
    "OperationRecord",
    "OperationStatus",
    "Outcome",
    "Prompt",
    "Replied",
    "Reply",
    "Role",
    "Said",
    "Spending",
    "State",
    "Stop",
    "StopReason",
    "Store",
    "SystemClock",
    "Text",
    "ToolSpec",
    "Unrecorded",
    "Usage",
    "Verification",
    "Version",
    "Work",
    "after",
    "check_scope",
    "ended",
    "get_json",
    "put_json",
    "reopening",
    "reply_of",
    "verification_of",
    "working_seconds",
]
