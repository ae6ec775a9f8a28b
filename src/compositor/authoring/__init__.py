"""What an author of capabilities uses: one face over tools, verifiers and workspace."""

from __future__ import annotations

from compositor.authoring._capability import (
    Answered,
    BuildContext,
    Built,
    Capability,
    DesignedCall,
    Designer,
    Opens,
)
from compositor.authoring._instructions import Instructions, mentioned_tools
from compositor.errors import ToolError
from compositor.tools import OWNED, Tool, ToolContext, ToolResult, tool
from compositor.verifiers import (
    CheckContext,
    Criterion,
    Finding,
    FollowUp,
    Report,
    Scope,
    ToolRun,
    Verifier,
    Where,
)
from compositor.verifiers.rubric import rubric
from compositor.workspace import (
    COPY,
    EVERYTHING,
    RENDER,
    Artifact,
    Given,
    Output,
    Reads,
    Section,
    View,
    copy_json,
    copy_sections,
)

__all__ = [
    "COPY",
    "EVERYTHING",
    "OWNED",
    "RENDER",
    "Answered",
    "Artifact",
    "BuildContext",
    "Built",
    "Capability",
    "CheckContext",
    "Criterion",
    "DesignedCall",
    "Designer",
    "Finding",
    "FollowUp",
    "Given",
    "Instructions",
    "Opens",
    "Output",
    "Reads",
    "Report",
    "Scope",
    "Section",
    "Tool",
    "ToolContext",
    "ToolError",
    "ToolResult",
    "ToolRun",
    "Verifier",
    "View",
    "Where",
    "copy_json",
    "copy_sections",
    "mentioned_tools",
    "rubric",
    "tool",
]
