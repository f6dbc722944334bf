"""Deleting a box's folder for certain, whatever its script did to it."""

from __future__ import annotations

import subprocess
from pathlib import Path


def remove_folder(folder: Path) -> None:
    """Removes `folder` and all in it; links are removed, never followed. Raises OSError when something stays.

    coreutils and not shutil.rmtree, which gives up on folders nested a thousand deep. A script may also take
    the permissions from its own folders, which stops everybody but root until they are given back.
    """
    if _run("rm", "-rf", "--", str(folder)):
        _run("chmod", "-R", "u+rwx", "--", str(folder))
        if _run("rm", "-rf", "--", str(folder)):
            raise OSError(f"the box's folder {folder} could not be removed; remove it by hand")


def _run(*argv: str) -> int:
    return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode
