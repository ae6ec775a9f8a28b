"""The jail: what a command inside can and cannot do, and how we know."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from compositor.adapters.sandbox import Jail, Limits, jail_fault
from compositor.errors import PortError
from tests.adapters.machine import descendants, left_of, open_folder

MIB = 1 << 20


@pytest.fixture(scope="module", autouse=True)
def need_jail() -> None:
    if reason := anyio.run(jail_fault):
        pytest.skip(f"no jail here: {reason}")


def run(script: str, jail: Jail | None = None, *, shell: str = "/bin/sh") -> subprocess.CompletedProcess[str]:
    argv = (jail or Jail()).argv([shell, "-c", script])
    return subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def door() -> Iterator[int]:
    """A port of this machine that anybody may knock at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_server_of_this_machine_is_out_of_reach_from_inside_and_within_reach_outside(door: int) -> None:
    knock = f"exec 3<>/dev/tcp/127.0.0.1/{door} && echo open"
    assert subprocess.run(["bash", "-c", knock], capture_output=True, text=True, check=False).stdout == "open\n"
    inside = run(knock, shell="/usr/bin/bash")
    assert inside.stdout == ""
    assert inside.returncode != 0


def test_the_environment_is_not_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "a secret")
    names = {line.partition("=")[0] for line in run("env").stdout.splitlines()}
    assert "OPENAI_API_KEY" not in names
    assert names >= {"PATH", "HOME", "LANG", "TZ"}


def test_the_system_is_read_only_and_users_files_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "private.txt").write_text("private")
    assert run("touch /usr/x || touch /x || touch /etc/x").returncode != 0
    assert run(f"cat {tmp_path}/private.txt").returncode != 0
    assert run("ls /root /home /work /var/log 2>/dev/null").stdout == ""


def test_its_home_is_empty_and_can_be_written() -> None:
    assert run("ls -A $HOME; touch $HOME/x && echo written").stdout == "written\n"


def test_only_the_work_folder_is_shared_and_its_files_come_out() -> None:
    with open_folder() as shared:
        shared.chmod(0o777)
        assert run("pwd; echo made > made.txt", Jail(work=shared)).stdout == "/work\n"
        assert (shared / "made.txt").read_text() == "made\n"


def test_root_becomes_nobody_and_no_namespaces_can_be_made() -> None:
    assert run("id -u").stdout.strip() != "0"
    assert run("unshare --user true").returncode != 0
    assert run("unshare --user true", Jail(nested=True)).returncode == 0


def test_each_limit_holds() -> None:
    few = Jail(
        limits=Limits(memory=200 * MIB, processes=20, files=16, file_bytes=MIB, temporary=2 * MIB, cpu_seconds=1)
    )
    eat = "import sys; sys.exit(0 if len(bytearray(400 << 20)) else 1)"
    python = Path("/usr/bin/python3")
    if python.exists():
        assert run(f"{python} -c '{eat}'", Jail()).returncode == 0
        assert run(f"{python} -c '{eat}'", few).returncode != 0
    assert (
        "Resource temporarily unavailable"
        in run("for i in $(seq 60); do sleep 2 & done", few, shell="/usr/bin/bash").stderr
    )
    assert run("head -c 2000000 /dev/zero > $HOME/large", few).returncode != 0
    assert run("for i in 1 2 3 4; do head -c 900000 /dev/zero > $HOME/$i || exit 1; done", few).returncode != 0
    assert run("while :; do :; done", few).returncode != 0


def test_further_folders_can_be_shown_read_only() -> None:
    with open_folder() as shown:
        (shown / "shown.txt").write_text("shown")
        jail = Jail(visible=(shown,))
        assert run(f"cat {shown}/shown.txt", jail).stdout == "shown"
        assert run(f"touch {shown}/x", jail).returncode != 0


def test_a_jailed_command_dies_with_the_process_that_started_it() -> None:
    starter = "import subprocess, sys; subprocess.run(sys.argv[1:])"
    command = Jail().argv(["/bin/sh", "-c", "echo started; sleep 600"])
    with subprocess.Popen([sys.executable, "-c", starter, *command], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        below = descendants(process.pid)
        process.kill()
    assert below
    assert left_of(below) == []


@pytest.mark.anyio
@pytest.mark.parametrize("missing", ["bwrap", "prlimit"])
async def test_a_missing_program_is_named_with_its_package(
    missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in {"setpriv", "bwrap", "prlimit"} - {missing}:
        (tmp_path / name).symlink_to("/bin/true")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PortError, match=missing) as raised:
        Jail().argv(["true"])
    assert raised.value.cure
    assert missing in (await jail_fault() or "")


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("pretender", "complaint"),
    [
        ("echo no permissions >&2; exit 1", "could not start: no permissions"),
        ("echo 'it has a network'; echo proven", "does not hold: it has a network"),
        ("exit 0", "could not start: exit code 0"),
    ],
)
async def test_a_bwrap_that_only_looks_like_one_is_found_out(
    pretender: str, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_folder() as folder:
        (folder / "bwrap").write_text(f"#!/bin/sh\n{pretender}\n")
        (folder / "bwrap").chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        assert complaint in (await jail_fault() or "")
