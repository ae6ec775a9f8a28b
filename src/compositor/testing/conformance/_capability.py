"""The suite of capabilities: what a bundle promises and what shows without a model, a browser or a network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from compositor._values import Json, canonical
from compositor.agents import Agent, Composition, compose
from compositor.authoring import Capability, Output, Report, Scope, ToolContext, ToolError, ToolResult, Verifier, tool
from compositor.errors import CompositionError
from compositor.runtime import Work, check_scope
from compositor.testing._memory import MemoryBlobs
from compositor.testing._ports import PlainCompiler, PlainImages, PlainPictures, PlainRenderer
from compositor.testing.conformance._must import must
from compositor.tools import ArgumentFault, checked_arguments
from compositor.verifiers import CheckContext, verdict_of
from compositor.workspace import Ports, Snapshot, Trace, View


async def check_capability(
    capability: Capability, request: Mapping[str, Json], *, beside: Sequence[Capability] = ()
) -> None:
    """Check a capability on its own: a support capability stands beside a stand-in for the content.

    Args:
        capability: the bundle.
        request: a whole request (JSON object) that it can work with.
        beside: the capabilities that it requires.

    Raises:
        AssertionError: with the sentence that does not hold.
    """
    agent = _agent(capability, request, beside)
    composition = _composed(agent, request)
    must(composition.digest == _composed(agent, request).digest, "the same request gives the same composition")
    _composed(agent, _least(request, composition))
    for one in (*capability.tools, *(inner for verifier in capability.verifiers for inner in verifier.tools)):
        must(bool(one.about), f"the tool {one.name} has a docstring: it is all that a model knows of it")
    _check_designer(capability, composition)
    _check_opens(capability)
    for verifier in capability.verifiers:
        await _check_verifier(verifier, composition, capability)


def _agent(capability: Capability, request: Mapping[str, Json], beside: Sequence[Capability]) -> Agent:
    others = [other for other in beside if other.kind == "content"]
    content = capability if capability.kind == "content" else (others or [_STAND_IN])[0]
    always = tuple(one for one in (capability, *beside) if one is not content)
    return Agent(operation=str(request.get("operation", "generate")), content=content, always=always)


def _composed(agent: Agent, request: Mapping[str, Json]) -> Composition:
    try:
        return compose(agent, request)
    except CompositionError as error:
        raise AssertionError(f"it composes with this request and with the least one: {error}") from error


def _least(request: Mapping[str, Json], composition: Composition) -> Mapping[str, Json]:
    """The request cut down to what is required: every optional field is absent."""
    required = {name.partition(".")[0] for member in composition.members for name in member.capability.reads.required}
    kept = {"schema_version", "operation", "content", "locale", "brief", *required}
    return {name: value for name, value in request.items() if name in kept}


def _check_designer(capability: Capability, composition: Composition) -> None:
    if capability.designer is None:
        return
    given = {file.path: file.given.content for file in composition.files}
    files = {path: content.encode() if isinstance(content, str) else content for path, content in given.items()}
    roster = {entry.name: entry for entry in composition.roster}
    view = composition.content.view
    calls = capability.designer(view, files, (), tuple(roster), ())
    must(calls == capability.designer(view, files, (), tuple(roster), ()), "the designer is a pure function")
    must(bool(calls), "the designer does something about an empty workspace")
    for call in calls:
        must(call.tool in roster, f"the designer calls {call.tool}, which is in the roster")
        checked = checked_arguments(call.tool, roster[call.tool].tool.schema, canonical(call.arguments).decode())
        must(not isinstance(checked, ArgumentFault), f"what the designer calls {call.tool} with is valid: {checked}")


def _check_opens(capability: Capability) -> None:
    for suffix, opens in capability.opens.items():
        must(suffix.startswith(".") and suffix == suffix.lower(), f"{suffix!r} is a suffix: a dot and small letters")
        for data in (b"", b"\xff\xfe\x00", b"words"):
            try:
                opens(data)
            except ToolError:
                continue
            except Exception as error:  # the suite says which function must not do so
                raise AssertionError(
                    f"opens[{suffix!r}] refuses strange bytes with ToolError, not {error!r}"
                ) from error


async def _check_verifier(verifier: Verifier, composition: Composition, capability: Capability) -> None:
    """On an empty workspace nothing passes: a check that finds nothing to look at says so, or breaks down."""
    owner = next(member for member in composition.members if member.capability is capability)
    view = View.of(owner.view.data, verifier.reads.fields)
    try:
        applies = verifier.applies(view, {}, ())
    except Exception as error:  # the suite says which function must not do so
        raise AssertionError(f"applies() of {verifier.name} copes with an empty workspace: {error!r}") from error
    if verifier.kind == "judgment" or not applies:
        return
    ports = Ports(renderer=PlainRenderer(), compiler=PlainCompiler(), pictures=PlainPictures(), images=PlainImages())
    work = Work(composition=composition, blobs=MemoryBlobs(), ports=ports, snapshot=Snapshot())
    try:
        report: object = await verifier.check(check_scope(work, verifier, view, capability.ports, Trace()))
    except Exception:  # noqa: BLE001 - a check that breaks down is errored, which is no pass
        return
    must(isinstance(report, Report), f"check() of {verifier.name} returns a Report, not {type(report).__name__}")
    status = verdict_of(verifier, cast(Report, report)).status
    must(status != "passed", f"{verifier.name} does not pass on an empty workspace")


@tool()
async def write_stand_in(ctx: ToolContext, text: str) -> ToolResult:
    """Write the stand-in."""
    await ctx.files.write("stand-in.txt", text)
    return ToolResult(text="written")


async def _there(ctx: CheckContext) -> Report:
    return Report(examined=len(await ctx.files.read("stand-in.txt")))


_STAND_IN = Capability(
    name="stand-in",
    kind="content",
    content_type="stand-in",
    owns=(Output(path="stand-in.txt"),),
    tools=(write_stand_in,),
    verifiers=(
        Verifier(name="there", version="1", kind="measurement", check=_there, reads=Scope(files=("stand-in.txt",))),
    ),
)
