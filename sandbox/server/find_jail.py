"""Which jail this machine has: the first one that really confines, or none and the reason."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from sandbox.server import bubblewrap
from sandbox.server.bubblewrap import Bubblewrap
from sandbox.server.interpreter import python_view, system_view
from sandbox.server.jail import Jail, JailUnavailable
from sandbox.server.limits import Limits
from sandbox.server.remedy import remedy
from sandbox.server.seccomp import NoFilter, filter_bytes
from sandbox.server.user_namespace import FIRST_UID, NamespaceDenied, may_give_uids, shared_namespace

TRIAL_S = 20


def find_jail(limits: Limits, scratch: Path) -> Jail:
    """The first jail that really confines here: the system's bubblewrap, then the wheel's.

    `scratch` is an empty folder to try it in. Raises JailUnavailable, never falls back to less.
    """
    reasons: list[str] = []
    for jail in _jails(limits, reasons):
        reason = why_not(jail, scratch)
        if reason is None:
            return jail
        reasons.append(f"{jail.name}: {reason}")
    raise JailUnavailable(remedy("; ".join(reasons) or "bubblewrap (bwrap) is not installed"))


def _jails(limits: Limits, reasons: list[str]) -> Iterator[Jail]:
    """Best first. What cannot even be tried adds its reason."""
    if sys.platform != "linux":
        raise JailUnavailable(
            "Boxes on this computer need Linux: there is no jail for "
            f"{sys.platform} yet. Set STANDBY_BOX_API_KEY to use hosted E2B boxes instead."
        )
    try:
        seccomp = filter_bytes()
        namespace_fd = shared_namespace() if may_give_uids() else None
    except (NamespaceDenied, NoFilter) as error:
        reasons.append(f"bubblewrap: {error}")
    else:
        for bwrap in bubblewrap.candidates():
            yield Bubblewrap(bwrap, limits, system_view(), python_view(), seccomp, namespace_fd)


def why_not(jail: Jail, scratch: Path) -> str | None:
    """None when a trivial command runs in the jail, else what went wrong."""
    cell = jail.cell(scratch, FIRST_UID)
    shutil.rmtree(scratch, ignore_errors=True)
    try:
        cell.make()
        with jail.launch(cell, "/home/user", ["/bin/true"]) as launch:
            ran = subprocess.run(
                launch.argv,
                env={"PATH": "/usr/bin:/bin", **launch.env},
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
    return None if ran.returncode == 0 else ran.stderr.strip() or f"exit code {ran.returncode}"
