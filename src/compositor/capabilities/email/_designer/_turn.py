"""One turn of the designer: have a picture made, write what changed, look at it, finish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from compositor.capabilities import Answered, DesignedCall, Finding, View
from compositor.capabilities.email._deliverable import DESKTOP, MOBILE, SOURCE
from compositor.capabilities.email._designer._draft import draft, wish
from compositor.capabilities.email._designer._repair import Constraints

PAINT, WRITE, LOOK = "make_picture", "write_file", "render"


def design(
    view: View,
    files: Mapping[str, bytes],
    findings: Sequence[Finding],
    tools: Sequence[str],
    results: Sequence[Answered],
) -> Sequence[DesignedCall]:
    """The next calls; none when the turn is done. See `compositor.authoring.Capability.designer`.

    Has the picture made that the email needs and does not have, then writes, each file in a call, only where it differs
    from what stands; then looks once at each screen. A tool that is not in the roster is not called: without
    `write_file` the designer only looks.
    """
    done = {answer.tool for answer in results}
    constraints = _standing(files).after(findings)
    if WRITE in tools and PAINT in tools and not done and (wanted := wish(view, constraints, files)):
        arguments = {"name": wanted.name, "about": wanted.about, "width": wanted.width, "height": wanted.height}
        return [DesignedCall(tool=PAINT, arguments=arguments)]
    if WRITE in tools and not done - {PAINT} and (writes := _writes(view, files, constraints)):
        return writes
    if LOOK in tools and LOOK not in done and (SOURCE in files or WRITE in done):
        return [DesignedCall(tool=LOOK, arguments={"screen": screen.name}) for screen in (DESKTOP, MOBILE)]
    return ()


def _standing(files: Mapping[str, bytes]) -> Constraints:
    return Constraints.of(files.get(SOURCE, b"").decode("utf-8", "replace"))


def _writes(view: View, files: Mapping[str, bytes], constraints: Constraints) -> Sequence[DesignedCall]:
    return [
        DesignedCall(tool=WRITE, arguments={"path": path, "content": content})
        for path, content in draft(view, constraints, files).items()
        if files.get(path) != content.encode()
    ]
