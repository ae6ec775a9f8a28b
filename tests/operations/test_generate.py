"""`generate()` and `resume()` end to end: every ending, every refusal, and the environment around them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from compositor._values import Json
from compositor.agents import Budget
from compositor.capabilities import CheckContext, Report, ToolContext, ToolResult, tool
from compositor.errors import (
    AdapterError,
    CompositionError,
    EnvironmentUnfit,
    PortError,
    RequestError,
    UnsupportedRequest,
)
from compositor.operations import Environment, Result, data_folder, generate, generate_sync, resume_sync, stored_result
from compositor.runtime import ModelAdapter, Reply, Role
from compositor.testing import (
    PlainCompiler,
    PlainPictures,
    PlainRenderer,
    Scripted,
    calls,
    flat_png,
    verdict,
)
from compositor.workspace.request import request_of
from tests.runtime.bench import (
    GOOD,
    LENGTH,
    LONG,
    RUBRIC,
    Check,
    Run,
    agent,
    begin,
    finished,
    made,
    measurement,
    place,
    poem,
    reporting,
    request,
    write,
    write_poem,
    writes,
)

pytestmark = pytest.mark.anyio

EDIT: Json = {"base_version": "spring.1", "instruction": "shorter"}
YES, NO = verdict({"rhymes": True}), verdict({"rhymes": False}, feedback="make it rhyme")
JUDGED = (LENGTH, RUBRIC)


async def breaks_down(ctx: CheckContext) -> Report:
    """A measurement that breaks down."""
    raise RuntimeError("a screw is loose")


async def verified(policy: str) -> Run:
    return await made(writes(GOOD), judge=Scripted({(1, 1): YES}, name="judge"), verifiers=JUDGED, completion=policy)


async def without_a_judge(policy: str) -> Run:
    return await made(writes(GOOD), verifiers=JUDGED, completion=policy)


async def rejected_to_the_end(policy: str) -> Run:
    judge = Scripted({}, otherwise=NO, name="judge")
    return await made(writes("one", "two", "three"), judge=judge, verifiers=JUDGED, completion=policy)


async def never_written(policy: str) -> Run:
    return await made(Scripted({}), verifiers=JUDGED, completion=policy)


async def out_of_steps(policy: str) -> Run:
    judge = Scripted({(1, 1): YES}, name="judge")
    return await made(writes(GOOD), judge=judge, verifiers=JUDGED, completion=policy, budget=Budget(steps=1))


async def going_in_circles(policy: str) -> Run:
    script = {(1, 1): write(GOOD)}
    return await made(Scripted(script, otherwise=calls(("read_poem", {}))), verifiers=JUDGED, completion=policy)


async def broken_check(policy: str) -> Run:
    return await made(writes(GOOD), verifiers=(LENGTH, measurement(breaks_down)), completion=policy)


async def undecided(policy: str) -> Run:
    nothing = measurement(reporting(Report.inconclusive("it is too dark")))
    return await made(writes(GOOD), verifiers=(LENGTH, nothing), completion=policy)


async def refused_by_the_model(policy: str) -> Run:
    script = {(1, 1): write(GOOD), (1, 2): Reply(text="No.", stop="refused")}
    return await made(Scripted(script), verifiers=(LENGTH,), completion=policy)


ENDS = [
    (verified, "draft_allowed", ("passed", "succeeded", "passed", True, 0)),
    (verified, "verified_only", ("passed", "succeeded", "passed", True, 0)),
    (without_a_judge, "draft_allowed", ("unresolved", "succeeded", "unjudged", True, 0)),
    (without_a_judge, "verified_only", ("unresolved", "incomplete", "unjudged", False, 5)),
    (rejected_to_the_end, "draft_allowed", ("failed", "incomplete", "exhausted", True, 5)),
    (rejected_to_the_end, "verified_only", ("failed", "incomplete", "exhausted", False, 5)),
    (never_written, "draft_allowed", ("failed", "failed", "exhausted", False, 1)),
    (out_of_steps, "draft_allowed", ("unresolved", "incomplete", "exhausted", True, 5)),
    (out_of_steps, "verified_only", ("unresolved", "incomplete", "exhausted", False, 5)),
    (going_in_circles, "draft_allowed", ("unresolved", "incomplete", "no-progress", True, 5)),
    (broken_check, "draft_allowed", ("errored", "incomplete", "errored", True, 5)),
    (broken_check, "verified_only", ("errored", "incomplete", "errored", False, 5)),
    (undecided, "draft_allowed", ("unresolved", "incomplete", "unjudged", True, 5)),
    (refused_by_the_model, "draft_allowed", ("passed", "succeeded", "errored", True, 0)),
]


@pytest.mark.promise("O8", "O9", "V1")
@pytest.mark.parametrize(("ends", "policy", "stated"), ENDS)
async def test_each_ending_is_what_the_design_says_and_carries_its_evidence(
    ends: object, policy: str, stated: tuple[object, ...]
) -> None:
    run: Run = await ends(policy)  # type: ignore[operator]  # one of the functions above
    result = run.result
    saved = result.version is not None
    assert (result.verification, result.status, result.ending, saved, result.exit_code) == stated
    ended = run.of("operation_ended")[0]
    assert (ended.verification, ended.status, ended.ending) == stated[:3]
    assert ended.version == (result.version.id if result.version else None)
    record = await run.environment.store.load(result.operation)
    assert (record.state, record.status) == ("ended", result.status)
    assert await stored_result(record, run.environment) == result
    head = await run.environment.store.head(record.document)
    assert (head is not None) == saved
    assert head is None or head.verification == result.verification
    draft = "This is a draft" in " ".join(result.warnings)
    assert draft == (result.verification != "passed")
    assert result.human_review == "none"
    left = {
        report["verifier"] for report in result.reports if report["status"] in {"skipped", "errored", "inconclusive"}
    }
    assert {one.check for one in result.not_checked} == left


@pytest.mark.promise("O8")
async def test_a_request_may_tighten_the_policy() -> None:
    run = await made(writes(GOOD), verifiers=JUDGED, asks={"policy": {"completion": "verified_only"}})
    assert (run.result.policy, run.result.status, run.result.version) == ("verified_only", "incomplete", None)


@pytest.mark.promise("V1")
async def test_the_result_names_every_output_and_every_piece_of_evidence_with_its_place() -> None:
    @tool(makes=("render/", "sketch"))
    async def paint(ctx: ToolContext) -> ToolResult:
        """Make two pictures and a thing of no known kind."""
        await ctx.files.write("poem.txt", GOOD)
        picture = await ctx.store(flat_png(2, 2), "image/png")
        odd = await ctx.store(b"?", "application/x-odd")
        return ToolResult(text="made", artifacts={"render/page": picture, "sketch": odd})

    owns = tuple(output for output in poem().owns if not output.derived)
    checks = (measurement(reporting(Report(examined=1)), reads=LENGTH.reads),)
    run = await made(
        Scripted({(1, 1): calls(("paint", {}))}), tools=(paint, write_poem), owns=owns, build=None, verifiers=checks
    )
    places = {artifact.label: (artifact.path, artifact.media_type) for artifact in run.result.artifacts}
    assert places == {
        "poem.txt": ("poem.txt", "text/plain"),
        "render/page": ("page.png", "image/png"),
        "sketch": ("evidence/sketch", "application/x-odd"),
    }
    document = json.loads(run.result.model_dump_json())
    assert document["schema_version"] == "1"
    assert Result.model_validate(document) == run.result


@pytest.mark.promise("O13")
@pytest.mark.parametrize(("isolation", "warned"), [("jail", False), ("closed", True), ("none", True)])
async def test_the_isolation_of_its_renders_stands_on_the_version_and_a_weak_one_is_warned_of(
    isolation: str, warned: bool
) -> None:
    async with place(renderer=PlainRenderer(isolation=isolation)) as environment:  # type: ignore[arg-type]  # one of three
        run = await finished(begin(writes(GOOD), environment, made_by=agent(ports=("renderer",))), environment)
        assert run.result.version is not None
        assert run.result.version.isolation == isolation
        assert ("there was no jail" in " ".join(run.result.warnings)) == warned


# ---- everything that can be wrong is wrong before a model is called


async def refused(asked: Json, **changes: object) -> tuple[Exception, Scripted]:
    """The error, and the writer that was never asked."""
    writer = writes(GOOD)
    made_by = changes.pop("made_by", agent())
    mode = changes.pop("mode", None)
    async with place(**changes) as environment:  # type: ignore[arg-type]  # ports by name
        with pytest.raises(Exception) as raised:  # noqa: PT011 - the tests look at its kind and words
            await generate(asked, agents=[made_by], models={"writer": writer}, mode=mode, environment=environment)  # type: ignore[list-item, arg-type]  # as above
        assert await environment.store.operations() == ()
    return raised.value, writer


@pytest.mark.promise("C3", "C6")
async def test_what_can_be_wrong_is_wrong_before_a_model_is_called_and_nothing_is_saved() -> None:
    unfit = PlainRenderer(unfit="there is no screen")
    cases: list[tuple[type[Exception], str, Json, dict[str, object]]] = [
        (RequestError, "brief", {"operation": "generate", "content": "poem"}, {}),
        (UnsupportedRequest, "no agent can generate 'opera'", request(content="opera"), {}),
        (UnsupportedRequest, "no agent can edit 'poem'", request(operation="edit", edit=EDIT), {}),
        (CompositionError, "unknown-mode", request(), {"mode": "dream"}),
        (CompositionError, "unverified-output", request(), {"made_by": agent(verifiers=())}),
        (EnvironmentUnfit, "there is no screen", request(), {"made_by": agent(ports=("renderer",)), "renderer": unfit}),
        (RequestError, "no capability that is in takes extensions.dream", request(extensions={"dream": 1}), {}),
        (RequestError, "missing-field", request(), {"made_by": agent(reads=type(poem().reads)(required=("rules",)))}),
    ]
    for kind, words, asked, changes in cases:
        error, writer = await refused(asked, **changes)
        assert isinstance(error, kind), (words, error)
        assert words in str(error)
        assert writer.prompts == []


async def test_an_extension_is_checked_by_its_capabilitys_own_schema() -> None:
    made_by = agent(extension={"type": "object", "properties": {"metre": {"type": "string"}}})
    error, _ = await refused(request(extensions={"poem": {"metre": 7}}), made_by=made_by)
    assert isinstance(error, RequestError)
    assert [(problem.code, problem.where) for problem in error.problems] == [
        ("bad-extension", "$.extensions.poem.metre")
    ]
    assert (await made(writes(GOOD), made_by=made_by, asks={"extensions": {"poem": {"metre": "iambic"}}})).result


async def test_a_request_for_another_operation_is_refused_by_name() -> None:
    edits = replace(agent(), operation="edit")
    error, _ = await refused(request(operation="edit", edit=EDIT), made_by=edits)
    assert "the request asks for 'edit', and generate() was called" in str(error)


# ---- requests, environments, faces


async def test_a_request_is_a_model_an_object_or_the_path_of_a_file(tmp_path: Path) -> None:
    file = tmp_path / "request.json"
    file.write_text(json.dumps(request()), encoding="utf-8")
    async with place() as environment:
        for asked in (request_of(request()), request(), file):
            result = await generate(asked, agents=[agent()], models={"writer": writes(GOOD)}, environment=environment)
            assert result.status == "succeeded"
        with pytest.raises(RequestError, match=r"cannot read the request: .* check the path"):
            await generate(tmp_path / "none.json", agents=[agent()], environment=environment)


@pytest.mark.promise("O13")
async def test_concurrent_operations_share_one_environment_and_nothing_else() -> None:
    async with place() as environment:
        results: dict[str, Result] = {}

        async def run(name: str) -> None:
            results[name] = await begin(writes(LONG, f"poem {name}"), environment, document=name)

        async with anyio.create_task_group() as side_by_side:
            for name in "abcdef":
                side_by_side.start_soon(run, name)
        for name, result in results.items():
            assert result.status == "succeeded"
            address = next(a.sha256 for a in result.artifacts if a.label == "poem.txt")
            assert await environment.blobs.get(address) == f"poem {name}".encode()
            events = await environment.store.events(result.operation)
            assert {event.operation for event in events} == {result.operation}
            assert [event.seq for event in events] == list(range(1, len(events) + 1))


async def test_an_environment_of_its_own_is_made_in_the_data_folder_and_released(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPOSITOR_HOME", str(tmp_path / "home"))
    assert data_folder() == tmp_path / "home"
    assert data_folder(tmp_path) == tmp_path
    models: dict[Role, ModelAdapter] = {"writer": writes(GOOD)}
    handle = generate(request(), agents=[agent()], models=models)
    async with handle:
        result = await handle.result()
    assert result.status == "succeeded"
    assert sorted(path.name for path in (tmp_path / "home").iterdir()) == ["blobs", "leases", "operations.sqlite"]
    assert list((tmp_path / "home" / "leases").iterdir()) == []


async def test_an_environment_that_cannot_be_had_is_an_error_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(PortError, match="choose another folder with --data"):
        await generate(request(), agents=[agent()], models={"writer": writes(GOOD)}, data=tmp_path / "file")
    given = Environment(
        tmp_path / "never", renderer=PlainRenderer(), compiler=PlainCompiler(), pictures=PlainPictures()
    )
    assert given.data == tmp_path / "never"


def test_without_an_event_loop_the_sync_faces_wait_for_the_result(tmp_path: Path) -> None:
    models: dict[Role, ModelAdapter] = {"writer": writes(GOOD)}
    made_by = agent(verifiers=(LENGTH, measurement(breaks_once())))
    first = generate_sync(request(), agents=[made_by], models=models, data=tmp_path)
    assert first.verification == "errored"
    second = resume_sync(first.operation, agents=[made_by], models=models, data=tmp_path)
    assert (second.status, second.operation) == ("succeeded", first.operation)


def breaks_once() -> Check:
    """A check that breaks down the first time."""
    broken = [True]

    async def check(ctx: CheckContext) -> Report:
        if broken:
            raise RuntimeError(f"{broken.pop()}")
        return Report(examined=1)

    return check


def test_by_default_the_shipped_agents_are_chosen_from_and_the_offline_designer_writes(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedRequest, match="no agent can generate 'poem'"):
        generate_sync(request(), data=tmp_path)
    with pytest.raises(EnvironmentUnfit, match="offline plays a capability's designer, and poem has none"):
        generate_sync(request(), agents=[agent()], data=tmp_path)


async def test_a_picture_that_is_addressed_nowhere_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "rose.png").write_bytes(flat_png(4, 4))
    file = tmp_path / "request.json"
    for delivery, warned in (({}, True), ({"asset_base_url": "https://images.shop.example/"}, False)):
        asked = request(assets=[{"id": "rose", "path": "rose.png", "role": "hero", "alt": "a rose"}], delivery=delivery)
        file.write_text(json.dumps(asked), encoding="utf-8")
        async with place() as environment:
            result = await generate(file, agents=[agent()], models={"writer": writes(GOOD)}, environment=environment)
        assert ("https://assets.invalid/" in " ".join(result.warnings)) == warned


async def test_an_operation_that_has_not_ended_has_no_stored_result() -> None:
    async with place() as environment:
        handle = begin(Scripted({(1, 1): AdapterError("scripted", "no answer")}), environment)
        with pytest.raises(AdapterError):
            await handle
        record = await environment.store.load(handle.operation)
        assert await stored_result(record, environment) is None
