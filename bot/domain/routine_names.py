"""Names of routines: where one is taken, the next number behind it."""

import re
from collections.abc import Set
from itertools import count

_NUMBERED = re.compile(r"-\d{1,3}$")


def next_free(name: str, taken: Set[str]) -> str:
    """The name itself where it is free, else `name-2`, `name-3` and so on; a number that it has is not kept."""
    if name not in taken:
        return name
    bare = _NUMBERED.sub("", name)
    return next(one for number in count(2) if (one := f"{bare}-{number}") not in taken)
