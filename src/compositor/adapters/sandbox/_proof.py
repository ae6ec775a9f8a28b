"""Proof that commands can be jailed here, by jailing one."""

from __future__ import annotations

import subprocess

import anyio

from compositor.adapters.sandbox._jail import Jail
from compositor.errors import PortError

PROOF_SECONDS = 10
"""Longest time for the proof, which takes some 30 ms on an idle machine."""

_PROBE = """
touch /usr/proof /proof 2>/dev/null && echo 'the system can be written'
touch "$HOME/proof" || echo 'its own home cannot be written'
grep -q : /proc/net/dev && grep : /proc/net/dev | grep -qv ' *lo:' && echo 'it has a network'
[ "$(id -u)" = 0 ] && echo 'it is root'
[ -n "$COMPOSITOR_PROOF" ] && echo 'it sees our environment'
unshare --user true 2>/dev/null && echo 'it can make namespaces of its own'
echo proven
"""
"""Prints each promise of the jail that does not hold, then a word that says the probe came to its end."""


async def jail_fault() -> str | None:
    """Why no command can be jailed on this machine, with the likely cure; None where one was, and was held.

    A `bwrap` on the disk proves nothing: containers and hardened hosts refuse the namespaces that it asks for.
    """
    try:
        argv = Jail().argv(["/bin/sh", "-c", _PROBE])
    except PortError as error:
        return str(error)
    try:
        with anyio.fail_after(PROOF_SECONDS):
            done = await anyio.run_process(
                argv, check=False, stdin=subprocess.DEVNULL, env={"COMPOSITOR_PROOF": "seen"}
            )
    except (OSError, TimeoutError) as error:
        return f"the jail did not start: {error or f'no answer in {PROOF_SECONDS} s'}"
    said, complaint = done.stdout.decode(errors="replace").splitlines(), done.stderr.decode(errors="replace").strip()
    if said == ["proven"]:
        return None
    if "proven" in said:
        return f"the jail does not hold: {'; '.join(said[:-1])}"
    return (
        f"a jailed process could not start: {complaint[-300:] or f'exit code {done.returncode}'} → allow user"
        " namespaces (in a container: --security-opt seccomp=unconfined or a profile that permits unshare), or update"
        " bubblewrap"
    )
