"""Deleting a box's folder for certain, whatever its script did to it."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

_PATIENCE_S = 5.0  # a process that was killed in the middle of a write may finish it


def remove_folder(folder: Path) -> None:
    """Removes `folder` and all in it; links are removed, never followed. Raises OSError when something stays.

    coreutils and not shutil.rmtree, which gives up on folders nested a thousand deep. A script may also take
    the permissions from its own folders, which stops everybody but root until they are given back.
    """
    until = time.monotonic() + _PATIENCE_S
    while _run("rm", "-rf", "--", str(folder)):
        if time.monotonic() > until:
            raise OSError(f"the box's folder {folder} could not be removed; remove it by hand")
        _run("chmod", "-R", "u+rwx", "--", str(folder))
        time.sleep(0.05)


def _run(*argv: str) -> int:
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode
