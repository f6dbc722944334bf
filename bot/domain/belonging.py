"""Whose a file is that was posted in a channel which several routines read: told by its name, before a byte is fetched.

A routine takes what its plan knows by name, and new files that end like those. What another routine knows by name, and
this one does not, is that one's; other endings are left aside as long as nothing that the plan knows is missing, for
then they may be it under another name.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum, auto
from fnmatch import fnmatchcase
from pathlib import PurePath

_PACKED = (".gz", ".zst", ".bz2", ".xz")


class Whose(Enum):
    OURS = auto()
    ANOTHERS = auto()  # another routine of the channel knows its name
    UNKNOWN = auto()  # no plan knows it: left aside, and said


@dataclass(frozen=True)
class Known:
    """Patterns of names: of the sample that a plan was made from, and further ones that its parameters admit."""

    sample: frozenset[str] = frozenset()
    admitted: frozenset[str] = frozenset()

    def fits(self, name: str) -> bool:
        return _fits(name, self.sample | self.admitted)

    def all_there(self, names: Collection[str]) -> bool:
        return all(any(fnmatchcase(name, pattern) for name in names) for pattern in self.sample)


def whose(name: str, ours: Known, others: Collection[Known], *, all_there: bool, is_meant: bool = False) -> Whose:
    """`all_there`: every name of the plan's sample was posted; `is_meant`: it stands in the routine's own thread."""
    if ours.fits(name) or not ours.sample:
        return Whose.OURS
    if not is_meant and any(_fits(name, other.sample) for other in others):
        return Whose.ANOTHERS
    if not all_there or _ending(name) in {_ending(pattern) for pattern in ours.sample}:
        return Whose.OURS
    return Whose.UNKNOWN


def shared(ours: Known, other: Known) -> bool:
    """Whether both read some file: a name of one fits the other. A pattern stands for a name that it was made from."""
    return any(other.fits(_plain(one)) for one in ours.sample) or any(ours.fits(_plain(one)) for one in other.sample)


def _fits(name: str, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def _ending(name: str) -> str:
    """Of its kind: without what it is packed in, and without the number of a log that was rotated."""
    path = PurePath(name.lower())
    while path.suffix in _PACKED or path.suffix.strip(".").isdecimal():
        path = PurePath(path.stem)
    return path.suffix


def _plain(pattern: str) -> str:
    """A name that fits it."""
    return pattern.replace("[0-9]", "1").replace("[*]", "*").replace("[?]", "?").replace("[[]", "[")
