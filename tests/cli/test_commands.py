"""The command line as a backend, a person and CI use it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import anyio
import pytest
from typer.testing import CliRunner

from compositor.cli import app

RETAIL = Path(__file__).parents[2] / "examples" / "retail-sale" / "request.json"

BAD_BUTTON = (
    '<mjml lang="en"><mj-body><mj-section><mj-column>\n'
    '<mj-text>Hello <mj-button href="https://shop.test/x">Buy</mj-button></mj-text>\n'
    "</mj-column></mj-section></mj-body></mjml>"
)


@dataclass(frozen=True, kw_only=True)
class Made:
    """One finished operation: its data folder, its output folder, its stdout as JSON, its stderr."""

    data: Path
    out: Path
    document: dict[str, object]
    progress: str


def compositor(*arguments: str | Path) -> tuple[int, str, str]:
    """Run a command in this process: exit code, stdout, stderr."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return done.exit_code, done.stdout, done.stderr


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made")
    data, out = folder / "data", folder / "out"
    code, stdout, stderr = compositor("generate", RETAIL, "-o", out, "--data", data, "--json")
    assert code == 0, stderr
    return Made(data=data, out=out, document=json.loads(stdout), progress=stderr)


@pytest.mark.browser
@pytest.mark.promise("V1", "E1")
def test_generate_writes_the_outputs_the_pictures_and_the_report(made: Made) -> None:
    written = {path.name for path in made.out.iterdir()}
    assert {"email.mjml", "plan.json", "email.html", "email.txt", "delivery.json"} <= written
    assert {"desktop.png", "mobile.png", "result.json", "report.html"} <= written
    assert json.loads((made.out / "result.json").read_text()) == made.document


@pytest.mark.browser
@pytest.mark.promise("V1")
def test_a_result_says_what_was_not_checked_and_that_nobody_reviewed_it(made: Made) -> None:
    assert made.document["status"] == "succeeded"
    assert made.document["verification"] == "unresolved"
    assert made.document["ending"] == "unjudged"
    assert made.document["not_checked"] == [{"check": "email-rubric", "reason": "skipped: no-judge"}]
    assert made.document["human_review"] == "none"
    assert any("no model was called" in str(warning) for warning in _list(made.document["warnings"]))


@pytest.mark.browser
def test_progress_goes_to_stderr_without_colour_codes_in_a_pipe(made: Made) -> None:
    assert "opened" in made.progress
    assert "mjml-structure: passed" in made.progress
    assert "\x1b" not in made.progress


@pytest.mark.browser
def test_every_artifact_of_the_result_stands_in_the_output_folder(made: Made) -> None:
    for artifact in _list(made.document["artifacts"]):
        assert (made.out / artifact["path"]).is_file()


@pytest.mark.browser
@pytest.mark.promise("O11")
def test_show_gives_the_same_result_and_the_gapless_events(made: Made) -> None:
    operation = str(made.document["operation"])
    code, stdout, _ = compositor("show", operation, "--data", made.data, "--json")
    assert (code, json.loads(stdout)) == (0, made.document)
    code, stdout, _ = compositor("show", operation, "--data", made.data, "--events", "--json")
    numbers = [json.loads(line)["seq"] for line in stdout.splitlines()]
    assert numbers == list(range(1, len(numbers) + 1))
    code, stdout, _ = compositor("show", operation, "--data", made.data, "--events", "--json", "--after", "5")
    assert json.loads(stdout.splitlines()[0])["seq"] == 6


@pytest.mark.browser
def test_show_writes_the_output_folder_again(made: Made, tmp_path: Path) -> None:
    code, stdout, _ = compositor("show", str(made.document["operation"]), "--data", made.data, "-o", tmp_path / "again")
    assert code == 0
    assert "report.html" in stdout
    for name in ("email.html", "desktop.png", "report.html"):
        assert (tmp_path / "again" / name).read_bytes() == (made.out / name).read_bytes()


@pytest.mark.browser
def test_operations_lists_what_was_done(made: Made) -> None:
    code, stdout, _ = compositor("operations", "--data", made.data)
    assert code == 0
    assert str(made.document["operation"]) in stdout


@pytest.mark.browser
def test_resuming_a_finished_operation_gives_its_result(made: Made) -> None:
    code, stdout, _ = compositor("resume", str(made.document["operation"]), "--data", made.data, "--json")
    assert (code, json.loads(stdout)) == (0, made.document)


@pytest.mark.browser
@pytest.mark.promise("V3")
def test_verify_finds_a_button_inside_text_with_its_line_and_exits_with_1(tmp_path: Path) -> None:
    (tmp_path / "bad.mjml").write_text(BAD_BUTTON)
    code, stdout, _ = compositor("verify", tmp_path / "bad.mjml", "--json")
    document = json.loads(stdout)
    blocking = [f for report in document["reports"] for f in report["findings"] if f["severity"] == "blocking"]
    assert code == 1
    assert document["verification"] == "failed"
    assert [(f["where"]["of"], f["where"]["line"]) for f in blocking] == [("email.mjml", 2)]


@pytest.mark.browser
@pytest.mark.promise("V3")
def test_verify_passes_a_good_file_and_lists_what_it_could_not_check(made: Made) -> None:
    code, stdout, _ = compositor("verify", made.out / "email.html", "--request", RETAIL)
    assert code == 0
    assert "verification unresolved" in stdout
    assert "mjml-structure: skipped" in stdout
    assert "html-document" in stdout


def test_verify_refuses_a_kind_that_nobody_opens(tmp_path: Path) -> None:
    (tmp_path / "song.mp3").write_bytes(b"ID3")
    code, _, stderr = compositor("verify", tmp_path / "song.mp3")
    assert code == 2
    assert ".mp3" in stderr


@pytest.mark.promise("C7")
def test_check_composes_every_agent_in_every_mode() -> None:
    code, stdout, _ = compositor("check", "--json")
    tried = json.loads(stdout)
    assert code == 0
    assert {one["mode"] for one in tried} >= {None, "review"}
    assert all(one["digest"] and not one["problems"] for one in tried)


@pytest.mark.promise("C5")
@pytest.mark.parametrize("shown", ["text", "json", "mermaid"])
def test_explain_shows_the_composition_for_a_request(shown: str) -> None:
    code, stdout, _ = compositor("explain", "email", "generate", "--request", RETAIL, "--format", shown)
    assert code == 0
    assert "write_file" in stdout
    if shown != "mermaid":
        assert "blueprint" in stdout  # what is withheld is printed


@pytest.mark.parametrize(
    ("request_text", "code"),
    [
        ("{", "not-json"),
        ('{"operation":"generate","content":"email"}', "missing"),
        ('{"operation":"generate","content":"email","brief":{"name":"x","objective":"awareness"},"bogus":1}', "bogus"),
    ],
)
def test_a_bad_request_exits_with_2_and_leaves_no_operation(tmp_path: Path, request_text: str, code: str) -> None:
    (tmp_path / "request.json").write_text(request_text)
    exit_code, stdout, stderr = compositor("generate", tmp_path / "request.json", "--data", tmp_path / "data")
    assert (exit_code, stdout) == (2, "")
    assert code in stderr
    assert "no operations" in compositor("operations", "--data", tmp_path / "data")[1]


@pytest.mark.promise("C6")
def test_an_unsupported_content_type_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text(
        '{"operation":"generate","content":"sculpture","brief":{"name":"x","objective":"awareness"}}'
    )
    code, _, stderr = compositor("generate", tmp_path / "request.json", "--data", tmp_path / "data")
    assert code == 2
    assert "sculpture" in stderr
    assert "generate email" in stderr


def test_a_missing_request_file_a_missing_operation_and_an_unknown_mode_exit_with_2(tmp_path: Path) -> None:
    assert compositor("generate", tmp_path / "none.json", "--data", tmp_path / "data")[0] == 2
    assert compositor("resume", "nothing", "--data", tmp_path / "data")[0] == 2
    assert compositor("generate", RETAIL, "--mode", "odd", "--data", tmp_path / "data")[0] == 2
    assert compositor("generate", RETAIL, "--adapter", "odd", "--data", tmp_path / "data")[0] == 2


def test_an_output_that_is_a_file_is_refused_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, stderr = compositor("generate", RETAIL, "-o", tmp_path / "file" / "deep", "--data", tmp_path / "data")
    assert code == 2
    assert "is a file" in stderr
    assert not (tmp_path / "data").exists()


def test_no_browser_exits_with_4_and_the_cure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPOSITOR_BROWSER", "/nonexistent")
    code, _, stderr = compositor("generate", RETAIL, "--data", tmp_path / "data")
    assert code == 4
    assert "COMPOSITOR_BROWSER" in stderr


@pytest.mark.browser
@pytest.mark.promise("O10", "O14")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("mark", ["opened", "step 1.2", "built"])
def test_stopped_by_a_signal_it_is_resumed_to_the_same_bytes(
    made: Made, tmp_path: Path, how: signal.Signals, mark: str
) -> None:
    data = tmp_path / "data"
    process = subprocess.Popen(
        [sys.executable, "-m", "compositor", "generate", str(RETAIL), "--data", str(data)],
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stderr is not None
    with process.stderr as progress:
        for line in progress:
            if line.strip().startswith(mark):
                break
        process.send_signal(how)
        progress.read()
    assert process.wait(timeout=60) == (-signal.SIGKILL if how is signal.SIGKILL else 130)
    operation = json.loads(compositor("operations", "--data", data, "--json")[1])[0]["id"]
    code, stdout, _ = compositor("resume", operation, "--data", data, "-o", tmp_path / "out", "--json")
    assert code == 0
    assert json.loads(stdout)["version"]["number"] == 1
    for name in ("email.mjml", "plan.json", "email.html"):
        assert (tmp_path / "out" / name).read_bytes() == (made.out / name).read_bytes()
    assert list((data / "leases").iterdir()) == []


def _list(value: object) -> list[dict[str, str]]:
    assert isinstance(value, list)
    return value


def test_explain_of_a_request_that_is_missing_or_for_something_else_exits_with_2(tmp_path: Path) -> None:
    assert compositor("explain", "email", "generate", "--request", tmp_path / "none.json")[0] == 2
    (tmp_path / "other.json").write_text(
        '{"operation":"generate","content":"banner","brief":{"name":"x","objective":"awareness"}}'
    )
    code, _, stderr = compositor("explain", "email", "generate", "--request", tmp_path / "other.json")
    assert code == 2
    assert "banner" in stderr


def test_a_bad_package_makes_no_data_folder(tmp_path: Path) -> None:
    (tmp_path / "request.json").write_text("{")
    assert compositor("generate", tmp_path / "request.json", "--data", tmp_path / "data")[0] == 2
    assert not (tmp_path / "data").exists()


@pytest.mark.browser
def test_an_operation_without_a_result_is_shown_by_its_events_and_can_be_cancelled(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with subprocess.Popen(
        [sys.executable, "-m", "compositor", "generate", str(RETAIL), "--data", str(data)],
        stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:  # fmt: skip
        assert process.stderr is not None
        for line in process.stderr:
            if line.strip().startswith("step"):
                break
        process.kill()
    operation = json.loads(compositor("operations", "--data", data, "--json")[1])[0]["id"]
    code, stdout, _ = compositor("show", operation, "--data", data)
    assert code == 0
    assert "opened" in stdout
    assert "compositor resume" in stdout
    assert compositor("show", operation, "--data", data, "-o", tmp_path / "out")[0] == 2
    code, stdout, _ = compositor("cancel", operation, "--data", data)
    assert code == 0
    assert "cancelled" in stdout
    assert compositor("cancel", operation, "--data", data)[0] == 2


@pytest.mark.browser
@pytest.mark.promise("O11")
def test_events_can_be_asked_for_after_any_number_and_none_is_missing(made: Made) -> None:
    show = ("show", str(made.document["operation"]), "--data", made.data, "--events", "--json")
    lines = compositor(*show)[1].splitlines()
    for number in range(len(lines) + 1):
        assert compositor(*show, "--after", str(number))[1].splitlines() == lines[number:]


@pytest.mark.browser
@pytest.mark.promise("O11")
def test_replay_tells_the_whole_operation_in_a_hundred_columns_without_a_browser(
    made: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPOSITOR_BROWSER", "/nonexistent")
    code, stdout, stderr = compositor("replay", str(made.document["operation"]), "--data", made.data)
    assert (code, stderr) == (0, "")
    for expected in (
        "opened",
        "step 1.1  write_file  path=plan.json",
        "email.mjml: new,",
        "+<mjml",
        "built",
        "checked",
    ):
        assert expected in stdout, expected
    assert "ended  succeeded (unjudged), verification unresolved, version " in stdout
    assert max(map(len, stdout.splitlines())) <= 100
    assert "\x1b" not in stdout


@pytest.mark.browser
def test_replay_in_json_has_a_line_for_each_event_with_the_files_after_it(made: Made) -> None:
    operation = str(made.document["operation"])
    moments = [
        json.loads(line) for line in compositor("replay", operation, "--data", made.data, "--json")[1].splitlines()
    ]
    events = compositor("show", operation, "--data", made.data, "--events", "--json")[1].splitlines()
    assert [moment["event"] for moment in moments] == [json.loads(event) for event in events]
    assert moments[-1]["result"] == made.document
    outputs = {str(artifact["path"]): artifact["sha256"] for artifact in _list(made.document["artifacts"])}
    assert {path: outputs[path] for path in moments[-1]["files"] if path in outputs} == {
        path: digest for path, (digest, _) in moments[-1]["files"].items() if path in outputs
    }


@pytest.mark.browser
def test_replay_until_an_event_stops_there_and_its_folder_has_the_files_of_that_moment(
    made: Made, tmp_path: Path
) -> None:
    replay = ("replay", str(made.document["operation"]), "--data", made.data)
    code, stdout, _ = compositor(*replay, "--until", "3", "-o", tmp_path / "replay")
    assert code == 0
    assert "look at" in stdout
    assert "built" not in stdout
    assert {path.name for path in (tmp_path / "replay").iterdir()} == {"step-01", "replay.html"}
    assert (tmp_path / "replay" / "step-01" / "plan.json").read_bytes() == (made.out / "plan.json").read_bytes()
    assert not (tmp_path / "replay" / "step-01" / "email.mjml").exists()
    code, _, stderr = compositor(*replay, "-o", tmp_path / "replay")
    assert code == 2
    assert "not empty" in stderr


def test_replay_of_an_operation_that_there_is_not_exits_with_2(tmp_path: Path) -> None:
    code, stdout, stderr = compositor("replay", "nothing", "--data", tmp_path / "data", "-o", tmp_path / "replay")
    assert (code, stdout) == (2, "")
    assert "no operation 'nothing'" in stderr
    assert not (tmp_path / "replay").exists()


async def _leaflet(data: Path) -> str:
    """Make a leaflet of three drafts with a judge, stopped once on the way; the operation's id."""
    from compositor.errors import AdapterError
    from compositor.operations import generate, resume
    from compositor.testing import Scripted, calls
    from compositor.testing.conformance import _leaflet as leaflets
    from compositor.testing.conformance._kills import embedded

    diary = leaflets.Diary(data.parent / "diary")
    models = dict(leaflets.models(diary))
    first = replace(leaflets.WRITER[1, 1], text="\x1b[31mred\x07 " + "words " * 60)
    odd = calls(
        ("dance", {f"step-{number}": "forward and back" for number in range(9)}), ("jump", {"how": "high " * 99})
    )
    cut = replace(
        odd, calls=(*odd.calls, replace(odd.calls[0], arguments='{"step"'), replace(odd.calls[0], name="x" * 99))
    )
    script = {**leaflets.WRITER, (1, 1): first, (3, 2): cut}
    stops = Scripted({**script, (2, 2): AdapterError("scripted", "no answer")})
    async with embedded(data) as environment:
        handle = generate(
            leaflets.REQUEST,
            agents=[leaflets.leaflet(diary)],
            models={**models, "writer": stops},
            environment=environment,
            operation_id=leaflets.OPERATION,
        )
        with suppress(AdapterError):
            await handle
        again = {**models, "writer": Scripted(script)}
        await resume(handle.operation, agents=[leaflets.leaflet(diary)], models=again, environment=environment)
        return handle.operation


def test_replay_tells_interruptions_rejections_and_judges_and_obeys_no_terminal_codes(tmp_path: Path) -> None:
    operation = anyio.run(_leaflet, tmp_path / "data")
    code, stdout, _ = compositor("replay", operation, "--data", tmp_path / "data")
    assert code == 0
    lines = [" ".join(line.split()) for line in stdout.splitlines()]
    for expected in (
        "no files to begin with",
        "✗ print: there is no tool 'print'. Call one of: count_words, write_body, write_title",
        "checked ✗ body-length: failed, 16 examined",
        "blocking at body.txt: 16 words (measured 16, threshold 10)",
        "rejected draft 1, measured; repair 1 of 2",
        "stopped interrupted; it can be resumed",
        "resumed attempt 2; 15 recorded effects are not run again",
        '{"step"',
        "how, 495 characters",
        "judge read_aloud part=title",
        "→ read_aloud: The spring fair",
        "rejected draft 2, judged; repair 2 of 2",
        "checked ✓ title-length: passed, 15 examined, as before",
        "ended succeeded (passed), verification passed, version leaflet.1",
    ):
        assert expected in lines, expected
    assert max(map(len, stdout.splitlines())) <= 100
    assert "\x1b" not in stdout
    assert "\x07" not in stdout


def test_the_schema_of_events_is_printed_and_written(tmp_path: Path) -> None:
    from compositor.runtime.events import event_schema

    code, stdout, _ = compositor("events", "schema")
    assert (code, json.loads(stdout)) == (0, event_schema())
    assert compositor("events", "schema", "-o", tmp_path / "events.json")[0] == 0
    assert json.loads((tmp_path / "events.json").read_text()) == event_schema()
    assert compositor("events", "schema", "-o", tmp_path / "events.json")[0] == 2
