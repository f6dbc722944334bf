"""From an address with * and ? to the files it means, looking into as few folders as possible."""

import re
from collections.abc import Iterator
from functools import lru_cache

from bot.sources.place import Entry, Place

_WILD = re.compile(r"[*?]")


def matching(place: Place, pattern: str) -> Iterator[Entry]:
    """The files that a pattern means, in order of their paths. `*` and `?` stay within one step of a path."""
    if not _WILD.search(pattern):
        found = place.entry(pattern)
        if found is not None and not found.is_folder:
            yield found
        return
    steps = pattern.split("/")
    first = next(number for number, step in enumerate(steps) if _WILD.search(step))
    yield from _below(place, "/".join(steps[:first]), steps[first:])


def _below(place: Place, folder: str, steps: list[str]) -> Iterator[Entry]:
    step, rest = steps[0], steps[1:]
    if not _WILD.search(step):
        path = f"{folder}/{step}"
        if rest:
            yield from _below(place, path, rest)
        elif (found := place.entry(path)) is not None and not found.is_folder:
            yield found
        return
    wanted = _as_regex(step)
    for entry in sorted(place.entries(folder), key=lambda one: one.path):
        if wanted.fullmatch(entry.path.rpartition("/")[2]):
            if rest and entry.is_folder:
                yield from _below(place, entry.path, rest)
            elif not rest and not entry.is_folder:
                yield entry


def name_of(pattern: str, path: str) -> str:
    """What a file is called in the box: its steps from the pattern's first wild one on, joined by _.

    So the name of a file never depends on which others are there.
    """
    steps = path.split("/")
    first = next((number for number, step in enumerate(pattern.split("/")) if _WILD.search(step)), len(steps) - 1)
    return "_".join(steps[min(first, len(steps) - 1) :])


@lru_cache(maxsize=1024)
def _as_regex(step: str) -> re.Pattern[str]:
    parts = {"*": "[^/]*", "?": "[^/]"}
    # A hidden file is meant only by a pattern that begins with its dot, as in a shell.
    hidden = "" if step.startswith(".") else r"(?!\.)"
    return re.compile(hidden + "".join(parts.get(one, re.escape(one)) for one in step), re.DOTALL)
