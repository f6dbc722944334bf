"""Which jail this machine has: the first one that really confines, or none and the reason."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from sandbox.server import bubblewrap, sandlocked
from sandbox.server.bubblewrap import Bubblewrap
from sandbox.server.closed_folders import first_closed
from sandbox.server.interpreter import program_path, python_view, system_view
from sandbox.server.jail import Jail, JailUnavailable
from sandbox.server.limits import Limits
from sandbox.server.remedy import open_the_way, remedy
from sandbox.server.sandlocked import Sandlocked
from sandbox.server.seatbelt import Seatbelt
from sandbox.server.seccomp import NoFilter, filter_bytes
from sandbox.server.user_namespace import FIRST_UID, NamespaceDenied, may_give_uids, shared_namespace

TRIAL_S = 20
_ESCAPED = 99
# Both ways out must be closed (bash itself connects by /dev/tcp), and the Python that scripts get must start.
_TRIAL = f'(cat "$1" || exec 3<>"/dev/tcp/127.0.0.1/$2") 2> /dev/null && exit {_ESCAPED}; exec python3 -I -S -c ""'


def find_jail(limits: Limits, scratch: Path) -> Jail:
    """The first jail that really confines here: the system's bubblewrap, the wheel's, then sandlock; on macOS Seatbelt.

    `scratch` is an empty folder to try it in. Raises JailUnavailable, never falls back to less.
    """
    reasons: list[str] = []
    for jail in _jails(limits, scratch.parent, reasons):
        reason = why_not(jail, scratch)
        if reason is None:
            return jail
        reasons.append(f"{jail.name}: {reason}")
    raise JailUnavailable(remedy("; ".join(reasons) or "bubblewrap (bwrap) is not installed"))


def _jails(limits: Limits, root: Path, reasons: list[str]) -> Iterator[Jail]:
    """Best first. What cannot even be tried adds its reason."""
    if sys.platform == "darwin":
        yield Seatbelt(limits)
        return
    if sys.platform != "linux":
        raise JailUnavailable(
            f"No script is run, because none could be confined: there is no jail for {sys.platform}. "
            "Set STANDBY_BOX_API_KEY to use hosted E2B boxes instead."
        )
    try:
        seccomp = filter_bytes()
        namespace_fd = shared_namespace() if may_give_uids() else None
    except (NamespaceDenied, NoFilter) as error:
        reasons.append(f"bubblewrap: {error}")
    else:
        if namespace_fd is not None:
            _refuse_closed(["nsenter", f"--user=/proc/{os.getpid()}/fd/{namespace_fd}"], root)
        for bwrap in bubblewrap.candidates():
            yield Bubblewrap(bwrap, limits, system_view(), python_view(), seccomp, namespace_fd)
    if sandlocked.is_installed():
        if may_give_uids():
            _refuse_closed(["setpriv", f"--reuid={FIRST_UID}", f"--regid={FIRST_UID}", "--clear-groups"], root)
        yield Sandlocked(limits, gives_uids=may_give_uids())
    else:
        reasons.append("sandlock: not installed")


def _refuse_closed(become: Sequence[str], root: Path) -> None:
    """For root alone, who reads where the boxes' uids cannot. Raises JailUnavailable."""
    if closed := first_closed(become, [Path(mount.source) for mount in python_view()], root):
        raise JailUnavailable(open_the_way(closed))


def why_not(jail: Jail, scratch: Path) -> str | None:
    """None when a command runs in the jail and reaches neither a file of ours nor a server of ours."""
    cell = jail.cell(scratch, FIRST_UID)
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        cell.make()
        canary = scratch / "canary"
        canary.write_text("ours", encoding="ascii")
        with (
            socket.create_server(("127.0.0.1", 0)) as listener,
            jail.launch(
                cell, "/home/user", ["/bin/bash", "-c", _TRIAL, "trial", str(canary), str(listener.getsockname()[1])]
            ) as launch,
        ):
            ran = subprocess.run(
                launch.argv,
                env={"PATH": program_path(), **launch.env},
                cwd=launch.cwd,
                pass_fds=launch.fds,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=TRIAL_S,
                check=False,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if ran.returncode == _ESCAPED:
        return "it confines nothing: a file or a server of this computer was reached from inside"
    return None if ran.returncode == 0 else ran.stderr.strip() or f"exit code {ran.returncode}"
