"""One turn of the designer: write what changed, look at it, finish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compositor.capabilities import Answered, DesignedCall, Finding, View
from compositor.capabilities.email._deliverable import DESKTOP, MOBILE, SOURCE
from compositor.capabilities.email._designer._draft import draft
from compositor.capabilities.email._designer._repair import Constraints

WRITE, LOOK = "write_file", "render"


def design(
    view: View,
    files: Mapping[str, bytes],
    findings: Sequence[Finding],
    tools: Sequence[str],
    results: Sequence[Answered],
) -> Sequence[DesignedCall]:
    """The next calls; none when the turn is done. See `compositor.authoring.Capability.designer`.

    Writes first, each file in a call, only where it differs from what stands; then looks once at each screen. A tool
    that is not in the roster is not called: without `write_file` the designer only looks.
    """
    done = {answer.tool for answer in results}
    if WRITE in tools and not done and (writes := _writes(view, files, findings)):
        return writes
    if LOOK in tools and LOOK not in done and (SOURCE in files or WRITE in done):
        return [DesignedCall(tool=LOOK, arguments={"screen": screen.name}) for screen in (DESKTOP, MOBILE)]
    return ()


def _writes(view: View, files: Mapping[str, bytes], findings: Sequence[Finding]) -> Sequence[DesignedCall]:
    standing = Constraints.of(files.get(SOURCE, b"").decode("utf-8", "replace"))
    made = draft(view, standing.after(findings))
    return [
        DesignedCall(tool=WRITE, arguments={"path": path, "content": content})
        for path, content in made.items()
        if files.get(path) != content.encode()
    ]
