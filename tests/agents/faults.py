"""For every rule of composition, agents that break it and no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Annotated, Any, cast

from pydantic import Field

from compositor._values import Json
from compositor.agents import Agent, Asks, Budget, Mode, When
from compositor.capabilities import Capability, Given, Instructions, Output, Reads, Tool, ToolResult, View, tool
from tests.agents.bundles import (
    REQUEST,
    agent,
    content,
    glossary,
    judgment,
    leaflet,
    length,
    magnify,
    measurement,
    proof,
    stamps,
    support,
    taste,
    write_leaflet,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One broken composition.

    Attributes:
        code: the one code that it is refused with.
        story: what is wrong with it.
        agent, mode, request: what is composed.
        concerns: the capabilities that the problem names.
        cause: what the message must contain, beside these.
    """

    code: str
    story: str
    agent: Agent
    concerns: tuple[str, ...] = ()
    mode: str | None = None
    request: dict[str, Json] = field(default_factory=lambda: REQUEST)
    cause: str = ""


def named(original: Tool, name: str) -> Tool:
    return replace(original, name=name)


def told(*arguments: str, **hints: Any) -> Tool:
    """A tool whose arguments have these types."""

    async def odd(ctx: object, **given: object) -> ToolResult:
        return ToolResult(text="")

    signature = ", ".join(arguments or hints)
    source = f"async def odd(ctx, {signature}):\n    'Do something odd.'"
    scope: dict[str, Any] = {}
    exec(source, scope)
    scope["odd"].__annotations__ = hints
    return tool(writes=())(scope["odd"])


def lays(*paths: str) -> Callable[[View], dict[str, Given]]:
    return lambda _view: {path: Given(content="") for path in paths}


def says(*paragraphs: str) -> Callable[[View], Instructions]:
    return lambda _view: Instructions(*paragraphs)


def asking(**policy: Json) -> dict[str, Json]:
    return REQUEST | {"policy": policy}


def breaks(view: View) -> Any:
    raise KeyError("brand")


def second_content(**changes: Any) -> Capability:
    parts: dict[str, Any] = {
        "name": "folder", "content_type": "folder", "owns": (Output(path="folder.txt"),), "tools": (), "build": None,
        "verifiers": (measurement("width", "folder.txt"),), "instructions": says(),
    }  # fmt: skip
    return content(**parts | changes)


MEMBERSHIP = (
    Fault(code="no-content", story="a support capability stands as content",
          agent=agent(glossary, content=stamps), concerns=("glossary", "stamps")),
    Fault(code="many-content", story="two own the deliverable",
          agent=agent(second_content()), concerns=("folder", "leaflet")),
    Fault(code="missing-requirement", story="a required capability is not in",
          agent=agent(support(requires=("claims",))), concerns=("claims", "extra")),
    Fault(code="missing-requirement", story="a port that there is not",
          agent=agent(support(ports=("browser",))), concerns=("extra",), cause="renderer"),
    Fault(code="excluded-together", story="two exclude each other",
          agent=agent(support(excludes=("glossary",)), glossary), concerns=("extra", "glossary")),
    Fault(code="duplicate-capability", story="one is listed twice, with all that it has",
          agent=agent(stamps, stamps), concerns=("stamps",), cause="2 times"),
    Fault(code="duplicate-capability", story="two bundles have one name",
          agent=agent(support("stamps"), stamps), concerns=("stamps",)),
    Fault(code="verifier-collision", story="two bring one verifier",
          agent=agent(support(verifiers=(length,))), concerns=("extra", "leaflet"), cause="length"),
    Fault(code="verifier-collision", story="a verifier has a name of the host's reports",
          agent=agent(support(verifiers=(measurement("build"),))), concerns=("extra",), cause="the host"),
    Fault(code="capability-failed", story="files() raises",
          agent=agent(support(files=breaks)), concerns=("extra",), cause="files() of extra failed: KeyError"),
    Fault(code="capability-failed", story="instructions() raises",
          agent=agent(support(instructions=breaks)), concerns=("extra",), cause="instructions()"),
    Fault(code="capability-failed", story="files() gives a bare text",
          agent=agent(support(files=lambda _view: {"a.txt": "words"})), concerns=("extra",), cause="a.txt is no Given"),
    Fault(code="capability-failed", story="files() gives a file that holds a number",
          agent=agent(support(files=lambda _view: {"a.txt": Given(content=cast(str, 7))})), concerns=("extra",),
          cause="of text or bytes"),
    Fault(code="capability-failed", story="instructions() gives a bare text",
          agent=agent(support(instructions=lambda _view: "Write.")), concerns=("extra",), cause="a str is no Instr"),
)  # fmt: skip

