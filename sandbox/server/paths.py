"""Paths as a box's user writes them, made absolute and normal."""

from __future__ import annotations

import posixpath

from sandbox.server.refusals import BadKey

HOME = "/home/user"
_OURS = (HOME, "/tmp")


def box_path(text: str) -> str:
    """`text` as an absolute path; relative ones start at home. Raises BadKey outside home and /tmp.

    Only these two are the box's own: writing elsewhere would succeed here and be seen by no command.
    """
    if "\0" in text:
        raise BadKey("path: a path cannot hold a zero byte.")
    if text == "~" or text.startswith("~/"):
        text = HOME + text[1:]
    path = posixpath.normpath(posixpath.join(HOME, text))
    if not any(path == folder or path.startswith(f"{folder}/") for folder in _OURS):
        raise BadKey(f"path: {path!r} lies outside {HOME} and /tmp, the only folders of a box.")
    return path
