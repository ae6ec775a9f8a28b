"""The suites of the test kit over everything that ships, and over things that they must find fault with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from compositor._values import Json
from compositor.adapters.offline import Offline
from compositor.adapters.pictures import Pillow
from compositor.agents import Agent, When, sample_request
from compositor.agents.shipped import SHIPPED
from compositor.capabilities import (
    Capability,
    CheckContext,
    DesignedCall,
    Given,
    Instructions,
    Report,
    Scope,
    ToolContext,
    ToolResult,
    Verifier,
    View,
    tool,
)
from compositor.capabilities.approved_examples import approved_examples
from compositor.capabilities.cohesion import cohesion
from compositor.errors import AdapterError, CompileFailed, EnvironmentUnfit, PictureRefused, PortError
from compositor.runtime import Answer, Call, ModelAdapter, Prompt, Replied, Reply, Said, Text, Usage
from compositor.testing import (
    PlainCompiler,
    PlainPictures,
    PlainRenderer,
    Scripted,
    calls,
    flat_png,
    history_faults,
)
from compositor.testing.conformance import check_capability, check_model_adapter
from compositor.workspace import Page, Resource, Screen
from tests.frame.note import note

pytestmark = pytest.mark.anyio

NOTE_REQUEST: Json = {"operation": "generate", "content": "note", "brief": {"name": "Ada", "objective": "awareness"}}


@pytest.mark.promise("C9")
@pytest.mark.parametrize(
    "make",
    [
        Offline,
        lambda: Scripted({(1, 1): calls(("write_note", {"text": "words"}), ("write_note", {"text": "words"}))}),
    ],
    ids=["offline", "scripted"],
)
async def test_every_model_adapter_keeps_the_contract(make: Callable[[], ModelAdapter]) -> None:
    await check_model_adapter(make)


class Faulty(Scripted):
    """A model adapter with one fault."""

    def __init__(self, fault: str) -> None:
        super().__init__({}, name="" if fault == "has no name" else "faulty")
        self._fault = fault

    @property
    def needs_designer(self) -> bool:
        return self._fault == "never says that it needs a designer"

    async def reply(self, prompt: Prompt, stream: Callable[[str], None]) -> Reply:
        if self._fault == "refuses to judge" and prompt.role == "judge":
            raise AdapterError(self.name, "I am no judge")
        replies: Mapping[str, Reply] = {
            "stops for no reason": Reply(stop="tired"),  # type: ignore[arg-type]  # the fault
            "sends arguments as objects": Reply(calls=(Call(id="a", name="b", arguments={}),)),  # type: ignore[arg-type]  # the fault
            "counts below zero": Reply(usage=Usage(input_tokens=-1)),
        }
        return replies.get(self._fault, Reply())


@pytest.mark.parametrize(
    "fault",
    [
        "has no name",
        "stops for no reason",
        "sends arguments as objects",
        "counts below zero",
        "refuses to judge",
        "never says that it needs a designer",
    ],
)
async def test_the_suite_finds_a_model_adapter_that(fault: str) -> None:
    with pytest.raises(AssertionError):
        await check_model_adapter(lambda: Faulty(fault))


def shipped() -> list[tuple[Agent, Capability]]:
    """Each capability of each shipped agent."""
    return [
        (agent, capability)
        for agent in SHIPPED
        for capability in (
            agent.content,
            *agent.always,
            *(when.capability for when in agent.when if isinstance(when, When)),
        )
    ]


@pytest.mark.promise("C1")
@pytest.mark.parametrize(("agent", "capability"), shipped(), ids=lambda one: one.name)
async def test_every_shipped_capability_keeps_the_contract(agent: Agent, capability: Capability) -> None:
    needed = [other for _, other in shipped() if other.name in capability.requires]
    await check_capability(capability, sample_request(agent), beside=needed)


SUPPORTING_REQUEST: Json = {
    **NOTE_REQUEST,
    "locale": "en",
    "brand": {"name": "Lumen"},
    "examples": [{"id": "a", "text": "A lamp for every evening of the year."}],
}


@pytest.mark.promise("C1")
@pytest.mark.parametrize("capability", [approved_examples, cohesion], ids=lambda one: one.name)
async def test_a_support_capability_keeps_the_contract_beside_any_content(capability: Capability) -> None:
    await check_capability(capability, SUPPORTING_REQUEST)
    await check_capability(capability, {**SUPPORTING_REQUEST, "content": "note"}, beside=[note])


async def test_the_made_up_capability_keeps_the_contract() -> None:
    await check_capability(note, NOTE_REQUEST)


@tool(writes=())
async def mute(ctx: ToolContext) -> ToolResult:
    return ToolResult(text="")


async def always_content(ctx: CheckContext) -> Report:
    """It passes whatever there is."""
    return Report(examined=1)


async def returns_nothing(ctx: CheckContext) -> Report:
    """It forgets its report."""
    return None  # type: ignore[return-value]  # the fault is the point


def needs_everything(view: View, artifacts: Mapping[str, object], record: object) -> bool:
    """It breaks down where nothing was made yet."""
    return bool(artifacts["copy"])


def needs_evaluation(view: View) -> Instructions:
    """It breaks down where an optional field is absent."""
    return Instructions(f"Judge by {view.get('evaluation')['rubric']}.")


def checking(**changes: object) -> Capability:
    """The note with one more measurement."""
    told = {"name": "more", "version": "1", "kind": "measurement", "reads": Scope(), "check": always_content, **changes}
    return replace(note, verifiers=(*note.verifiers, Verifier(**told)))  # type: ignore[arg-type]  # parts by name


turns = iter(range(10_000))


def wavers(*_seen: object) -> list[DesignedCall]:
    """It calls something else each time."""
    return [DesignedCall(tool="write_note", arguments={"text": f"{next(turns)}"})]


def lays_anew(view: View) -> Mapping[str, Given]:
    """It lays another file each time."""
    return {"given.txt": Given(content=f"{next(turns)}")}


def opens_badly(data: bytes) -> Mapping[str, bytes]:
    """It breaks down on strange bytes."""
    return {"note.txt": bytes([data[0]])}


FAULTY = {
    "has a tool without a docstring": replace(note, tools=(*note.tools, replace(mute, about=""))),
    "passes on an empty workspace": checking(),
    "returns no report": checking(check=returns_nothing),
    "cannot say whether it applies": checking(applies=needs_everything),
    "needs an optional field": replace(note, instructions=needs_evaluation),
    "is another one each time": replace(note, files=lays_anew),
    "has a designer that wavers": replace(note, designer=wavers),
    "has a designer that does nothing": replace(note, designer=lambda *_: []),
    "has a designer that calls what there is not": replace(
        note, designer=lambda *_: [DesignedCall(tool="x", arguments={})]
    ),
    "has a designer that calls wrongly": replace(
        note, designer=lambda *_: [DesignedCall(tool="write_note", arguments={})]
    ),
    "opens a suffix that is none": replace(note, opens={"TXT": opens_badly}),
    "opens strange bytes badly": replace(note, opens={".txt": opens_badly}),
}


@pytest.mark.parametrize("fault", FAULTY)
async def test_the_suite_finds_a_capability_that(fault: str) -> None:
    with pytest.raises(AssertionError):
        await check_capability(FAULTY[fault], {**NOTE_REQUEST, "evaluation": {"rubric": "by ear"}})


# ---- the stand-ins keep the contracts of the ports


async def test_the_plain_renderer_asks_for_each_address_and_says_which_it_did_not_get() -> None:
    asked: list[str] = []

    async def fulfil(address: str) -> Resource | None:
        asked.append(address)
        return Resource(data=b"", media_type="image/png") if "known" in address else None

    renderer = PlainRenderer()
    page = Page(html='<img src="https://a.test/known.png"><a href="https://b.test/">x</a>', fulfil=fulfil)
    small, large = await renderer.render(
        page, [Screen(name="small", width=20, height=10), Screen(name="large", width=40)]
    )
    assert (small.width, small.height, large.width) == (20, 10, 40)
    assert (await PlainPictures().inspect(small.picture)).width == 20
    assert small.refused == ("https://b.test/",)
    assert sorted(asked) == ["https://a.test/known.png", "https://b.test/"]
    assert (renderer.pages, await renderer.prepare()) == ([page], "jail")


async def test_the_plain_renderer_can_be_unfit_and_draws_no_scripts_without_a_jail() -> None:
    async def refuse(_address: str) -> None:
        return None

    with pytest.raises(EnvironmentUnfit, match="there is no screen"):
        await PlainRenderer(unfit="there is no screen").prepare()
    with pytest.raises(PortError, match="scripts need the jail"):
        await PlainRenderer(isolation="closed").render(Page(html="", fulfil=refuse, scripts=True), [])


async def test_the_plain_compiler_gives_the_source_back_or_names_the_line_of_a_fault() -> None:
    compiler = PlainCompiler({"<oops>": "there is no <oops>"})
    assert await compiler.compile("a\nb", "any") == "a\nb"
    with pytest.raises(CompileFailed, match=r"there is no <oops> \(line 2\)"):
        await compiler.compile("a\n<oops>", "any")


async def test_the_plain_pictures_read_headers_and_never_enlarge() -> None:
    pictures = PlainPictures()
    fitted = await pictures.inspect(await pictures.fit(flat_png(40, 20), 20, 100))
    assert (fitted.width, fitted.height) == (20, 10)
    kept = await pictures.inspect(await pictures.fit(flat_png(4, 2), 20, 100))
    assert (kept.width, kept.height) == (4, 2)
    part = await pictures.inspect(await pictures.crop(flat_png(40, 20), (0.5, 0.0, 1.0, 0.5), 10, 100))
    assert (part.width, part.height) == (10, 5)
    with pytest.raises(PictureRefused):
        await pictures.inspect(b"GIF89a")


async def test_the_plain_pictures_look_as_they_are_told_to_and_grey_else() -> None:
    grey = await PlainPictures().look(flat_png(4, 2))
    assert grey == await Pillow().look(flat_png(4, 2))
    told = replace(grey, words_likely=1.0)
    assert await PlainPictures(looks=told).look(flat_png(4, 2)) == told
    with pytest.raises(PictureRefused):
        await PlainPictures(looks=told).look(b"GIF89a")


def test_a_history_is_whole_only_with_one_answer_per_call_in_order_each_with_an_id_of_its_own() -> None:
    said = Said(parts=(Text(text="x"),))
    two = Replied(reply=Reply(calls=(Call(id="a", name="t", arguments=""), Call(id="b", name="t", arguments=""))))
    a, b = (Answer(call_id=name, tool="t", text="") for name in "ab")
    assert history_faults([said, two, a, b, said]) == ()
    assert history_faults([said, two, b, a]) != ()
    assert history_faults([said, two, a, said]) == ("'b' has no answer",)
    assert history_faults([said, two, a]) == ("'b' has no answer",)
    assert history_faults([a]) == ("an answer to 'a' stands where none was wanted",)
    assert history_faults([two, a, b, two, a, b]) == tuple(f"the id {name!r} is empty or not its own" for name in "ab")
