"""One turn of the designer: have pictures made and cut, write what changed, look at it, finish."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compositor.capabilities import Answered, DesignedCall, Finding, View
from compositor.capabilities.email._deliverable import DESKTOP, MOBILE, SOURCE
from compositor.capabilities.email._designer._draft import crops, draft, wish
from compositor.capabilities.email._designer._repair import Constraints

PAINT, CROP, WRITE, LOOK = "make_picture", "crop_picture", "write_file", "render"


def design(
    view: View,
    files: Mapping[str, bytes],
    findings: Sequence[Finding],
    tools: Sequence[str],
    results: Sequence[Answered],
) -> Sequence[DesignedCall]:
    """The next calls; none when the turn is done. See `compositor.authoring.Capability.designer`.

    Has the pictures made and cut that the email needs and does not have, in one step, then writes, each file in a
    call, only where it differs from what stands; then looks once at each screen. A tool that is not in the roster is
    not called: without `write_file` the designer only looks.
    """
    done = {answer.tool for answer in results}
    constraints = _standing(files).after(findings)
    if WRITE in tools and not done and (wanted := tuple(_wanted(view, files, constraints, tools))):
        return wanted
    if WRITE in tools and not done - {PAINT, CROP} and (writes := _writes(view, files, constraints)):
        return writes
    if LOOK in tools and LOOK not in done and (SOURCE in files or WRITE in done):
        return [DesignedCall(tool=LOOK, arguments={"screen": screen.name}) for screen in (DESKTOP, MOBILE)]
    return ()


def _standing(files: Mapping[str, bytes]) -> Constraints:
    return Constraints.of(files.get(SOURCE, b"").decode("utf-8", "replace"))


def _wanted(
    view: View, files: Mapping[str, bytes], constraints: Constraints, tools: Sequence[str]
) -> Iterator[DesignedCall]:
    """The pictures that are still to be made, in words or out of those of the request."""
    if PAINT in tools and (made := wish(view, constraints, files)):
        arguments = {"name": made.name, "about": made.about, "width": made.width, "height": made.height}
        yield DesignedCall(tool=PAINT, arguments=arguments)
    for crop in crops(view, constraints, files) if CROP in tools else ():
        yield DesignedCall(tool=CROP, arguments={"name": crop.name, "asset": crop.picture.id, "ratio": crop.words})


def _writes(view: View, files: Mapping[str, bytes], constraints: Constraints) -> Sequence[DesignedCall]:
    return [
        DesignedCall(tool=WRITE, arguments={"path": path, "content": content})
        for path, content in draft(view, constraints, files).items()
        if files.get(path) != content.encode()
    ]