ROSTER = (
    Fault(code="tool-collision", story="two register one tool",
          agent=agent(support(tools=(replace(proof, makes=()),))), concerns=("extra", "leaflet"), cause="proof"),
    Fault(code="tool-collision", story="two tools of a judge have one name",
          agent=agent(support(verifiers=(judgment("style", magnify, magnify),))), concerns=("extra",)),
    Fault(code="tool-collision", story="a judge's tool has the name that ends every verdict",
          agent=agent(support(verifiers=(judgment("style", named(magnify, "submit_verdict")),))), concerns=("extra",),
          cause="every judge"),
    Fault(code="judge-tool-exposed", story="the writer would have a tool of another's judge",
          agent=agent(support(tools=(magnify,))), concerns=("extra", "leaflet")),
    Fault(code="judge-tool-exposed", story="the writer would submit the verdict",
          agent=agent(support(tools=(named(proof, "submit_verdict"),)), content=content(tools=(write_leaflet,),
          instructions=says())), concerns=("extra",)),
    Fault(code="invalid-tool-schema", story="an argument without a type",
          agent=agent(support(tools=(told("thing"),))), concerns=("extra",), cause="'thing' has no type"),
    Fault(code="invalid-tool-schema", story="an argument of a type that JSON does not have",
          agent=agent(support(tools=(told(at=datetime),))), concerns=("extra",), cause="datetime"),
    Fault(code="invalid-tool-schema", story="a pattern that the validator cannot check",
          agent=agent(support(tools=(told(word=Annotated[str, Field(json_schema_extra={"pattern": r"\p{L}"})]),))),
          concerns=("extra",), cause="is not a 'regex'"),
    Fault(code="invalid-tool-schema", story="a format that the validator cannot check, in a judge's tool",
          agent=agent(support(verifiers=(
              judgment("style", told(link=Annotated[str, Field(json_schema_extra={"format": "uri"})])),))),
          concerns=("extra",), cause="'uri'"),
    Fault(code="invalid-tool-schema", story="a name that no model API takes",
          agent=agent(support(tools=(named(stamps.tools[0], "Set Stamp"),), owns=stamps.owns)), concerns=("extra",)),
    Fault(code="invalid-tool-schema", story="a tool that says nothing about itself",
          agent=agent(support(tools=(replace(glossary.tools[0], about=" "),))), concerns=("extra",), cause="docstring"),
    Fault(code="label-collision", story="a tool makes what a build makes",
          agent=agent(support(tools=(replace(glossary.tools[0], makes=("render/large",)),))),
          concerns=("extra", "leaflet"), cause="render/"),
    Fault(code="instructions-name-absent-tool", story="instructions name a tool that nobody has",
          agent=agent(support(instructions=says("Then `polish()` it."))), concerns=("extra",), cause="polish"),
)  # fmt: skip

OWNERSHIP = (
    Fault(code="output-collision", story="two own names that differ only by case",
          agent=agent(support(owns=(Output(path="LEAFLET.txt"),))), concerns=("extra", "leaflet")),
    Fault(code="output-collision", story="two own names that differ only by normal form",
          agent=agent(support("one", owns=(Output(path="caf\u00e9.txt"),)),
                      support("two", owns=(Output(path="CAF\u00c9.txt"),))), concerns=("one", "two")),
    Fault(code="output-collision", story="one owns a folder that another's output is in",
          agent=agent(support("one", owns=(Output(path="art/"),)), support("two", owns=(Output(path="Art/x.png"),))),
          concerns=("one", "two")),
    Fault(code="output-collision", story="an output that climbs out",
          agent=agent(support(owns=(Output(path="../x"),))), concerns=("extra",), cause="climbs"),
    Fault(code="file-collision", story="two lay one file",
          agent=agent(support("one", files=lays("a/Words.txt")), support("two", files=lays("a/words.txt"))),
          concerns=("one", "two")),
    Fault(code="file-collision", story="one lays a file where another needs a folder",
          agent=agent(support("one", files=lays("words")), support("two", files=lays("words/rare.txt"))),
          concerns=("one", "two")),
    Fault(code="file-collision", story="a given file stands on another's output",
          agent=agent(support(files=lays("Leaflet.txt"))), concerns=("extra", "leaflet")),
    Fault(code="file-collision", story="a given file has a path that is refused",
          agent=agent(support(files=lays("/etc/words"))), concerns=("extra",), cause="absolute"),
    Fault(code="unowned-output", story="a tool writes what is another's",
          agent=agent(support(tools=(replace(stamps.tools[0], writes=("leaflet.txt",)),))),
          concerns=("extra", "leaflet"), cause="owned by leaflet"),
    Fault(code="unowned-output", story="a tool writes what is nobody's",
          agent=agent(support(tools=(replace(stamps.tools[0], writes=("notes.txt",)),))),
          concerns=("extra",), cause="owned by nobody"),
    Fault(code="unowned-output", story="a tool writes what its own build derives",
          agent=agent(content=content(tools=(replace(write_leaflet, writes=("leaflet.out",)), proof))),
          concerns=("leaflet",), cause="not its own as written"),
    Fault(code="unowned-output", story="a tool writes everything",
          agent=agent(stamps, support(tools=(replace(glossary.tools[0], writes=("",)),))),
          concerns=("extra", "leaflet", "stamps")),
    Fault(code="unbuilt-output", story="a derived output without a build",
          agent=agent(content=content(build=None)), concerns=("leaflet",), cause="leaflet.out"),
    Fault(code="unbuilt-output", story="a support capability derives, and nobody builds for it",
          agent=agent(support(owns=(Output(path="index.txt", derived=True),))), concerns=("extra",)),
    Fault(code="unverified-output", story="no measurement reads a part of the deliverable",
          agent=agent(content=content(verifiers=(measurement("length", "leaflet.txt"), taste))), concerns=("leaflet",),
          cause="leaflet.out"),
)  # fmt: skip

READING = (
    Fault(code="withheld-read", story="a required field is withheld",
          agent=agent(withholds=("brief",)), concerns=("leaflet",), cause="'brief'"),
    Fault(code="withheld-read", story="a part of a required field is withheld",
          agent=agent(withholds=("brief.tone",)), concerns=("leaflet",), cause="'brief.tone'"),
    Fault(code="unknown-field", story="a capability reads what no request has",
          agent=agent(support(reads=Reads(optional=("brief.mood",)))), concerns=("extra",), cause="brief.mood"),
    Fault(code="unknown-field", story="a verifier reads what no request has",
          agent=agent(support(verifiers=(measurement("mood", fields=("mood",)),))), concerns=("extra",)),
    Fault(code="unknown-field", story="a verifier reads what its capability does not",
          agent=agent(support(verifiers=(measurement("voice", fields=("brand",)),))), concerns=("extra",),
          cause="'brand', which extra itself does not"),
    Fault(code="unknown-field", story="an agent withholds what no request has",
          agent=agent(withholds=("mood",)), cause="withholds 'mood'"),
    Fault(code="unknown-field", story="a capability is asked for by what no request has",
          agent=agent(when=(When(capability=glossary, asks=Asks(field="words")),)), concerns=("glossary",)),
)  # fmt: skip

LIMITS = (
    Fault(code="unknown-mode", story="the caller names a mode that there is not",
          agent=agent(modes=(Mode(name="draft"),)), mode="dry", cause="'dry'"),
    Fault(code="unknown-mode-tool", story="a mode keeps a tool that nobody has",
          agent=agent(modes=(Mode(name="draft", tools=("proof", "polish")),)), concerns=("leaflet",), cause="polish"),
    Fault(code="mode-widens", story="a mode shows the writer a judge's tool",
          agent=agent(support(verifiers=(judgment("style", magnify),)),
                      modes=(Mode(name="draft", tools=("magnify",)),)),
          concerns=("extra", "leaflet")),
    Fault(code="mode-widens", story="a mode allows more steps than the agent",
          agent=agent(modes=(Mode(name="draft", budget={"steps": 11}),)), cause="11 steps"),
    Fault(code="budget-invalid", story="an agent without a step", agent=agent(budget=Budget(steps=0)), cause="steps"),
    Fault(code="budget-invalid", story="time without end", agent=agent(budget=Budget(seconds=float("inf")))),
    Fault(code="budget-invalid", story="a mode with half a step",
          agent=agent(modes=(Mode(name="draft", budget={"steps": 2.5}),)), mode="draft",
          cause="'draft' sets steps to 2.5"),
    Fault(code="budget-invalid", story="a mode with a word for a number",
          agent=agent(modes=(Mode(name="draft", budget={"cost": "little"}),)), mode="draft", cause="'little'"),
    Fault(code="budget-invalid", story="a mode that limits what is no budget",
          agent=agent(modes=(Mode(name="draft", budget={"luck": 1}),)), cause="'luck'"),
    Fault(code="budget-invalid", story="a request asks for more than the agent allows",
          agent=agent(), request=asking(budgets={"rejections": 3}), cause="asks for 3 rejections"),
    Fault(code="policy-widens", story="a request allows a draft where the agent does not",
          agent=agent(completion="verified_only"), request=asking(completion="draft_allowed")),
    Fault(code="prompt-too-large", story="instructions that no context window holds",
          agent=agent(glossary, support(instructions=says("word " * 50_000))),
          concerns=("extra", "glossary", "leaflet"),
          cause="Largest: extra (249,999)"),
)  # fmt: skip

FAULTS = (*MEMBERSHIP, *ROSTER, *OWNERSHIP, *READING, *LIMITS)

FIVE_FAULTS = agent(
    support("one", requires=("claims",), owns=(Output(path="Leaflet.TXT"),)),
    support("two", tools=(replace(proof, makes=()),), instructions=says("Now `polish()` it.")),
    content=leaflet,
    budget=Budget(steps=0),
)
"""An agent with five different faults."""
