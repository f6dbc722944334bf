"""Why this machine refuses a jail, and the one line that changes it."""

from __future__ import annotations

import shlex
from pathlib import Path

# The switch, the value that forbids, and the command that allows.
_SWITCHES = (
    (
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
        "1",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    ("/proc/sys/kernel/unprivileged_userns_clone", "0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
    ("/proc/sys/user/max_user_namespaces", "0", "sudo sysctl -w user.max_user_namespaces=15000"),
)
_CONTAINER = "start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined"


def remedy(reason: str) -> str:
    """A sentence for a person: what failed, what it means, what to type."""
    return (
        f"No script is run, because none could be confined: {reason}. "
        f"Boxes need user namespaces and bubblewrap, or a kernel with Landlock; to allow them: {_command(reason)}. "
        "Or set STANDBY_BOX_API_KEY to use hosted E2B boxes."
    )


def open_the_way(closed: Path) -> str:
    """The same for a folder that a box would have to be shown through, but that its owner keeps closed."""
    return (
        f"No script is run, because boxes started as root cannot pass through {closed}, which holds Python, Standby or "
        f"its data and is closed to other accounts. Let them pass (not list): sudo chmod o+x {shlex.quote(str(closed))}"
        "; or move Standby to a folder that is open; or start it as that folder's owner."
    )


def _command(reason: str) -> str:
    if "(bwrap) is not installed" in reason:
        return "sudo apt install bubblewrap (or your system's equal)"
    for path, forbids, command in _SWITCHES:
        switch = Path(path)
        if switch.exists() and switch.read_text(encoding="ascii").strip() == forbids:
            return command
    if Path("/.dockerenv").exists() or Path("/run/.containerenv").exists():
        return _CONTAINER
    return "sudo sysctl -w user.max_user_namespaces=15000"
