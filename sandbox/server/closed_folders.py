"""Folders that a jail cannot pass through, so that it would not find what it has to show a box."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

_LOOK = 'for folder; do [ -x "$folder" ] || { printf %s "$folder"; exit; }; done'


def first_closed(become: Sequence[str], shown: Iterable[Path], kept: Path) -> Path | None:
    """The first folder that keeps a jail from showing `shown` to every box, or from the boxes' own folder `kept`.

    `become` stands in front of a command and makes it the one who mounts: an account that looks is the only certain
    answer, as owners, groups, access lists and namespaces all have a say.
    """
    folders = list(shown)
    above = dict.fromkeys(str(each) for path in (*folders, kept) for each in reversed(path.parents))
    ran = subprocess.run(
        [*become, "/bin/sh", "-c", _LOOK, "sh", *above],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if ran.stdout:
        return Path(ran.stdout)
    return next((folder for folder in folders if not folder.stat().st_mode & stat.S_IXOTH), None)
